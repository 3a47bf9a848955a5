from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from rich.cells import cell_len

from tests.conftest import REPOSITORY, SmallCourse
from tests.render.painted import NoWorker, PaintedScreen
from triton_path.course import blocks
from triton_path.course.loader import load_course, load_lesson
from triton_path.course.questions import ChoiceQuestion
from triton_path.progress.store import Place, open_store
from triton_path.render import question as question_view
from triton_path.render.case_study import question_parts, situation_parts
from triton_path.render.home import home_screen, progress_table
from triton_path.render.lesson import section_parts
from triton_path.screens.lesson import LessonWalk
from triton_path.screens.window import SPARE_ROWS, Window
from triton_path.terminal.console import plain_console, to_lines
from triton_path.tutor.asking import grade
from triton_path.tutor.standing import standing

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from triton_path.course.models import Lesson

WIDTHS = [80, 60]
SEED = 3
WHOLE_WALK = [
    " ", " ",  # both sections
    "down", "enter", "e", " ",  # single choice
    "1", "2", "enter", " ",  # multiple choice
    *"32", "enter", " ",  # a number
    *"3 tiles", "enter", " ",  # an output
    *"2", "enter", " ",  # a line
    " ",  # the score
    " ", "s", " ",  # the case study
]  # fmt: skip


@pytest.fixture(autouse=True)
def without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


def walk(
    lesson: Lesson, home: Path, columns: int, keys: list[str], rows: int = 24
) -> list[list[str]]:
    screen = PaintedScreen(columns, rows, keys)
    with open_store(home) as store:
        window = Window(cast("Any", screen))
        LessonWalk(window, lesson, store, cast("Any", NoWorker()), SEED).run()
    return screen.frames


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_screens_of_a_lesson(
    lesson: Lesson, home: Path, columns: int, snapshot: SnapshotAssertion
) -> None:
    frames = walk(lesson, home, columns, WHOLE_WALK)
    for number, frame in enumerate(frames):
        assert len(frame) <= 24
        assert max(map(cell_len, frame)) <= columns
        if not any(line.startswith("  › ") and "Type the" not in line for line in frame):
            assert "\n".join(frame) == snapshot(name=f"{columns}-{number:02}")


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_home_screen(
    course: SmallCourse, home: Path, columns: int, snapshot: SnapshotAssertion
) -> None:
    with open_store(home) as store:
        for state in ("new", "started", "done"):
            if state == "started":
                store.save_place(Place("shapes", "section/lanes", 0))
            if state == "done":
                finish(store, course.lesson())
            now = standing(course.root, load_course(course.root), store)
            lines = to_lines(plain_console(), home_screen(now, columns), columns)
            assert "\n".join(line.rstrip() for line in lines) == snapshot(name=f"{columns}-{state}")


@pytest.mark.parametrize("columns", WIDTHS)
def test_progress_in_figures(
    course: SmallCourse, home: Path, columns: int, snapshot: SnapshotAssertion
) -> None:
    with open_store(home) as store:
        finish(store, course.lesson())
        now = standing(course.root, load_course(course.root), store)
    lines = to_lines(plain_console(), progress_table(now, 1, 1), columns)
    assert "\n".join(line.rstrip() for line in lines) == snapshot


def finish(store: Any, lesson: Lesson) -> None:
    for section in lesson.sections:
        store.mark_read(lesson.id, section.id)
    for question in lesson.questions:
        store.record_answer(lesson.id, question.id, "x", correct=question.id != "how-many")


# The real course


def real_lessons() -> list[Lesson]:
    root = REPOSITORY / "content"
    return [load_lesson(root, entry) for entry in load_course(root).ready]


LESSONS = real_lessons()
FRAME_CHARACTERS = str.maketrans("", "", "│╭╮╰╯ \n")


def words(items: tuple[blocks.Block, ...]) -> list[str]:
    found: list[str] = []
    for item in items:
        if isinstance(item, blocks.Paragraph):
            found += blocks.plain_text(item.inline).split()
        elif isinstance(item, blocks.Prediction):
            found += [w for inline in item.paragraphs for w in blocks.plain_text(inline).split()]
        elif isinstance(item, blocks.Bullets):
            found += [w for inline in item.items for w in blocks.plain_text(inline).split()]
        elif isinstance(item, blocks.Table):
            rows = (item.header, *item.rows)
            found += [w for row in rows for c in row for w in blocks.plain_text(c).split()]
        elif isinstance(item, blocks.Code):
            found += [*item.title.split(), *item.text.split()]
        elif isinstance(item, blocks.Columns):
            found += [w for pane in item.panes for w in f"{pane.title}\n{pane.text}".split()]
        elif isinstance(item, blocks.Picture):
            found += item.text.split()
        elif isinstance(item, blocks.Sources):
            found += item.urls
        else:
            found += item.title.split()
    return found


