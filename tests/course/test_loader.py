from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import FILES, SmallCourse, build_course
from triton_path.course.checks import check_course
from triton_path.course.loader import find_lesson, load_course, load_lesson
from triton_path.course.reading import split_front_matter
from triton_path.errors import CourseFault, ExitCode, UsageFault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

YAML_FILES = [SmallCourse.QUIZ, SmallCourse.CASE, "course.yaml"]
TEXT_FILES = [*YAML_FILES, SmallCourse.LESSON]


def load_first(root: Path) -> None:
    for entry in load_course(root).ready[:1]:
        load_lesson(root, entry)


def faults_of(course: SmallCourse) -> list[str]:
    with pytest.raises(CourseFault) as caught:
        load_first(course.root)
    heading, *faults = caught.value.message.splitlines()
    count = f"{len(faults)} fault" + ("s" if len(faults) > 1 else "")
    assert heading == f"The course has {count}:"
    return [fault.strip() for fault in faults]


def test_the_small_course_loads_whole(course: SmallCourse) -> None:
    lesson = course.lesson()
    assert (lesson.id, lesson.head.title, lesson.folder) == (
        "shapes", "Shapes", course.root / "lessons/shapes",
    )  # fmt: skip
    assert [section.id for section in lesson.sections] == ["tiles", "lanes"]
    assert [question.kind for question in lesson.questions] == [
        "single", "multiple", "number", "predict", "line",
    ]  # fmt: skip
    assert lesson.case_study.questions[0].id == "why-slow"
    demo = lesson.section("tiles").demo
    assert demo is not None
    assert demo.path == course.root / "lessons/shapes/count.py"
    assert lesson.section("lanes").demo is None


def test_a_folder_without_a_course_is_a_course_fault(tmp_path: Path) -> None:
    with pytest.raises(CourseFault, match=r"has no course\.yaml") as caught:
        load_course(tmp_path)
    assert caught.value.exit_code == ExitCode.BROKEN_COURSE
    assert caught.value.hint is None


@pytest.mark.parametrize(
    ("file", "old", "new", "at", "field"),
    [
        ("course.yaml", "title: A small course", "titel: A", "titel: A", "titel"),
        ("course.yaml", "  - id: second", "  - id: first", "stages:", "stages"),
        ("course.yaml", "id: sizes", "id: shapes", "lessons:", "stages.0.lessons"),
        ("course.yaml", "id: speeds", "id: sizes", "id: small", ""),
        ("course.yaml", "folder: lessons/shapes", "folder: lessons/none", "id: shapes", "shapes"),
        ("course.yaml", "folder: lessons/shapes", "folder: ../out", "id: shapes", "shapes"),
        ("course.yaml", "folder: lessons/shapes", "folder: /", "id: shapes", "shapes"),
        ("course.yaml", "status: ready", "status: done", "id: shapes", "stages.0.lessons.0.status"),
        (SmallCourse.LESSON, "minutes: 5", "minutes: five", "minutes: five", "minutes"),
        (SmallCourse.LESSON, "minutes: 5", "minutes: 5\nminutes: 6", "minutes: 6", "minutes"),
        (SmallCourse.LESSON, "summary: What", "sumary: What", "sumary:", "sumary"),
        (SmallCourse.LESSON, "id: count", "id: Count", "id: Count", "id"),
        (SmallCourse.LESSON, "file: tile.py", "file: none.py", "file: none.py", "file"),
        (SmallCourse.LESSON, "{#lanes}", "{#tiles}", "## Lanes", "tiles"),
        (SmallCourse.QUIZ, "id: two-right", "id: one-right", "questions:", "questions"),
        (SmallCourse.QUIZ, "kind: number", "kind: nmber", "id: how-many", "questions.2"),
        (SmallCourse.QUIZ, "answer: 1024", "answer: lots", "answer: lots", "questions.2.answer"),
        (SmallCourse.QUIZ, "answer: 1024", "answer: .nan", "answer: .nan", "questions.2.answer"),
        (SmallCourse.QUIZ, "answer: 1024", "answer: 2026-13-45", "2026-13",
         "questions.2.answer"),
        (SmallCourse.QUIZ, "unit: KiB", "units: KiB", "units: KiB", "questions.2.units"),
        (SmallCourse.QUIZ, "file: prints.py", "file: no.py", "file: no.py", "questions.3.file"),
        (SmallCourse.QUIZ, "answer: 2\n", "answer: 9\n", "id: which-line", "questions.4"),
        (SmallCourse.QUIZ, "kind: single\n    section: tiles", "kind: single\n    section: tile",
         "section: tile\n", "questions.0.section"),
        (SmallCourse.QUIZ, "id: thread, text", "id: block, text", "choices:",
         "questions.0.choices"),
        (SmallCourse.QUIZ, "One element, correct: true", "One element, correct: maybe",
         "correct: maybe", "questions.1.choices.0.correct"),
        (SmallCourse.CASE, "  - id: why-slow\n", "  - idd: why-slow\n", "- idd:",
         "questions.0.idd"),
        (SmallCourse.CASE, "situation: A", "situation: []\nx: A", "situation:", "situation"),
    ],
)  # fmt: skip
def test_a_fault_names_file_line_and_field(
    course: SmallCourse, file: str, old: str, new: str, at: str, field: str
) -> None:
    course.replace(file, old, new)
    lines = (course.root / file).read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, start=1) if at.strip() in text)
    expected = f"{file}:{line}: {field}:" if field else f"{file}:{line}: "
    assert any(fault.startswith(expected) for fault in faults_of(course))


