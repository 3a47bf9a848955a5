from __future__ import annotations

import re

import pytest

from triton_path.course.checks import check_course
from triton_path.course.lies import FILE, load_stories
from triton_path.errors import CourseFault
from triton_path.jobs.lies import NAMES
from triton_path.paths import content_dir, own_content_dir

SOURCE = re.compile(r"[\w.-]+/[\w.-]+ (#\d+|\S+\.csv, as of [\d-]+)|thonking\.ai: .+")
STORIES = load_stories(own_content_dir())


def test_every_lie_has_its_story_in_order():
    assert tuple(story.id for story in STORIES.lies) == NAMES


@pytest.mark.parametrize("story", STORIES.lies, ids=lambda story: story.id)
def test_a_story_names_its_public_source(story):
    assert story.sources
    assert all(SOURCE.fullmatch(source) for source in story.sources)
    named = re.search(r"\(([\w-]+)", story.short)
    assert named
    assert any(named[1] in source for source in story.sources)


@pytest.mark.parametrize("story", STORIES.lies, ids=lambda story: story.id)
def test_the_two_pieces_of_code_differ_and_fit_a_narrow_window(story):
    assert story.careless != story.careful
    lines = (story.careless + story.careful).splitlines()
    assert max(map(len, lines)) <= 60 - 12


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  - id: tf32\n", "  - id: tf64\n", "tf64|tf32"),
        ("    title: Zeros as data\n", "", "title: is missing"),
        ("    title: Zeros as data\n", "    title: Zeros\n    moral: none\n", "no such field"),
        ("  - id: zeros\n", "  - id: clone\n", "in this order"),
    ],
)
def test_faults_are_told_with_file_and_field(tmp_path, old, new, message):
    text = (own_content_dir() / FILE).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / FILE).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(CourseFault, match=message) as caught:
        load_stories(tmp_path)
    assert FILE in caught.value.message


def test_the_course_check_reads_it(course):
    course.write(FILE, "lies: []")
    with pytest.raises(CourseFault, match="in this order"):
        check_course(course.root)


def test_a_course_without_the_file_gets_ours(tmp_path):
    assert load_stories(tmp_path) == load_stories(content_dir()) == STORIES