def assert_all_words_are_shown(lines: list[str], wanted: list[str], width: int) -> None:
    assert max(map(cell_len, lines)) <= width
    text = "\n".join(lines).translate(FRAME_CHARACTERS)
    assert wanted
    missing = [word for word in wanted if word.translate(FRAME_CHARACTERS) not in text]
    assert missing == []


def render(parts: Any, width: int) -> list[str]:
    plain = [getattr(part, "renderable", part) for part in parts]
    return [line for part in plain for line in to_lines(plain_console(), part, width)]


@pytest.mark.parametrize("width", [59, 79, 87])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_no_word_of_a_section_is_lost(lesson: Lesson, width: int) -> None:
    for section in lesson.sections:
        lines = render(section_parts(section, None, colour=False, width=width), width)
        assert_all_words_are_shown(lines, words(section.blocks), width)


@pytest.mark.parametrize("width", [40, 59, 79])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_no_word_of_a_question_or_of_why_is_lost(lesson: Lesson, width: int) -> None:
    for question in lesson.questions:
        wanted = words(question.prompt)
        verdict = grade(question, None)
        parts: list[Any] = [question_view.prompt(question, colour=False, width=width)]
        if isinstance(question, ChoiceQuestion):
            parts.append(question_view.choices(question, question.choices, set(), 0))
            for choice in question.choices:
                wanted += blocks.plain_text(choice.text).split()
                wanted += blocks.plain_text(choice.why).split()
        else:
            wanted += words(question.explanation)
            for miss in question.misses:
                wanted += blocks.plain_text(miss.why).split()
        program = question_view.program(question, colour=False)
        if program is not None:
            parts.append(program)
            wanted += question.file.text.split()  # type: ignore[union-attr]
        parts += question_view.verdict_parts(
            verdict, "Section title", everything=True, colour=False, width=width
        )
        assert_all_words_are_shown(render(parts, width), wanted, width)


@pytest.mark.parametrize("width", [40, 59, 79])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_no_word_of_the_case_study_is_lost(lesson: Lesson, width: int) -> None:
    case = lesson.case_study
    lines = render(situation_parts(case, colour=False, width=width), width)
    assert_all_words_are_shown(lines, [*case.title.split(), *words(case.situation)], width)
    for question in case.questions:
        parts = question_parts(question, "my try", solved=True, colour=False, width=width)
        wanted = [*words(question.prompt), *words(question.solution), "my", "try"]
        assert_all_words_are_shown(render(parts, width), wanted, width)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 24), (60, 10), (132, 50)])
def test_every_page_of_a_section_fits_the_window(
    lesson: Lesson, home: Path, columns: int, rows: int
) -> None:
    frames = walk(lesson, home, columns, [" "] * 200, rows)
    assert any("Question 1 of" in frame[0] for frame in frames)
    for frame in frames:
        assert len(frame) == rows
        assert max(map(cell_len, frame)) <= columns


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_picture_is_seen_on_one_page_at_80_by_24(lesson: Lesson) -> None:
    window = Window(cast("Any", PaintedScreen(80, 24)))
    for section in lesson.sections:
        pages = window.pages(section_parts(section, None, colour=False, width=window.text_width))
        assert max(map(len, pages)) <= 24 - SPARE_ROWS
        for item in section.blocks:
            if isinstance(item, blocks.Picture):
                lines = item.text.splitlines()
                assert any(all(any(p in line for line in page) for p in lines) for page in pages)


def test_a_program_is_numbered_as_in_its_file(course: SmallCourse) -> None:
    course.write("lessons/shapes/wrong.py", "\n\nn = 1\nprint(n / 0)\n")
    course.replace(course.QUIZ, "answer: 2\n", "answer: 4\n")
    question = course.lesson().questions[4]
    program = question_view.program(question, colour=False)
    lines = render([program], 79)
    assert [line.split() for line in lines][3] == ["4", "│", "print(n", "/", "0)"]
