"""The ledger, the sweep, comparisons and figures of benches."""

from __future__ import annotations

import pytest

from tests.render.test_bench import cpu_report, gpu_report, text_of, words
from tests.reports import LEDGER, on_h200, without_gpu
from triton_path.jobs.bench import Figure, OnGpu
from triton_path.jobs.ledger import Part
from triton_path.render.bench import render_report
from triton_path.render.bench_history import render_comparison, render_history
from triton_path.render.bench_plot import draw
from triton_path.tutor.bench_compare import compare
from triton_path.tutor.bench_history import Kept
from triton_path.tutor.bench_verdict import verdict

WIDTHS = pytest.mark.parametrize("width", [60, 80, 120])


def fits(text, width):
    return all(len(line) <= width for line in text.splitlines()) and "…" not in text


def one_size():
    report = gpu_report()
    first = report.shapes[0]
    here = [p for p in report.providers if (p.rows, p.width) == (first.rows, first.width)]
    report = report.model_copy(update={"shapes": (first,), "providers": tuple(here)})
    return report.model_copy(update={"verdict": verdict(report)})


@WIDTHS
def test_the_ledger_has_a_row_for_each_operation(width):
    text = text_of(render_report(one_size(), width, ledger=True), width)
    assert fits(text, width)
    for number, op in enumerate(("native_dropout", "add", "_to_copy", "pow", "mean"), start=1):
        assert any(line.split()[:2] == [str(number), op] for line in text.splitlines())
    assert "1 to 10 could be one kernel: 3.02 GB -> 537 MB" in words(text)
    assert ("fused_dropou" in text) == (width >= 78)


def test_the_short_ledger_names_the_costliest():
    text = words(text_of(render_report(one_size(), 80)))
    assert "costliest of eager: pow 18 %" in text
    assert "--ledger shows all 10" in text


def test_a_ledger_says_whether_it_was_measured():
    report = one_size()
    shape = report.shapes[0]
    time = Figure(value=100.0, unit="us", kind="measured")
    rows = tuple(row.model_copy(update={"time": time}) for row in shape.ledger.rows)
    measured = shape.ledger.model_copy(update={"rows": rows, "measured": True, "runs": 25})
    shape = shape.model_copy(update={"ledger": measured})
    text = words(
        text_of(render_report(report.model_copy(update={"shapes": (shape,)}), 80, ledger=True))
    )
    assert "time measured by the profiler (median of 25 runs)" in text
    predicted = words(text_of(render_report(cpu_report(), 80, ledger=True)))
    assert "counted and predicted from the bytes" in predicted


def many_sizes():
    report = on_h200()
    shapes, providers = [], []
    for number in range(8):
        rows = 16 << number
        shapes.append(report.shapes[0].model_copy(update={"rows": rows}))
        providers += [
            p.model_copy(update={"rows": rows, "bound": "launch" if number < 3 else "memory"})
            for p in one_size().providers
        ]
    return report.model_copy(update={"shapes": tuple(shapes), "providers": tuple(providers)})


@WIDTHS
def test_many_sizes_are_one_table_with_what_bounds_them(width):
    text = text_of(render_report(many_sizes(), width), width)
    assert fits(text, width)
    assert sum("x 4096" in line for line in text.splitlines()) == 8
    assert "the fused kernel, 537 MB: bound by launches" in words(text)


@WIDTHS
def test_many_sizes_without_a_gpu_are_counts_and_predictions(width):
    report = cpu_report()
    shape, provider = report.shapes[0], report.providers[0]
    sizes = [16 << number for number in range(8)]
    many = report.model_copy(
        update={
            "shapes": tuple(shape.model_copy(update={"rows": rows}) for rows in sizes),
            "providers": tuple(provider.model_copy(update={"rows": rows}) for rows in sizes),
        }
    )
    text = text_of(render_report(many, width), width)
    assert fits(text, width)
    assert "times are the least, predicted" in words(text)


def own_chain(**changes):
    time = {"eager": 10.0, "fused": 2.0}
    figures = {key: Figure(value=us, unit="us", kind="predicted") for key, us in time.items()}
    shape = without_gpu().shapes[0].model_copy(update={"inputs": {"x": "8x4 float32"}, **changes})
    report = cpu_report(
        own_file="/tmp/mine.py",
        bench="mine.py",
        random=None,
        shapes=(shape,),
        on_gpus=tuple(OnGpu(id=f"gpu-{n}", name="", **figures) for n in range(5)),
    )
    return report.model_copy(update={"verdict": verdict(report)})


@WIDTHS
def test_a_persons_chain_shows_its_plan_and_every_gpu(width):
    text = text_of(render_report(own_chain(), width), width)
    assert fits(text, width)
    said = words(text)
    assert "inputs x 8x4 float32" in said
    assert "1 to 2 could be one kernel: 1 kB -> 300 B" in said
    assert "700 B less, 3.3x less traffic (counted)" in said
    assert all(f"gpu-{number}" in said for number in range(5))
    assert "2 operations could be one kernel: 3.3x less traffic" in said


def test_a_chain_that_cannot_be_fused_is_said_so():
    part = Part(first=0, ops=2, fusable=False, why="not known to fuse", bytes_now=9, bytes_fused=9)
    ledger = LEDGER.model_copy(update={"parts": (part,)})
    said = words(text_of(render_report(own_chain(ledger=ledger), 80)))
    assert "nothing: there is no traffic that fusing would spare" in said
    assert "Nothing in this chain could share a kernel" in said


@WIDTHS
def test_history_and_comparison_fit(width, tmp_path):
    runs = [Kept(number, tmp_path, on_h200()) for number in range(1, 31)]
    text = text_of(render_history(runs, 2, "folder", width), width)
    assert fits(text, width)
    assert "triton-path bench compare 29 30" in words(text)
    assert "10 more runs" in words(text)
    text = text_of(render_comparison(compare(runs[0], runs[1]), width), width)
    assert fits(text, width)
    assert "the same" in text
    assert "No run was kept yet" in text_of(render_history([], 0, "folder", width), width)


@pytest.mark.parametrize("suffix", ["png", "svg"])
@pytest.mark.parametrize("make", [gpu_report, one_size, cpu_report, many_sizes])
def test_a_figure_is_drawn_the_same_every_time(make, suffix, tmp_path):
    one, two = tmp_path / f"one.{suffix}", tmp_path / f"two.{suffix}"
    draw(make(), one)
    draw(make(), two)
    assert one.read_bytes() == two.read_bytes()
    assert one.stat().st_size > 5000
