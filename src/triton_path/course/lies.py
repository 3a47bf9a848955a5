"""The stories of `bench lies`, from lies.yaml: what happened, why, and what is done instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, model_validator

from triton_path.course.faults import raise_for
from triton_path.course.fields import Line
from triton_path.course.source import CourseModel, parse_yaml
from triton_path.course.text import SourceError, read_text
from triton_path.jobs.lies import NAMES, LieName
from triton_path.paths import own_content_dir

if TYPE_CHECKING:
    from pathlib import Path

    from typing_extensions import Self

FILE = "lies.yaml"
Text = Annotated[str, Field(min_length=1)]


class Story(CourseModel):
    """One lie in words."""

    id: LieName
    title: Line
    short: Line
    """What happened in public, for a line of a table, with its source."""
    sources: tuple[Line, ...]
    """Issues as `owner/repository #number`, or a page; none where the table is not named."""
    public: Line
    """What happened in public."""
    careless: Text
    """The mistake in a few lines of Python."""
    careful: Text
    """The same without it."""
    why: Line
    """Why the figure is false."""
    honest: Line
    """What `triton-path bench` does instead."""


class Stories(CourseModel):
    """All of them, in the order of `jobs.lies.NAMES`."""

    lies: tuple[Story, ...]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        found = tuple(story.id for story in self.lies)
        if found != NAMES:
            raise ValueError(f"must be these, in this order: {', '.join(NAMES)}")
        return self

    def find(self, name: LieName) -> Story:
        """Return the story of one lie."""
        return next(story for story in self.lies if story.id == name)


def load_stories(content: Path) -> Stories:
    """Read lies.yaml of the course folder `content`, or our own where it has none.

    Raises CourseFault with every fault.
    """
    if not (content / FILE).is_file():
        content = own_content_dir()  # a course of somebody else need not tell them
    try:
        return parse_yaml(read_text(content / FILE, FILE), FILE).validate(Stories)
    except SourceError as error:
        raise_for(error.faults)
        raise
