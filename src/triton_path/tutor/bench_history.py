"""Runs that were kept: each report as a file, found again by its number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.errors import UsageFault
from triton_path.jobs.bench import BenchReport
from triton_path.paths import data_dir

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "benches"
LAST = "last"
HISTORY = "triton-path bench history"
MOST = 500
"""Runs that are kept; older ones make room."""


@dataclass(frozen=True)
class Kept:
    """One run that was kept."""

    number: int
    """The oldest is 1; a number stays until older runs make room."""
    path: Path
    report: BenchReport


def folder() -> Path:
    """Return where runs are kept."""
    return data_dir() / FOLDER


def keep(report: BenchReport) -> Path | None:
    """Keep a run; return its file, or None where the folder cannot be written."""
    stem = f"{report.date[:19].replace(':', '')}-{report.bench.removesuffix('.py')}"
    try:
        folder().mkdir(parents=True, exist_ok=True)
        number, path = 1, folder() / f"{stem}-001.json"
        while path.exists():
            number += 1
            path = folder() / f"{stem}-{number:03}.json"
        path.write_text(report.model_dump_json(by_alias=True), encoding="utf-8")
        for old in _files()[:-MOST]:
            old.unlink()
    except OSError:
        return None
    return path


def _files() -> list[Path]:
    return sorted(folder().glob("*.json"))


def runs() -> tuple[list[Kept], int]:
    """Return all kept runs, the oldest first, and how many files could not be read.

    A run that an older version kept with another schema is among the latter.
    """
    found = []
    unread = 0
    for number, path in enumerate(_files(), start=1):
        try:
            found.append(Kept(number, path, read(path)))
        except (OSError, ValueError):
            unread += 1
    return found, unread


def read(path: Path) -> BenchReport:
    """Read a report. Raises OSError or ValueError."""
    return BenchReport.model_validate_json(path.read_text(encoding="utf-8"))


def find(word: str) -> Kept:
    """Return the run with a number, `last`, or the report in a file. Raises UsageFault."""
    from pathlib import Path

    kept, _ = runs()
    if word == LAST and kept:
        return kept[-1]
    by_number = {str(run.number): run for run in kept}
    if word in by_number:
        return by_number[word]
    path = Path(word)
    if path.is_file():
        try:
            return Kept(0, path, read(path))
        except (OSError, ValueError):
            message = f"'{word}' is no report of a bench of this version."
            raise UsageFault(message, hint=HISTORY) from None
    known = f"1 to {kept[-1].number}" if kept else "none yet"
    raise UsageFault(f"There is no run '{word}'; runs: {known}.", hint=HISTORY)
