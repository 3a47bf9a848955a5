"""The bodies that `practice watch` shows: sentences, hints, the list, a verdict, a trace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from triton_path.render import theme
from triton_path.terminal.safe_text import harmless
from triton_path.tutor.own_files import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.errors import TutorError
    from triton_path.jobs.practice import Verdict
    from triton_path.jobs.trace import TraceReport
    from triton_path.render.frame import KeyHelp
    from triton_path.render.pages import Part
    from triton_path.terminal.keys import Key
    from triton_path.tutor.practice_after import After
    from triton_path.tutor.practice_work import Desk, Work
    from triton_path.tutor.saves import FileState

    Parts = Sequence[RenderableType | Part]

BACK: KeyHelp = ("q", "back")


@dataclass
class View:
    """A body for the window."""

    title: str
    """What stands at the right of the heading."""
    draw: Callable[[int, bool], Parts]
    """Gives the parts for a width, with colour or without."""
    short: str = ""
    """`title` for a narrow window."""
    shortest: str = ""
    """`title` where `short` would leave no room for the exercise's name."""
    keys: tuple[KeyHelp, ...] = (BACK,)

    def press(self, _key: Key) -> bool:
        """Take a key of its own; return whether it was one."""
        return False


class TraceView(View):
    """A trace, whose pictures step through programs."""

    def __init__(self, report: TraceReport, sources: Mapping[str, Sequence[str]]) -> None:
        from triton_path.render.trace import report_parts
        from triton_path.screens.trace import programs_of

        self._program: int | None = None
        self._programs = programs_of(report.watch.launches)
        super().__init__(
            "trace",
            lambda width, _colour: report_parts(report, sources, width, self._program),
            keys=(("n p", "step programs"), ("a", "all"), BACK),
        )

    def press(self, key: Key) -> bool:
        """Mark what the next program stored, or the one before; or mark nothing."""
        from triton_path.screens.trace import step

        if key in ("n", "p"):
            self._program = step(self._program, 1 if key == "n" else -1, self._programs)
            self.title = f"trace · program {self._program}"
        elif key == "a":
            self._program, self.title = None, "trace"
        else:
            return False
        return True


def verdict_view(verdict: Verdict, after: After) -> View:
    """Return a verdict with the lines that it is about, as they are now."""
    from triton_path.render.verdict import top, verdict_parts
    from triton_path.tutor.practice_after import source_lines

    sources, heading = source_lines(verdict), top(verdict)
    # Before a pass, what comes next has a key, and saving is the check.
    said = after if verdict.passed else replace(after, steps=())
    return View(
        heading.right,
        lambda width, _colour: verdict_parts(verdict, said, sources, width),
        heading.short,
        top(verdict, width=0).short,
    )


def text_view(title: str, *sentences: str, command: str = "") -> View:
    """Return sentences, and the command to type next if there is one."""

    def draw(_width: int, _colour: bool) -> Parts:
        parts: list[RenderableType] = [Padding(Text(text), (0, 1, 0, 1)) for text in sentences]
        if command:
            parts.append(Text.assemble(" Next: ", (command, theme.KEY), overflow="fold"))
        return parts

    return View(title, draw)


def fault_view(fault: TutorError) -> View:
    """Return a fault that the learner can act on."""
    return text_view(f"{theme.WRONG_SIGN} not done", fault.message, command=fault.hint or "")


def specification_view(work: Work) -> View:
    """Return what the exercise asks for."""
    from triton_path.render.practice_exercise import specification

    def draw(width: int, _colour: bool) -> Parts:
        return [specification(work.exercise, width)]

    return View("what it asks for", draw)


def starter_view(work: Work) -> View:
    """Return what the exercise asks for, and that nothing was written yet."""
    from triton_path.render.practice_exercise import specification

    said = Text.assemble(
        f"{shown(work.path)} is as it was given.\n",
        "Save your first change, and it is checked; ", ("r", theme.KEY), " checks it as it is.",
        overflow="fold",
    )  # fmt: skip

    def draw(width: int, _colour: bool) -> Parts:
        return [Padding(said, (0, 1, 0, theme.INDENT)), specification(work.exercise, width)]

    return View("not changed yet", draw)


def hint_view(desk: Desk, work: Work) -> View:
    """Show one hint more, or all of them once all were seen; what is shown is noted."""
    from triton_path.render.practice_exercise import hint_parts
    from triton_path.tutor.helping import next_hint, seen_hints

    hint = next_hint(work.exercise, desk.store)
    hints = (hint,) if hint else seen_hints(work.exercise, desk.store)

    def draw(width: int, colour: bool) -> Parts:
        return [hint_parts(one, colour=colour, width=width) for one in hints]

    more: tuple[KeyHelp, ...] = (("h", "one more"),) if hints[-1].left else ()
    return View("hint" if hint else "all hints", draw, keys=(*more, BACK))


def list_view(desk: Desk) -> View:
    """Return the list of exercises."""
    from triton_path.course.load_exercise import load_heads
    from triton_path.render.practice import exercise_list
    from triton_path.tutor.practice_listing import next_steps
    from triton_path.tutor.practice_standing import practice_standing

    heads = load_heads(desk.root, desk.course)
    standing = practice_standing(desk.course, heads, desk.store)
    steps = next_steps(standing, desk.course, desk.store)

    def draw(width: int, _colour: bool) -> Parts:
        return [exercise_list(standing, standing.exercises, steps, width)]

    return View("list", draw)


def keys_view(keys: Sequence[KeyHelp]) -> View:
    """Return all keys with what they do."""
    from triton_path.render.frame import key_table

    return View("keys", lambda _width, _colour: [key_table("Keys", keys)])


def trouble_view(state: FileState, work: Work) -> View:
    """Say why a file cannot be checked as it is now."""
    file = harmless(work.path.name)
    said = {
        "missing": f"{file} is gone.",
        "empty": f"{file} is empty.",
        "no file": f"{file} is {state.reason}.",
    }.get(state.kind, f"{file} cannot be read: {state.reason}.")
    again = "It is checked once there is text in it again; this goes on watching."
    title = f"{theme.WRONG_SIGN} {state.kind}"
    if state.kind != "missing":
        return text_view(title, said, again)
    lost = "If it should not be gone, this puts the starter in its place:"
    command = f"triton-path practice start {work.exercise.id}"
    return text_view(title, said, again, lost, command=command)


def trace_view(desk: Desk, work: Work, verdict: Verdict | None) -> View:
    """Trace the case that failed, or the first one. Raises what `run_trace` raises."""
    from triton_path.course.gpus import load_gpus
    from triton_path.tutor.practice_case import trace_case
    from triton_path.tutor.trace import source_lines

    report = trace_case(work.exercise, work.path, verdict, load_gpus(desk.root))
    return TraceView(report, source_lines(report))


def inspect_view(_desk: Desk, work: Work, verdict: Verdict | None) -> View:
    """Compile the kernels of that case. Raises what `run_inspect` raises."""
    from triton_path.render.inspect import render_report
    from triton_path.tutor.practice_case import inspect_case

    report, where = inspect_case(work.exercise, work.path, verdict)
    return View("inspect", lambda _width, _colour: [render_report(report, where)])
