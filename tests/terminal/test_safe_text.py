from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.conftest import REPOSITORY
from triton_path.terminal.safe_text import ASCII_ERRORS, DRAWN_IN_ASCII, harmless


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ─ text\n", "plain ─ text\n"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[H\x1b[?1049hgone", "gone"),
        ("\x1b]0;title\x07a", "a"),
        ("\x1b]8;;https://a.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;YQ==\x07a", "a"),
        ("\x1bPq#0\x1b\\a", "a"),
        ("\x1bca", "a"),
        ("\x1b(Ba", "a"),
        ("a\x07b\x00c", "a\ufffdb\ufffdc"),
        ("\x9b31mred", "\ufffd31mred"),
        ("a\u202eb\u200bc", "a\ufffdb\ufffdc"),
        ("a\tb", "a       b"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("10%\r50%\r100%\n", "100%\n"),
        ("10%\r50%\r", "50%"),
        ("\x1b", "\ufffd"),
        ("a\x1b[3", "a3"),
        ("\x1b\x1b[31m[31m", "\ufffd[31m"),
        ("", ""),
    ],
)
def test_text_is_made_harmless(text: str, shown: str) -> None:
    assert harmless(text) == shown


def is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc" or character in "\u2028\u2029\u202e\u200b\ufeff"


NASTY = (
    st.text(st.sampled_from("\x1b[]P^_\\;0123mHJ\r\n\t\x07\x9b\x9c\x84\u2028\u202e ab─"))
    | st.text()
)


@given(NASTY)
@example("\x1b\x1b\x1b[[[")
@example("\x1b]\x1b[31m")
def test_no_control_character_survives(text: str) -> None:
    assert [c for c in harmless(text) if is_control(c) and c != "\n"] == []


@given(NASTY)
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    once = harmless(text)
    assert harmless(once) == once


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_text_without_control_characters_is_not_changed(text: str) -> None:
    assert harmless(text) == text


def characters_shown() -> list[str]:
    """Characters beyond ASCII of the course and of what draws it."""
    files = [
        *(REPOSITORY / "src/triton_path/render").glob("*.py"),
        *(REPOSITORY / "src/triton_path/screens").glob("*.py"),
        *(path for path in (REPOSITORY / "content").rglob("*") if path.suffix in (".md", ".yaml")),
    ]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    return sorted({character for character in text if not character.isascii()})


@pytest.mark.parametrize("character", characters_shown())
def test_a_character_of_the_screens_has_a_form_in_ascii(character: str) -> None:
    drawn = character.encode("ascii", errors=ASCII_ERRORS)
    assert drawn.decode("ascii").isprintable()
    assert drawn != b"?"


@pytest.mark.parametrize("text", DRAWN_IN_ASCII.values())
def test_forms_in_ascii_are_ascii(text: str) -> None:
    assert text.isascii()


@given(st.text())
def test_any_text_can_be_written_where_only_ascii_can(text: str) -> None:
    assert text.encode("ascii", errors=ASCII_ERRORS).isascii()
