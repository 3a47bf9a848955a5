"""How a program that owns a whole row holds it: as blocks of a power of two of lanes.

Three things pull at the choice. Idle lanes cost instructions: 5120 columns as one block of 8192
leave three lanes in eight idle, as five of 1024 none. A thread should own at least 8 elements of
a block, so that it loads 16 bytes at once in 16-bit types. And a thread that owns more than about
40 elements needs so many registers that too few programs fit on a multiprocessor.
"""

from __future__ import annotations

from typing import NamedTuple

import triton

CHUNKS = (4096, 2048, 1024)
VERY_WIDE = 16384
"""Above this a row is held in blocks of 8192 by 32 warps."""


class Layout(NamedTuple):
    """Blocks of a row, and the warps that share them."""

    chunk: int
    """Lanes of a block; a power of two."""
    chunks: int
    """Blocks of a row."""
    warps: int


MEASURED = {
    1024: Layout(1024, 1, 4),
    2048: Layout(2048, 1, 4),
    3072: Layout(1024, 3, 8),
    4096: Layout(4096, 1, 4),
    5120: Layout(1024, 5, 4),
    8192: Layout(8192, 1, 32),
    12288: Layout(4096, 3, 16),
    16384: Layout(4096, 4, 16),
}
"""The fastest of those tried on an H200 in bfloat16 at 64 Mi elements a tensor, 2026-12-01."""


def layout_for(width: int, size: int) -> Layout:
    """Return the layout for `width` columns of `size` bytes: measured, or by the same reasons."""
    layout = MEASURED.get(width) or _by_rule(width)
    if size == 4:
        # Twice the registers an element: spread it over twice the threads.
        return layout._replace(warps=min(2 * layout.warps, 32))
    return layout


def _by_rule(width: int) -> Layout:
    whole = max(triton.next_power_of_2(width), 4)
    if width > VERY_WIDE:
        return Layout(8192, triton.cdiv(width, 8192), 32)
    fitting = [chunk for chunk in CHUNKS if chunk <= whole] or [whole]
    # The fewest idle lanes; of equals the largest block, which stands first.
    chunk = min(fitting, key=lambda size: triton.cdiv(width, size) * size)
    lanes = triton.cdiv(width, chunk) * chunk
    wanted = 16 if lanes >= 8192 else 8 if lanes > 5120 else min(max(lanes // 512, 1), 4)
    return Layout(chunk, lanes // chunk, min(wanted, max(chunk // 128, 1)))
