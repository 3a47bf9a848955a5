"""What the store keeps of exercises: begun, checks, hints and solutions seen, reviews."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from triton_path.progress.clock import not_before, stamp

if TYPE_CHECKING:
    import sqlite3

HINTS = 3
"""Hints that an exercise has; the last one shows the lines."""


@dataclass(frozen=True)
class ExerciseRecord:
    """All that is known of a learner's work on an exercise.

    Hints and an early look at the solution count from the time it was begun: it can be begun anew.
    """

    begun: bool = False
    checks: int = 0
    passed: bool = False
    """Whether any check ever passed."""
    stars: int = 0
    """Most of any check."""
    fault: str = ""
    """Kind of the fault that the last check found first; empty where it passed."""
    hints: int = 0
    """Highest hint seen since it was begun."""
    solution_early: bool = False
    """Whether the solution was seen since it was begun and before a pass."""
    anew: bool = False
    """Whether it was begun anew and not passed since."""
    due: datetime | None = None
    """When a passed exercise is due again."""
    last: str = ""
    """When it was worked on last, as the store keeps time; empty where it never was."""


NOTHING = ExerciseRecord()


class ExerciseRecords:
    """The exercises' part of an open store; see `Store.exercises`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def begin(self, exercise: str) -> None:
        """Note that an exercise was begun; one that was begun before is begun anew."""
        with self._db:
            self._write("INSERT OR REPLACE INTO exercise_begun VALUES (?, ?)", exercise)

    def keep_check(self, exercise: str, *, passed: bool, stars: int, fault: str) -> None:
        """Keep how a check went, and set the next review of an exercise that passed.

        A pass counts as a review once for each time the exercise was begun: checking the same
        solution again says nothing of what its writer remembers.
        """
        before = self.of(exercise)
        with self._db:
            self._begin_first(exercise)
            self._write(
                "INSERT OR REPLACE INTO exercise_check VALUES (?, ?, ?, ?, ?)",
                exercise, int(passed), stars, fault,
            )  # fmt: skip
            if passed and (before.anew or before.due is None):
                helped = before.solution_early or before.hints >= HINTS
                self._review(exercise, unaided=not helped)

    def see_hint(self, exercise: str, number: int) -> None:
        """Note that hint `number`, from 1, was shown."""
        with self._db:
            self._begin_first(exercise)
            self._write("INSERT OR REPLACE INTO exercise_hint VALUES (?, ?, ?)", exercise, number)

    def see_solution(self, exercise: str, *, early: bool) -> None:
        """Note that the solution was shown; `early`: before a pass."""
        with self._db:
            self._begin_first(exercise)
            self._write(
                "INSERT OR REPLACE INTO exercise_solution VALUES (?, ?, ?)", exercise, int(early)
            )

    def of(self, exercise: str) -> ExerciseRecord:
        """Return what is known of one exercise."""
        return self.all().get(exercise, NOTHING)

    def all(self) -> dict[str, ExerciseRecord]:
        """Return what is known of each exercise of which anything is."""
        begun = dict(self._db.execute("SELECT exercise, at FROM exercise_begun"))
        checks = self._grouped("SELECT exercise, passed, stars, fault, at FROM exercise_check")
        hints = self._grouped("SELECT exercise, number, at FROM exercise_hint")
        solutions = self._grouped("SELECT exercise, early, at FROM exercise_solution")
        cards = self._grouped("SELECT exercise, due, at FROM exercise_card")
        return {
            name: _record(
                begun.get(name, ""),
                checks.get(name, []),
                hints.get(name, []),
                solutions.get(name, []),
                cards.get(name, []),
            )
            for name in {*begun, *checks, *hints, *solutions, *cards}
        }

    def _review(self, exercise: str, *, unaided: bool) -> None:
        from triton_path.progress.schedule import next_review

        row = self._db.execute(
            "SELECT state FROM exercise_card WHERE exercise = ?", (exercise,)
        ).fetchone()
        at = self._time(exercise)
        state, due = next_review(row[0] if row else None, correct=unaided, at=at)
        self._db.execute(
            "INSERT OR REPLACE INTO exercise_card VALUES (?, ?, ?, ?)",
            (exercise, state, stamp(due), stamp(at)),
        )

    def _begin_first(self, exercise: str) -> None:
        """Note that an exercise is begun, unless it was before."""
        self._write("INSERT OR IGNORE INTO exercise_begun VALUES (?, ?)", exercise)

    def _grouped(self, query: str) -> dict[str, list[tuple[Any, ...]]]:
        """Return rows without their first column, by it; the oldest first."""
        groups: dict[str, list[tuple[Any, ...]]] = {}
        for exercise, *rest in self._db.execute(f"{query} ORDER BY at"):
            groups.setdefault(exercise, []).append(tuple(rest))
        return groups

    def _time(self, exercise: str) -> datetime:
        """Return now, or just after the last work on it where the clock was set back."""
        return not_before(self.of(exercise).last or None)

    def _write(self, query: str, exercise: str, *values: object) -> None:
        """Run a query whose values are an exercise, `values` and the time."""
        self._db.execute(query, (exercise, *values, stamp(self._time(exercise))))


def _record(
    begun: str,
    checks: list[tuple[Any, ...]],
    hints: list[tuple[Any, ...]],
    solutions: list[tuple[Any, ...]],
    cards: list[tuple[Any, ...]],
) -> ExerciseRecord:
    """Put a record together from the rows of an exercise, without its name."""
    looked = [(at,) for early, at in solutions if early]  # after a pass it is no work any more
    times = [begun, *(row[-1] for rows in (checks, hints, looked) for row in rows)]
    passes = [at for passed, _, _, at in checks if passed]
    return ExerciseRecord(
        begun=bool(begun),
        checks=len(checks),
        passed=bool(passes),
        stars=max((stars for _, stars, _, _ in checks), default=0),
        fault=checks[-1][2] if checks else "",
        hints=max((number for number, at in hints if at >= begun), default=0),
        solution_early=any(early and at >= begun for early, at in solutions),
        anew=bool(passes) and begun > passes[-1],
        due=datetime.fromisoformat(cards[0][0]) if cards else None,
        last=max(times),
    )