def test_faults_of_all_files_of_a_lesson_are_reported_at_once(course: SmallCourse) -> None:
    course.replace(course.LESSON, "minutes: 5", "minutes: 0")
    course.replace(course.LESSON, "file: count.py", "file: none.py")
    course.replace(course.QUIZ, "unit: KiB", "units: KiB")
    course.replace(course.CASE, "title: A slow tile", "titel: A slow tile")
    files = [fault.split(":")[0] for fault in faults_of(course)]
    assert sorted(files) == [course.CASE, course.CASE, course.LESSON, course.LESSON, course.QUIZ]


@pytest.mark.parametrize("file", TEXT_FILES)
def test_a_missing_file_is_a_fault(course: SmallCourse, file: str) -> None:
    course.path(file).unlink()
    with pytest.raises(CourseFault, match=r"cannot be read|has no course\.yaml"):
        load_first(course.root)


@pytest.mark.parametrize("file", TEXT_FILES)
def test_an_empty_file_is_a_fault_at_its_start(course: SmallCourse, file: str) -> None:
    course.write(file, "")
    assert any(fault.startswith(f"{file}:1:") for fault in faults_of(course))


def test_a_lesson_folder_reached_by_a_link_out_of_the_course_is_refused(
    course: SmallCourse, tmp_path: Path
) -> None:
    (course.root / "lessons/shapes").rename(tmp_path / "elsewhere")
    (course.root / "lessons/shapes").symlink_to(tmp_path / "elsewhere")
    (fault,) = faults_of(course)
    line = course.line_of("course.yaml", "id: shapes")
    assert fault == (
        f"course.yaml:{line}: shapes: there is no folder 'lessons/shapes' in the course"
    )


@pytest.mark.parametrize("folder", ["x" * 5000, "loop", '"a\\0b"'])
def test_an_impossible_folder_name_is_a_fault(course: SmallCourse, folder: str) -> None:
    (course.root / "loop").symlink_to(course.root / "loop")
    course.replace("course.yaml", "folder: lessons/shapes", f"folder: {folder}")
    (fault,) = faults_of(course)
    assert fault.startswith(f"course.yaml:{course.line_of('course.yaml', 'id: shapes')}: ")


