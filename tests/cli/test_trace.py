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

from triton_path.errors import ExitCode

if TYPE_CHECKING:
    from tests.conftest import Run

ADD = """\
import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x + 1, mask=i < n)


def main():
    print("{ this is no JSON")
    x = torch.ones(100, device="cuda")
    add[(4,)](x, torch.empty_like(x), 100, BLOCK=32)
"""
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
