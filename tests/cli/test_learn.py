from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import Run, SmallCourse, run_python
from tests.render.test_screens import FRAME_CHARACTERS, words
from triton_path.course.blocks import plain_text
from triton_path.progress.file import FILE_NAME
from triton_path.progress.store import Place, open_store

if TYPE_CHECKING:
    from pathlib import Path

LEARN = ("-m", "triton_path", "learn", "shapes")


@pytest.mark.usefixtures("in_use")
@pytest.mark.parametrize("arguments", [("learn", "shapes"), ("learn", "shapes", "--plain")])
def test_the_whole_lesson_is_printed(run: Run, course: SmallCourse, arguments: tuple[str]) -> None:
    finished = run(*arguments)
    assert (finished.code, finished.err) == (0, "")
    lesson = course.lesson()
    text = finished.out.translate(FRAME_CHARACTERS)
    wanted = [*lesson.head.title.split(), *lesson.head.summary.split()]
    for section in lesson.sections:
        wanted += [*section.title.split(), *words(section.blocks)]
    wanted += [*lesson.case_study.title.split(), *words(lesson.case_study.situation)]
    for question in lesson.case_study.questions:
        wanted += [*words(question.prompt), *words(question.solution)]
    for outcome in (*lesson.head.outcomes, lesson.head.next_question):
        wanted += plain_text(outcome).split()
    assert [word for word in wanted if word.translate(FRAME_CHARACTERS) not in text] == []


def test_the_parts_of_a_lesson_come_in_order(run: Run, in_use: SmallCourse) -> None:
    out = run("learn", "shapes").out
    parts = ["Shapes", "1. Tiles", "2. Lanes", "triton-path quiz shapes", "Case study: A slow",
             "Why is it slow?", "It reads every byte twice.", "Name the parts",
             "How large"]  # fmt: skip
    places = [out.index(part) for part in parts]
    assert places == sorted(places)


def test_nothing_is_marked_as_done_by_printing(run: Run, in_use: SmallCourse, home: Path) -> None:
    run("learn", "shapes")
    assert not (home / FILE_NAME).exists()
    run("learn")
    with open_store(home) as store:
        assert store.is_empty()


def test_printing_leaves_progress_as_it_is(run: Run, in_use: SmallCourse, home: Path) -> None:
    with open_store(home) as store:
        store.save_place(Place("shapes", "section/lanes", 0))
        store.mark_read("shapes", "tiles")
        before = store.dump()
    run("learn", "--plain")
    run("learn", "shapes")
    with open_store(home) as store:
        assert store.dump() == before


def test_without_a_name_the_current_lesson_is_printed(run: Run, in_use: SmallCourse) -> None:
    assert run("learn").out == run("learn", "shapes").out


def test_a_pipe_gets_no_control_characters(run: Run, in_use: SmallCourse) -> None:
    out = run("learn", "shapes").out
    assert [c for c in out if not c.isprintable() and c != "\n"] == []
    assert not any(line != line.rstrip() for line in out.splitlines())


@pytest.mark.usefixtures("in_use")
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"FORCE_COLOR": ""}])
def test_colour_is_left_out_where_it_is_not_wanted(environment: dict[str, str]) -> None:
    finished = run_python(*LEARN, **environment)
    assert finished.returncode == 0
    assert "\x1b" not in finished.stdout


@pytest.mark.parametrize("columns", [60, 40, 20])
def test_the_width_of_the_window_is_obeyed(
    run: Run, in_use: SmallCourse, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run("learn", "shapes").out
    assert max(map(len, out.splitlines())) <= columns
    assert run("learn", "shapes").code == 0


@pytest.mark.parametrize("columns", ["0", "-5", "x", ""])
def test_an_odd_width_is_no_trouble(
    run: Run, in_use: SmallCourse, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    finished = run("learn", "shapes")
    assert finished.code == 0
    assert "It reads every byte twice." in finished.out


def test_demos_are_run_where_they_stand_if_asked_for(in_use: SmallCourse) -> None:
    in_use.write("lessons/shapes/count.py", "print('three \\x1b[31mtiles')\n")
    finished = run_python(*LEARN, "--demos")
    assert finished.returncode == 0
    assert "  $ python count.py\n" in finished.stdout
    assert "  three tiles\n" in finished.stdout
    assert finished.stdout.index("three tiles") < finished.stdout.index("2. Lanes")
    assert "three tiles" not in run_python(*LEARN).stdout


def test_a_planned_lesson_is_not_there_yet(run: Run, in_use: SmallCourse) -> None:
    finished = run("learn", "sizes")
    assert finished.code == 2
    assert "The lesson 'sizes' is planned, not written yet." in finished.err
