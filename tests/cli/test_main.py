from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import Run, SmallCourse, run_python
from triton_path import __version__
from triton_path.cli import main
from triton_path.errors import ExitCode

COMMANDS = [
    (), ("learn",), ("quiz",), ("bench",), ("progress",), ("progress", "export"),
    ("progress", "import"), ("progress", "reset"), ("course",), ("course", "check"),
    ("course", "list"),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(run: Run, command: tuple[str, ...], flag: str) -> None:
    finished = run(*command, flag)
    assert (finished.code, finished.err) == (ExitCode.OK, "")
    assert finished.out.startswith("Usage: triton-path")
    assert "\x1b" not in finished.out


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != ("course",)], ids=" ".join)
def test_help_has_an_example(run: Run, command: tuple[str, ...]) -> None:
    assert "Example: triton-path" in run(*command, "--help").out


def test_help_of_the_program_names_every_command(run: Run) -> None:
    out = run("--help").out
    assert all(f"  {name} " in out for name in ("learn", "quiz", "bench", "progress", "course"))


def test_the_version(run: Run) -> None:
    assert run("--version").out == f"triton-path {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "offer"),
    [
        (("lern",), "Did you mean 'learn'?"),
        (("progress", "exprot"), "Did you mean 'export'?"),
        (("course", "chek"), "Did you mean 'check'?"),
        (("learn", "--plian"), "--plain"),
        (("quiz", "--answrs", "x"), "--answers"),
        (("learn", "shape"), "Did you mean 'shapes'?"),
        (("quiz", "shapse"), "Did you mean 'shapes'?"),
    ],
)
@pytest.mark.usefixtures("in_use")
def test_a_wrong_name_is_a_usage_error_with_the_nearest_one(
    run: Run, arguments: tuple[str, ...], offer: str
) -> None:
    finished = run(*arguments)
    assert (finished.code, finished.out) == (ExitCode.USAGE, "")
    assert finished.err.startswith("triton-path: ")
    assert offer in finished.err
    assert "  Next: triton-path" in finished.err
    assert "Traceback" not in finished.err


@pytest.mark.parametrize(
    "arguments",
    [("learn", "a", "b"), ("quiz", "--seed", "x"), ("quiz", "--seed"), ("progress", "import")],
)
def test_other_misuse_is_a_usage_error_too(run: Run, arguments: tuple[str, ...]) -> None:
    finished = run(*arguments)
    assert (finished.code, finished.out) == (ExitCode.USAGE, "")
    assert "Next: triton-path" in finished.err


EVERYTHING_THAT_READS_THE_COURSE = [
    (), ("learn",), ("learn", "shapes"), ("quiz",), ("progress",), ("course", "list"),
    ("course", "check"),
]  # fmt: skip


@pytest.mark.parametrize("arguments", EVERYTHING_THAT_READS_THE_COURSE, ids=" ".join)
def test_a_broken_course_file_is_listed(
    run: Run, in_use: SmallCourse, arguments: tuple[str, ...]
) -> None:
    in_use.replace("course.yaml", "title: A small course", "title: A\ntitle: B\ntitel: C")
    finished = run(*arguments)
    assert (finished.code, finished.out) == (ExitCode.BROKEN_COURSE, "")
    assert "  course.yaml:3: title: appears twice\n" in finished.err
    assert "Next: triton-path course check" in finished.err


@pytest.mark.parametrize("arguments", [("learn", "shapes"), ("quiz",), ("course", "check")])
def test_a_broken_lesson_is_listed(
    run: Run, in_use: SmallCourse, arguments: tuple[str, ...]
) -> None:
    in_use.replace(in_use.QUIZ, "unit: KiB", "units: KiB")
    in_use.replace(in_use.CASE, "title: A slow tile\n", "")
    finished = run(*arguments)
    assert (finished.code, finished.out) == (ExitCode.BROKEN_COURSE, "")
    assert "The course has 2 faults:" in finished.err
    assert f"{in_use.QUIZ}:{in_use.line_of(in_use.QUIZ, 'units:')}: " in finished.err


