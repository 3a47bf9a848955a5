from __future__ import annotations

import io

import pytest
from rich.console import Console

from tests.reports import BAD, on_h200, verification, without_gpu
from triton_path.cli.bench_words import WORDS
from triton_path.course.gpus import load_gpus
from triton_path.jobs.benches import Bench
from triton_path.paths import content_dir
from triton_path.render.bench import OTHERS, render_list, render_report
from triton_path.render.bench_tables import quantity
from triton_path.tutor.bench import with_predictions, with_verification
from triton_path.tutor.bench_verdict import verdict


def gpu_report():
    report = on_h200()
    return report.model_copy(update={"verdict": verdict(report)})


def cpu_report(**changes):
    table = load_gpus(content_dir())
    report = without_gpu().model_copy(update=changes)
    report = with_verification(report, verification())
    report = with_predictions(report, table.find("h200"), table)
    return report.model_copy(update={"verdict": verdict(report)})


def text_of(renderable, width=80):
    out = io.StringIO()
    Console(file=out, width=width, color_system=None, highlight=False).print(renderable)
    return out.getvalue()


def words(text):
    """Return the words of a screen in order, whatever the wrapping."""
    return " ".join(text.split())


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("make", [gpu_report, cpu_report])
def test_it_fits_the_window_and_cuts_nothing(make, width):
    text = text_of(render_report(make(), width), width)
    assert all(len(line) <= width for line in text.splitlines())
    assert "…" not in text
    assert make().verdict in words(text)


def test_a_measured_run_shows_counts_checks_times_and_speedups():
    text = words(text_of(render_report(gpu_report(), 80)))
    for part in (
        "10 launches, 3.02 GB -> 1 launch, 537 MB (counted): 5.6x less traffic, floor",
        "error against float64 under each one's own mask: eager",
        "a copy of as many bytes:",
        "kernels us p20 .. p80 n GB/s of copy x eager",
        "Philox 7 rounds, one call for 4 elements, threshold 32 bits",
        "speedup over eager 8.",
        "8.62x over eager is the product of 5.63x less traffic, 1.52x better use of the memory",
        "launched graph kernels host bound",
        "MHz SM",
        "throttling: none",
    ):
        assert part in text
    for name in ("eager", "best eager", "torch.compile", "Triton fused", "Triton, 10 rounds"):
        assert f" {name} " in text


def test_a_narrow_window_loses_the_spread_and_no_provider():
    text = text_of(render_report(gpu_report(), 60), 60)
    assert "p20 .. p80    n" not in text
    assert text.count("Triton, 10 rounds") >= 2


def test_a_bar_is_as_long_as_its_time():
    lines = text_of(render_report(gpu_report(), 80)).splitlines()
    bars = {line.split("█")[0].strip(): line.count("█") for line in lines[:25] if "█" in line}
    assert bars["eager"] > 3 * bars["best eager"] > 6 * bars["Triton fused"] > 0


def test_a_refused_provider_shows_why_and_no_speedup():
    report = gpu_report()
    providers = []
    for provider in report.providers:
        if provider.name == "Triton fused":
            update = {"check": BAD, "refused": BAD.faults[0], "time": None, "speedup": {}}
            provider = provider.model_copy(update=update)
        providers.append(provider)
    wrong = report.model_copy(update={"providers": tuple(providers), "faults": BAD.faults})
    wrong = wrong.model_copy(update={"verdict": verdict(wrong)})
    text = text_of(render_report(wrong, 80))
    (row,) = [line for line in text.splitlines()[:20] if line.startswith(" Triton fused")]
    assert row.split()[2:] == ["1", "-", "-", "-", "-", "-", "✗"]
    assert "A check failed, so nothing is claimed" in words(text)


def test_without_a_gpu_every_part_says_how_it_was_obtained():
    text = words(text_of(render_report(cpu_report(), 80)))
    assert "no GPU here" in text
    assert "verified the fused kernel agrees with float64 in 1 of 1 cases" in text
    assert "counted counted predicted" in text
    assert "not bfloat16: the interpreter computes it wrongly" in text
    assert "predicted for NVIDIA H200 SXM: bytes over 4800 GB/s, the datasheet's" in text
    assert "measured on this CPU, 2 threads, 1024 x 4096: eager (12 operations) 30.0 ms" in text
    assert "Triton is not timed here" in text


def test_what_was_not_measured_is_a_visible_line():
    only_counts = [p for p in without_gpu().providers if p.device != "cpu"]
    report = cpu_report(providers=tuple(only_counts), notes=("No C++ compiler is here.",))
    text = words(text_of(render_report(report, 80)))
    assert "note No C++ compiler is here." in text
    assert "on this CPU" not in text


def test_the_list_names_benches_and_gpus():
    text = text_of(render_list({"a-bench": Bench("what it does", sizes=())}, ["h200", "t4"]))
    assert "a-bench: what it does" in text
    assert "lies: how" in text
    assert "h200, t4" in text


def test_the_list_names_every_word_that_bench_knows():
    named = " ".join(word + about for word, about in OTHERS)
    assert all(word in named for word in set(WORDS) - {"list"})


@pytest.mark.parametrize(
    ("value", "text"), [(999, "999 B"), (5.37e8, "537 MB"), (3.02e9, "3.02 GB"), (1.2e12, "1.2 TB")]
)
def test_bytes_are_written_with_three_digits(value, text):
    assert quantity(value) == text
