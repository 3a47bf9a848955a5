"""The full screen of a trace in a real terminal: stepping, turning pages, resizing, leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import terminal as terminals
from tests.e2e.terminal import Terminal, left_as_found, terminal_mode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COPY = """\
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


def main():
    copy[(4,)](torch.ones(100), torch.empty(100), 100, BLOCK=32)
    print("done")
"""


HOME, END = "\x1b[H", "\x1b[F"


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    # A worker imports torch and Triton first: seconds, and many of them on a busy machine.
    monkeypatch.setattr(terminals, "PATIENCE_SECONDS", 120.0)
    path = tmp_path / "copy.py"
    path.write_text(COPY)
    terminal = Terminal("trace", str(path), "--quick", home=tmp_path)
    yield terminal
    terminal.kill()


def test_a_trace_is_read_in_a_terminal(trace: Terminal) -> None:
    before = terminal_mode(trace)
    trace.see("copy.py", "page 1 of", "out_ptr[100] stored", "step programs")
    assert terminal_mode(trace) != before
    assert "█" not in trace.text

    trace.press("n")
    trace.see("program 0", "# = program 0: elements 0..31")
    trace.press("p")
    trace.see("program 3", "# = program 3: elements 96..99", "x_ptr[100] loaded")
    assert trace.text.count("# = program 3") == 2  # what it stored and what it loaded
    trace.press("a")
    trace.wait(lambda: "program 3" not in trace.text, "no program marked")

    trace.press(END)
    trace.see("Nothing is measured")
    assert "page 1 of" not in trace.text
    trace.press("b")
    trace.press(HOME)
    trace.see("page 1 of")

    trace.child.setwinsize(14, 60)
    trace.screen.resize(14, 60)
    trace.see("page 1 of", "48 ▏", "leave")
    assert all(len(line.rstrip()) <= 60 for line in trace.screen.display)
    trace.press(" ")
    trace.see("page 2 of")

    trace.press("q")
    assert trace.end() == 0
    assert left_as_found(trace)
    assert terminal_mode(trace) == before


def test_ctrl_c_while_reading_leaves_the_terminal_as_it_was(trace: Terminal) -> None:
    before = terminal_mode(trace)
    trace.see("page 1 of")
    trace.press("ctrl-c")
    assert trace.end() == 130
    assert left_as_found(trace)
    assert terminal_mode(trace) == before
