"""A demo in a panel drawn as a terminal: run, watch, stop, change a copy and run that."""

from __future__ import annotations

import codecs
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from triton_path.errors import MissingFault
from triton_path.jobs.demo import DemoJob
from triton_path.paths import data_dir
from triton_path.render.demo import PanelState, panel
from triton_path.sandbox import Ended, Output, Worker
from triton_path.screens.window import BACK_KEYS, NEXT_KEYS, QUIT_KEYS, Move, Window
from triton_path.terminal.console import to_lines
from triton_path.terminal.editor import open_editor
from triton_path.terminal.safe_text import harmless

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.blocks import Demo
    from triton_path.render.frame import Heading, KeyHelp
    from triton_path.sandbox import Job
    from triton_path.terminal.screen import Screen

TIME_LIMIT_SECONDS = 60.0
PANEL_COLUMNS, PANEL_LINES = 80, 24
"""Size of the panel's inside where the window is large enough."""

MAX_CHARACTERS = 400_000
"""Output kept for scrolling; older output is dropped."""

RUNNING_KEYS: tuple[KeyHelp, ...] = (("Ctrl-C", "stop"),)
ENDED_KEYS: tuple[KeyHelp, ...] = (
    ("space", "go on"),
    ("r", "again"),
    ("e", "edit a copy"),
    ("↑ ↓", "scroll"),
    ("←", "the text"),
)


@dataclass
class DemoRun:
    """What came out of a demo."""

    path: Path
    own_copy: bool = False
    """Whether it is the learner's copy, and not the lesson's file."""
    text: str = ""
    end: Ended | None = None
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")(errors="replace")
    )

    def add(self, data: bytes) -> None:
        """Take output as it comes, however it is cut."""
        self.text = (self.text + self._decoder.decode(data))[-MAX_CHARACTERS:]

    @property
    def state(self) -> PanelState:
        """What the panel says of it."""
        if self.end is None:
            return PanelState("running", "")
        seconds = f"{self.end.seconds:.1f} s"
        if self.end.ending == "finished":
            return PanelState("finished", f"finished in {seconds}")
        if self.end.ending == "time limit":
            return PanelState("stopped", f"stopped at its time limit, {TIME_LIMIT_SECONDS:.0f} s")
        if self.end.ending == "cancelled":
            return PanelState("stopped", f"stopped by you after {seconds}")
        if self.end.ending == "killed":
            why = self.end.signal_name or "the worker process died"
            return PanelState("stopped", f"crashed after {seconds}: {why}")
        return PanelState("failed", f"ended with exit code {self.end.exit_code} in {seconds}")


def copy_path(lesson_id: str, demo: Demo) -> Path:
    """Return where the learner's own copy of a demo is kept."""
    return data_dir() / "demos" / lesson_id / demo.path.name


@dataclass(frozen=True)
class DemoFiles:
    """The lesson's file of a demo, and the learner's copy, made when it is first edited."""

    original: Path
    copy: Path


def show_demo(
    window: Window, top: Heading, worker: Worker, files: DemoFiles, *, own_copy: bool
) -> tuple[Move, PanelState]:
    """Run the demo at once and show it; stay until the learner goes on or back.

    Returns where to go and how the last run ended.
    """
    while True:
        run = DemoRun(files.copy if own_copy else files.original, own_copy)
        _run(window, top, worker, run)
        key = _read_output(window, top, run)
        if key == "e":
            edit_copy(window.screen, files)
            own_copy = True
        elif key == "o":
            own_copy = False
        elif key in NEXT_KEYS:
            return Move.NEXT, run.state
        elif key != "r":
            return (Move.QUIT if key in QUIT_KEYS else Move.BACK), run.state


def edit_copy(screen: Screen, files: DemoFiles) -> None:
    """Open the learner's copy in their editor.

    Raises MissingFault where there is no editor, or no room for a copy.
    """
    copy = files.copy
    try:
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(files.original, copy)
    except OSError as error:
        raise MissingFault(
            f"{copy} cannot be written: {error.strerror}.", "export TRITON_PATH_HOME=FOLDER"
        ) from None
    with screen.released():
        open_editor(copy)


def _panel_size(window: Window) -> tuple[int, int]:
    """Return the columns and lines inside the panel: 80x24, or what the window has room for."""
    columns, rows = window.screen.size
    return max(10, min(PANEL_COLUMNS, columns - 2)), max(3, min(PANEL_LINES, rows - 4))


def _run(window: Window, top: Heading, worker: Worker, run: DemoRun) -> None:
    """Run the file, drawing what it prints as it comes; Ctrl-C stops it.

    Other keys that are typed meanwhile count once it has ended.
    """
    columns, lines = _panel_size(window)
    _draw(window, top, run, None)
    job = worker.submit(
        DemoJob(path=str(run.path), columns=columns, lines=lines), time_limit_s=TIME_LIMIT_SECONDS
    )
    typed: list[str] = []
    while run.end is None:
        key, _ = window.screen.wait(job.waitables(), 0.25)
        if key == "ctrl-c":
            _stop(job, worker)
        elif key is not None and key != "resize":
            typed.append(key)
        for event in job.events(wait_s=0):
            if isinstance(event, Output):
                run.add(event.data)
            elif isinstance(event, Ended):
                run.end = event
        _draw(window, top, run, None)
    window.screen.put_back(typed)


def _stop(job: Job, worker: Worker) -> None:
    job.cancel()
    if not job.accepted:
        # The worker still imports torch and would hear of it only afterwards: begin anew.
        worker.close()
        worker.start()


def _read_output(window: Window, top: Heading, run: DemoRun) -> str:
    """Let the learner scroll what came out; return the key that leaves."""
    leaving = {"r", "e", *NEXT_KEYS, *BACK_KEYS, *QUIT_KEYS, *("o" if run.own_copy else "")}
    scroll: int | None = None
    while True:
        last = _draw(window, top, run, scroll)
        key = window.read_key()
        if key in ("up", "k", "down", "j", "home", "end"):
            at = last if scroll is None else scroll
            step = {"up": at - 1, "k": at - 1, "down": at + 1, "j": at + 1, "home": 0, "end": last}
            scroll = max(0, min(last, step[key]))
        elif key in leaving:
            return key


def _draw(window: Window, top: Heading, run: DemoRun, scroll: int | None) -> int:
    """Draw the panel; return the largest scroll position. A scroll of None follows the end."""
    columns, lines = _panel_size(window)
    console = window.console
    own = "   # your copy" if run.own_copy else ""
    text = f"$ python {run.path.name}{own}\n{harmless(run.text)}".rstrip("\n")
    folded = [
        line[start : start + columns]
        for line in text.split("\n")
        for start in range(0, max(1, len(line)), columns)
    ]
    last = max(0, len(folded) - lines)
    first = last if scroll is None else min(scroll, last)
    shown = folded[first : first + lines]
    size = f"terminal {columns}x{lines}"
    body = to_lines(console, panel(shown, lines, size, run.state), columns + 2)
    keys = RUNNING_KEYS if run.end is None else ENDED_KEYS
    if run.end is not None and run.own_copy:
        keys = (*keys[:3], ("o", "the original"), *keys[3:])
    window.draw_panel(top, body, keys)
    return last
