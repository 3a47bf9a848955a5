"""A quiz from its first question to its score, with the missed ones offered again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.render.frame import Heading, dots
from triton_path.render.question import score_parts
from triton_path.screens.question import Asking
from triton_path.screens.window import Move, Window
from triton_path.tutor.reviews import keep_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.progress.store import Store
    from triton_path.render.frame import KeyHelp
    from triton_path.terminal.screen import Screen
    from triton_path.tutor.asking import Verdict
    from triton_path.tutor.reviews import Asked

SCORE_KEYS: tuple[KeyHelp, ...] = (("space", "go on"), ("←", "back"), ("q", "leave"))
RETRY_KEYS: tuple[KeyHelp, ...] = (("m", "ask the missed and skipped ones"), *SCORE_KEYS)


def run_quiz(screen: Screen, title: str, asked: Sequence[Asked], store: Store, seed: int) -> None:
    """Ask all questions in order, show the score, ask missed ones again if wanted."""
    window = Window(screen)
    left = list(asked)
    round_number = 0
    while left:
        results = _ask_round(window, title, left, store, seed + round_number)
        if results is None:
            return
        again = [item for item in left if not results.get(item.key, False)]
        missed = [item.section.title for item in again if item.key in results]
        skipped = len(again) - len(missed)
        move = show_score(window, Heading(title, "Your score"), len(left), missed, skipped)
        if move is not Move.AGAIN:
            return
        left = again
        round_number += 1


def _ask_round(
    window: Window, title: str, asked: Sequence[Asked], store: Store, seed: int
) -> dict[str, bool] | None:
    """Return whether each question was answered right; None if the learner left."""
    results: dict[str, bool] = {}
    at = 0
    while at < len(asked):
        item = asked[at]

        def record(verdict: Verdict, item: Asked = item) -> None:
            results[item.key] = verdict.correct
            keep_answer(store, item.lesson_id, verdict)

        top = Heading(title, f"Question {at + 1} of {len(asked)}", dots(at, len(asked)))
        move = Asking(window, item.question, top, item.section, record, seed).run()
        if move is Move.QUIT:
            return None
        at = max(0, at + (1 if move is Move.NEXT else -1))
    return results


def show_score(
    window: Window, top: Heading, total: int, missed_sections: Sequence[str], skipped: int
) -> Move:
    """Show the score; `missed_sections` has the section's title for each question missed.

    Returns Move.AGAIN where the learner wants the missed ones again.
    """
    open_ones = len(missed_sections) + skipped
    move = window.read_pages(
        top,
        lambda: score_parts(total, missed_sections, skipped),
        RETRY_KEYS if open_ones else SCORE_KEYS,
        others=("m",) if open_ones else (),
    )
    return move if isinstance(move, Move) else Move.AGAIN
