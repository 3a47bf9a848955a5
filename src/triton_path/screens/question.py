"""The screen of one question: choose or type, then read why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.text import Text

from triton_path.course.questions import ChoiceQuestion
from triton_path.errors import UsageFault
from triton_path.render import question as view
from triton_path.render import theme
from triton_path.render.frame import Heading
from triton_path.render.lesson import section_parts
from triton_path.screens.window import BACK_KEYS, QUIT_KEYS, Move, Window, turn
from triton_path.terminal.line_editor import LineEditor
from triton_path.tutor.asking import Answer, Verdict, grade, read_typed, shuffled

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from triton_path.course.models import Section
    from triton_path.course.questions import Question
    from triton_path.render.frame import KeyHelp
    from triton_path.terminal.keys import Key

CHOOSE_KEYS: tuple[KeyHelp, ...] = (
    ("↑ ↓ or 1-9", "choose"),
    ("Enter", "answer"),
    ("Tab", "skip"),
    ("←", "back"),
    ("?", "more keys"),
)
MARK_KEYS: tuple[KeyHelp, ...] = (("↑ ↓ space or 1-9", "mark"), *CHOOSE_KEYS[1:])
TYPE_KEYS: tuple[KeyHelp, ...] = (
    ("Enter", "answer"),
    ("Tab", "skip"),
    ("↑", "back"),
    ("Esc", "leave"),
)
VERDICT_KEYS: tuple[KeyHelp, ...] = (
    ("space", "next"),
    ("e", "the other answers"),
    ("s", "the section"),
    ("←", "back"),
    ("?", "more keys"),
)
ALL_KEYS: tuple[KeyHelp, ...] = (
    ("↑ ↓  k j  1-9", "move to a choice; a number also marks it"),
    ("space", "mark or unmark, where several are right"),
    ("Enter", "give the answer"),
    ("Tab", "skip the question for now"),
    ("← b", "the step before"),
    ("PgUp PgDn", "scroll a question that is longer than the window"),
    ("e", "after the answer: what is to be said of the others"),
    ("s", "after the answer: read the section again, then come back"),
    ("q Esc", "leave; your answers are kept"),
    ("Ctrl-C", "leave at once; your answers are kept"),
)


MOST_TYPED = 60
"""Characters of a typed answer: one line of a narrow window."""


@dataclass
class Asking:
    """A question on the screen, with what was chosen so far."""

    window: Window
    question: Question
    top: Heading
    section: Section
    """The section to read again."""
    record: Callable[[Verdict], None]
    """Called once with the graded answer, before it is shown."""
    seed: int
    picked: set[str] = field(default_factory=set)
    at: int | None = None
    """The choice at the pointer; none before the learner moved: a key too many answers nothing."""
    editor: LineEditor = field(default_factory=lambda: LineEditor(limit=MOST_TYPED))
    notice: str = ""
    scroll: int = 0

    def __post_init__(self) -> None:
        self.shown = (
            shuffled(self.question, self.seed) if isinstance(self.question, ChoiceQuestion) else ()
        )

    def run(self) -> Move:
        """Ask, grade, explain; return where to go."""
        while True:
            self._draw()
            key = self.window.read_key()
            if key == "resize":
                continue
            self.notice = ""
            if key in ("page-down", "page-up"):
                self.scroll += 5 if key == "page-down" else -5
                continue
            outcome = self._choose(key) if self.shown else self._type(key)
            if isinstance(outcome, Move):
                return outcome
            if outcome is not None:
                verdict = grade(self.question, outcome)
                self.record(verdict)
                return explain(self.window, verdict, self.top, self.section)

    def _choose(self, key: Key) -> Move | Answer | None:
        if key in ("down", "j"):
            self.at = 0 if self.at is None else (self.at + 1) % len(self.shown)
        elif key in ("up", "k"):
            self.at = len(self.shown) - 1 if not self.at else self.at - 1
        elif key.isdecimal() and 1 <= int(key) <= len(self.shown):
            self.at = int(key) - 1
            self._mark()
        elif key == " ":
            self._mark()
        elif key == "enter":
            return self._chosen()
        elif key in ("tab", "right"):
            return Move.NEXT
        elif key in BACK_KEYS:
            return Move.BACK
        elif key in QUIT_KEYS:
            return Move.QUIT
        elif key == "?":
            self.window.help(self.top, ALL_KEYS)
        return None

    def _mark(self) -> None:
        if self.question.kind == "multiple" and self.at is not None:
            self.picked ^= {self.shown[self.at].id}

    def _chosen(self) -> Answer | None:
        if self.question.kind == "single":
            if self.at is not None:
                return self.shown[self.at].id
            self.notice = "Choose first: a number, or ↑ and ↓."
            return None
        if not self.picked:
            self.notice = "Mark at least one choice: space, or its number."
            return None
        return tuple(choice.id for choice in self.shown if choice.id in self.picked)

    def _type(self, key: Key) -> Move | Answer | None:
        if key == "enter":
            try:
                return read_typed(self.question, self.editor.text)
            except UsageFault as fault:
                self.notice = fault.message
        elif key == "tab":
            return Move.NEXT
        elif key in ("up", "shift-tab") or (key == "left" and not self.editor.text):
            return Move.BACK
        elif key in ("escape", "ctrl-d"):
            return Move.QUIT
        else:
            self.editor.press(key)
        return None

    def _draw(self) -> None:
        """Draw the question above, and pinned below it what is chosen from or typed into.

        A question that is too long for the window scrolls behind what is pinned.
        """
        window, question = self.window, self.question
        if window.busy:
            return
        text = _lines(window, _asked_parts(window, question))
        if isinstance(question, ChoiceQuestion):
            keys = MARK_KEYS if question.kind == "multiple" else CHOOSE_KEYS
            below = view.choices(question, self.shown, self.picked, self.at)
            hint = Text(f"  {view.instruction(question)}", theme.QUIET)
        else:
            keys = TYPE_KEYS
            below = view.typed_field(self.editor.text, view.instruction(question))
            hint = Text()
        if self.notice:
            hint = Text(f"  {self.notice}", theme.NOTE)
        pinned = ["", *_lines(window, [below])]
        field_row = len(pinned) - 1
        if hint:
            pinned += ["", *_lines(window, [hint])]
        room = max(1, window.body_height - len(pinned))
        self.scroll = max(0, min(self.scroll, len(text) - room))
        shown = text[self.scroll : self.scroll + room]
        if len(text) > room:
            keys = (*keys[:1], ("PgUp PgDn", "scroll"), *keys[1:])
        cursor = None if self.shown else (4 + self.editor.cursor, len(shown) + field_row)
        window.draw(self.top, [*shown, *pinned][: window.body_height], keys, cursor)


def _asked_parts(window: Window, question: Question) -> list[RenderableType]:
    colour, width = window.colour, window.text_width
    program = view.program(question, colour=colour)
    parts = [view.prompt(question, colour=colour, width=width)]
    return parts if program is None else [*parts, program]


def _lines(window: Window, parts: list[RenderableType]) -> list[str]:
    """Render parts to lines, an empty one between two."""
    lines: list[str] = []
    for part in parts:
        lines += ["", *window.lines(part)] if lines else window.lines(part)
    return lines


def _verdict_pages(
    window: Window, verdict: Verdict, section_title: str, *, everything: bool
) -> tuple[list[list[str]], int]:
    """Return the pages of a verdict and the one to begin on.

    All on one page where that fits. Otherwise the verdict follows the question, on a page of its
    own: one key goes back to the program that it speaks of.
    """
    colour, width = window.colour, window.text_width
    asked = _asked_parts(window, verdict.question)
    said = list(
        view.verdict_parts(
            verdict, section_title, everything=everything, colour=colour, width=width
        )
    )
    lines = _lines(window, [*asked, *said])
    if len(lines) <= window.body_height:
        return [lines], 0
    before = window.pages(asked)
    return [*before, *window.pages(said)], len(before)


def explain(window: Window, verdict: Verdict, top: Heading, section: Section) -> Move:
    """Show a verdict until it is left."""
    everything = False
    page: int | None = None
    while True:
        pages, first = _verdict_pages(window, verdict, section.title, everything=everything)
        page = first if page is None else min(page, len(pages) - 1)
        window.draw(top, pages[page], _verdict_keys(verdict, page, first, everything=everything))
        key = window.read_key()
        if key == "e":
            everything, page = True, None
        elif key == "s":
            read_again(window, section)
        elif key == "?":
            window.help(top, ALL_KEYS)
        else:
            move, page = turn(key, page, len(pages))
            if move is not None:
                return move


def _verdict_keys(
    verdict: Verdict, page: int, first: int, *, everything: bool
) -> tuple[KeyHelp, ...]:
    keys = dict(VERDICT_KEYS)
    if everything or not verdict.about_others:
        del keys["e"]
    if page < first:
        keys["space"] = "the answer"
    elif first:
        keys["←"] = "the question"
    return tuple(keys.items())


def read_again(window: Window, section: Section) -> None:
    """Show a section, its demo as a line, until the reader goes past either end or leaves."""
    page = 0
    keys: tuple[KeyHelp, ...] = (("space", "next page"), ("←", "back"), ("q", "to the question"))
    while True:
        parts = section_parts(section, None, colour=window.colour, width=window.text_width)
        pages = window.pages(parts)
        page = min(page, len(pages) - 1)
        window.draw(
            Heading("read again", section.title, f"{page + 1}/{len(pages)}"), pages[page], keys
        )
        move, page = turn(window.read_key(), page, len(pages))
        if move is not None:
            return
