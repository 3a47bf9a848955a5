"""Progress as a file: what `progress export` writes and `progress import` reads."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from triton_path.errors import UsageFault
from triton_path.progress.exercises import HINTS

if TYPE_CHECKING:
    from triton_path.progress.store import Store
    from triton_path.progress.tables import Tables

SCHEMA = "triton-path/progress/1"
LAST_YEAR = 2200
"""Reviews are counted on from a time: one at the end of the calendar would overflow."""


def _utc(text: str) -> str:
    """Check that `text` is a time with a zone; the store compares such times as text, in UTC."""
    at = datetime.fromisoformat(text)
    if at.year > LAST_YEAR:
        raise ValueError(f"must not lie after {LAST_YEAR}")
    if at.utcoffset() is None or at.utcoffset().total_seconds() != 0:  # type: ignore[union-attr]
        raise ValueError("must be a time in UTC, such as 2026-12-01T09:30:00.000000+00:00")
    return at.isoformat(timespec="microseconds")


Time = Annotated[str, AfterValidator(_utc)]


def _json_text(text: str) -> str:
    try:
        json.loads(text)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    return text


def _card_state(text: str) -> str:
    """Check that the schedule can go on from `text`: a later review must not fail on it."""
    from triton_path.progress.schedule import next_review

    try:
        next_review(text, correct=True, at=datetime.now(timezone.utc))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise ValueError("is no state of a review schedule") from None
    return text


JsonText = Annotated[str, AfterValidator(_json_text)]
CardState = Annotated[str, AfterValidator(_card_state)]


class Row(BaseModel):
    """A row of the store."""

    model_config = ConfigDict(extra="forbid")
    at: Time


class LessonRow(Row):
    """What was done in a lesson."""

    lesson: str


class PlaceRow(LessonRow):
    """Where the learner stood."""

    step: str
    page: Annotated[int, Field(ge=0, le=9999)]


class SectionRow(LessonRow):
    """A section that was read."""

    section: str


class AnswerRow(LessonRow):
    """An answer that was given."""

    question: str
    chosen: JsonText
    correct: Literal[0, 1]


class CardRow(LessonRow):
    """A question's review schedule."""

    question: str
    state: CardState
    due: Time


class AttemptRow(LessonRow):
    """The learner's own try at a question of a case study."""

    question: str
    text: str


class ExerciseRow(Row):
    """What was done in an exercise; alone: when it was begun."""

    exercise: str


class CheckRow(ExerciseRow):
    """How a check of an exercise went."""

    passed: Literal[0, 1]
    stars: Annotated[int, Field(ge=0, le=3)]
    fault: Annotated[str, Field(pattern="^[a-z0-9-]*$")]


class HintRow(ExerciseRow):
    """A hint that was seen."""

    number: Annotated[int, Field(ge=1, le=HINTS)]


class SolutionRow(ExerciseRow):
    """A solution that was seen."""

    early: Literal[0, 1]


class ExerciseCardRow(ExerciseRow):
    """An exercise's review schedule."""

    state: CardState
    due: Time


class Export(BaseModel):
    """An exported file."""

    model_config = ConfigDict(extra="forbid")
    schema_: Literal["triton-path/progress/1"] = Field(alias="schema")
    place: list[PlaceRow] = []
    section_read: list[SectionRow] = []
    answer: list[AnswerRow] = []
    card: list[CardRow] = []
    attempt: list[AttemptRow] = []
    exercise_begun: list[ExerciseRow] = []
    exercise_check: list[CheckRow] = []
    exercise_hint: list[HintRow] = []
    exercise_solution: list[SolutionRow] = []
    exercise_card: list[ExerciseCardRow] = []


def export_json(store: Store) -> str:
    """Return everything in the store as JSON."""
    return json.dumps({"schema": SCHEMA, **store.dump()}, indent=1)


def write_file(file: str, text: str) -> None:
    """Write a file whole or not at all. Raises UsageFault."""
    path = Path(file)
    if not path.name:
        raise UsageFault(f"'{file}' cannot be written: it names no file.")
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with partial.open("w", encoding="utf-8") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise UsageFault(f"{file} cannot be written: {error.strerror}.") from None


def read_export(file: str) -> Tables:
    """Read an exported file (`-` is stdin) as tables for `Store.merge`. Raises UsageFault."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        export = Export.model_validate_json(data)
    except OSError as error:
        raise UsageFault(f"{file} cannot be read: {error.strerror}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UsageFault(
            f"{file} is no export of triton-path: {where}: {first['msg']}.",
            "triton-path progress export FILE",
        ) from None
    return export.model_dump(exclude={"schema_"})
