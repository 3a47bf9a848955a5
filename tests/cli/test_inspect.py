from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import typer
import typer.testing

from tests.samples import sample
from triton_path.errors import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

ADD = sample("add_one").replace("N, SIZE = 100, 32", "N, SIZE = 4096, 1024")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "add.py"
    path.write_text(ADD)
    return path


def test_the_summary_of_a_launch_found_in_main(file: Path, run: Run) -> None:
    done = run("inspect", "add.py:add")
    assert (done.code, done.err) == (ExitCode.OK, "")
    assert "found by running main()" in done.out
    assert "2 loads of 16 bytes" in done.out
    assert "this is no JSON" not in done.out
    assert "\x1b" not in done.out


def test_json_stands_alone_and_says_what_is_counted(file: Path, run: Run) -> None:
    done = run("inspect", "add.py", "--json", "--against", "unaligned", "--show", "ptx")
    document = json.loads(done.out)
    assert next(iter(document)) == "schema"
    assert document["schema"] == "triton-path/inspect/1"
    first, second = document["builds"]
    assert first["facts"]["kind"] == "counted"
    assert first["facts"]["occupancy"]["kind"] == "predicted"
    assert [first["facts"]["accesses"][0]["bits"], second["facts"]["accesses"][0]["bits"]] == [
        128, 32,
    ]  # fmt: skip
    assert ".entry add" in first["listing"]


def test_a_listing_is_all_of_stdout(file: Path, run: Run) -> None:
    done = run("inspect", "add.py", "--show", "ptx")
    assert done.out.lstrip().startswith("//")
    assert ".target sm_80" in done.out
    assert done.err == ""


def test_a_rejected_kernel_gives_exit_code_one(file: Path, run: Run) -> None:
    done = run("inspect", "add.py", "--set", "BLOCK=100")
    assert done.code == ExitCode.WRONG
    assert "add.py:8" in done.out
    assert "next_power_of_2" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "words", "hint"),
    [
        (["ad.py"], ExitCode.MISSING, "Did you mean 'add.py'", "inspect add.py"),
        (["add.py", "--target", "sm_99"], ExitCode.USAGE, "no target 'sm_99'", "--help"),
        (["add.py", "--show", "asm"], ExitCode.USAGE, "no listing 'asm'", "ttgir"),
        (["add.py", "--num-warps", "3"], ExitCode.USAGE, "no number of warps", "--num-warps 8"),
        (["add.py", "--arg", "n"], ExitCode.USAGE, "not NAME=VALUE", "--arg"),
    ],
)
def test_a_mistake_gets_a_sentence_and_a_command(
    file: Path, run: Run, arguments: list[str], code: int, words: str, hint: str
) -> None:
    done = run("inspect", *arguments)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert hint in done.err
    assert "Traceback" not in done.err


def test_the_help_has_an_example() -> None:
    app = typer.Typer()
    from triton_path.cli.inspect import inspect

    app.command()(inspect)
    shown = typer.testing.CliRunner().invoke(app, ["--help"])
    assert "Example: triton-path inspect add.py:add_kernel" in shown.output
