from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from triton_path.course.checks import CODE_COLUMNS, PANE_COLUMNS, PICTURE_COLUMNS, check_course
from triton_path.errors import CourseFault

if TYPE_CHECKING:
    from tests.conftest import SmallCourse


def faults_of(course: SmallCourse) -> list[str]:
    return [str(fault) for fault in check_course(course.root).faults]


def test_a_good_course_has_no_faults_and_counts_its_lessons(course: SmallCourse) -> None:
    checked = check_course(course.root)
    assert (checked.lessons, checked.exercises, checked.faults) == (1, [], [])


def test_a_course_with_nothing_to_check_fails(course: SmallCourse) -> None:
    ready = "status: ready, folder: lessons/shapes"
    course.replace("course.yaml", ready, "status: planned")
    (fault,) = faults_of(course)
    assert fault.startswith("course.yaml:")
    assert "nothing to check" in fault


def test_an_unusable_course_file_is_raised(course: SmallCourse) -> None:
    course.write("course.yaml", "id: [")
    with pytest.raises(CourseFault):
        check_course(course.root)


def test_two_demos_in_a_section_are_one_too_many(course: SmallCourse) -> None:
    demo = "```demo\nid: other\nfile: count.py\ntitle: T\n```\n"
    course.replace(course.LESSON, "## Lanes {#lanes}", f"{demo}\n## Lanes {{#lanes}}")
    line = course.line_of(course.LESSON, "## Tiles")
    assert faults_of(course) == [f"{course.LESSON}:{line}: tiles: a section has one demo at most"]


def test_a_demo_id_stands_once_in_a_lesson(course: SmallCourse) -> None:
    demo = "```demo\nid: count\nfile: count.py\ntitle: T\n```\n"
    course.replace(course.LESSON, "- first lane", f"{demo}\n- first lane")
    line = course.line_of(course.LESSON, "## Lanes")
    assert faults_of(course) == [
        f"{course.LESSON}:{line}: lanes: the demo id 'count' appears twice"
    ]


def test_an_empty_section_is_a_fault(course: SmallCourse) -> None:
    course.replace(course.LESSON, "## Lanes {#lanes}", "## Void {#void}\n\n## Lanes {#lanes}")
    line = course.line_of(course.LESSON, "## Void")
    assert faults_of(course) == [f"{course.LESSON}:{line}: void: the section is empty"]


def test_a_section_id_that_appears_twice_is_a_fault_at_the_second(course: SmallCourse) -> None:
    course.replace(course.LESSON, "{#lanes}", "{#tiles}")
    line = course.line_of(course.LESSON, "## Lanes")
    assert f"{course.LESSON}:{line}: tiles: the section id appears twice" in faults_of(course)


def test_a_question_names_a_section_of_its_lesson(course: SmallCourse) -> None:
    course.replace(
        course.QUIZ, "kind: number\n    section: tiles", "kind: number\n    section: til"
    )
    lines = course.path(course.QUIZ).read_text(encoding="utf-8").splitlines()
    line = lines.index("    section: til") + 1
    assert faults_of(course) == [
        f"{course.QUIZ}:{line}: questions.2.section: there is no section 'til' in the lesson"
    ]


def test_a_picture_fits_a_narrow_window(course: SmallCourse) -> None:
    course.replace(course.LESSON, "│ x │", "─" * PICTURE_COLUMNS)
    assert faults_of(course) == []
    course.replace(course.LESSON, "─" * PICTURE_COLUMNS, "═" * (PICTURE_COLUMNS + 1))
    (fault,) = faults_of(course)
    assert f"{PICTURE_COLUMNS + 1} columns wide, more than {PICTURE_COLUMNS}" in fault


def test_wide_characters_count_as_two_columns(course: SmallCourse) -> None:
    course.replace(course.LESSON, "│ x │", "格" * (PICTURE_COLUMNS // 2 + 1))
    (fault,) = faults_of(course)
    assert f"{PICTURE_COLUMNS + 2} columns wide" in fault


def test_a_listing_fits_a_window_of_80_columns(course: SmallCourse) -> None:
    course.write("lessons/shapes/tile.py", f"# region: shown\n{'x' * CODE_COLUMNS}\n# endregion\n")
    assert faults_of(course) == []
    course.write("lessons/shapes/tile.py", f"# region: shown\n{'x' * 73}\n# endregion\n")
    (fault,) = faults_of(course)
    assert "a line of a listing is 73 columns wide" in fault


def test_a_listing_beside_others_fits_its_column(course: SmallCourse) -> None:
    columns = "```columns\n- {file: wide.py}\n- {file: wide.py}\n```"
    course.replace(course.LESSON, "- first lane", f"{columns}\n\n- first lane")
    course.write("lessons/shapes/wide.py", "x" * PANE_COLUMNS + "\n")
    assert faults_of(course) == []
    course.write("lessons/shapes/wide.py", "x" * (PANE_COLUMNS + 1) + "\n")
    assert len(faults_of(course)) == 1


def test_faults_of_several_lessons_are_all_listed(course: SmallCourse) -> None:
    planned = "{id: sizes, title: Sizes, status: planned}"
    course.replace("course.yaml", planned, "{id: sizes, title: S, status: ready, folder: none}")
    course.replace(course.QUIZ, "unit: KiB", "units: KiB")
    files = [fault.split(":")[0] for fault in faults_of(course)]
    assert files == ["course.yaml", course.QUIZ]
