"""The models of an exercise: what exercise.yaml may say, and the exercise put together from it.

The specification is the docstring of starter.py: a learner has it where the kernel is written, and
`practice show` prints the same text.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from triton_path.course.fields import Check, Line
from triton_path.course.files import ReadFile, SourceFile
from triton_path.course.rich_fields import Model, RichLine, RichText
from triton_path.jobs.grading import Grading

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "exercises"
"""Of a course: its exercises, a folder each."""
HEADINGS = ("Formula", "Arguments", "You may assume", "Not allowed", "Picture")
"""Parts that a specification must have, each a line of its own."""


def _three(hints: tuple[RichText, ...]) -> tuple[RichText, ...]:
    if len(hints) != 3:
        raise ValueError("must be three: a nudge, the idea, the lines")
    return hints


@dataclass(frozen=True, kw_only=True)
class WrongSolution(Model):
    """A file of wrong/: a mistake that learners make."""

    file: SourceFile
    fault: Line
    """Kind of the fault that a check must find first."""
    name: Line
    """The mistake by its name, to follow "This looks like"."""
    read: Line
    """What to read again."""


@dataclass(frozen=True, kw_only=True)
class ExerciseFile(Model):
    """exercise.yaml."""

    title: Line
    kind: Literal["kernel", "hunt"]
    """A hunt begins with a kernel that looks right and is wrong."""
    summary: Line
    starter_fault: Line
    """Kind of the fault that the starter fails with."""
    learned: RichLine
    """What the learner can do now, shown on a pass."""
    hints: Annotated[tuple[RichText, ...], Check(_three)]
    """A nudge, the idea, the lines."""
    explanation: RichText
    """Why the solution is as it is; shown beside it."""
    mistakes: tuple[WrongSolution, ...]
    accepts: tuple[Line, ...] = ()
    """Kinds of advice that the solution itself is given, for a reason that stands beside it."""
    grading: Grading


@dataclass(frozen=True)
class Exercise:
    """An exercise, whole."""

    id: str
    folder: Path
    about: ExerciseFile
    starter: ReadFile
    solution: ReadFile
    reference: ReadFile
    stray: tuple[str, ...] = field(default=())
    """Files of its folder that nothing refers to."""

    @property
    def file_name(self) -> str:
        """The name of the learner's file: a module's, so with underscores."""
        return f"{self.id.replace('-', '_')}.py"

    @property
    def specification(self) -> str:
        """The docstring of the starter; empty where it has none."""
        return ast.get_docstring(ast.parse(self.starter.text)) or ""
