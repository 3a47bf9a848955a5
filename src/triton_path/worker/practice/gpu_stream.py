"""A kernel that only moves memory: the speed limit of whatever moves as much.

It reads and writes the mix of bytes of the timed case, in the same run and with the same cold
cache. A copy would be no fair measure for other mixes: memory takes pure reads, pure writes and
mixes of them at different rates.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import torch
import triton
import triton.language as tl

if TYPE_CHECKING:
    from collections.abc import Callable

WORD = 4
"""Bytes; a thread loads four neighbouring words in one instruction."""
STEP = 16
"""Words that a region is a multiple of: only then does the compiler know that masks are alike for
neighbouring words, and keeps the accesses wide."""
MOST_BLOCKS = 6
"""Of one program, reads and writes together."""
CLOSE = 0.10
"""How far the blocks of a program may be from the mix; what is left over is moved all the same."""
SETTINGS = ((512, 4), (1024, 4), (2048, 4), (2048, 8), (4096, 8))
"""Words of a block and warps: one to four wide accesses a thread and block."""


SCRAMBLE = tl.constexpr(1640531527)


@triton.jit  # type: ignore[untyped-decorator]
def stream(  # type: ignore[no-untyped-def]
    source_ptr,
    target_ptr,
    sink_ptr,
    read_words,
    written_words,
    never,
    READS: tl.constexpr,  # noqa: N803
    WRITES: tl.constexpr,  # noqa: N803
    BLOCK: tl.constexpr,  # noqa: N803
):
    """Read READS regions of `read_words` and write WRITES of `written_words`, 32 bits a word.

    A program takes one block of each region, as a kernel does with the tensors that it is given.
    """
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    total = i.to(tl.int32) * SCRAMBLE  # so that what is written looks random too
    for region in tl.static_range(READS):
        total += tl.load(source_ptr + region * read_words + i, mask=i < read_words, other=0)
    for region in tl.static_range(WRITES):
        tl.store(target_ptr + region * written_words + i, total + region, mask=i < written_words)
    if WRITES == 0:
        # A store that does not happen, or the compiler would leave the loads out.
        tl.store(sink_ptr + tl.arange(0, BLOCK), total, mask=total == never)


@dataclass(frozen=True)
class Mix:
    """How the bytes are dealt out."""

    reads: int
    """Blocks that a program reads."""
    writes: int
    read_words: int
    """Words of one region, of which there are `reads`."""
    written_words: int

    @property
    def read_bytes(self) -> int:
        """Bytes that are read: what was asked for, to within 32 bytes a region."""
        return self.reads * self.read_words * WORD

    @property
    def written_bytes(self) -> int:
        """Bytes that are written."""
        return self.writes * self.written_words * WORD


def mix_of(read: int, written: int) -> Mix:
    """Deal out bytes to read and bytes to write, so that a program does both in proportion.

    Where there is much more of one, the first programs do both and the others only that one.
    """
    if not read or not written:
        return _mix(int(read > 0), int(written > 0), read, written)
    pairs = [
        (reads, writes)
        for reads in range(1, MOST_BLOCKS)
        for writes in range(1, MOST_BLOCKS + 1 - reads)
    ]
    pairs.sort(key=sum)
    close = (pair for pair in pairs if abs(log(read * pair[1] / (written * pair[0]))) < CLOSE)
    return _mix(*next(close, (1, 1)), read, written)


def _mix(reads: int, writes: int, read: int, written: int) -> Mix:
    def words(total: int, regions: int) -> int:
        return max(1, round(total / (WORD * STEP * regions))) * STEP if regions else 0

    return Mix(reads, writes, words(read, reads), words(written, writes))


def streams(read: int, written: int, device: str) -> dict[str, Callable[[], object]]:
    """Return the stream of a mix in every setting, by the setting's name.

    The data are random: GPUs move zeros with less power, and so faster.
    """
    mix = mix_of(read, written)
    source = torch.randint(
        -(2**31), 2**31, (max(1, mix.reads * mix.read_words),), dtype=torch.int32, device=device
    )
    words = max(1, mix.writes * mix.written_words)
    target = torch.empty(words, dtype=torch.int32, device=device)
    sink = torch.empty(max(block for block, _ in SETTINGS), dtype=torch.int32, device=device)

    def runner(block: int, warps: int) -> Callable[[], object]:
        grid = (triton.cdiv(max(mix.read_words, mix.written_words), block),)
        return lambda: stream[grid](
            source,
            target,
            sink,
            mix.read_words,
            mix.written_words,
            0x7A7A7A7A,
            READS=mix.reads,
            WRITES=mix.writes,
            BLOCK=block,
            num_warps=warps,
        )

    return {f"{block} words, {warps} warps": runner(block, warps) for block, warps in SETTINGS}
