from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from triton_path.course.blocks import (
    Bullets,
    Code,
    Columns,
    Demo,
    Paragraph,
    Picture,
    Prediction,
    Sources,
    Span,
    Table,
    plain_text,
)
from triton_path.course.markdown import read_blocks, read_inline, read_sections
from triton_path.course.text import SourceError

if TYPE_CHECKING:
    from triton_path.course.models import Section

HEAD = "## One {#one}\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "lesson"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n# region: r\n    y = 2\n# endregion\nz = 3\n")
    return folder


def sections_of(text: str, folder: Path) -> tuple[Section, ...]:
    return read_sections(text, "l.md", 1, folder)


def faults_of(text: str, folder: Path, first_line: int = 1) -> list[str]:
    with pytest.raises(SourceError) as caught:
        read_sections(text, "l.md", first_line, folder)
    return [str(fault) for fault in caught.value.faults]


def test_sections_have_id_title_and_line(folder: Path) -> None:
    one, two = sections_of(f"{HEAD}a\n\n## Two words {{#two-b}}\n\nb\n", folder)
    assert (one.id, one.title, one.line) == ("one", "One", 1)
    assert (two.id, two.title, two.line) == ("two-b", "Two words", 5)


def test_spans_have_their_styles() -> None:
    assert read_inline("a **b** *c* `d`") == (
        Span("a "),
        Span("b", "strong"),
        Span(" "),
        Span("c", "emphasis"),
        Span(" "),
        Span("d", "code"),
    )


def test_a_broken_line_of_a_paragraph_becomes_a_space() -> None:
    assert plain_text(read_inline("one\ntwo")) == "one two"


def test_links_are_numbered_and_their_addresses_stand_last(folder: Path) -> None:
    text = f"{HEAD}[a](https://a.org) and [b](https://b.org), [again](https://a.org)\n"
    (section,) = sections_of(text, folder)
    paragraph, sources = section.blocks
    assert isinstance(paragraph, Paragraph)
    assert plain_text(paragraph.inline) == "a [1] and b [2], again [1]"
    assert sources == Sources(("https://a.org", "https://b.org"))


def test_links_are_numbered_anew_in_each_section(folder: Path) -> None:
    text = f"{HEAD}[a](https://a.org)\n\n## Two {{#two}}\n\n[b](https://b.org)\n"
    one, two = sections_of(text, folder)
    assert one.blocks[-1] == Sources(("https://a.org",))
    assert two.blocks[-1] == Sources(("https://b.org",))


def test_each_kind_of_block_is_read(folder: Path) -> None:
    text = (
        f"{HEAD}text\n\n> guess\n>\n> more\n\n- a\n- b\n\n1. c\n\n"
        "| h | i |\n| - | - |\n| j | k |\n\n"
        '```python title="t.py"\nx\n```\n\n```picture\n┌┐\n```\n'
    )
    (section,) = sections_of(text, folder)
    paragraph, prediction, bullets, numbers, table, code, picture = section.blocks
    assert paragraph == Paragraph((Span("text"),))
    assert prediction == Prediction(((Span("guess"),), (Span("more"),)))
    assert bullets == Bullets(((Span("a"),), (Span("b"),)), ordered=False)
    assert numbers == Bullets(((Span("c"),),), ordered=True)
    assert table == Table(((Span("h"),), (Span("i"),)), (((Span("j"),), (Span("k"),)),))
    assert code == Code("x", "python", "t.py")
    assert picture == Picture("┌┐")


def test_a_listing_is_a_file_or_its_region(folder: Path) -> None:
    text = f"{HEAD}```listing\nfile: a.py\n```\n\n```listing\nfile: a.py\nregion: r\n```\n"
    (section,) = sections_of(text, folder)
    whole, region = section.blocks
    assert isinstance(whole, Code)
    assert isinstance(region, Code)
    assert whole.text.startswith("x = 1")
    assert whole.language == "python"
    assert region.text == "    y = 2"


def test_columns_and_demo_are_read(folder: Path) -> None:
    text = (
        f"{HEAD}```columns\n- {{file: a.py, title: A}}\n- {{file: a.py, title: B}}\n```\n\n"
        "```demo\nid: d\nfile: a.py\ntitle: T\nedit: E\n```\n"
    )
    (section,) = sections_of(text, folder)
    columns, demo = section.blocks
    assert isinstance(columns, Columns)
    assert [pane.title for pane in columns.panes] == ["A", "B"]
    assert isinstance(demo, Demo)
    assert (demo.id, demo.path, demo.title, demo.edit) == ("d", folder / "a.py", "T", "E")


