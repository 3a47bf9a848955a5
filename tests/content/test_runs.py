from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from tests.conftest import REPOSITORY
from triton_path.course.loader import load_course, load_lesson
from triton_path.course.questions import LineQuestion, PredictQuestion
from triton_path.terminal.safe_text import harmless

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("children_uncovered")
needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None or importlib.util.find_spec("torch") is None,
    reason="torch and triton are not installed here",
)

CONTENT = REPOSITORY / "content"
LESSONS = [load_lesson(CONTENT, entry) for entry in load_course(CONTENT).ready]
PROGRAMS = sorted(path for folder in ("demos", "listings", "snippets")
                  for path in CONTENT.glob(f"lessons/*/{folder}/*.py"))  # fmt: skip
DEMOS = [path for path in PROGRAMS if path.parent.name == "demos"]
PREDICTIONS = [q for lesson in LESSONS for q in lesson.questions if isinstance(q, PredictQuestion)]
LINES = [q for lesson in LESSONS for q in lesson.questions if isinstance(q, LineQuestion)]
CUDA = sorted(CONTENT.glob("lessons/*/listings/*.cu"))


def run_program(path: Path, columns: int, folder: Path, **environment: str) -> str:
    """Run a program as a learner would, far from its folder; return what it printed."""
    finished = subprocess.run(
        [sys.executable, str(path)],
        cwd=folder,
        env={**os.environ, "COLUMNS": str(columns), "LINES": "22", "PYTHONIOENCODING": "utf-8",
             **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stderr == ""
    return finished.stdout


def name_of(path: Path) -> str:
    return path.relative_to(CONTENT / "lessons").as_posix()


@needs_triton
@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_a_program_runs_and_fits_a_window_of_60_columns(path: Path, tmp_path: Path) -> None:
    environment = {} if path.parent.name == "demos" else {"TRITON_INTERPRET": "1"}
    out = run_program(path, 56, tmp_path, **environment)
    assert [line for line in out.splitlines() if cell_len(line) > 56] == []
    assert harmless(out) == out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", DEMOS, ids=name_of)
def test_a_demo_fits_a_window_of_80_columns_and_prints_something(
    path: Path, tmp_path: Path
) -> None:
    out = run_program(path, 76, tmp_path)
    assert [line for line in out.splitlines() if cell_len(line) > 76] == []
    assert len(out.splitlines()) > 3


@pytest.mark.parametrize("path", DEMOS, ids=name_of)
def test_a_demo_says_so_where_a_package_is_missing(path: Path, tmp_path: Path) -> None:
    for package in ("torch", "triton", "numpy"):
        (tmp_path / f"{package}.py").write_text(
            f"raise ModuleNotFoundError('No module named {package}', name={package!r})\n"
        )
    finished = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert finished.returncode in (0, 3)
    assert "Traceback" not in finished.stdout + finished.stderr
    assert "pip install" in finished.stdout


@needs_triton
@pytest.mark.parametrize("question", PREDICTIONS, ids=lambda question: question.id)
def test_a_prediction_is_what_the_program_prints(question: PredictQuestion, tmp_path: Path) -> None:
    out = run_program(question.file.path, 76, tmp_path, TRITON_INTERPRET="1")
    (line,) = out.splitlines()
    assert question.accepts(line)
    assert not any(miss.value.split() == line.split() for miss in question.misses)


CHANGED_ELEMENTS = """
import runpy, torch
names = runpy.run_path({path!r})
base = names["y"]._base
print([index for index in range(len(base)) if base[index] != 0 and index >= len(names["y"])])
"""


@needs_triton
def test_the_store_without_a_mask_writes_beyond_its_tensor(tmp_path: Path) -> None:
    (question,) = [question for question in LINES if question.id == "missing-mask"]
    script = tmp_path / "probe.py"
    script.write_text(CHANGED_ELEMENTS.format(path=str(question.file.path)))
    out = run_program(script, 76, tmp_path, TRITON_INTERPRET="1")
    assert out == "[10, 11]\n"
    mended = tmp_path / "mended.py"
    lines = question.file.text.splitlines()
    lines[question.answer - 1] = lines[question.answer - 1].replace("v + 1)", "v + 1, mask=i < n)")
    mended.write_text("\n".join(lines))
    script.write_text(CHANGED_ELEMENTS.format(path=str(mended)))
    assert run_program(script, 76, tmp_path, TRITON_INTERPRET="1") == "[]\n"


@pytest.mark.parametrize("path", CUDA, ids=name_of)
def test_a_cuda_listing_compiles(path: Path, tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("there is no nvcc on PATH to compile CUDA C++ with")
    compiled = subprocess.run(
        [nvcc, "-Werror", "all-warnings", "-c", str(path), "-o", str(tmp_path / "listing.o")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert compiled.returncode == 0, compiled.stderr
