"""Exercises for the small course: two of its written lesson, one of a lesson that is to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import SmallCourse

STARTER = '''\
"""{slug}: copy a tile.

Formula
    out[i] = x[i]        for 0 <= i < n

Arguments
    x     float32, n elements, contiguous
    out   float32, n elements, contiguous: the copy of all elements

You may assume
    n is 1 or more, and it need not be a multiple of anything at all.

Not allowed
    Copying with PyTorch.

Picture
    0 1 2 3 | 4 5 6 7 | 8 9
"""


def copy(x, out):
    pass  # your kernel
'''
EXERCISE_YAML = """\
title: {title}
kind: {kind}
summary: "Lanes, and a mask."
starter_fault: never-written
learned: "You can copy a *tile*."
hints:
  - "Which elements are yours?"
  - "A block of `BLOCK` numbers."
  - |
    ```python
    i = tl.arange(0, BLOCK)
    ```
explanation: |
  Every lane copies one element.
mistakes:
  - {{file: wrong/a.py, fault: wrong-values, name: "first", read: "shapes: lanes"}}
  - {{file: wrong/b.py, fault: wrong-values, name: "second", read: "shapes: lanes"}}
  - {{file: wrong/c.py, fault: wrong-values, name: "third", read: "shapes: lanes"}}
grading:
  entry: copy
  tensors:
    - {{name: x, shape: [n]}}
    - {{name: out, shape: [n], role: output}}
  cases:
    - {{sizes: {{n: 8}}}}
"""
SOLUTION = '"""A lane for each element."""\n\n\ndef copy(x, out):\n    out[:] = x\n'

EXERCISES = {
    "copy-tile": ("Copy a tile", "kernel"),
    "fill-tile": ("Fill a tile", "kernel"),
    "grow-tile": ("Grow a tile", "hunt"),
}


def add_exercises(course: SmallCourse) -> None:
    """Give `shapes` two exercises and the planned lesson `sizes` one."""
    course.replace("course.yaml", "folder: lessons/shapes}",
                   "folder: lessons/shapes, exercises: [copy-tile, fill-tile]}")  # fmt: skip
    course.replace("course.yaml", "title: Sizes, status: planned}",
                   "title: Sizes, status: planned, exercises: [grow-tile]}")  # fmt: skip
    for slug, (title, kind) in EXERCISES.items():
        folder = f"exercises/{slug}"
        course.write(f"{folder}/exercise.yaml", EXERCISE_YAML.format(title=title, kind=kind))
        course.write(f"{folder}/starter.py", STARTER.format(slug=slug))
        course.write(f"{folder}/solution.py", SOLUTION)
        course.write(f"{folder}/reference.py", "def reference(x):\n    return x\n")
        for name in "abc":
            course.write(f"{folder}/wrong/{name}.py", f'"""Mistake {name}."""\n')
