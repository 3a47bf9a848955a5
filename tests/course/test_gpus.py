from __future__ import annotations

import pytest

from triton_path.course.gpus import FILE, load_gpus
from triton_path.errors import CourseFault, UsageFault
from triton_path.paths import content_dir, own_content_dir

ONE = """\
sources:
  a-book: {title: A book, url: null}
gpus:
  - id: small
    name: A small GPU
    capability: "8.0"
    multiprocessors: {value: 2, source: a-book}
    bandwidth_gb_s: {value: 100, source: a-book}
    fp32_tflops: {value: 1, source: a-book}
    bf16_tflops: null
    l2_mb: {value: 1, source: a-book}
    shared_kb: {value: 64, source: a-book}
"""


@pytest.fixture
def write(tmp_path):
    def write(text):
        (tmp_path / FILE).write_text(text)
        return tmp_path

    return write


def test_the_course_lists_gpus_and_every_figure_has_its_source():
    table = load_gpus(content_dir())
    assert {"t4", "a100-80", "h100", "h200", "b200", "rtx-4090", "mi300x"} <= {
        gpu.id for gpu in table.gpus
    }
    for gpu in table.gpus:
        assert len(gpu.figures()) >= 5
        assert all(figure.source in table.sources for figure in gpu.figures())


def test_figures_are_those_of_the_datasheets():
    table = load_gpus(content_dir())
    assert table.find("h200").bandwidth_gb_s.value == 4800
    assert table.find("t4").bf16_tflops is None


@pytest.mark.parametrize("name", ["h200", "H200", "RTX 4090", "rtx_4090"])
def test_a_name_may_be_written_in_several_ways(name):
    assert load_gpus(content_dir()).find(name).id in {"h200", "rtx-4090"}


def test_an_unknown_gpu_brings_the_nearest_name():
    with pytest.raises(UsageFault, match="Did you mean 'h200'") as caught:
        load_gpus(content_dir()).find("h20")
    assert caught.value.hint == "triton-path bench list"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("l2_mb: {value: 1, source: a-book}", "l2_mb: {value: 1, source: rumour}", "rumour"),
        ("value: 100", "value: -1", "bandwidth_gb_s.value"),
        ("    name: A small GPU\n", "", "name: is missing"),
        ("gpus:\n", "gpus: []\nmore:\n", "gpus"),
        ("    capability:", "    capacity: 3\n    capability:", "no such field"),
    ],
)
def test_faults_are_told_with_file_and_field(write, old, new, message):
    assert old in ONE
    with pytest.raises(CourseFault) as caught:
        load_gpus(write(ONE.replace(old, new)))
    assert FILE in caught.value.message
    assert message in caught.value.message


def test_a_gpu_listed_twice_is_a_fault(write):
    gpu = ONE[ONE.index("  - id") :]
    with pytest.raises(CourseFault, match="listed twice: small"):
        load_gpus(write(ONE + gpu))


def test_a_course_without_the_file_gets_ours(tmp_path):
    assert load_gpus(tmp_path) == load_gpus(own_content_dir())
