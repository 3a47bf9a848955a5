"""Every exercise that the learner has begun, and the verdicts on them in one document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from triton_path.course.load_exercise import load_exercise
from triton_path.errors import UsageFault
from triton_path.tutor.own_files import kind_of, require_text, shown
from triton_path.tutor.workspace import START, own_path, workspace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from triton_path.course.exercises import Exercise
    from triton_path.course.models import Course
    from triton_path.jobs.practice import Verdict
    from triton_path.progress.store import Store

SCHEMA = "triton-path/practice-all/1"


def own_exercises(root: Path, course: Course, store: Store) -> list[tuple[Exercise, Path]]:
    """Return the exercises whose file lies in the workspace. Raises UsageFault if none does."""
    folder = workspace(store)
    require_text(folder)
    paths = {slug: own_path(folder, slug) for slug in course.exercises}
    found = {slug: path for slug, path in paths.items() if kind_of(path) == "file"}
    if not found:
        raise UsageFault(f"There is no exercise of yours in {shown(folder)} yet.", START)
    return [(load_exercise(root, slug), path) for slug, path in found.items()]


def all_json(verdicts: Sequence[Verdict]) -> str:
    """Return the verdicts as one document; each is what a check of it alone prints."""
    documents = [json.loads(verdict.model_dump_json(by_alias=True)) for verdict in verdicts]
    passed = sum(verdict.passed for verdict in verdicts)
    return json.dumps({"schema": SCHEMA, "passed": passed, "verdicts": documents}, indent=2)
