from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from rich.cells import cell_len

from tests.conftest import REPOSITORY
from tests.render.painted import PaintedScreen
from triton_path.course.blocks import Demo, plain_text
from triton_path.course.checks import check_course
from triton_path.course.loader import load_course, load_lesson
from triton_path.course.questions import ChoiceQuestion, LineQuestion, PredictQuestion
from triton_path.paths import content_dir
from triton_path.render.lesson import section_parts
from triton_path.screens.window import SPARE_ROWS, Window
from triton_path.terminal.safe_text import harmless

if TYPE_CHECKING:
    from triton_path.course.models import Lesson

CONTENT = REPOSITORY / "content"
LESSONS = [load_lesson(CONTENT, entry) for entry in load_course(CONTENT).ready]

each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)


def test_the_course_of_the_checkout_is_the_one_in_use() -> None:
    assert content_dir() == CONTENT


def test_the_course_has_no_faults() -> None:
    checked = check_course(CONTENT)
    assert checked.faults == []
    assert checked.lessons == len(LESSONS) >= 1
    assert len(checked.exercises) == 24


@each_lesson
def test_a_lesson_has_questions_enough_of_several_kinds(lesson: Lesson) -> None:
    assert len(lesson.questions) >= 8
    assert len({question.kind for question in lesson.questions}) >= 3


@each_lesson
def test_every_section_is_asked_about(lesson: Lesson) -> None:
    asked = {question.section for question in lesson.questions}
    assert asked == {section.id for section in lesson.sections}


@each_lesson
def test_every_file_of_a_lesson_is_used(lesson: Lesson) -> None:
    texts = "\n".join(
        path.read_text(encoding="utf-8") for path in lesson.folder.iterdir() if path.is_file()
    )
    files = [
        path.relative_to(lesson.folder).as_posix()
        for path in lesson.folder.rglob("*")
        if path.is_file() and path.parent != lesson.folder and path.suffix != ".pyc"
    ]
    assert files
    assert [name for name in files if f"file: {name}" not in texts] == []


@each_lesson
def test_every_section_has_at_most_one_demo_and_its_title_is_short(lesson: Lesson) -> None:
    for section in lesson.sections:
        assert sum(isinstance(item, Demo) for item in section.blocks) <= 1
        assert cell_len(section.title) <= 40


@each_lesson
def test_every_page_of_a_section_fits_80_by_24(lesson: Lesson) -> None:
    window = Window(cast("Any", PaintedScreen(80, 24)))
    for section in lesson.sections:
        pages = window.pages(section_parts(section, None, colour=False, width=window.text_width))
        assert all(0 < len(page) <= 24 - SPARE_ROWS for page in pages)
        assert max(cell_len(harmless(line)) for page in pages for line in page) <= 80


def choice_questions(lesson: Lesson) -> list[ChoiceQuestion]:
    return [question for question in lesson.questions if isinstance(question, ChoiceQuestion)]


@each_lesson
def test_the_right_choice_cannot_be_told_by_its_place_or_length(lesson: Lesson) -> None:
    single = [question for question in choice_questions(lesson) if question.kind == "single"]
    places = Counter([c.correct for c in question.choices].index(True) for question in single)
    assert places.most_common(1)[0][1] <= len(single) // 2 + 1
    longest = shortest = 0
    for question in single:
        lengths = [len(plain_text(choice.text)) for choice in question.choices]
        right = next(len(plain_text(c.text)) for c in question.choices if c.correct)
        longest += right == max(lengths)
        shortest += right == min(lengths)
    assert max(longest, shortest) <= len(single) // 2


@each_lesson
def test_every_choice_has_a_why_of_its_own(lesson: Lesson) -> None:
    for question in choice_questions(lesson):
        assert len({plain_text(choice.why) for choice in question.choices}) == len(question.choices)


@each_lesson
def test_a_multiple_choice_question_has_a_wrong_choice_too(lesson: Lesson) -> None:
    for question in choice_questions(lesson):
        assert any(not choice.correct for choice in question.choices)


@each_lesson
def test_a_program_of_a_question_is_no_longer_than_a_window(lesson: Lesson) -> None:
    for question in lesson.questions:
        if isinstance(question, PredictQuestion | LineQuestion):
            lines = question.file.text.splitlines()
            assert len(lines) <= 20
            assert max(map(len, lines)) <= 70


def test_ids_and_folders_of_lessons_agree() -> None:
    for entry in load_course(CONTENT).ready:
        assert entry.folder is not None
        assert Path(entry.folder).name.split("-", 1)[1] == entry.id
