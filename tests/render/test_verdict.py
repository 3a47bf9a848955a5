from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len

from tests import verdicts
from triton_path.course.blocks import Span
from triton_path.errors import MissingFault
from triton_path.jobs.practice import CaseLabel, CaseResult, Cell
from triton_path.render.verdict import head, in_a_line, score, top, verdict_parts
from triton_path.render.verdict_picture import picture
from triton_path.render.verdict_words import NAMES, name_of, stars_text
from triton_path.terminal.console import plain_console, screen_console, to_lines
from triton_path.terminal.safe_text import harmless
from triton_path.tutor.practice_after import After
from triton_path.tutor.practice_standing import NextStep

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from triton_path.jobs.practice import Verdict

WIDTHS = [80, 60]
LEARNED = (Span("You can split a vector of any length over programs and mask the last one."),)
AFTER_PASS = After(
    LEARNED,
    "Passed for the first time. It comes back to be written once more on Friday, 04 December.",
    (
        NextStep("triton-path practice start axpy", "not started"),
        NextStep("triton-path practice solution vector-add", "beside yours"),
    ),
)
AFTER_FAULT = After(
    read="programs-and-blocks: the mask",
    steps=(
        NextStep("triton-path practice check vector-add", "once you have mended it"),
        NextStep("triton-path practice hint vector-add", "hint 1 of 3"),
    ),
)
VERDICTS = {
    "out of bounds": verdicts.failed(),
    "several": verdicts.failed(
        verdicts.never_written(), verdicts.wrong_values(), verdicts.advice()
    ),
    "wrong vector": verdicts.failed(verdicts.wrong_values()),
    "wrong matrix": verdicts.failed(verdicts.wrong_values(verdicts.matrix_mismatch())),
    "rejected": verdicts.failed(verdicts.rejected()),
    "raised": verdicts.failed(verdicts.raised(), printed=("n = 1000", "\x1b[2Jgone")),
    "passed": verdicts.passed(),
    "advice": verdicts.passed(findings=(verdicts.advice(), verdicts.advice(line=35))),
    "measured": verdicts.passed(stars=3, gpu=verdicts.gpu()),
    "slow": verdicts.passed(gpu=verdicts.gpu()),
    "not timed": verdicts.passed(
        gpu=verdicts.gpu(providers=(), limit="", limit_time=None, untimed="the GPU is busy")
    ),
}


def shown(verdict: Verdict, width: int, console: Any = None) -> str:
    console = console or plain_console()
    after = AFTER_PASS if verdict.passed else AFTER_FAULT
    parts = verdict_parts(verdict, after, verdicts.SOURCES, width)
    blocks = [head(verdict, width), *(part.renderable for part in parts)]
    texts = ("\n".join(line.rstrip() for line in to_lines(console, it, width)) for it in blocks)
    return "\n\n".join(texts)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", VERDICTS)
