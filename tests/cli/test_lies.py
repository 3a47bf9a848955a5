from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.lies import report, shown
from triton_path.cli import main
from triton_path.errors import ExitCode
from triton_path.jobs.lies import NAMES, LieReport
from triton_path.tutor import lies as tutor


@pytest.fixture
def answer(monkeypatch):
    """Let the worker's part be done by a canned report; return what was asked for."""
    asked = []

    def use(made):
        def run(names, stories, on_progress):
            asked.append(names)
            return made

        monkeypatch.setattr(tutor, "run_lies", run)
        return asked

    return use


def test_all_twelve_in_a_table(answer, capsys):
    asked = answer(report())
    assert main(["bench", "lies"]) == ExitCode.OK
    out, err = capsys.readouterr()
    assert asked == [NAMES]
    assert all(f" {name} " in out for name in NAMES)
    assert err == ""


def test_one_by_its_name_in_full(answer, capsys):
    asked = answer(report(shown("zeros")))
    assert main(["bench", "lies", "Zeros"]) == ExitCode.OK
    assert asked == [("zeros",)]
    assert "Zeros as data" in capsys.readouterr().out


def test_json_stands_alone_on_stdout_and_has_its_schema(answer, capsys):
    answer(report(gpu=True))
    assert main(["bench", "lies", "--json"]) == ExitCode.OK
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "triton-path/lies/1"
    assert [lie["name"] for lie in document["lies"]] == list(NAMES)
    for lie in document["lies"]:
        assert lie["title"]
        assert lie["sources"]
        for pair in lie["pairs"]:
            kinds = {pair["false"]["kind"], pair["true"]["kind"]}
            assert kinds <= {"measured", "counted", "predicted"}


def test_a_lie_that_failed_is_exit_code_1(answer, capsys):
    answer(report(LieReport(name="clone", state="failed", why_not="RuntimeError: no")))
    assert main(["bench", "lies", "clone"]) == ExitCode.WRONG
    assert "RuntimeError: no" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lies", "zeroes"], "There is no lie 'zeroes'. Did you mean 'zeros'?"),
        (["fused-transformer", "zeros"], "one name too many"),
    ],
)
def test_a_wrong_name_is_a_sentence_and_the_next_command(words, said, capsys):
    assert main(["bench", *words]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "Next: triton-path bench" in err


def test_the_whole_command_on_this_machine():
    command = [sys.executable, "-m", "triton_path", "bench", "lies", "stale-output", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    (lie,) = json.loads(done.stdout)["lies"]
    assert lie["state"] == "shown"
    assert (lie["pairs"][0]["false"]["value"], lie["pairs"][0]["true"]["value"]) == (0, 87.5)
