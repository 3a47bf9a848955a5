from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from triton_path.course.source import CourseModel, parse_yaml
from triton_path.course.text import MAX_BYTES, SourceError, read_text

if TYPE_CHECKING:
    from pathlib import Path


def faults_of(text: str, first_line: int = 1) -> list[str]:
    with pytest.raises(SourceError) as caught:
        parse_yaml(text, "f.yaml", first_line)
    return [str(fault) for fault in caught.value.faults]


def read_fault(path: Path) -> str:
    with pytest.raises(SourceError) as caught:
        read_text(path, "f.md")
    (fault,) = caught.value.faults
    return str(fault)


class Inner(CourseModel):
    size: int


class Outer(CourseModel):
    name: str
    parts: list[Inner]


def model_faults(text: str) -> list[str]:
    with pytest.raises(SourceError) as caught:
        parse_yaml(text, "f.yaml").validate(Outer)
    return [str(fault) for fault in caught.value.faults]


def test_plain_yaml_becomes_plain_data() -> None:
    source = parse_yaml("a: 1\nb: [x, {c: 2.5}]\nd: true\ne:\n", "f.yaml")
    assert source.data == {"a": 1, "b": ["x", {"c": 2.5}], "d": True, "e": None}


def test_every_part_has_its_line() -> None:
    source = parse_yaml("a: 1\nb:\n  - x\n  - c: 2\n", "f.yaml", first_line=10)
    assert source.lines[("a",)] == 10
    assert source.lines[("b",)] == 11
    assert source.lines[("b", 0)] == 12
    assert source.lines[("b", 1, "c")] == 13


def test_an_empty_text_is_no_data() -> None:
    assert parse_yaml("", "f.yaml").data is None


def test_broken_yaml_names_its_line() -> None:
    (fault,) = faults_of("a: 1\nb: [1, 2\nc: 3\n")
    assert fault.startswith("f.yaml:3: is not valid YAML: ")


def test_the_first_line_is_counted_in() -> None:
    (fault,) = faults_of("a: 1\na: 2\n", first_line=7)
    assert fault == "f.yaml:8: a: appears twice"


def test_all_duplicate_keys_are_listed() -> None:
    assert faults_of("a: 1\na: 2\nb:\n  c: 1\n  c: 2\n") == [
        "f.yaml:2: a: appears twice",
        "f.yaml:5: b.c: appears twice",
    ]


def test_an_alias_is_refused_at_its_anchor_line() -> None:
    (fault,) = faults_of("a: &x [1]\nb: *x\n")
    assert "b: an alias is not allowed" in fault


def test_a_merge_key_is_refused() -> None:
    assert faults_of("<<: {a: 1}\nb: 2\n") == ["f.yaml:1: a key must be text"]


@pytest.mark.parametrize("key", ["1", "true", "null", "2026-01-01", "[a]", "{a: 1}", "1.5"])
def test_a_key_that_is_no_text_is_refused(key: str) -> None:
    assert faults_of(f"a: 1\n? {key}\n: 2\n") == ["f.yaml:2: a key must be text"]


