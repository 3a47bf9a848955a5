"""The screen of one question: choose or type, then read why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.text import Text

from triton_path.course.models import ChoiceQuestion
from triton_path.errors import UsageFault
from triton_path.render import question as view
from triton_path.render import theme
from triton_path.screens.window import BACK_KEYS, QUIT_KEYS, Heading, Move, Window, turn
from triton_path.terminal.line_editor import LineEditor
from triton_path.tutor.asking import Answer, Verdict, grade, read_typed, shuffled

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from triton_path.course.models import Question
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
    ("←", "back"),
    ("?", "more keys"),
)
ALL_KEYS: tuple[KeyHelp, ...] = (
    ("↑ ↓  k j  1-9", "move to a choice; a number also marks it"),
    ("space", "mark or unmark, where several are right"),
    ("Enter", "give the answer"),
    ("Tab", "skip the question for now"),
    ("← b", "the step before"),
    ("e", "after the answer: what is wrong with the others"),
    ("q Esc", "leave; your place is kept"),
    ("Ctrl-C", "leave at once; your place is kept"),
)


@dataclass
class Asking:
    """A question on the screen, with what was chosen so far."""

    window: Window
    question: Question
    top: Heading
    section_title: str
    record: Callable[[Verdict], None]
    """Called once with the graded answer, before it is shown."""
    seed: int
    picked: set[str] = field(default_factory=set)
    at: int = 0
    editor: LineEditor = field(default_factory=LineEditor)
    notice: str = ""

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
            outcome = self._choose(key) if self.shown else self._type(key)
            if isinstance(outcome, Move):
                return outcome
            if outcome is not None:
                verdict = grade(self.question, outcome)
                self.record(verdict)
                return explain(self.window, verdict, self.top, self.section_title)

    def _choose(self, key: Key) -> Move | Answer | None:
        if key in ("up", "k", "down", "j"):
            self.at = (self.at + (1 if key in ("down", "j") else -1)) % len(self.shown)
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
        if self.question.kind == "multiple":
            self.picked ^= {self.shown[self.at].id}

    def _chosen(self) -> Answer | None:
        if self.question.kind == "single":
            return self.shown[self.at].id
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
        elif key in ("up", "shift-tab", "page-up"):
            return Move.BACK
        elif key in ("escape", "ctrl-d"):
            return Move.QUIT
        else:
            self.editor.press(key)
        return None

    def _draw(self) -> None:
        window, question = self.window, self.question
        width = window.text_width
        parts: list[RenderableType] = list(view.prompt(question, colour=window.colour, width=width))
        keys = TYPE_KEYS
        if isinstance(question, ChoiceQuestion):
            keys = MARK_KEYS if question.kind == "multiple" else CHOOSE_KEYS
            parts.append(view.choices(question, self.shown, self.picked, self.at))
        parts.append(
            Text(f"  {self.notice}", theme.NOTE) if self.notice else view.instruction(question)
        )
        cursor = None
        body = [line for page in window.pages(parts) for line in page]
        height = window.body_height
        if not self.shown:
            body += window.pages([Text(), view.typed_field(self.editor.text)])[0]
            cursor = (4 + self.editor.cursor, min(len(body), height) - 1)
        # In a window too low for all of it, the end is what is needed: the choices, the field.
        window.draw(self.top, body[-height:], keys, cursor)


def explain(window: Window, verdict: Verdict, top: Heading, section_title: str) -> Move:
    """Show a verdict until it is left."""
    everything = False
    page = 0
    while True:
        colour, width = window.colour, window.text_width
        parts = [
            *view.prompt(verdict.question, colour=colour, width=width),
            *view.verdict_parts(
                verdict, section_title, everything=everything, colour=colour, width=width
            ),
        ]
        pages = window.pages(parts)
        page = min(page, len(pages) - 1)
        keys = VERDICT_KEYS
        if everything or not verdict.about_others:
            keys = tuple(item for item in VERDICT_KEYS if item[0] != "e")
        window.draw(top, pages[page], keys)
        key = window.read_key()
        if key == "e":
            everything = True
        elif key == "?":
            window.help(top, ALL_KEYS)
        else:
            move, page = turn(key, page, len(pages))
            if move is not None:
                return move
