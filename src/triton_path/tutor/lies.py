"""Asks the worker for lies and adds their stories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.errors import unknown_name
from triton_path.jobs.lies import NAMES, LiesJob, LiesReport
from triton_path.sandbox import run_job

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.course.lies import Stories
    from triton_path.jobs.lies import LieName
    from triton_path.jobs.messages import Progress

SECONDS_A_LIE = 60.0


def parse_name(text: str | None) -> tuple[LieName, ...]:
    """Return the lies asked for: the one of that name, all without one. Raises UsageFault."""
    if text is None:
        return NAMES
    found = tuple(name for name in NAMES if name == text.strip().lower())
    if not found:
        raise unknown_name("lie", text, NAMES, "triton-path bench lies")
    return found


def run_lies(
    names: tuple[LieName, ...], stories: Stories, on_progress: Callable[[Progress], None]
) -> LiesReport:
    """Make each of `names` happen on this machine and return the figures with their stories.

    Raises MissingFault where torch or Triton is missing.
    """
    report = run_job(
        LiesJob(names=names),
        LiesReport,
        interpret=False,
        time_limit_s=SECONDS_A_LIE * len(names),
        on_progress=on_progress,
    )
    return with_stories(report, stories)


def with_stories(report: LiesReport, stories: Stories) -> LiesReport:
    """Add to each lie its title and what happened in public."""
    told = []
    for lie in report.lies:
        story = stories.find(lie.name)
        added = {"title": story.title, "public": story.public, "sources": story.sources}
        told.append(lie.model_copy(update=added))
    return report.model_copy(update={"lies": tuple(told)})
