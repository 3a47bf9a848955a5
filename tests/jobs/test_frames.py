from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triton_path.jobs.frames import FrameReader, encode

PAYLOADS = st.lists(st.binary(max_size=300), max_size=6)


def test_a_frame_is_its_length_and_its_bytes() -> None:
    assert encode(b"abc") == b"\x00\x00\x00\x03abc"


def test_half_a_frame_is_no_frame() -> None:
    reader = FrameReader()
    assert reader.feed(encode(b"abc")[:-1]) == []
    assert reader.feed(b"c") == [b"abc"]


@given(PAYLOADS, st.integers(1, 50))
def test_frames_come_whole_and_in_order_in_pieces_of_any_size(
    payloads: list[bytes], size: int
) -> None:
    data = b"".join(map(encode, payloads))
    reader = FrameReader()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert [frame for piece in pieces for frame in reader.feed(piece)] == payloads
