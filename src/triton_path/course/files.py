"""The base of every course model, and the files that a lesson refers to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationInfo

from triton_path.course.source import SourceError, read_text

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=60)]
"""A stable id: lower-case words joined by hyphens. Once published it never changes."""

Line = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\n]*$", strip_whitespace=True)]
"""Text on one line."""

LANGUAGES = {".py": "python", ".cu": "cuda", ".yaml": "yaml"}


class CourseModel(BaseModel):
    """A frozen model of a part of a course file; unknown fields are faults."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


@dataclass(frozen=True)
class ReadFile:
    """A file inside the lesson's folder, read."""

    path: Path
    text: str

    @property
    def language(self) -> str:
        """The lexer's name for it."""
        return LANGUAGES.get(self.path.suffix, "text")

    def region(self, name: str) -> str:
        """Return the lines between `region: NAME` and `endregion`. Raises ValueError."""
        lines: list[str] = []
        inside = False
        for line in self.text.splitlines():
            mark = line.strip().lstrip("#/").strip()
            if mark == f"region: {name}":
                inside = True
            elif mark == "endregion" and inside:
                return "\n".join(lines).strip("\n")
            elif inside:
                lines.append(line)
        raise ValueError(f"{self.path.name} has no whole region '{name}'")


def _read(name: Any, info: ValidationInfo) -> ReadFile:
    """Read the file `name` of the folder that is the validation's context."""
    folder = info.context
    if not isinstance(name, str) or not isinstance(folder, Path):
        raise ValueError("must be the name of a file of this lesson")
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise ValueError(f"'{name}' lies outside the lesson's folder")
    if not path.is_file():
        raise ValueError(f"there is no file '{name}' in the lesson's folder")
    try:
        return ReadFile(path, read_text(path, name))
    except SourceError as error:
        raise ValueError(f"'{name}' {error.faults[0].message}") from None


SourceFile = Annotated[ReadFile, BeforeValidator(_read)]
"""A file name in the course file; the file's path and text in the model."""
