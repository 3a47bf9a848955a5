from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING

from triton_path.course.cache import cached
from triton_path.paths import cache_dir

if TYPE_CHECKING:
    from pathlib import Path


def counted(file: Path) -> tuple[str, int]:
    """Read `file` through the cache; return what came and how often it was really read."""
    reads = 0

    def read() -> str:
        nonlocal reads
        reads += 1
        return file.read_text()

    return cached(str, [file], read), reads


def test_a_file_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a")
    assert counted(file) == ("a", 1)
    assert counted(file) == ("a", 0)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a")
    counted(file)
    file.write_text("longer")
    assert counted(file) == ("longer", 1)


def test_the_same_size_at_another_time_is_a_change(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a")
    counted(file)
    file.write_text("b")
    os.utime(file, ns=(1, 1))
    assert counted(file) == ("b", 1)


def test_a_broken_cache_is_no_cache(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a")
    counted(file)
    (kept,) = cache_dir().iterdir()
    for broken in (b"", b"not a pickle", pickle.dumps(5), pickle.dumps((None, 7))):
        kept.write_bytes(broken)
        assert counted(file) == ("a", 1)


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a")
    cache_dir().parent.mkdir(parents=True, exist_ok=True)
    cache_dir().write_text("a file where the folder should be")
    assert counted(file) == ("a", 1)
    assert counted(file) == ("a", 1)


def test_a_cached_lesson_needs_neither_pydantic_nor_yaml() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "triton_path", "learn", "introduction"]
    for _ in range(2):
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rsplit("|", 1)[-1].strip() for line in result.stderr.splitlines()}
    assert not imported & {"pydantic", "yaml", "markdown_it", "torch", "triton", "numpy"}
