from __future__ import annotations

import io

import pytest
from rich.console import Console

from tests.lies import pair, report, shown
from triton_path.course.lies import load_stories
from triton_path.jobs.bench import Figure
from triton_path.jobs.lies import NAMES, LieReport
from triton_path.paths import own_content_dir
from triton_path.render.lies import WHAT_COLUMNS, render_story, render_table

STORIES = load_stories(own_content_dir())


def text_of(renderable, width=80):
    out = io.StringIO()
    Console(file=out, width=width, color_system=None, highlight=False).print(renderable)
    return out.getvalue()


def words(text):
    """Return the words of a screen in order, whatever the wrapping."""
    return " ".join(text.split())


def table(made, width=80):
    return text_of(render_table(made, STORIES, width), width)


def story(made, width=80):
    return text_of(render_story(made, STORIES, width), width)


def row(text, name):
    (found,) = [line for line in text.splitlines() if line.startswith(f" {name} ")]
    return found


@pytest.mark.parametrize("gpu", [False, True])
def test_the_table_fits_a_window_of_80_by_24(gpu):
    lines = table(report(gpu=gpu)).splitlines()
    assert len(lines) <= 22  # the command itself and the prompt after it
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_it_fits_the_window_and_cuts_nothing(width):
    text = table(report(), width)
    assert all(len(line) <= width for line in text.splitlines())
    assert "…" not in text
    for name in NAMES:
        row(text, name)


def test_a_row_shows_false_true_factor_and_how_they_were_obtained():
    found = row(table(report()), "warm-cache")
    assert found.split()[-6:] == ["28.7", "us", "202", "us", "7.0x", "measured"]


def test_a_narrow_window_keeps_the_figures():
    found = row(table(report(), 60), "warm-cache")
    assert found.split() == ["warm-cache", "28.7", "us", "202", "us", "7.0x", "measured"]


def test_without_a_gpu_the_public_fact_stands_in_one_line_with_its_source():
    text = table(report())
    assert "needs a GPU: 1.76 ms claimed, 15.8 real (warp-rnnt #9)" in row(text, "no-sync")
    assert "(triton #5433)" in row(text, "tf32")


def test_both_figures_of_a_row_have_one_unit():
    made = report(shown("compile-time", pair(227_000.0, 847.0)))
    assert "227 ms   0.85 ms" in row(table(made), "compile-time")


def test_a_lie_that_does_not_show_is_not_called_one():
    same = pair(100.0, 101.0, shows=False)
    lie = LieReport(name="zeros", state="not shown", pairs=(same,), why_not="Within 5 %.")
    assert row(table(report(lie)), "zeros").endswith("1.01x  not shown")
    text = words(story(report(lie)))
    assert "within the spread of the true one: not shown here" in text
    assert "note Within 5 %." in text
    assert "too small" not in text


def test_the_table_shows_the_first_pair_that_lies():
    dull = pair(100.0, 101.0, shows=False)
    assert " 7.0x" in row(table(report(shown("zeros", dull, pair()))), "zeros")


@pytest.mark.parametrize("state", ["missing", "failed"])
def test_what_could_not_be_run_says_why(state):
    lie = LieReport(name="compile-time", state=state, why_not="There is no C++ compiler.")
    assert f"{state}: There is no C++ compiler." in table(report(lie))
    assert "note There is no C++ compiler." in words(story(report(lie)))


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", NAMES)
def test_every_story_is_told_whole(name, width):
    made = report(shown(name))
    text = story(made, width)
    told = STORIES.find(name)
    assert all(len(line) <= width for line in text.splitlines())
    for part in (told.title, told.public, told.why, told.honest, told.careless, told.careful):
        assert words(part) in words(text)
    assert all(source in words(text) for source in told.sources)


def test_a_bar_is_as_long_as_its_figure_and_says_its_spread():
    lines = story(report(shown("warm-cache", pair(50.0, 200.0)))).splitlines()
    (false,) = [line for line in lines if line.startswith("   false")]
    (true,) = [line for line in lines if line.startswith("   true")]
    assert 0 < 3 * false.count("█") < true.count("█") <= 4 * false.count("█") + 4
    assert "measured, 180 .. 240 us, n 40" in true


def test_where_an_honest_bench_prints_nothing_so_does_the_story():
    claimed = Figure(value=5.68, unit="x", kind="measured")
    printed = pair(what="speedup printed", false=claimed, true=None, factor=None)
    text = story(report(shown("stale-output", printed)))
    (true,) = [line for line in text.splitlines() if line.startswith("   true")]
    assert true.split() == ["true", "none"]
    assert "5.68x measured" in words(text)


def test_counts_and_errors_are_written_as_such():
    graphs = [Figure(value=value, unit="graphs", kind="counted") for value in (0, 1)]
    errors = [Figure(value=value, unit="", kind="measured") for value in (2.9e-4, 1.1e-7)]
    counted = pair(what="graphs", false=graphs[0], true=graphs[1], factor=None)
    off = pair(what="error", false=errors[0], true=errors[1])
    text = words(story(report(shown("compile-time", counted, off))))
    assert "0 counted" in text
    assert "2.9e-04 measured" in text


def test_the_names_of_quantities_used_here_fit_their_column():
    assert len(pair().what) == WHAT_COLUMNS
    assert "spread, p80 - p20 of median  28.7 us" in table(report())


def test_times_are_never_written_with_an_exponent():
    text = story(report(shown("clone", pair(9.1e6, 3.0e6))))
    assert "9.10 s" in text
    assert "e+" not in text
