"""The files that a lesson refers to: programs that are run, shown, or asked about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from triton_path.course.fields import Reads
from triton_path.course.text import SourceError, read_text

LANGUAGES = {".py": "python", ".cu": "cuda", ".yaml": "yaml"}


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


def inside(folder: Path, name: str) -> Path | None:
    """Return the path of `name` in `folder`, links followed; None where it lies elsewhere."""
    try:
        path = (folder / name).resolve()
        path.exists()  # raises for a name that no file system takes
    except (OSError, RuntimeError, ValueError):
        return None
    return path if path.is_relative_to(folder.resolve()) else None


def _read(name: Any, folder: Any) -> ReadFile:
    """Read the file `name` of the lesson's `folder`. Raises ValueError."""
    if not isinstance(name, str) or not isinstance(folder, Path):
        raise ValueError("must be the name of a file of this lesson")
    path = inside(folder, name)
    if path is None:
        raise ValueError(f"'{name[:60]}' lies outside the lesson's folder")
    if not path.is_file():
        raise ValueError(f"there is no file '{name}' in the lesson's folder")
    try:
        return ReadFile(path, read_text(path, name))
    except SourceError as error:
        raise ValueError(f"'{name}' {error.faults[0].message}") from None


SourceFile = Annotated[ReadFile, Reads(_read)]
"""A file name in the course file; the file's path and text in the model."""
