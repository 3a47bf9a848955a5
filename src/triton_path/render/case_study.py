"""A case study: the situation, its questions, the solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from triton_path.render import theme
from triton_path.render.blocks import part
from triton_path.render.pages import Part
from triton_path.terminal.safe_text import harmless

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.course.models import CaseQuestion, CaseStudy


def situation_parts(case: CaseStudy, *, colour: bool, width: int) -> list[RenderableType | Part]:
    """Return the title and the situation."""
    return [
        Text(f"  {case.title}", theme.TITLE),
        *(part(item, colour=colour, width=width) for item in case.situation),
    ]


def question_parts(
    question: CaseQuestion, attempt: str, *, solved: bool, colour: bool, width: int
) -> list[RenderableType | Part]:
    """Return the question, the learner's own try if there is one, the solution once `solved`."""
    parts: list[RenderableType | Part] = [
        part(item, colour=colour, width=width) for item in question.prompt
    ]
    if attempt:
        parts.append(Text("  Your try", f"bold {theme.ACCENT}"))
        parts.append(Padding(Text(harmless(attempt)), (0, 0, 0, 2)))
    if solved:
        parts.append(Part(Text("  Solution", f"bold {theme.RIGHT}"), leads=True))
        parts += [part(item, colour=colour, width=width) for item in question.solution]
    return parts
