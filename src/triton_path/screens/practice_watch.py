"""`practice watch` in full screen: a verdict at every save, and help at a key."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from triton_path.course.load_exercise import load_exercise
from triton_path.errors import TutorError
from triton_path.render.frame import Heading
from triton_path.screens import practice_views as views
from triton_path.screens.window import QUIT_KEYS, Move, turn
from triton_path.terminal.editor import open_editor
from triton_path.tutor.background import Background
from triton_path.tutor.beginning import begin
from triton_path.tutor.checking import Cancelled
from triton_path.tutor.own_files import is_starter
from triton_path.tutor.practice_after import following, keep
from triton_path.tutor.practice_work import Work
from triton_path.tutor.saves import PATIENT_SECONDS, FileState, Saves

if TYPE_CHECKING:
    from triton_path.jobs.messages import Progress
    from triton_path.jobs.practice import Verdict
    from triton_path.render.frame import KeyHelp
    from triton_path.screens.practice_views import View
    from triton_path.screens.window import Window
    from triton_path.terminal.keys import Key
    from triton_path.tutor.checking import Checker
    from triton_path.tutor.practice_work import Desk

KEYS: tuple[KeyHelp, ...] = (
    ("h", "hint"),
    ("e", "editor"),
    ("n", "next"),
    ("t", "trace"),
    ("?", "more"),
    ("i", "inspect"),
    ("l", "list"),
    ("q", "leave"),
)
ALL_KEYS: tuple[KeyHelp, ...] = (
    ("h", "a hint, one more each time"),
    ("e", "open the file in your editor"),
    ("n", "the next exercise"),
    ("t", "trace: what the kernel does to memory in the case that failed"),
    ("i", "inspect: what the compiler made of it"),
    ("l", "the list of exercises"),
    ("s", "what the exercise asks for"),
    ("r", "check again, with sizes drawn anew"),
    ("space b", "next page, page before"),
    ("q", "leave; or back to the verdict"),
)
PAGES = 11
"""Columns around name and title, with the number of the page."""
TICK_SECONDS = 0.2
"""How often the screen is drawn anew while something runs."""


class PracticeWatch:
    """The screen. A first check begins with it, further ones at each save.

    A starter as it was given is not checked unless that is asked for: what the exercise asks for
    is shown instead.
    """

    def __init__(self, window: Window, desk: Desk, work: Work, checker: Checker) -> None:
        self._window = window
        self._desk = desk
        self._work = work
        self._checker = checker
        self._checks: Background[Verdict] = Background()
        self._looks: Background[View] = Background(patience_s=0.0)
        self._verdict: Verdict | None = None
        self._main = self._view = views.specification_view(work)
        self._page, self._pages = 0, 1
        self._file = FileState("missing")
        self._again = False
        """Whether the file was saved while a check ran."""
        self._since = 0.0
        """When the check that runs began."""
        self._step = ""
        """What the check that runs does now."""
        self._looking, self._looked_at = "", work
        """What is done for a closer look just now, in a word, and at which work."""
        self._at = ""
        """Since when what is shown has been so."""
        self._asked_next = False
        """Whether the key before was `n`, for an exercise that is not passed."""

    @property
    def slug(self) -> str:
        """The exercise that is watched."""
        return self._work.exercise.id

    def run(self) -> None:
        """Watch until a key leaves. Raises KeyboardInterrupt on Ctrl-C."""
        # The workers end first: what waits for them then ends at once.
        with self._looks, self._checks, self._checker:
            while self._watch():
                pass

    def _watch(self) -> bool:
        """Watch one exercise; return whether another one follows."""
        screen, work = self._window.screen, self._work
        with Saves(work.path) as saves:
            self._saved(saves.state)
            while work is self._work:
                self._draw()
                waiting = TICK_SECONDS if self._checks.busy or self._looks.busy else None
                fds = (saves.fd, self._checks.fd, self._looks.fd)
                key, news = screen.wait(fds, waiting)
                if news:
                    self._take_news(saves)
                self._end_an_old_check()
                if key == "ctrl-c":
                    raise KeyboardInterrupt
                if key is not None and key != "resize" and not self._press(key):
                    return False
        return True

    # The file and its checks

    def _take_news(self, saves: Saves) -> None:
        state = saves.take()
        if state is not None:
            self._saved(state)
        if self._checks.ended:
            self._take_verdict()
        if self._looks.ended:
            self._take_look()

    def _saved(self, state: FileState) -> None:
        self._file = state
        if state.kind != "ready":
            self._show(views.trouble_view(state, self._work))
        elif self._checks.busy:
            self._again = True
        elif is_starter(self._work.exercise, self._work.path):
            self._again, self._verdict = False, None
            self._show(views.starter_view(self._work))
        else:
            self._check()

    def _check(self) -> None:
        work, checker = self._work, self._checker
        self._again, self._since = False, time.monotonic()
        self._step = "checking" if self._verdict else "starting torch"
        self._checks.start(
            lambda cancelled: checker.check(
                work.exercise,
                work.path,
                time_it=False,
                on_progress=self._note,
                cancelled=cancelled,
            )
        )

    def _note(self, step: Progress) -> None:
        """Remember what is done now; called from the check's thread."""
        self._step = f"{step.text} {step.done + 1} of {step.total}" if step.total else step.text

    def _end_an_old_check(self) -> None:
        """End a check that may never end by itself, where the file was saved since."""
        if self._again and time.monotonic() - self._since > PATIENT_SECONDS:
            self._checks.cancel()

    def _take_verdict(self) -> None:
        """Show what the check found, unless the file has another text by now."""
        try:
            verdict = self._checks.take()
        except Cancelled:
            verdict = None
        except TutorError as fault:
            if self._again and self._file.kind == "ready":
                self._saved(self._file)
            else:
                self._show(views.fault_view(fault))
            return
        if self._file.kind != "ready":
            return
        if self._again:
            self._saved(self._file)
        elif verdict is not None and verdict.exercise == self._work.exercise.id:
            self._verdict = verdict
            after = keep(self._desk.course, self._desk.store, self._work.exercise, verdict)
            self._show(views.verdict_view(verdict, after))

    # Keys

    def _press(self, key: Key) -> bool:
        """Act on a key; return whether to go on. What cannot be done is said."""
        try:
            return self._act(key)
        except TutorError as fault:
            self._open(views.fault_view(fault))
            return True

    def _act(self, key: Key) -> bool:
        asked_next, self._asked_next = self._asked_next, False
        if self._view.press(key):
            return True
        if key in QUIT_KEYS:
            if self._view is self._main:
                return False
            self._go_back()
        elif key == "h":
            self._open(views.hint_view(self._desk, self._work))
        elif key == "l":
            self._open(views.list_view(self._desk))
        elif key == "s":
            self._open(views.specification_view(self._work))
        elif key == "n":
            self._next(sure=asked_next)
        elif key == "e":
            self._edit()
        elif key in ("t", "i"):
            self._look(key)
        elif key == "r" and self._file.kind == "ready" and not self._checks.busy:
            self._go_back()
            self._check()
        elif key == "?":
            self._open(views.keys_view(ALL_KEYS))
        else:
            self._turn(key)
        return True

    def _next(self, *, sure: bool) -> None:
        """Go on to the next exercise; where this one is not passed, only if `sure`."""
        desk, slug = self._desk, self._work.exercise.id
        name = following(desk.course, desk.store, slug)
        if name is None:
            self._open(views.text_view("next", "There is no other exercise left to pass."))
        elif not sure and not desk.store.exercises.of(slug).passed:
            said = f"{slug} is not passed yet. Press n again to go on to {name} all the same."
            self._open(views.text_view("next", said))
            self._asked_next = True
        else:
            exercise = load_exercise(desk.root, name)
            self._work = Work(exercise, begin(desk.store, exercise).path)
            self._checks.cancel()
            self._verdict = None
            self._show(views.specification_view(self._work))

    def _edit(self) -> None:
        with self._window.screen.released():
            open_editor(self._work.path)

    def _look(self, key: Key) -> None:
        """Begin to trace or to inspect the case that failed, or the first one."""
        if self._looks.busy:
            return
        self._looking = "tracing" if key == "t" else "compiling"
        make = views.trace_view if key == "t" else views.inspect_view
        desk, work, verdict = self._desk, self._work, self._verdict
        self._looked_at = work
        self._looks.start(lambda _: make(desk, work, verdict))

    def _take_look(self) -> None:
        try:
            view = self._looks.take()
        except TutorError as fault:
            view = views.fault_view(fault)
        if self._looked_at is self._work:
            self._open(view)

    # What is shown

    def _show(self, view: View) -> None:
        """Show what stands where the verdict does."""
        self._main, self._at = view, time_text()
        self._open(view)

    def _open(self, view: View) -> None:
        self._view, self._page = view, 0

    def _go_back(self) -> None:
        self._open(self._main)

    def _turn(self, key: Key) -> None:
        move, self._page = turn(key, self._page, self._pages)
        if move is Move.BACK:
            self._go_back()

    def _draw(self) -> None:
        window, view = self._window, self._view
        pages = window.pages(view.draw(window.text_width, window.colour))
        self._pages = len(pages)
        self._page = min(self._page, self._pages - 1)
        keys = KEYS if view is self._main else view.keys
        if self._pages > 1:
            last = self._page + 1 == self._pages
            keys = (("b", "page before") if last else ("space", "next page"), *keys)
        window.draw(self._top(), pages[self._page], keys)

    def _top(self) -> Heading:
        view, slug = self._view, self._work.exercise.id
        right, short = view.title, view.short or view.title
        if view.shortest and len(slug) + len(short) + PAGES > self._window.text_width:
            short = view.shortest
        if self._looks.busy and self._looked_at is self._work:
            right = short = self._looking
        elif self._checks.busy:
            right, short = self._step, "checking"
        if self._pages > 1:
            page = f" · {self._page + 1}/{self._pages}"
            right, short = right + page, short + page
        return Heading(self._at, slug, right, short)


def time_text() -> str:
    """Return the time of day."""
    return time.strftime("%H:%M:%S")
