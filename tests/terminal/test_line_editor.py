from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triton_path.terminal.line_editor import LineEditor

NAMED = ["backspace", "delete", "ctrl-u", "ctrl-w", "left", "right", "home", "end"]


def typed(*keys: str, text: str = "") -> tuple[str, str]:
    """Return the text before and behind the cursor."""
    editor = LineEditor(text)
    for key in keys:
        editor.press(key)
    return editor.text[: editor.cursor], editor.text[editor.cursor :]


def test_characters_are_typed_at_the_cursor() -> None:
    assert typed(*"abd", "left", "c") == ("abc", "d")


def test_editing_begins_at_the_end_of_the_text() -> None:
    assert typed("!", text="abc") == ("abc!", "")


@pytest.mark.parametrize(
    ("keys", "before", "behind"),
    [
        (["backspace"], "one tw", ""),
        (["left", "delete"], "one tw", ""),
        (["delete"], "one two", ""),
        (["home", "delete"], "", "ne two"),
        (["home", "backspace"], "", "one two"),
        (["home", "left"], "", "one two"),
        (["right"], "one two", ""),
        (["home", "right"], "o", "ne two"),
        (["home", "end"], "one two", ""),
        (["ctrl-w"], "one ", ""),
        (["ctrl-w", "ctrl-w"], "", ""),
        (["left", "ctrl-w"], "one ", "o"),
        (["left", "left", "ctrl-u"], "", "wo"),
    ],
)
def test_editing_keys(keys: list[str], before: str, behind: str) -> None:
    assert typed(*keys, text="one two") == (before, behind)


def test_a_word_is_deleted_with_the_spaces_behind_it() -> None:
    assert typed("ctrl-w", text="one two   ") == ("one ", "")


@pytest.mark.parametrize("key", ["enter", "tab", "up", "escape", "page-down", "resize"])
def test_other_keys_are_left_to_the_screen(key: str) -> None:
    editor = LineEditor("abc")
    assert not editor.press(key)
    assert (editor.text, editor.cursor) == ("abc", 3)


def test_a_text_has_a_limit() -> None:
    editor = LineEditor("x" * 2000)
    assert editor.press("y")
    assert editor.text == "x" * 2000
    editor.press("backspace")
    editor.press("y")
    assert editor.text.endswith("xy")


@given(st.lists(st.sampled_from(["a", "b", " ", *NAMED])))
def test_the_cursor_stays_in_the_text_whatever_is_pressed(keys: list[str]) -> None:
    editor = LineEditor()
    for key in keys:
        assert editor.press(key)
        assert 0 <= editor.cursor <= len(editor.text)
