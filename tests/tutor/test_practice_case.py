from __future__ import annotations

import runpy
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests import verdicts
from triton_path.course.gpus import load_gpus
from triton_path.course.load_exercise import load_exercise
from triton_path.errors import MissingFault, UsageFault
from triton_path.jobs.grading import Case
from triton_path.jobs.practice import CheckJob
from triton_path.paths import own_content_dir
from triton_path.tutor.practice_case import launches_by_itself, with_case, write_script
from triton_path.tutor.trace_options import Request

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.exercises import Exercise


@pytest.fixture
def exercise() -> Exercise:
    return load_exercise(own_content_dir(), "vector-add")


def asked(script: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[CheckJob, int]:
    """Run the script; return what it asks the worker for."""
    calls: list[tuple[str, int]] = []

    class OneCase:
        run = staticmethod(lambda job, number: calls.append((job, number)))

    monkeypatch.setitem(__import__("sys").modules, "triton_path.worker.practice.one_case", OneCase)
    runpy.run_path(str(script))
    job, number = calls[0]
    return CheckJob.model_validate_json(job), number


def test_the_case_that_failed_is_run_with_its_seed(
    exercise: Exercise, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    script = write_script(exercise, exercise.solution.path, verdicts.failed(seed=5))
    assert script.is_relative_to(home)
    job, number = asked(script, monkeypatch)
    assert (number, job.seed, job.path) == (2, 5, str(exercise.solution.path))
    assert job.grading == exercise.about.grading
    assert "n = 1000" in script.read_text()


def test_without_a_fault_it_is_the_first_case(
    exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    for verdict in (None, verdicts.passed(), verdicts.failed(verdicts.rejected())):
        script = write_script(exercise, exercise.solution.path, verdict)
        assert asked(script, monkeypatch)[1] == 1


def test_tensors_without_memory_are_not_looked_at(
    exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = exercise.about.grading.cases
    virtual = (Case(sizes={"n": 1 << 32}, virtual=True), *cases)
    grading = replace(exercise.about.grading, cases=virtual)
    changed = replace(exercise, about=replace(exercise.about, grading=grading))
    script = write_script(changed, exercise.solution.path, None)
    assert asked(script, monkeypatch)[1] == 2


def test_a_trace_of_the_file_is_a_trace_of_its_first_case(
    exercise: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = load_gpus(own_content_dir())
    file = tmp_path / "vector_add.py"
    file.write_text(exercise.solution.text)
    request = Request(
        file, None, None, everything=True, gpu=table.find("h200"), table=table, program=None
    )
    changed, case = with_case(request, exercise)
    assert changed.script is not None
    job, number = asked(changed.script, monkeypatch)
    assert (number, job.path, changed.path) == (1, str(file), file)
    assert case == f"n = {exercise.about.grading.cases[0].sizes['n']}"
    file.write_text(f"{exercise.solution.text}\n\ndef main(): ...\n")
    assert with_case(request, exercise) == (request, "")


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ('"""Text."""\nimport torch\nSIZE: int = 4\nclass A: ...\ndef add(x): ...\n', False),
        ("def add(x): ...\nadd(1)\n", True),
        ("if __name__ == '__main__':\n    pass\n", True),
        ("def main(): ...\n", True),
    ],
)
def test_a_file_that_launches_by_itself(text: str, acts: bool) -> None:
    assert launches_by_itself(text) == acts


def test_an_exercise_without_any_memory_has_nothing_to_look_at(exercise: Exercise) -> None:
    grading = replace(exercise.about.grading, cases=(Case(sizes={"n": 1 << 32}, virtual=True),))
    changed = replace(exercise, about=replace(exercise.about, grading=grading))
    with pytest.raises(UsageFault, match="No case of vector-add") as caught:
        write_script(changed, exercise.solution.path, None)
    assert caught.value.hint == "triton-path practice check vector-add"


def test_a_cache_that_cannot_be_written(exercise: Exercise, home: Path) -> None:
    (home / "cache").mkdir(parents=True, exist_ok=True)
    (home / "cache" / "practice").write_text("no folder")
    with pytest.raises(MissingFault, match="cannot be written") as caught:
        write_script(exercise, home / "vector_add.py", None)
    assert "TRITON_PATH_HOME" in (caught.value.hint or "")


def test_a_path_with_quotes_and_signs(
    exercise: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / 'it\'s "mine" \\ ü.py'
    job, _ = asked(write_script(exercise, odd, None), monkeypatch)
    assert job.path == str(odd)