@pytest.mark.parametrize("name", ["x" * 5000, "loop", "file"])
def test_an_impossible_course_folder_is_a_course_fault(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").write_text("x")
    with pytest.raises(CourseFault):
        load_course(tmp_path / name)


@pytest.mark.parametrize("text", ["", "x", "---\ntitle: x\n", "--\n--\n", "----\n---\n"])
def test_a_lesson_begins_with_a_head(course: SmallCourse, text: str) -> None:
    course.write(course.LESSON, text)
    assert faults_of(course) == [
        f"{course.LESSON}:1: must begin with a YAML head between two '---' lines"
    ]


def test_the_head_is_split_from_the_text_with_its_line() -> None:
    assert split_front_matter("---\na: 1\nb: 2\n---\ntext\n") == ("a: 1\nb: 2", 5, "text\n")
    assert split_front_matter("---\n---\n") == ("", 3, "")


def test_a_lesson_without_sections_says_how_to_write_one(course: SmallCourse) -> None:
    head = course.path(course.LESSON).read_text(encoding="utf-8").split("## Tiles")[0]
    course.write(course.LESSON, head)
    (fault,) = faults_of(course)
    assert fault == f"{course.LESSON}:9: has no section: '## Title {{#id}}'"


def test_more_faults_than_anybody_reads_are_counted(course: SmallCourse) -> None:
    course.write(course.CASE, "".join(f"x{n}: 1\n" for n in range(100)))
    with pytest.raises(CourseFault) as caught:
        load_first(course.root)
    lines = caught.value.message.splitlines()
    assert lines[0] == "The course has 103 faults:"
    assert len(lines) == 42
    assert lines[-1] == "  and 63 more"


def test_a_ready_lesson_is_found_by_its_id(course: SmallCourse) -> None:
    assert find_lesson(load_course(course.root), "shapes").title == "Shapes"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("shape", "There is no lesson 'shape'. Did you mean 'shapes'?"),
        ("SHAPES", "There is no lesson 'SHAPES'. Did you mean 'shapes'?"),
        ("zzz", "There is no lesson 'zzz'."),
        ("sizes", "The lesson 'sizes' is planned, not written yet."),
    ],
)
def test_any_other_lesson_name_is_a_usage_fault(
    course: SmallCourse, name: str, message: str
) -> None:
    with pytest.raises(UsageFault) as caught:
        find_lesson(load_course(course.root), name)
    assert caught.value.message == message
    assert caught.value.hint == "triton-path course list"


# Whatever stands in the files, the answer is a course or a list of faults.

LISTED = re.compile(r"The course has \d+ faults?:(\n  [\w./-]+:\d+: [^\n]+)+(\n  and \d+ more)?")
BROKEN = settings(suppress_health_check=list(HealthCheck), deadline=None)


def assert_loads_or_lists_faults(course: SmallCourse) -> None:
    for read in (load_first, check_course):
        message = fault_of(read, course.root)
        assert message is None or LISTED.fullmatch(message), message


def fault_of(read: Callable[[Path], object], root: Path) -> str | None:
    try:
        read(root)
    except CourseFault as fault:
        return fault.message
    return None


def breaks(course_root: Path, file: str, content: str | bytes) -> None:
    course = SmallCourse(course_root)
    if not course.root.exists():
        build_course(course.root)
    course.write(file, content)
    try:
        assert_loads_or_lists_faults(course)
    finally:
        course.write(file, FILES[file])


@given(file=st.sampled_from(TEXT_FILES), text=st.text())
@BROKEN
def test_any_text(tmp_path: Path, file: str, text: str) -> None:
    breaks(tmp_path / "fuzzed", file, text.encode("utf-8", errors="replace"))


@given(file=st.sampled_from(TEXT_FILES), data=st.binary(max_size=300))
@BROKEN
def test_any_bytes(tmp_path: Path, file: str, data: bytes) -> None:
    breaks(tmp_path / "fuzzed", file, data)


