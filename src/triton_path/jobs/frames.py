"""Messages on a stream of bytes: a 4-byte big-endian length, then that many bytes of JSON."""

from __future__ import annotations

import struct

HEADER = struct.Struct(">I")


def encode(payload: bytes) -> bytes:
    """Return `payload` as one frame."""
    return HEADER.pack(len(payload)) + payload


class FrameReader:
    """Collects bytes as they come and gives back whole frames."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Add `data`; return the payloads of all frames that are complete now."""
        self._pending += data
        frames = []
        while len(self._pending) >= HEADER.size:
            (length,) = HEADER.unpack_from(self._pending)
            end = HEADER.size + length
            if len(self._pending) < end:
                break
            frames.append(self._pending[HEADER.size : end])
            self._pending = self._pending[end:]
        return frames
