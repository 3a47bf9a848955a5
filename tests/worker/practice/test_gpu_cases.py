"""The cases of a check, run on what stands for a GPU."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from tests.worker.practice.fake_gpu import GRADING, HEAD, KERNEL, REFERENCE, RIGHT, FakeGpu
from triton_path.jobs.grading import Case
from triton_path.worker.practice import gpu_cases
from triton_path.worker.practice.gpu_cases import agreement, run_cases
from triton_path.worker.practice.learner import module_from

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def gpu(tmp_path, device):
    if device != "cpu":
        pytest.skip("a CPU stands for the GPU here, which needs Triton's interpreter")
    return FakeGpu(tmp_path)


def cases_of(gpu, source=RIGHT, **fields):
    job, learner = gpu.job(source, **fields)
    reference = module_from(gpu.folder / "reference.py", REFERENCE)
    return job, run_cases(job, learner, reference, gpu.machine)


def add(body):
    return f"{HEAD}{KERNEL}\n\ndef add(x, y, out):\n{body}"


def test_all_cases_agree(gpu):
    job, cases = cases_of(gpu)
    assert cases.finding is None
    assert [ran.planned.label.number for ran in cases.ran] == [1, 2, 3]
    assert cases.ran[1].outputs[0].dtype is torch.float16
    assert agreement(cases, job.grading, None) == ""


def test_a_case_without_memory_is_left_out_and_named(gpu):
    huge = Case(sizes={"n": 3 << 30}, virtual=True)
    job, cases = cases_of(gpu, grading=replace(GRADING, cases=(*GRADING.cases, huge)))
    assert cases.finding is None
    assert (len(cases.ran), cases.virtual) == (3, 1)
    assert agreement(cases, job.grading, None) == "1 case without memory not run on the GPU"


def test_wrong_values_are_a_finding_with_a_picture(gpu):
    _, cases = cases_of(gpu, add("    launch(x, x, out)\n"))
    assert cases.finding.kind == "wrong-on-gpu"
    assert cases.finding.stage == "values"
    assert cases.finding.sentence.startswith("Compiled and run on a GPU, `out` is wrong in 100 of")
    assert cases.finding.mismatch.total == 100
    assert cases.finding.case.number == 1
    assert cases.ran == []


def test_an_output_that_nothing_wrote_is_wrong(gpu):
    _, cases = cases_of(gpu, add("    launch(x[:90], y[:90], out[:90])\n"))
    assert cases.finding.kind == "wrong-on-gpu"
    assert cases.finding.mismatch.first == (90,)
    assert cases.finding.mismatch.got == "nan"


def test_a_later_case_counts_those_before_it(gpu):
    body = "    launch(x, y, out)\n    if len(x) == 90:\n        raise RuntimeError('no')\n"
    _, cases = cases_of(gpu, add(body))
    assert cases.finding.kind == "raised-on-gpu"
    assert cases.finding.place.line == HEAD.count("\n") + KERNEL.count("\n") + 6
    assert len(cases.ran) == 1


def test_leaving_the_program_is_a_finding(gpu):
    _, cases = cases_of(gpu, add("    raise SystemExit(0)\n"))
    assert cases.finding.kind == "raised-on-gpu"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("    torch.add(x, y, out=out)\n", "add"),
        ("    launch(x, y, out)\n    out.copy_(x + y)\n", "add"),
        ("    t = torch.empty_like(out)\n    launch(x, y, t)\n    out.copy_(t)\n", "copy_"),
    ],
)
def test_torch_at_work_is_a_finding(gpu, body, name):
    _, cases = cases_of(gpu, add(body))
    assert cases.finding.kind == "torch-does-the-work"
    assert f"`{name}`" in cases.finding.sentence


def test_what_the_exercise_allows_is_allowed(gpu):
    body = "    out.zero_()\n    launch(x, y, out)\n"
    assert cases_of(gpu, add(body))[1].finding.kind == "torch-does-the-work"
    grading = replace(GRADING, may_use=("zero_",))
    assert cases_of(gpu, add(body), grading=grading)[1].finding is None


def test_full_memory_is_no_finding(gpu):
    body = "    raise torch.OutOfMemoryError('CUDA out of memory')\n"
    _, cases = cases_of(gpu, add(body))
    assert cases.finding is None
    assert cases.memory_full


def keep(folder, cases, change=lambda number, outputs: outputs):
    for ran in cases.ran:
        number = ran.planned.label.number
        torch.save(change(number, [out.clone() for out in ran.outputs]), folder / f"{number}.pt")
    (folder / "done").touch()


def test_the_interpreters_results_are_the_same(gpu, tmp_path):
    job, cases = cases_of(gpu)
    keep(tmp_path, cases)
    assert agreement(cases, job.grading, str(tmp_path)) == (
        "the interpreter's values exactly, in 3 cases"
    )


def test_the_interpreters_results_lie_apart(gpu, tmp_path):
    job, cases = cases_of(gpu)

    def change(number, outputs):
        if number == 2:
            outputs[0][5] *= 1 + 2.0**-10
        return outputs

    keep(tmp_path, cases, change)
    said = agreement(cases, job.grading, str(tmp_path))
    assert said.startswith("the interpreter's values to within ")
    assert said.endswith(" % of the tolerance, and exactly in 2 of 3 cases")


@pytest.mark.parametrize("broken", [b"", b"PK\x03\x04 half of a file", b"\x80\x02."])
def test_results_that_are_not_whole_are_not_spoken_of(gpu, tmp_path, broken):
    job, cases = cases_of(gpu)
    for number in (1, 2, 3):
        (tmp_path / f"{number}.pt").write_bytes(broken)
    (tmp_path / "done").touch()
    assert agreement(cases, job.grading, str(tmp_path)) == ""


def test_results_of_other_shapes_are_not_compared(gpu, tmp_path):
    job, cases = cases_of(gpu)
    keep(tmp_path, cases, lambda _number, outputs: [out[:-1] for out in outputs])
    assert agreement(cases, job.grading, str(tmp_path)) == ""


def test_an_interpreter_that_is_not_through_is_not_spoken_of(gpu, tmp_path, monkeypatch):
    monkeypatch.setattr(gpu_cases, "WAIT_S", 0.0)
    job, cases = cases_of(gpu)
    keep(tmp_path, cases)
    (tmp_path / "done").unlink()
    assert agreement(cases, job.grading, str(tmp_path)) == ""
