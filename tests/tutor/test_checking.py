from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from tests.conftest import REPOSITORY
from triton_path.course.read_exercise import read_exercise
from triton_path.sandbox import Worker
from triton_path.tutor.checking import BrokenOff, Cancelled, Checker
from triton_path.tutor.proof import faults_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triton_path.course.exercises import Exercise
    from triton_path.course.faults import Fault

# Not imported to find out: tests/worker decides how Triton runs, before its import.
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="triton is not installed here"
)


@pytest.fixture(scope="module")
def checker() -> Iterator[Checker]:
    with Checker() as checker:
        checker.warm_up()
        yield checker


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    faults: list[Fault] = []
    found = read_exercise(REPOSITORY / "content", "vector-add", faults)
    assert found is not None
    assert faults == []
    return found


def test_a_solution_passes_in_the_interpreter_and_the_compiler(
    checker: Checker, exercise: Exercise
) -> None:
    steps: list[str] = []
    verdict = checker.check(
        exercise, exercise.solution.path, seed=4, on_progress=lambda step: steps.append(step.text)
    )
    assert verdict.passed
    assert (verdict.seed, verdict.findings) == (4, ())
    assert len(verdict.cases) == verdict.planned >= 6
    assert (
        verdict.checked[0]
        == f"run in Triton's interpreter under the memory watch: {verdict.planned} cases"
    )
    assert verdict.checked[1].startswith("compiled for sm_80: ")
    assert "running the kernel" in steps
    if verdict.gpu is None:
        assert verdict.stars == 1
        assert verdict.checked[2] == "not run on a GPU: none is here"


def test_the_compiler_stands_before_the_interpreter(
    checker: Checker, exercise: Exercise, tmp_path: Path
) -> None:
    path = tmp_path / "vector_add.py"
    text = exercise.solution.text.replace("tl.arange(0, BLOCK)", "tl.arange(0, n)")
    path.write_text(text)
    verdict = checker.check(exercise, path, seed=1)
    assert not verdict.passed
    assert verdict.stars == 0
    first = verdict.findings[0]
    assert (first.kind, first.stage) == ("compiler-rejects", "compile")
    assert first.place is not None
    assert "tl.arange(0, n)" in first.place.source
    assert first.remedy


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("import os; os._exit(0)", "crashed"),
        ("import os; os._exit(3)", "crashed"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crashed"),
        ("print('x' * 10_000_000)", ""),
        ("import sys; sys.stdin.read()", ""),
        ("import sys; sys.exit()", "raised"),
    ],
)
def test_accidents_of_host_code_have_a_verdict(
    checker: Checker, exercise: Exercise, tmp_path: Path, statement: str, kind: str
) -> None:
    path = tmp_path / "vector_add.py"
    text = exercise.solution.text.replace(
        "    n = out.numel()\n", f"    {statement}\n    n = out.numel()\n"
    )
    assert statement in text
    path.write_text(text)
    verdict = checker.check(exercise, path, seed=1)
    assert [finding.kind for finding in verdict.faults[:1]] == ([kind] if kind else [])


def test_a_check_can_be_cancelled_and_the_next_one_works(
    checker: Checker, exercise: Exercise, tmp_path: Path
) -> None:
    path = tmp_path / "vector_add.py"
    path.write_text("import time\ntime.sleep(60)\n")
    with pytest.raises(Cancelled):
        checker.check(exercise, path, cancelled=lambda: True)
    assert checker.check(exercise, exercise.solution.path).passed


def test_a_proof_has_nothing_to_say_of_a_sound_exercise(
    checker: Checker, exercise: Exercise
) -> None:
    assert list(faults_of(exercise, checker, seeds=2)) == []


def test_a_proof_tells_what_is_unsound(checker: Checker, exercise: Exercise) -> None:
    from dataclasses import replace

    about = exercise.about
    unsound = replace(
        exercise,
        solution=about.mistakes[0].file,
        about=replace(
            about,
            starter_fault="wrong-values",
            accepts=("idle-mask",),
            mistakes=(
                replace(about.mistakes[0], fault="never-written"),
                replace(about.mistakes[1], file=exercise.solution),
            ),
        ),
    )
    told = [str(fault) for fault in faults_of(unsound, checker, seeds=2)]
    where = "exercises/vector-add/"
    assert (
        told[0]
        == f"{where}starter.py:1: should fail with wrong-values; the check finds never-written"
    )
    assert "solution.py:11: the solution is told: out-of-bounds-load:" in told[1]
    assert "accepts: the solution is not given this advice: idle-mask" in told[2]
    assert "should fail with never-written; the check finds out-of-bounds-load" in told[3]
    assert (
        "solution.py:1: should fail with never-written; the check finds nothing: it passes"
        in told[4]
    )
    assert told[5].endswith("solution.py:1: passes with seed 2")


def test_a_syntax_error_is_told_without_a_worker(exercise: Exercise, tmp_path: Path) -> None:
    path = tmp_path / "vector_add.py"
    path.write_text("import torch\n\n\ndef vector_add(x, y, out:\n    pass\n")
    with pytest.MonkeyPatch.context() as patch, Checker() as checker:
        patch.setattr(Worker, "start", lambda _: pytest.fail("a worker was started"))
        verdict = checker.check(exercise, path, seed=1)
    finding = verdict.faults[0]
    assert (finding.kind, finding.stage, verdict.passed) == ("does-not-import", "import", False)
    assert finding.sentence == "vector_add.py is not valid Python: '(' was never closed."
    assert finding.place is not None
    assert (finding.place.line, finding.place.column) == (4, 14)
    assert finding.place.source == "def vector_add(x, y, out:"


def test_the_first_fault_of_each_seed_is_enough(checker: Checker, exercise: Exercise) -> None:
    ragged = exercise.about.mistakes[0].file.path
    assert checker.passes_with(exercise, ragged, range(2, 8)) == []
    assert checker.passes_with(exercise, exercise.solution.path, range(2, 4)) == [2, 3]


@pytest.mark.parametrize("sizes", ["(n,)", "(1024, 1000, 1, 997, 3000)"])
def test_what_the_compiler_alone_refuses_counts_for_the_seeds_that_launch_it(
    checker: Checker, exercise: Exercise, tmp_path: Path, sizes: str
) -> None:
    path = tmp_path / "vector_add.py"
    text = exercise.solution.text.replace(
        "BLOCK: tl.constexpr", "BLOCK: tl.constexpr, DICT: tl.constexpr"
    )
    text = text.replace(
        "    inside = i < n\n", "    inside = i < n\n    if DICT:\n        inside = {1: i < n}[1]\n"
    )
    text = text.replace("BLOCK=BLOCK)", f"BLOCK=BLOCK, DICT=n in {sizes})")
    path.write_text(text)
    assert checker.passes_with(exercise, path, range(2, 4)) == []
    drawn = text.replace(f"n in {sizes}", f"n not in {sizes}")
    path.write_text(drawn)
    assert checker.passes_with(exercise, path, range(2, 4)) == ([2, 3] if sizes == "(n,)" else [])


def test_a_crash_proves_nothing(checker: Checker, exercise: Exercise, tmp_path: Path) -> None:
    path = tmp_path / "vector_add.py"
    path.write_text("import os\nos._exit(0)\n")
    with pytest.raises(BrokenOff, match="ended itself before the check was done"):
        checker.passes_with(exercise, path, [2])