def test_a_course_folder_that_is_not_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITON_PATH_CONTENT", "/nowhere")
    finished = run("learn")
    assert finished.code == ExitCode.BROKEN_COURSE
    assert "There is no course in /nowhere" in finished.err


@pytest.mark.usefixtures("in_use")
def test_progress_that_cannot_be_kept_is_a_missing_thing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRITON_PATH_HOME", "/dev/null/folder")
    for arguments in ((), ("progress",), ("quiz",), ("progress", "export")):
        finished = run(*arguments)
        assert (finished.code, finished.out) == (ExitCode.MISSING, "")
        assert "TRITON_PATH_HOME=FOLDER" in finished.err


@pytest.mark.usefixtures("in_use")
def test_an_unexpected_exception_says_what_to_report(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("the reason")

    monkeypatch.setattr("triton_path.tutor.standing.standing", fail)
    finished = run()
    assert (finished.code, finished.out) == (ExitCode.BUG, "")
    assert "ZeroDivisionError: the reason" in finished.err
    assert "This is a bug in triton-path" in finished.err
    assert f"triton-path {__version__}, Python" in finished.err


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, EOFError])
@pytest.mark.usefixtures("in_use")
def test_ctrl_c_ends_quietly(
    run: Run, monkeypatch: pytest.MonkeyPatch, interruption: type[BaseException]
) -> None:
    def interrupt(*_: object) -> None:
        raise interruption

    monkeypatch.setattr("triton_path.tutor.standing.standing", interrupt)
    finished = run()
    assert finished.code == ExitCode.INTERRUPTED
    assert "Traceback" not in finished.err


@pytest.mark.usefixtures("in_use")
def test_a_message_cannot_drive_the_terminal(run: Run) -> None:
    finished = run("learn", "\x1b[31mred\x1b]0;title\x07")
    assert finished.code == ExitCode.USAGE
    assert "\x1b" not in finished.err
    assert "There is no lesson 'red'" in finished.err


@pytest.mark.usefixtures("in_use")
def test_an_argument_that_is_no_utf8_is_a_wrong_name() -> None:
    finished = subprocess.run(
        [sys.executable.encode(), b"-m", b"triton_path", b"learn", b"\xff\xfe"],
        capture_output=True,
        check=False,
    )
    assert finished.returncode == ExitCode.USAGE
    assert b"Traceback" not in finished.stderr


def test_exit_codes_are_what_the_readme_lists() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "OK": 0, "WRONG": 1, "USAGE": 2, "MISSING": 3, "BROKEN_COURSE": 4, "BUG": 5,
        "INTERRUPTED": 130,
    }  # fmt: skip


@pytest.mark.usefixtures("in_use")
def test_the_module_exits_with_the_code_of_main() -> None:
    assert run_python("-m", "triton_path", "learn", "zzz").returncode == ExitCode.USAGE
    assert run_python("-m", "triton_path", "course", "check", "--no-run").returncode == ExitCode.OK


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash and its pipefail")
@pytest.mark.parametrize(
    "command", ["learn introduction --plain", "quiz introduction", "--help", "course list", ""]
)
@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_a_closed_pipe_ends_quietly(command: str, reader: str) -> None:
    script = f'set -o pipefail; "$PYTHON" -m triton_path {command} | {reader} >/dev/null'
    finished = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PYTHON": sys.executable},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (ExitCode.OK, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("command", [["learn", "introduction"], ["--help"], ["course", "list"]])
def test_a_full_disk_is_not_called_a_bug(command: list[str]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        finished = subprocess.run(
            [sys.executable, "-m", "triton_path", *command],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert finished.returncode == ExitCode.MISSING
    assert "No space left on device" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.usefixtures("in_use")
def test_a_terminal_without_utf8_gets_ascii() -> None:
    finished = run_python("-m", "triton_path", "learn", "shapes", PYTHONIOENCODING="ascii")
    assert finished.returncode == ExitCode.OK
    assert finished.stdout.isascii()
    assert "| x |" in finished.stdout
    assert "?" not in finished.stdout.replace("?\n", "").replace("there?", "")


def test_main_returns_a_code_and_does_not_exit() -> None:
    assert main(["--version"]) == ExitCode.OK