@given(file=st.sampled_from(TEXT_FILES), place=st.integers(0, 5000), data=st.binary(max_size=9))
@BROKEN
def test_bytes_put_into_a_good_file(tmp_path: Path, file: str, place: int, data: bytes) -> None:
    good = FILES[file].encode()
    at = place % (len(good) + 1)
    breaks(tmp_path / "fuzzed", file, good[:at] + data + good[at:])


ODD_LINES = [
    "", "  ", "---", "```", "```demo", "```listing", "```columns", "> ", "- - -", "<<: *a",
    "&a a: *a", "a: !!python/object:os.system {}", "x: 2026-13-45", "x: .nan", "? [a]\n: b",
    "id: 1", "file: ../../x", "| a |", "## X {#x}", "    - {id: a}", "minutes: " + "9" * 5000,
    "x: 0x" + "f" * 6000, "[" * 3000, "> " * 3000, "kind: [single]", "kind: {a: b}", "\t", "%TAG",
]  # fmt: skip


@given(
    file=st.sampled_from(TEXT_FILES),
    seed=st.integers(0, 1 << 32),
    changes=st.lists(
        st.sampled_from(["delete", "double", "swap", "odd", "indent", "cut"]),
        min_size=1,
        max_size=5,
    ),
)
@settings(BROKEN, max_examples=200)
def test_a_good_file_with_its_lines_disturbed(
    tmp_path: Path, file: str, seed: int, changes: list[str]
) -> None:
    dice = random.Random(seed)  # noqa: S311 (no secret)
    lines = FILES[file].splitlines()
    for change in changes:
        at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
        if change == "delete" and len(lines) > 1:
            del lines[at]
        elif change == "double":
            lines.insert(other, lines[at])
        elif change == "swap":
            lines[at], lines[other] = lines[other], lines[at]
        elif change == "odd":
            indent = " " * (len(lines[at]) - len(lines[at].lstrip()))
            lines.insert(at, dice.choice(["", indent]) + dice.choice(ODD_LINES))
        elif change == "indent":
            lines[at] = dice.choice([f"  {lines[at]}", lines[at].lstrip(), f"\t{lines[at]}"])
        else:
            lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
    breaks(tmp_path / "fuzzed", file, "\n".join(lines))


NAMES = st.sampled_from(
    ["id", "kind", "section", "prompt", "choices", "text", "why", "correct", "answer", "file",
     "misses", "value", "explanation", "unit", "tolerance", "questions", "title", "situation",
     "solution", "stages", "lessons", "status", "folder", "single", "number"]
)  # fmt: skip
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.dates(), st.binary(max_size=5), NAMES,
    st.text(max_size=10), st.sampled_from(["ready", "planned", "line", "predict", "prints.py"]),
)  # fmt: skip
NESTED = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=8),
    max_leaves=15,
)


@given(file=st.sampled_from(YAML_FILES), data=NESTED)
@settings(BROKEN, max_examples=100)
def test_any_data_of_the_wrong_shape(tmp_path: Path, file: str, data: object) -> None:
    breaks(tmp_path / "fuzzed", file, yaml.safe_dump(data, allow_unicode=True))


@given(file=st.sampled_from(YAML_FILES), data=NESTED, seed=st.integers(0, 1 << 32))
@settings(BROKEN, max_examples=200)
def test_good_data_with_one_part_replaced(
    tmp_path: Path, file: str, data: object, seed: int
) -> None:
    dice = random.Random(seed)  # noqa: S311 (no secret)
    whole = yaml.safe_load(FILES[file])
    part = whole
    while True:
        key = dice.choice(list(part) if isinstance(part, dict) else range(len(part)))
        if not isinstance(part[key], dict | list) or not part[key] or dice.random() < 0.2:
            part[key] = data
            break
        part = part[key]
    breaks(tmp_path / "fuzzed", file, yaml.safe_dump(whole, allow_unicode=True))
