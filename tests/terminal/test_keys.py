from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triton_path.terminal.keys import CONTROL_KEYS, CSI_KEYS, KeyDecoder

SEQUENCES = {
    **{f"\x1b[{code}": name for code, name in CSI_KEYS.items()},
    **{f"\x1bO{code}": name for code, name in CSI_KEYS.items() if len(code) == 1},
    "\x1b[1;5C": "right",
    "\x1b[1;2A": "up",
    "\x1b[5;2~": "page-up",
    "\x1b[3;5~": "delete",
}
SINGLE = {
    **CONTROL_KEYS,
    "a": "a",
    " ": " ",
    "~": "~",
    "é": "é",
    "格": "格",
    "\U0001f600": "\U0001f600",
}
MEANINGLESS = [
    "\x1b[200~",
    "\x1b[201~",
    "\x1b[99~",
    "\x1b[I",
    "\x1b[<0;5;5M",
    "\x1bx",
    "\x00",
    "\x1f",
]


def keys_of(*pieces: bytes) -> list[str]:
    decoder = KeyDecoder()
    keys = [key for piece in pieces for key in decoder.feed(piece)]
    assert not decoder.pending
    return keys


def every_cut(data: bytes) -> list[tuple[bytes, bytes]]:
    return [(data[:at], data[at:]) for at in range(1, len(data))]


@pytest.mark.parametrize(("text", "key"), [*SEQUENCES.items(), *SINGLE.items()])
def test_a_key_is_known_wherever_its_bytes_are_cut(text: str, key: str) -> None:
    data = text.encode()
    assert keys_of(data) == [key]
    assert keys_of(*[bytes([byte]) for byte in data]) == [key]
    for pieces in every_cut(data):
        assert keys_of(*pieces) == [key]


@pytest.mark.parametrize("text", MEANINGLESS)
def test_what_means_nothing_is_swallowed_whole(text: str) -> None:
    for pieces in [(text.encode(),), *every_cut(text.encode())]:
        assert keys_of(*pieces, b"q") == ["q"]


def test_fast_keys_come_in_order() -> None:
    typed = "  1\r\x1b[Cn\x1b[D\x1bOAq\x7f\x1b[5~"
    wanted = [" ", " ", "1", "enter", "right", "n", "left", "up", "q", "backspace", "page-up"]
    data = typed.encode()
    assert keys_of(data) == wanted
    for pieces in every_cut(data):
        assert keys_of(*pieces) == wanted


def test_a_pasted_text_comes_as_its_characters() -> None:
    assert keys_of(b"\x1b[200~32 MiB\r\n\x1b[201~") == [*"32 MiB", "line-end", "line-end"]


def test_after_a_paste_enter_is_enter_again() -> None:
    assert keys_of(b"\x1b[200~a\x1b[201~\r") == ["a", "enter"]


def test_a_lone_escape_waits_for_the_pause() -> None:
    decoder = KeyDecoder()
    assert decoder.feed(b"\x1b") == []
    assert decoder.pending
    assert decoder.flush() == ["escape"]
    assert not decoder.pending
    assert decoder.flush() == []


def test_escape_before_another_sequence_is_the_escape_key() -> None:
    assert keys_of(b"\x1b\x1b[A") == ["escape", "up"]


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"\x1b[", ["escape", "["]),
        (b"\x1b[1;", ["escape", "[", "1", ";"]),
        (b"\x1bO", ["escape", "O"]),
    ],
)
def test_a_sequence_that_never_ends_is_escape_and_characters(data: bytes, keys: list[str]) -> None:
    decoder = KeyDecoder()
    assert decoder.feed(data) == []
    assert decoder.flush() == keys
    assert decoder.feed(b"q") == ["q"]


@pytest.mark.parametrize("begun", [b"\x1b[", b"\x1b[1;", b"\x1bO"])
def test_ctrl_c_is_never_swallowed_by_a_sequence_that_has_begun(begun: bytes) -> None:
    assert KeyDecoder().feed(begun + b"\x03")[-1] == "ctrl-c"
    decoder = KeyDecoder()
    decoder.feed(begun)
    assert decoder.feed(b"\x03")[-1] == "ctrl-c"


def test_a_character_that_is_half_there_survives_the_pause() -> None:
    decoder = KeyDecoder()
    first, second = "é".encode()[:1], "é".encode()[1:]
    assert decoder.feed(b"\x1b[" + first) == []
    assert [*decoder.flush(), *decoder.feed(second)] == ["escape", "[", "é"]


def test_a_broken_character_is_shown_as_one() -> None:
    assert keys_of(b"a\xffb") == ["a", "\ufffd", "b"]


@given(st.binary(), st.lists(st.integers(0, 60)))
def test_any_bytes_cut_anywhere_give_named_keys_or_printable_characters(
    data: bytes, cuts: list[int]
) -> None:
    decoder = KeyDecoder()
    named = {*CONTROL_KEYS.values(), *CSI_KEYS.values(), "escape"}
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    keys = [key for start, end in pairwise(places) for key in decoder.feed(data[start:end])]
    keys += decoder.flush()
    assert all(key in named or (len(key) == 1 and key.isprintable()) for key in keys)


@given(st.text(), st.lists(st.integers(0, 60)))
def test_printable_characters_survive_in_order(text: str, cuts: list[int]) -> None:
    data = text.replace("\x1b", "").encode("utf-8", errors="replace")
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    keys = keys_of(*(data[start:end] for start, end in pairwise(places)))
    wanted = [character for character in data.decode() if character.isprintable()]
    assert [key for key in keys if len(key) == 1] == wanted


@given(st.lists(st.sampled_from([*SEQUENCES, *SINGLE]), max_size=20), st.integers(1, 7))
def test_any_row_of_keys_is_read_in_order_in_pieces_of_any_size(row: list[str], size: int) -> None:
    data = "".join(row).encode()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert keys_of(*pieces) == [{**SEQUENCES, **SINGLE}[text] for text in row]