def test_a_verdict(
    name: str, width: int, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = shown(VERDICTS[name], width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "\x1b" not in text
    assert text == snapshot


@pytest.mark.parametrize("name", VERDICTS)
def test_colour_adds_no_word(name: str) -> None:
    console = screen_console(80)
    coloured = shown(VERDICTS[name], 80, console)
    assert "\x1b[" in coloured
    lines = [line.rstrip() for line in harmless(coloured).splitlines()]
    assert lines == shown(VERDICTS[name], 80).splitlines()


@pytest.mark.parametrize("name", ["out of bounds", "wrong matrix", "rejected", "raised"])
def test_the_first_fault_is_seen_whole_in_a_window_of_80_by_24(name: str) -> None:
    parts = verdict_parts(VERDICTS[name], After(), verdicts.SOURCES, 79)
    assert len(to_lines(plain_console(), parts[0].renderable, 79)) <= 21


def test_the_first_fault_is_told_in_full_and_the_others_in_short() -> None:
    text = shown(VERDICTS["several"], 80)
    assert "Try: Let the grid cover all elements" in text
    assert "✗ Wrong values" in text
    assert "expected   " not in text
    assert "advice" not in text


def test_what_is_said_of_one_kind_is_said_once() -> None:
    text = shown(VERDICTS["advice"], 80)
    assert text.count("Offset overflow (advice)") == 1
    assert "Also vector_add.py:35." in text


def test_a_case_that_was_drawn_or_does_not_fit_the_line() -> None:
    heading = top(verdicts.failed(verdicts.wrong_values()))
    assert heading.right == "case 6 of 6: n = 1733, float16: sizes drawn anew for each check"
    assert heading.short == "case 6 of 6: n = 1733, float16"
    wide = verdicts.RAGGED.model_copy(
        update={"sizes": dict.fromkeys("BHMNKD", 1024), "layouts": {"x": "sliced"}}
    )
    heading = top(verdicts.failed(verdicts.out_of_bounds(case=wide)))
    assert heading.short == "case 2 of 6"
    assert "D = 1024, float32, x sliced: a ragged" in heading.right
    assert top(verdicts.failed(verdicts.rejected())).right == "✗ not passed"


def test_the_picture_shows_the_first_wrong_element_in_any_width() -> None:
    for width in (20, 40, 60, 80, 200):
        for mismatch in (verdicts.vector_mismatch(), verdicts.matrix_mismatch()):
            lines = to_lines(plain_console(), picture(mismatch, width), width)
            assert any("✗" in line for line in lines)
            assert max(map(cell_len, lines)) <= max(width, 24)
            first = mismatch.first[-1]
            assert f"[{first}]" in lines[0]


def test_a_picture_of_a_number_and_of_nothing() -> None:
    cell = Cell(expected="3", got="nan", wrong=True)
    one = verdicts.vector_mismatch(shape=(), first=(), columns=(0,), cells=((cell,),))
    lines = to_lines(plain_console(), picture(one, 80), 80)
    assert [line.split() for line in lines] == [
        ["out", "[0]"], ["expected", "3"], ["yours", "✗", "nan"],
    ]  # fmt: skip
    assert to_lines(plain_console(), picture(verdicts.vector_mismatch(cells=()), 80), 80) == [""]


def test_many_verdicts_are_a_line_each() -> None:
    both = [verdicts.passed(stars=2), verdicts.failed()]
    for width in (80, 60, 50):
        lines = [to_lines(plain_console(), in_a_line(it), width) for it in both]
        assert [[line.split() for line in each] for each in lines] == [
            [["✓", "vector-add", "★★☆"]], [["✗", "vector-add", "Load", "out", "of", "bounds"]],
        ]  # fmt: skip


def test_the_score_of_many_names_the_command_that_says_more() -> None:
    def told(*of: Verdict) -> list[str]:
        return [line.strip() for line in to_lines(plain_console(), score(of, 80), 80)]

    assert told(verdicts.passed()) == ["1 of 1 passed"]
    more = "Next: triton-path practice check vector-add  what is wrong, in full"
    assert told(verdicts.passed(), verdicts.failed()) == ["1 of 2 passed", "", more]


def test_what_to_read_again_is_said_only_where_there_is_something() -> None:
    (part, *_) = verdict_parts(verdicts.failed(), After(), verdicts.SOURCES, 80)
    text = "\n".join(to_lines(plain_console(), part.renderable, 80))
    assert "This looks like a missing mask" in text
    assert "Read again" not in text


def test_sizes_of_cases_stand_under_their_dtype_each_once() -> None:
    sizes = [{"M": 5, "N": 100}, {"M": 1, "N": 7}, {"M": 5, "N": 100}]
    cases = [
        CaseResult(
            label=CaseLabel(number=n, of=4, sizes=each, dtype="float32", fresh=n == 4), passed=True
        )
        for n, each in enumerate([*sizes, {"M": 3, "N": 9}], start=1)
    ]
    text = shown(verdicts.passed(cases=tuple(cases)), 80)
    assert "float32: M x N = 5 x 100 (2 cases), 1 x 7\n" in text
    assert "float32, drawn for this check: M x N = 3 x 9\n" in text


@pytest.mark.parametrize("name", VERDICTS)
def test_no_command_and_no_name_is_cut_in_40_columns(name: str) -> None:
    text = shown(VERDICTS[name], 40)
    assert max(map(cell_len, text.splitlines())) <= 40
    assert text.splitlines()[0].startswith(" vector-add ")
    for step in (AFTER_PASS if VERDICTS[name].passed else AFTER_FAULT).steps:
        assert step.command in " ".join(text.split())


def test_the_row_that_is_expected_has_its_number() -> None:
    for width in (40, 80):
        lines = to_lines(plain_console(), picture(verdicts.matrix_mismatch(), width), width)
        assert lines[2].lstrip().startswith("row 0 expected")


def test_what_a_file_says_cannot_drive_the_terminal() -> None:
    evil = verdicts.failed(
        verdicts.raised().model_copy(update={"sentence": "It raised \x1b[31m\x07.",
                                             "traceback": "x\x1b]0;title\x07"}),
        printed=("\x1b[2J",),
    )  # fmt: skip
    assert "\x1b" not in shown(evil, 80)
    assert "\x07" not in shown(evil, 80)


def test_the_largest_error_of_all_cases_is_named() -> None:
    cases = verdicts.passed().cases
    errors = ("9 %", "12 %", "")
    verdict = verdicts.passed(
        cases=tuple(
            case.model_copy(update={"error": error})
            for case, error in zip(cases, errors, strict=True)
        )
    )
    assert "Right in all 3 cases, largest error 12 % of the tolerance\n" in shown(verdict, 80)
    exact = tuple(case.model_copy(update={"error": ""}) for case in cases)
    assert "Right in all 3 cases\n" in shown(verdicts.passed(cases=exact), 80)


def test_a_verdict_that_was_not_kept_says_so_passed_or_not() -> None:
    after = After(unkept=MissingFault("the store is locked."))
    for verdict in (verdicts.passed(), verdicts.failed()):
        (*_, last) = verdict_parts(verdict, after, verdicts.SOURCES, 80)
        assert "Not kept: the store is locked." in to_lines(plain_console(), last.renderable, 80)[0]


def test_every_kind_has_a_name_that_reads_as_one() -> None:
    for kind in NAMES:
        finding = verdicts.never_written(kind=kind)
        assert name_of(finding).startswith("✗ ")
        assert "-" not in name_of(finding).replace("32-bit", "")
    assert name_of(verdicts.never_written(kind="something-new")) == "✗ Something new"
    assert name_of(verdicts.never_written(kind="two-faced")) == "✗ Other kernels when compiled"
    assert stars_text(0) == "☆☆☆"
