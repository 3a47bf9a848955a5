from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer
import typer.testing

from tests.samples import sample
from triton_path.errors import ExitCode
from triton_path.paths import own_content_dir

if TYPE_CHECKING:
    from tests.conftest import Run

ADD = sample("add_one")
REGISTERED = """\
import sys
from triton_path import cli
sys.exit(cli.main())
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "add.py"
    path.write_text(ADD)
    return path


def test_json_stands_alone_and_says_what_is_predicted(file: Path, run: Run) -> None:
    file.write_text(ADD.replace("x_ptr + i, mask=i < n", "x_ptr + i"))
    done = run("trace", "add.py:main", "--json", "--target", "a100-80", "--program", "1")
    assert (done.code, done.err.count("\n")) == (ExitCode.WRONG, 1)
    assert "here it runs on the CPU" in done.err
    document = json.loads(done.out)
    assert next(iter(document)) == "schema"
    assert document["schema"] == "triton-path/trace/1"
    (fault,) = document["watch"]["faults"]
    assert (fault["kind"], fault["place"]["line"]) == ("out-of-bounds-load", 9)
    assert document["rooflines"][0]["kind"] == "predicted"
    assert document["target"]["bandwidth_gb_s"] == 2039
    assert document["ran"]["called"] == "main"
    assert document["ran"]["printed"] == ["{ this is no JSON"]


@pytest.mark.parametrize(
    ("arguments", "words", "hint"),
    [
        (["ad.py"], "Did you mean 'add.py'", "trace add.py"),
        (["."], "is a folder", "trace add.py"),
        (["add.py:1"], "no name of a function", "add.py:main"),
        (["add.py", "--target", "h20"], "Did you mean 'h200'", "list"),
        (["add.py", "--program", "two"], "'two' is no program", "--program 0"),
        (["add.py", "--programs", "a"], "'a' are no programs", "--programs 0,1,-1"),
        (["add.py:add", "--arg", "n=4"], "also needs its grid", "--grid 8"),
        (["add.py:add", "--arg", "n", "--grid", "1"], "'n' is not NAME=VALUE", "--arg x_ptr="),
        (["add.py:add", "--grid", "0"], "'0' is no grid", "--grid 32,4,1"),
        (["add.py", "--plot", "add.pdf"], "neither PNG nor SVG", "--plot add.png"),
    ],
)
def test_a_mistake_gets_a_sentence_and_a_command(
    file: Path, run: Run, arguments: list[str], words: str, hint: str
) -> None:
    done = run("trace", *arguments)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert words in done.err
    assert hint in done.err
    assert "Traceback" not in done.err


def test_a_launch_by_hand_at_a_real_size_in_json_and_as_a_figure(file: Path, run: Run) -> None:
    pytest.importorskip("matplotlib")
    done = run(
        "trace", "add.py:add", "--arg", "x_ptr=fp32[1000]", "--arg", "out_ptr=fp32[1000]",
        "--arg", "n=1000", "--set", "BLOCK=32", "--grid", "32", "--programs", "0,-1",
        "--json", "--plot", "add.svg",
    )  # fmt: skip
    assert (done.code, done.err) == (0, "The figure is in add.svg\n")
    (launch,) = json.loads(done.out)["watch"]["launches"]
    assert launch["arguments"][0]["loaded_bytes"] == 4 * (32 + 8)
    whole = launch["extrapolated"]
    assert (whole["kind"], whole["programs"], whole["grid_programs"]) == ("extrapolated", 2, 32)
    assert whole["arguments"][0]["loaded_bytes"] == 4000
    assert json.loads(done.out)["rooflines"][0]["extrapolated"]
    assert "<svg" in (file.parent / "add.svg").read_text()


def test_arguments_by_hand_that_are_missing_are_named(file: Path, run: Run) -> None:
    done = run("trace", "add.py:add", "--arg", "n=1000", "--grid", "32")
    assert done.code == ExitCode.USAGE
    assert "add also needs --arg x_ptr=... --arg out_ptr=... --set BLOCK=..." in done.err


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_ctrl_c_leaves_nothing_running(file: Path) -> None:
    file.write_text("import time\nopen('runs', 'w')\nwhile True:\n    time.sleep(1)\n")
    process = subprocess.Popen([sys.executable, "-c", REGISTERED, "trace", "add.py"])
    wait_for(lambda: (file.parent / "runs").exists())
    workers = children(process.pid)
    jobs = [child for worker in workers for child in children(worker)]
    assert workers
    assert jobs
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == ExitCode.INTERRUPTED
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers + jobs))


def wait_for(condition: object) -> None:
    assert callable(condition)
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                fields = (Path(entry) / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found


def test_the_help_has_examples() -> None:
    app = typer.Typer()
    from triton_path.cli.trace import trace

    app.command()(trace)
    shown = typer.testing.CliRunner().invoke(app, ["--help"])
    assert "Example: triton-path trace add.py" in shown.output
    assert "--all-checks" in shown.output


def test_an_exercises_file_is_run_on_its_first_case(tmp_path: Path, run: Run) -> None:
    work, solution = tmp_path / "work", own_content_dir() / "exercises" / "vector-add"
    assert run("practice", "start", "vector-add", "--dir", str(work)).code == 0
    text = (solution / "solution.py").read_text()
    (work / "vector_add.py").write_text(text)
    done = run("trace", str(work / "vector_add.py"), "--quick")
    assert (done.code, done.err.count("\n")) == (0, 1)
    assert "vector_add.py is run on a case of vector-add: n = 1024." in done.err
    assert "add_kernel  grid" in done.out
    assert "_case.py" not in done.out
    other = tmp_path / "vector_add.py"
    other.write_text(text)
    done = run("trace", str(other))
    assert done.code == ExitCode.USAGE
    assert f"{other}:add_kernel --arg" in done.err
