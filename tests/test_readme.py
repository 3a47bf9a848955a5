from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from rich.console import Console

from tests.reports import on_h200
from triton_path.errors import ExitCode
from triton_path.render.bench import render_report
from triton_path.terminal.console import to_lines

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_every_exit_code_is_listed() -> None:
    listed = {int(number) for number in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    assert listed == set(ExitCode)


@pytest.mark.parametrize("words", sorted(set(re.findall(r"`triton-path ([a-z -]+)", README))))
def test_every_command_named_has_help(run: Run, words: str) -> None:
    command = [word for word in words.split() if not word.startswith("-")][:1]
    result = run(*command, "--help")
    assert result.code == 0
    assert "Usage: triton-path" in result.out


def test_the_answers_file_shown_is_one(run: Run, tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    file = tmp_path / "answers.yaml"
    file.write_text(block)
    given = yaml.safe_load(block)
    result = run("quiz", "introduction", "--answers", str(file), "--json")
    assert result.code == ExitCode.WRONG
    report = yaml.safe_load(result.out)
    assert report["score"] == len(given)


@pytest.mark.parametrize(
    "script",
    sorted({*re.findall(r"scripts/[a-z]+", README), "scripts/setup", "scripts/test-tritons"}),
)
def test_the_scripts_named_can_be_run(script: str) -> None:
    path = ROOT / script
    assert path.stat().st_mode & 0o111
    assert path.read_text().startswith("#!/bin/sh\n")


def test_ci_runs_the_readmes_test_command() -> None:
    commands = re.findall(r"^\$ (scripts/test)$", README, re.MULTILINE)
    assert commands == ["scripts/test"]
    assert re.search(r"^scripts/test\b", (ROOT / ".ci/run").read_text(), re.MULTILINE)


def test_versions_said_to_be_tested_are_the_pinned_ones() -> None:
    pins = (ROOT / "constraints.txt").read_text()
    for name, version in re.findall(r"(torch) (\d+\.\d+) \(CPU\)", README):
        assert f"{name}=={version}" in pins
    (triton,) = re.findall(r"\(CPU\) with Triton (\d+\.\d+\.\d+)", README)
    assert f"triton=={triton}" in pins


def test_the_bench_shown_is_what_the_command_printed() -> None:
    """The report is the file that the command wrote on an H200, rendered now."""
    lines = to_lines(Console(width=80, no_color=True), render_report(on_h200(), 80), 80)
    shown = [line.rstrip() for line in lines]
    last = next(number for number, line in enumerate(shown) if line.startswith(" speedup"))
    assert "\n".join(shown[: last + 1]) in README
