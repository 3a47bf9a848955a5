from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from triton_path.course import read_exercise
from triton_path.course.load_exercise import find_exercise, load_exercise, load_heads
from triton_path.course.loader import load_course
from triton_path.errors import CourseFault, UsageFault

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import SmallCourse

YAML = "exercises/copy-tile/exercise.yaml"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The exercises that were really read."""
    names: list[str] = []
    read = read_exercise.read_exercise

    def counted(root: Path, slug: str, faults: list[object]) -> object:
        names.append(slug)
        return read(root, slug, faults)  # type: ignore[arg-type]

    monkeypatch.setattr(read_exercise, "read_exercise", counted)
    return names


def test_heads_come_in_the_order_of_the_course(exercises: SmallCourse) -> None:
    heads = load_heads(exercises.root, load_course(exercises.root))
    assert list(heads) == ["copy-tile", "fill-tile", "grow-tile"]
    assert (heads["grow-tile"].title, heads["grow-tile"].kind) == ("Grow a tile", "hunt")


def test_a_head_that_changed_is_read_again(exercises: SmallCourse) -> None:
    course = load_course(exercises.root)
    load_heads(exercises.root, course)
    exercises.replace(YAML, "title: Copy a tile", "title: Copy two tiles")
    assert load_heads(exercises.root, course)["copy-tile"].title == "Copy two tiles"


def test_a_broken_head_is_a_fault_with_its_line(exercises: SmallCourse) -> None:
    exercises.replace(YAML, "kind: kernel", "kind: kernal")
    (exercises.root / "exercises/fill-tile/exercise.yaml").unlink()
    with pytest.raises(CourseFault) as caught:
        load_heads(exercises.root, load_course(exercises.root))
    assert f"{YAML}:2: kind:" in caught.value.message
    assert "exercises/fill-tile/exercise.yaml:1: cannot be read" in caught.value.message


def test_what_a_head_does_not_show_is_not_looked_at(exercises: SmallCourse) -> None:
    exercises.replace(YAML, "hints:", "tips:")
    assert len(load_heads(exercises.root, load_course(exercises.root))) == 3
    with pytest.raises(CourseFault, match="no such field"):
        load_exercise(exercises.root, "copy-tile")


def test_an_exercise_is_read_once(exercises: SmallCourse, reads: list[str]) -> None:
    first = load_exercise(exercises.root, "copy-tile")
    assert load_exercise(exercises.root, "copy-tile") == first
    assert reads == ["copy-tile"]
    assert load_exercise(exercises.root, "fill-tile").id == "fill-tile"


@pytest.mark.parametrize("file", ["starter.py", "solution.py", "wrong/a.py"])
def test_an_exercise_that_changed_is_read_again(
    exercises: SmallCourse, reads: list[str], file: str
) -> None:
    load_exercise(exercises.root, "copy-tile")
    path = exercises.path(f"exercises/copy-tile/{file}")
    path.write_text(path.read_text() + "# more\n")
    load_exercise(exercises.root, "copy-tile")
    assert reads == ["copy-tile", "copy-tile"]


def test_what_python_keeps_of_a_program_does_not_count(
    exercises: SmallCourse, reads: list[str]
) -> None:
    load_exercise(exercises.root, "copy-tile")
    exercises.write("exercises/copy-tile/__pycache__/starter.pyc", b"x")
    load_exercise(exercises.root, "copy-tile")
    assert reads == ["copy-tile"]


def test_a_folder_that_is_missing_is_a_fault(exercises: SmallCourse) -> None:
    exercises.replace("course.yaml", "[grow-tile]", "[shrink-tile]")
    with pytest.raises(CourseFault, match="no folder 'exercises/shrink-tile'"):
        load_heads(exercises.root, load_course(exercises.root))
    with pytest.raises(CourseFault, match="no folder 'exercises/shrink-tile'"):
        load_exercise(exercises.root, "shrink-tile")


@pytest.mark.parametrize(
    "name", ["copy-tile", "copy_tile", "copy_tile.py", "Copy-Tile", " copy-tile"]
)
def test_an_exercise_is_found_by_what_a_person_calls_it(exercises: SmallCourse, name: str) -> None:
    assert find_exercise(load_course(exercises.root), name) == "copy-tile"


@pytest.mark.parametrize(
    ("name", "offer"), [("copy", "copy-tile"), ("fil-tile", "fill-tile"), ("", None), ("x", None)]
)
def test_a_name_that_is_none_gets_the_nearest(
    exercises: SmallCourse, name: str, offer: str | None
) -> None:
    with pytest.raises(UsageFault, match=f"There is no exercise '{name}'") as caught:
        find_exercise(load_course(exercises.root), name)
    assert caught.value.hint == "triton-path practice list"
    assert ("Did you mean" in caught.value.message) == (offer is not None)
    assert (offer or "") in caught.value.message


def test_a_cached_exercise_needs_no_pydantic(exercises: SmallCourse) -> None:
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from triton_path.course.loader import load_course\n"
        "from triton_path.course.load_exercise import load_exercise, load_heads\n"
        f"root = Path({str(exercises.root)!r})\n"
        "load_heads(root, load_course(root)), load_exercise(root, 'copy-tile')\n"
        "print('pydantic' in sys.modules)\n"
    )
    said = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [finished.stdout for finished in said] == ["True\n", "False\n"]
