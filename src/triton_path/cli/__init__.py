"""The command line: one file a command, and `main`, the one place where errors end.

A command's module imports what it needs when it runs: `triton-path --help` then costs no more than
typer itself. Deferred that way: pydantic with the course models (about 120 ms), rich.console (30).
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING

import typer

from triton_path.cli.bench import bench
from triton_path.cli.course import course
from triton_path.cli.doctor import doctor
from triton_path.cli.home import home
from triton_path.cli.inspect import inspect
from triton_path.cli.learn import learn
from triton_path.cli.practice import practice
from triton_path.cli.progress import progress
from triton_path.cli.quiz import quiz
from triton_path.cli.trace import trace
from triton_path.errors import ExitCode, TutorError

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(
    name="triton-path",
    # Rich-styled help doubles the start-up time (measured: 2.0 against 1.0 times typer alone).
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.callback(invoke_without_command=True)(home)
app.command(short_help="Walk through a lesson.")(learn)
app.command(short_help="Ask questions; every answer is explained.")(quiz)
app.command(short_help="Time eager kernels against a fused one.")(bench)
app.command(short_help="Show what a script's kernels do to memory.")(trace)
app.command(short_help="Show what the compiler made of a kernel; no GPU needed.")(inspect)
app.command(short_help="Find out what works on this machine, and how to mend it.")(doctor)
app.add_typer(practice, name="practice")
app.add_typer(progress, name="progress")
app.add_typer(course, name="course")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every error ends here, as a sentence."""
    _make_output_safe()
    try:
        code = app(args=arguments, prog_name="triton-path", standalone_mode=False)
        if sys.stdout:
            sys.stdout.flush()
        return code if isinstance(code, int) else ExitCode.OK
    except typer.TyperException as fault:
        return _usage(fault)
    except TutorError as fault:
        return _report(fault.message, fault.hint, fault.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("\n")  # off the line on which `^C` was echoed
        return ExitCode.INTERRUPTED
    except typer.Exit as leaving:
        return leaving.exit_code
    except SystemExit as leaving:
        # Typer exits with 1 where the reader, such as `head`, has seen enough.
        if not isinstance(leaving.__context__, BrokenPipeError):
            raise
        return _output_lost()
    except BrokenPipeError:
        return _output_lost()
    except OSError as fault:
        if fault.errno != errno.ENOSPC:
            return _bug(fault)
        _output_lost()
        return _report(f"The disk is full: {fault.strerror}.", None, ExitCode.MISSING)
    except Exception as fault:
        return _bug(fault)


def _output_lost() -> ExitCode:
    """Send what is still buffered nowhere: Python would complain of it at exit."""
    if sys.__stdout__ is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())
    return ExitCode.OK


def _make_output_safe() -> None:
    """Let drawings degrade to ASCII where the encoding lacks their characters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            from triton_path.terminal.safe_text import ASCII_ERRORS

            stream.reconfigure(errors=ASCII_ERRORS)


def _usage(fault: typer.TyperException) -> int:
    context = getattr(fault, "ctx", None)
    command = context.command_path if context else "triton-path"
    return _report(fault.format_message(), f"{command} --help", ExitCode.USAGE)


def _report(message: str, hint: str | None, code: ExitCode) -> ExitCode:
    from triton_path.terminal.safe_text import harmless

    lines = [f"triton-path: {message}"]
    if hint:
        lines.append(f"  Next: {hint}")
    sys.stderr.write(harmless("\n".join(lines)) + "\n")
    return code


def _bug(fault: Exception) -> ExitCode:
    import platform
    import traceback

    from triton_path import __version__

    traceback.print_exception(fault)
    about = f"triton-path {__version__}, Python {platform.python_version()}, {platform.platform()}"
    message = (
        f"This is a bug in triton-path, not your mistake. Your progress is kept.\n"
        f"  Please report the lines above, with what you typed and this one: {about}"
    )
    return _report(message, None, ExitCode.BUG)
