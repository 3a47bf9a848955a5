from __future__ import annotations

import statistics
import subprocess
import sys
import time

import pytest

from tests.conftest import run_python

ROUNDS = 7
BASE = ("-c", "import typer, rich")
HELP = ("-m", "triton_path", "--help")
LEARN = ("-m", "triton_path", "learn", "introduction")
HEAVY = ("torch", "triton", "numpy")


def seconds(arguments: tuple[str, ...]) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start


def test_start_up_is_a_small_multiple_of_what_the_libraries_take() -> None:
    commands = {"base": BASE, "help": HELP, "learn": LEARN}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for arguments in commands.values():
        seconds(arguments)  # once to warm the file cache, and the course's own
    for _ in range(ROUNDS):
        for name, arguments in commands.items():
            times[name].append(seconds(arguments))
    median = {name: statistics.median(taken) for name, taken in times.items()}
    assert median["help"] <= 2.4 * median["base"], median
    assert median["learn"] <= 3.2 * median["base"], median


def test_a_lesson_that_was_never_read_before_starts_fast_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    bases, firsts = [], []
    for number in range(3):
        monkeypatch.setenv("TRITON_PATH_HOME", f"{tmp_path}/home-{number}")
        bases.append(seconds(BASE))
        firsts.append(seconds(LEARN))
    assert statistics.median(firsts) <= 6 * statistics.median(bases), (bases, firsts)


@pytest.mark.parametrize(
    "arguments",
    [HELP, LEARN, ("-m", "triton_path"), ("-m", "triton_path", "quiz", "introduction"),
     ("-m", "triton_path", "progress"), ("-m", "triton_path", "course", "check", "--no-run"),
     ("-m", "triton_path", "practice"),
     ("-m", "triton_path", "bench", "--help")],
    ids=lambda arguments: " ".join(arguments[1:]),
)  # fmt: skip
def test_nothing_heavy_is_imported(arguments: tuple[str, ...]) -> None:
    finished = run_python("-X", "importtime", *arguments)
    assert finished.returncode == 0
    imported = {line.split("|")[-1].strip().split(".")[0] for line in finished.stderr.splitlines()}
    assert "triton_path" in imported
    assert imported.isdisjoint(HEAVY)
