from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from triton_path.render.doctor import LABELS, LiveRows, row_lines, verdict_lines
from triton_path.terminal.safe_text import ASCII_ERRORS
from triton_path.tutor.doctor.report import Row, report

LONG = "torch 2.13.0 asks for Triton 3.7.1, here is 3.6.0; numpy 2.4.6 breaks loops in it"


def row(
    name: str = "torch", state: str = "works", mend: str | None = None, found: str = "x"
) -> Row:
    return Row.model_validate(
        {"id": name, "state": state, "found": found, "enables": "demos", "mend": mend}
    )


def all_rows(**states: str) -> list[Row]:
    return [row(name, states.get(name, "works"), found=LONG) for name in LABELS]


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("state", ["works", "limited", "missing", "broken"])
def test_rows_fit_their_window_and_say_their_state_in_a_word(width, state):
    lines = [line.plain for line in row_lines(row("interpreter", state, None, LONG), width)]
    assert state in lines[0]
    assert " ".join(" ".join(lines).split()).endswith(f"{LONG} (for demos)")
    assert max(map(cell_len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    assert all(line.startswith(" " * 24) for line in lines[1:])


def test_a_row_that_is_fine_is_one_line():
    (line,) = row_lines(row(found="2.13.0"), 80)
    assert line.plain == " ✓ torch       works    2.13.0 (for demos)"


def test_a_command_is_never_broken():
    command = "python -m pip install " + "x" * 90
    assert row_lines(row(state="broken", mend=command), 60)[-1].plain == f"     mend: {command}"


def test_what_is_missing_and_not_needed_has_no_cross():
    assert row_lines(row("gpu", "missing"), 80)[0].plain.startswith(" · GPU")
    assert row_lines(row("torch", "missing"), 80)[0].plain.startswith(" ✗ torch")


def test_text_from_elsewhere_cannot_move_the_cursor():
    shown = row_lines(row("torch", "broken", "a\x1b[2Jb", "up\x1b[5A\nnow"), 80)
    assert "\x1b" not in "".join(line.plain for line in shown)


@pytest.mark.parametrize("width", [80, 60])
def test_the_verdict_ends_with_the_next_command(width):
    fine = [line.plain for line in verdict_lines(report(all_rows(gpu="missing")), width)]
    assert fine[-1].split() == ["Next:", "triton-path", "learn"]
    assert max(map(cell_len, fine)) <= width
    rows = [r.model_copy(update={"mend": f"mend {r.id}"}) for r in all_rows(torch="missing")]
    assert verdict_lines(report(rows), width)[-1].plain == " Mend first:   mend torch"


def printed(console: Console, rows: list[Row]) -> str:
    with LiveRows(console) as live:
        live.say("importing torch")
        for each in rows:
            live.add(each)
    live.end(report(all_rows()))
    return console.file.getvalue()


def test_a_pipe_gets_plain_text_and_each_command_once():
    console = Console(file=io.StringIO(), width=80)
    text = printed(console, [row("torch", "broken", "fix it"), row("gpu", "missing", "fix it")])
    assert "\x1b" not in text
    assert "importing" not in text
    assert text.count("mend: fix it") == 1
    assert "mend: as for 'torch', above" in text


def test_a_terminal_sees_what_is_being_tried():
    console = Console(file=io.StringIO(), width=80, force_terminal=True)
    assert "importing torch" in printed(console, [row()])


def test_it_can_be_written_in_ascii():
    lines = [line.plain for r in all_rows(gpu="missing") for line in row_lines(r, 80)]
    text = "\n".join(lines).encode("ascii", ASCII_ERRORS).decode()
    assert "?" not in text
    assert " + torch" in text