@pytest.mark.parametrize(
    ("markdown", "line", "message"),
    [
        ("# Top {#top}\n", 3, "a heading must be"),
        ("## No id\n", 3, "a heading must be"),
        ("## Bad {#Bad}\n", 3, "a heading must be"),
        ("text\n\n### Low {#low}\n", 5, "a heading must be"),
        ("- a\n  - b\n", 3, "a list inside a list"),
        ("- a\n\n  ```python\n  x\n  ```\n", 5, "code cannot stand inside"),
        ("> ```python\n> x\n> ```\n", 3, "code cannot stand inside"),
        ("    indented\n", 3, "'code_block' is not supported"),
        ("text\n\n---\n", 5, "'hr' is not supported"),
        ("![a](https://a.org/a.png)\n", 3, "'image' is not supported"),
        ("[a](http://a.org)\n", 3, "a link must start with https://"),
        ("[a](ftp://a.org)\n", 3, "a link must start with https://"),
        ("text\n\n```\nx\n```\n", 5, "needs the name of its language"),
        ("```listing\nfile: none.py\n```\n", 4, "there is no file 'none.py'"),
        ("```listing\ntitle: x\n```\n", 4, "file: is missing"),
        ("```listing\nfile: a.py\n\nfiel: b\n```\n", 6, "fiel: no such field"),
        ("```listing\nfile: a.py\nfile: a.py\n```\n", 5, "file: appears twice"),
        ("```listing\nfile: a.py\nregion: none\n```\n", 3, "no whole region 'none'"),
        ("```columns\n- {file: a.py}\n- {file: b.py}\n```\n", 5, "1.file: "),
        ("```columns\n[]\n```\n", 4, ""),
        ("```demo\nid: Not a slug\nfile: a.py\ntitle: t\n```\n", 4, "id: "),
        ("```demo\n: {\n```\n", 4, "is not valid YAML"),
        ("```demo\n```\n", 4, "dictionary"),
    ],
)
def test_a_fault_has_its_line(markdown: str, line: int, message: str, folder: Path) -> None:
    faults = faults_of(HEAD + markdown, folder)
    assert [fault for fault in faults if fault.startswith(f"l.md:{line}:") and message in fault]


@pytest.mark.parametrize(
    "markdown",
    ["> # Lost\n", "> text\n>\n> ---\n", "- text\n\n  # Lost\n", "> | lost | a |\n> | - | - |\n"],
)
def test_nothing_in_a_quotation_or_list_is_dropped_in_silence(markdown: str, folder: Path) -> None:
    assert any("l.md:" in fault for fault in faults_of(HEAD + markdown, folder))


@pytest.mark.parametrize("entity", ["&#x202e;", "&#8203;", "&ZeroWidthSpace;", "&lrm;", "&#xfeff;"])
def test_an_entity_cannot_hide_a_direction_or_zero_width_character(
    entity: str, folder: Path
) -> None:
    (fault,) = faults_of(f"{HEAD}text {entity} more\n", folder)
    assert fault.startswith("l.md:3: holds the control character")


def test_text_above_the_first_heading_is_a_fault(folder: Path) -> None:
    assert faults_of("text\n\n## One {#one}\n", folder, first_line=9) == [
        "l.md:9: text must come below a '## Title {#id}' heading"
    ]


def test_all_faults_of_a_text_are_listed(folder: Path) -> None:
    text = f"{HEAD}---\n\n```listing\nfile: no.py\n```\n\n```\nx\n```\n\n# Top\n"
    assert [fault.split(": ")[0] for fault in faults_of(text, folder)] == [
        "l.md:3", "l.md:6", "l.md:9", "l.md:13",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["../out.py", "/etc/hostname", "sub/../../out.py", "link.py"])
def test_a_file_outside_the_lesson_is_refused(name: str, folder: Path) -> None:
    (folder.parent / "out.py").write_text("secret\n")
    (folder / "link.py").symlink_to(folder.parent / "out.py")
    (fault,) = faults_of(f"{HEAD}```listing\nfile: {name}\n```\n", folder)
    assert fault == f"l.md:4: file: '{name}' lies outside the lesson's folder"


@pytest.mark.parametrize(
    "name", ['"a\\0.py"', "a" * 5000, ".", '""', "[a.py]", "loop.py", "a.py/b"]
)
def test_an_impossible_file_name_is_a_fault_at_its_line(name: str, folder: Path) -> None:
    (folder / "loop.py").symlink_to(folder / "loop.py")
    (fault,) = faults_of(f"{HEAD}```listing\nfile: {name}\n```\n", folder)
    assert fault.startswith("l.md:4: ")


def test_a_referenced_file_is_read_with_the_same_care(folder: Path) -> None:
    (folder / "bad.py").write_bytes(b"ok\n\x1b[31m\n")
    (fault,) = faults_of(f"{HEAD}```listing\nfile: bad.py\n```\n", folder)
    assert fault == "l.md:4: file: 'bad.py' holds the control character U+001B"


@pytest.mark.parametrize("text", ["", "## Head {#h}", "- a", "a\n\nb", "[a](https://a.org)"])
def test_a_line_takes_running_text_only(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_inline(text)


def test_a_listing_can_stand_in_a_lesson_only() -> None:
    with pytest.raises(ValueError, match="in a lesson only"):
        read_blocks("```listing\nfile: a.py\n```")


@given(st.text())
@example("> " * 5000 + "x")
@example("- " * 5000 + "x")
@example("[" * 20000 + "]" * 20000)
@example("*" * 20000 + "a" + "*" * 20000)
@example("`" * 10000)
@example("## A {#a}\n\n| a |\n| - |\n| b | c | d |\n")
def test_any_text_is_read_or_is_a_source_error(text: str) -> None:
    try:
        sections_of(text, Path())
    except SourceError as error:
        faults = error.faults
    else:
        return
    assert faults


WORDS = st.text(st.characters(categories=["L", "N"]), min_size=1)


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_no_word_of_a_paragraph_is_lost(words: list[str]) -> None:
    (paragraph,) = read_blocks(" ".join(words))
    assert isinstance(paragraph, Paragraph)
    assert plain_text(paragraph.inline).split() == words
