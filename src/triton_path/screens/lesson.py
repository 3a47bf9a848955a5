"""A lesson from its first section to its end, resumed where it was left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from triton_path.errors import TutorError
from triton_path.progress.store import Place
from triton_path.render import lesson as view
from triton_path.render import theme
from triton_path.render.demo import ready_panel
from triton_path.render.frame import Heading, dots
from triton_path.sandbox import Worker
from triton_path.screens.case_study import read_situation, try_case
from triton_path.screens.demo import DemoFiles, copy_path, edit_copy, show_demo
from triton_path.screens.question import Asking
from triton_path.screens.quiz import show_score
from triton_path.screens.window import BACK_KEYS, NEXT_KEYS, QUIT_KEYS, Move, Window, turn
from triton_path.tutor.reviews import count_right, keep_answer, lesson_questions
from triton_path.tutor.steps import Step, lesson_steps, position_of

if TYPE_CHECKING:
    from triton_path.course.blocks import Demo
    from triton_path.course.models import Lesson, Section
    from triton_path.progress.store import Store
    from triton_path.render.frame import KeyHelp
    from triton_path.render.pages import Part
    from triton_path.terminal.screen import Screen
    from triton_path.tutor.asking import Verdict

SECTION_KEYS: tuple[KeyHelp, ...] = (("space", "next"), ("←", "back"), ("?", "more keys"))
DEMO_KEYS: tuple[KeyHelp, ...] = (
    ("space", "next"),
    ("←", "back"),
    ("r", "run"),
    ("e", "edit"),
    ("?", "more keys"),
)
ALL_KEYS: tuple[KeyHelp, ...] = (
    ("space → n Enter", "next page, then next step"),
    ("← b Backspace", "page or step before"),
    ("r", "run the section's demo"),
    ("e", "open your copy of the demo in your editor, then run it"),
    ("c", "contents: go to any section, the quiz or the case study"),
    ("q Esc", "leave; your place is kept"),
    ("Ctrl-C", "leave at once; your place is kept"),
)
LAST_PAGE = 1 << 30


@dataclass
class LessonWalk:
    """One learner in one lesson."""

    window: Window
    lesson: Lesson
    store: Store
    worker: Worker
    seed: int
    notice: str = ""
    page: int = 0
    last_runs: dict[str, str] = field(default_factory=dict)
    """How the last run of each demo ended, by the demo's id."""
    steps: tuple[Step, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = lesson_steps(self.lesson)

    def run(self) -> None:
        """Walk from where the learner stands until they leave."""
        place = self.store.place(self.lesson.id)
        at = position_of(self.steps, place.step) if place else 0
        self.page = place.page if place else 0
        while True:
            self._keep_place(self.steps[at])
            move = self._show(self.steps[at])
            if move is Move.QUIT:
                return
            if move is Move.CONTENTS:
                chosen = self._contents(at)
                at, self.page = chosen, self.page if chosen == at else 0
            elif move is Move.NEXT:
                if at + 1 == len(self.steps):
                    return
                at, self.page = at + 1, 0
            elif at > 0:
                at, self.page = at - 1, LAST_PAGE

    def _keep_place(self, step: Step) -> None:
        self.store.save_place(Place(self.lesson.id, step.key, min(self.page, 9999)))

    def _show(self, step: Step) -> Move:
        if step.kind == "section":
            return self._section(self.lesson.section(step.id), step)
        if step.kind == "question":
            return self._question(step)
        if step.kind == "score":
            return self._score()
        if step.kind == "situation":
            return read_situation(self.window, self.lesson, self._top("Case study", ""))
        if step.kind == "case":
            return self._case(step)
        return self._end()

    def _top(self, title: str, right: str) -> Heading:
        return Heading(self.lesson.id, title, right)

    # Sections

    def _section(self, section: Section, step: Step) -> Move:
        index = self.lesson.sections.index(section)
        total = len(self.lesson.sections)
        demo = section.demo
        if demo:
            self.worker.warm_up()
        page_count = 0
        while True:
            pages = self.window.pages(self._section_parts(section))
            if page_count and page_count != len(pages):
                # The window changed: stay at about the same place of the text.
                self.page = self.page * len(pages) // page_count
            page_count = len(pages)
            self.page = min(self.page, page_count - 1)
            if self.page + 1 == len(pages):
                self.store.mark_read(self.lesson.id, section.id)
            self._keep_place(step)
            page, marks = f"{self.page + 1}", dots(index, total)
            several = len(pages) > 1
            top = Heading(
                f"{self.lesson.id} · {index + 1} of {total}",
                section.title,
                f"page {page} of {len(pages)}  {marks}" if several else marks,
                f"{page}/{len(pages)} {marks}" if several else marks,
            )
            body = pages[self.page]
            if self.notice:
                note = self.window.lines(Padding(Text(self.notice, theme.NOTE), (0, 0, 0, 2)))
                body = [*body[: self.window.body_height - len(note)], *note]
            self.window.draw(top, body, DEMO_KEYS if demo else SECTION_KEYS)
            key = self.window.read_key()
            self.notice = "" if key != "resize" else self.notice
            if key in ("r", "e") and demo:
                move = self._demo(demo, top, edit=key == "e")
                if move is Move.QUIT:
                    return move
                if move is Move.BACK:
                    continue
                key = "right"  # on from the page where the demo was run
            if key == "c":
                return Move.CONTENTS
            if key == "?":
                self.window.help(top, ALL_KEYS)
            else:
                move_away, self.page = turn(key, self.page, len(pages))
                if move_away is not None:
                    return move_away

    def _section_parts(self, section: Section) -> list[Part]:
        demo = section.demo
        panel = None
        if demo:
            own_copy = self._files(demo).copy.exists()
            panel = ready_panel(demo, own_copy=own_copy, last_run=self.last_runs.get(demo.id))
        return view.section_parts(
            section, panel, colour=self.window.colour, width=self.window.text_width
        )

    def _files(self, demo: Demo) -> DemoFiles:
        return DemoFiles(demo.path, copy_path(self.lesson.id, demo))

    def _demo(self, demo: Demo, top: Heading, *, edit: bool) -> Move:
        files = self._files(demo)
        try:
            if edit:
                edit_copy(self.window.screen, files)
            move, state = show_demo(self.window, top, self.worker, files, own_copy=edit)
        except TutorError as fault:
            self.notice = f"{fault.message} Next: {fault.hint}"
            return Move.BACK
        self.last_runs[demo.id] = state.text
        return move

    # Questions

    def _question(self, step: Step) -> Move:
        question = next(item for item in self.lesson.questions if item.id == step.id)
        index = self.lesson.questions.index(question)
        total = len(self.lesson.questions)
        asking = Asking(
            window=self.window,
            question=question,
            top=self._top(f"Question {index + 1} of {total}", dots(index, total)),
            section=self.lesson.section(question.section),
            record=self._record,
            seed=self.seed,
        )
        return asking.run()

    def _record(self, verdict: Verdict) -> None:
        keep_answer(self.store, self.lesson.id, verdict)

    def _score(self) -> Move:
        answers = self.store.latest_answers(self.lesson.id)
        asked = lesson_questions(self.lesson)
        left = [item for item in asked if not answers.get(item.question.id, False)]
        missed = [item.section.title for item in left if item.question.id in answers]
        top = self._top("Your score", "")
        move = show_score(self.window, top, len(asked), missed, len(left) - len(missed))
        if move is not Move.AGAIN:
            return move
        for number, item in enumerate(left, start=1):
            again = self._top(f"Once more, {number} of {len(left)}", dots(number - 1, len(left)))
            asking = Asking(
                self.window, item.question, again, item.section, self._record, self.seed + 1
            )
            move = asking.run()
            if move is Move.QUIT:
                return move
            if move is Move.BACK:
                break
        return self._score()

    # The case study

    def _case(self, step: Step) -> Move:
        questions = self.lesson.case_study.questions
        question = next(item for item in questions if item.id == step.id)
        index = questions.index(question)
        top = self._top(
            f"Case study, question {index + 1} of {len(questions)}", dots(index, len(questions))
        )
        return try_case(self.window, top, question, self.lesson.id, self.store)

    # End and contents

    def _end(self) -> Move:
        right = count_right(self.lesson, self.store)
        move = self.window.read_pages(
            self._top("Done", ""),
            lambda: view.end_parts(self.lesson, right),
            (("space", "leave"), ("←", "back"), ("c", "contents")),
            others=("c",),
        )
        if not isinstance(move, Move):
            return Move.CONTENTS
        return Move.QUIT if move is Move.NEXT else move

    def _contents(self, at: int) -> int:
        """Let the learner pick a step; return its index."""
        entries = view.contents(self.lesson, self.steps)
        targets = [index for index, _ in entries]
        cursor = max(number for number, index in enumerate(targets) if index <= at)
        while True:
            lines = self.window.pages([view.contents_table([text for _, text in entries], cursor)])
            self.window.draw(
                self._top("Contents", ""),
                lines[0],
                (("1-9", "go there"), ("↑ ↓ Enter", "choose and go"), ("q", "stay")),
            )
            key = self.window.read_key()
            if key in ("up", "k", "down", "j"):
                cursor = (cursor + (1 if key in ("down", "j") else -1)) % len(entries)
            elif key.isdecimal() and 1 <= int(key) <= len(entries):
                return targets[int(key) - 1]
            elif key in NEXT_KEYS:
                return targets[cursor]
            elif key in QUIT_KEYS | BACK_KEYS | {"c"}:
                return at


def walk_lesson(screen: Screen, lesson: Lesson, store: Store, seed: int) -> None:
    """Walk `lesson` on `screen` from where the learner stands until they leave."""
    with Worker(interpret=False) as worker:
        LessonWalk(Window(screen), lesson, store, worker, seed).run()
