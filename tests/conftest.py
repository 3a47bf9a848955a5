from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.exercises import add_exercises
from triton_path.cli import main
from triton_path.course.loader import load_course, load_lesson
from triton_path.paths import CONTENT_VARIABLE, HOME_VARIABLE, WORKSPACE_VARIABLE

if TYPE_CHECKING:
    from triton_path.course.models import Lesson

settings.register_profile(
    "dev",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# A shell that runs the tests in the background has them ignore Ctrl-C, and all that they start.
with contextlib.suppress(ValueError):  # not the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)

REPOSITORY = Path(__file__).resolve().parents[1]

COURSE_YAML = """\
id: small
title: A small course
stages:
  - id: first
    title: First stage
    lessons:
      - {id: shapes, title: Shapes, status: ready, folder: lessons/shapes}
      - {id: sizes, title: Sizes, status: planned}
  - id: second
    title: Second stage
    lessons:
      - {id: speeds, title: Speeds, status: planned}
"""

LESSON_MD = """\
---
title: Shapes
summary: What a tile is.
minutes: 5
outcomes:
  - Name the parts of a *tile*
next_question: How large is a tile?
---

## Tiles {#tiles}

A tile is a **block** of `data`:

```listing
file: tile.py
title: tile.py
region: shown
```

> How many tiles are there?

```demo
id: count
file: count.py
title: Counting tiles
edit: Set N = 3.
```

## Lanes {#lanes}

- first lane
- second lane

| part | size |
| --- | --- |
| lane | 1 |
| tile | 32 |

```picture
┌───┐
│ x │
└───┘
```

See [the guide](https://example.org/guide).
"""

QUIZ_YAML = """\
questions:
  - id: one-right
    kind: single
    section: tiles
    prompt: What is a tile?
    choices:
      - {id: block, text: A block of data, correct: true, why: It holds many elements.}
      - {id: thread, text: One thread, why: A thread is smaller.}
      - {id: grid, text: A whole grid, why: A grid has many tiles.}
  - id: two-right
    kind: multiple
    section: lanes
    prompt: Which belong to a lane?
    choices:
      - {id: element, text: One element, correct: true, why: A lane holds one.}
      - {id: mask-bit, text: One bit of the mask, correct: true, why: The mask has a bit a lane.}
      - {id: launch, text: A launch, why: A launch has a grid.}
  - id: how-many
    kind: number
    section: tiles
    prompt: How many KiB?
    answer: 1024
    tolerance: 0.5
    unit: KiB
    explanation: 32 tiles of 32 KiB.
    misses:
      - {value: 32, why: That is one tile.}
  - id: what-prints
    kind: predict
    section: lanes
    prompt: What is printed?
    file: prints.py
    answer: "3 tiles"
    explanation: It counts to three.
    misses:
      - {value: "2 tiles", why: It begins at one.}
  - id: which-line
    kind: line
    section: lanes
    prompt: Which line is wrong?
    file: wrong.py
    answer: 2
    explanation: It divides by nought.
    misses:
      - {value: 1, why: That line is right.}
"""

CASE_STUDY_YAML = """\
title: A slow tile
situation: A tile takes a second.
questions:
  - id: why-slow
    prompt: Why is it slow?
    solution: It reads every byte twice.
"""

FILES = {
    "course.yaml": COURSE_YAML,
    "lessons/shapes/lesson.md": LESSON_MD,
    "lessons/shapes/quiz.yaml": QUIZ_YAML,
    "lessons/shapes/case_study.yaml": CASE_STUDY_YAML,
    "lessons/shapes/tile.py": "# region: shown\ntile = 32\n# endregion\nhidden = 0\n",
    "lessons/shapes/count.py": "N = 2\nprint(f'{N} tiles')\n",
    "lessons/shapes/prints.py": "n = 3\nprint(n, 'tiles')\n",
    "lessons/shapes/wrong.py": "n = 1\nprint(n / 0)\n",
}

RIGHT_ANSWERS = {
    "one-right": "block",
    "two-right": ["mask-bit", "element"],
    "how-many": 1024,
    "what-prints": "3 tiles",
    "which-line": 2,
}


@dataclass
class SmallCourse:
    """A course folder that a test may break."""

    root: Path

    LESSON = "lessons/shapes/lesson.md"
    QUIZ = "lessons/shapes/quiz.yaml"
    CASE = "lessons/shapes/case_study.yaml"

    def path(self, file: str) -> Path:
        return self.root / file

    def write(self, file: str, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        self.path(file).parent.mkdir(parents=True, exist_ok=True)
        self.path(file).write_bytes(data)

    def replace(self, file: str, old: str, new: str) -> None:
        text = self.path(file).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        self.write(file, text.replace(old, new))

    def line_of(self, file: str, text: str) -> int:
        lines = self.path(file).read_text(encoding="utf-8").splitlines()
        (number,) = [n for n, line in enumerate(lines, start=1) if text in line]
        return number

    def lesson(self) -> Lesson:
        return load_lesson(self.root, load_course(self.root).ready[0])


def build_course(root: Path) -> SmallCourse:
    course = SmallCourse(root)
    for file, content in FILES.items():
        course.write(file, content)
    return course


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str


Run = Callable[..., Finished]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's own progress, course or terminal settings reach a test."""
    folder = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(folder))
    for name in (CONTENT_VARIABLE, WORKSPACE_VARIABLE, "NO_COLOR", "FORCE_COLOR", "LINES",
                 "TTY_COMPATIBLE"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    return folder


@pytest.fixture(scope="module")
def children_uncovered() -> Iterator[None]:
    """Coverage does not follow the processes that a module's tests start.

    They would take twice as long, and show nothing that the tests of their rooms do not.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        yield


@pytest.fixture
def course(tmp_path: Path) -> SmallCourse:
    return build_course(tmp_path / "course")


@pytest.fixture
def in_use(course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> SmallCourse:
    """The small course, as the one that every command uses."""
    monkeypatch.setenv(CONTENT_VARIABLE, str(course.root))
    return course


@pytest.fixture
def exercises(in_use: SmallCourse) -> SmallCourse:
    """The small course in use, with exercises: copy-tile and fill-tile, and grow-tile unwritten."""
    add_exercises(in_use)
    return in_use


@pytest.fixture
def lesson(course: SmallCourse) -> Lesson:
    return course.lesson()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_main(*arguments: str) -> Finished:
        capsys.readouterr()
        code = main(arguments)
        return Finished(code, *capsys.readouterr())

    return run_main


def run_python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in a process of its own, with nothing on its stdin."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
