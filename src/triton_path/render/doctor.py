"""The doctor's rows as lines of text: a sign and a word, what was found, and what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from triton_path.render import theme
from triton_path.terminal.safe_text import harmless
from triton_path.tutor.doctor.report import NEXT, is_fault

if TYPE_CHECKING:
    from triton_path.tutor.doctor.report import Report, Row, State

LABELS = {
    "python": "Python",
    "torch": "torch",
    "triton": "Triton",
    "numpy": "numpy",
    "fit": "they fit",
    "interpreter": "interpreter",
    "compile": "compiler",
    "gpu": "GPU",
    "cxx": "C++",
    "terminal": "terminal",
    "editor": "editor",
    "store": "progress",
    "course": "course",
    "workspace": "exercises",
    "cache": "cache",
}
LABEL_COLUMNS = max(len(label) for label in LABELS.values())
STATE_COLUMNS = len("limited")
MEND_FROM = 5
WIDEST = 100
"""Columns of the widest row: longer lines are hard to read."""
SIGNS: dict[State, tuple[str, str]] = {
    "works": (theme.RIGHT_SIGN, theme.RIGHT),
    "limited": ("!", theme.NOTE),
    "missing": (theme.WRONG_SIGN, theme.WRONG),
    "broken": (theme.WRONG_SIGN, theme.WRONG),
}
SPARED = (theme.OPEN, theme.QUIET)
"""For what is missing where it need not be there."""


class LiveRows:
    """Prints each row when it comes; on a terminal, a line below says what is being tried.

    A context manager; that line is gone when it is left, by Ctrl-C too.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._is_live = console.is_terminal and not console.is_dumb_terminal
        # A spinner of ASCII letters: it turns where UTF-8 cannot be written too.
        self._spinner = Spinner("line", "")
        # stdout stays as it is: the doctor asks it for its encoding meanwhile.
        self._live = Live(
            self._spinner,
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._mended_by: dict[str, str] = {}

    def __enter__(self) -> LiveRows:
        if self._is_live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_live:
            self._live.stop()

    def say(self, step: str) -> None:
        """Say what is being tried now."""
        self._spinner.update(text=Text(step, theme.QUIET))

    def add(self, row: Row) -> None:
        """Print a row."""
        lines = row_lines(row, min(self._console.width, WIDEST))
        if row.mend and self._mended_by.setdefault(row.mend, row.id) != row.id:
            # The command that stands a few lines above already.
            lines[-1] = _mend_line(
                f"as for '{LABELS[self._mended_by[row.mend]]}', above", theme.QUIET
            )
        self._print(lines)

    def end(self, report: Report) -> None:
        """Print what the rows add up to."""
        self._print(verdict_lines(report, min(self._console.width, WIDEST)))

    def _print(self, lines: list[Text]) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)


def row_lines(row: Row, width: int) -> list[Text]:
    """Return the lines of one row; only a command may be wider than `width`.

    A command is never broken: the terminal wraps it, and it is copied in one piece.
    """
    sign, style = SIGNS[row.state]
    if row.state == "missing" and not is_fault(row):
        sign, style = SPARED
    head = Text.assemble(" ", (sign, style), f" {LABELS[row.id]:<{LABEL_COLUMNS}} ")
    head.append(f"{row.state:<{STATE_COLUMNS}}", style)
    head.append("  ")
    body = Text(harmless(row.found).replace("\n", " "))
    body.append(f" (for {row.enables})", theme.QUIET)
    lines = _hanging(head, body, width)
    if row.mend:
        lines.append(_mend_line(row.mend, theme.ACCENT))
    return lines


def verdict_lines(report: Report, width: int) -> list[Text]:
    """Return what can be done here, what cannot, and the one next command."""
    lines = [Text("")]
    if report.can:
        lines += _hanging(Text(" Here you can  ", theme.TITLE), Text(_listed(report.can)), width)
    if report.cannot:
        head = Text(" Not here      ", theme.TITLE)
        lines += _hanging(head, Text(_listed(report.cannot)), width)
    label = "Next" if report.next == NEXT else "Mend first"
    lines.append(Text.assemble((f" {label + ':':<13} ", theme.TITLE), (report.next, theme.ACCENT)))
    return lines


def _listed(phrases: tuple[str, ...]) -> str:
    return "; ".join(phrases) + "."


def _mend_line(text: str, style: str) -> Text:
    line = Text(" " * MEND_FROM, no_wrap=True, overflow="ignore")
    line.append("mend: ", theme.QUIET)
    line.append(harmless(text), style)
    return line


def _hanging(head: Text, body: Text, width: int) -> list[Text]:
    """Set `body` beside `head`, its further lines under its first."""
    indent = head.cell_len
    lines = []
    for number, line in enumerate(body.wrap(_MEASURE, max(20, width - indent))):
        line.rstrip()
        lines.append(Text(" " * indent) + line if number else head + line)
    return lines


_MEASURE = Console(width=80, force_terminal=False)
"""Rich wants a console to wrap text; nothing is printed on it."""