@pytest.mark.parametrize(
    "value",
    [
        "!!python/object:os.system {}",
        "!!python/name:os.system",
        "!!python/object/apply:os.system [ls]",
        "!mine x",
        "2026-13-45",
        "!!int x",
        "!!binary '?'",
        "1" * 5000,
    ],
)
def test_a_value_that_cannot_be_read_is_a_fault_at_its_line(value: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_yaml(f"ok: 1\na: {value}\n", "f.yaml").validate(Outer)
    assert ("f.yaml", 2, "a") in {(f.file, f.line, f.field) for f in caught.value.faults}


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_a_fault(opening: str) -> None:
    (fault,) = faults_of(opening * 50_000)
    assert fault.startswith("f.yaml:")


def test_a_second_document_is_a_fault() -> None:
    (fault,) = faults_of("a: 1\n---\nb: 2\n")
    assert fault.startswith("f.yaml:2:")


@pytest.mark.parametrize("escape", [r"\e[31m", r"\0", r"\x07", r"\x9b", r"\u202e", r"\u200b"])
def test_a_control_character_cannot_be_written_as_an_escape(escape: str) -> None:
    (fault,) = faults_of(f'a: 1\nb: "red {escape}"\n')
    assert fault.startswith("f.yaml:2: b: holds the control character U+")


def test_a_control_character_in_a_key_is_refused_too() -> None:
    (fault,) = faults_of('a: 1\n"\\e[31m": 2\n')
    assert fault.startswith("f.yaml:2:")


def test_model_faults_are_all_reported_with_line_and_field() -> None:
    text = "parts:\n  - size: big\n  - size: 2\n    colour: red\nnmae: x\n"
    faults = model_faults(text)
    assert len(faults) == 4
    assert "f.yaml:1: name: is missing" in faults
    assert any(fault.startswith("f.yaml:2: parts.0.size: ") for fault in faults)
    assert "f.yaml:4: parts.1.colour: no such field" in faults
    assert "f.yaml:5: nmae: no such field" in faults


def test_a_missing_field_is_reported_at_the_line_of_what_lacks_it() -> None:
    assert model_faults("name: x\nparts:\n  - size: 1\n  - {}\n") == [
        "f.yaml:4: parts.1.size: is missing"
    ]


def test_a_file_of_the_wrong_shape_is_a_fault_at_its_start() -> None:
    (fault,) = model_faults("\n- a\n- b\n")
    assert fault.startswith("f.yaml:1: ") or fault.startswith("f.yaml:2: ")


def test_text_is_read_with_its_line_ends_made_one(tmp_path: Path) -> None:
    path = tmp_path / "f.md"
    path.write_bytes("a\r\nb ─\n".encode())
    assert read_text(path, "f.md") == "a\nb ─\n"


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    assert read_fault(tmp_path / "f.md") == "f.md:1: cannot be read: No such file or directory"


def test_a_folder_in_place_of_a_file_says_so(tmp_path: Path) -> None:
    assert read_fault(tmp_path) == "f.md:1: cannot be read: Is a directory"


def test_bytes_that_are_not_utf8_name_their_line(tmp_path: Path) -> None:
    path = tmp_path / "f.md"
    path.write_bytes(b"one\ntwo\nthr\xffe\n")
    assert read_fault(path) == "f.md:3: is not UTF-8"


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\r", "\x85", "\u200b", "\u202e", "\ufeff"])
def test_a_control_character_names_its_line(tmp_path: Path, character: str) -> None:
    path = tmp_path / "f.md"
    path.write_bytes(f"one\ntwo{character}x\n".encode())
    assert read_fault(path) == f"f.md:2: holds the control character U+{ord(character):04X}"


@pytest.mark.parametrize("character", ["\u2028", "\u2029"])
def test_a_line_break_that_only_yaml_counts_is_refused(tmp_path: Path, character: str) -> None:
    path = tmp_path / "f.md"
    path.write_bytes(f"one\ntwo{character}x\n".encode())
    assert read_fault(path).startswith("f.md:2: ")


def test_a_file_at_the_limit_is_read_and_one_above_is_not(tmp_path: Path) -> None:
    path = tmp_path / "f.md"
    path.write_bytes(b"x" * MAX_BYTES)
    assert len(read_text(path, "f.md")) == MAX_BYTES
    path.write_bytes(b"x" * (MAX_BYTES + 1))
    assert read_fault(path) == "f.md:1: is larger than 1 MiB"


@given(st.text())
@example("a: .nan\nb: .inf\n")
@example("a: 0x" + "f" * 5000)
@example("? ? ? a\n")
@example("a: !!set {b}\n")
@example("a: !!omap [b: 1]\n")
@example("a: 12:30:45\n")
@example("a: 0o9\nb: 08\n")
@example("%YAML 9.9\n---\na: 1\n")
@example("a: !!timestamp 2026-02-30T25:61:61Z\n")
@example("a: =\n")
def test_any_text_parses_and_validates_or_is_a_source_error(text: str) -> None:
    try:
        parse_yaml(text, "f.yaml").validate(Outer)
    except SourceError as error:
        faults = error.faults
    else:
        return
    assert faults
    assert all(fault.file == "f.yaml" and fault.line >= 1 for fault in faults)
