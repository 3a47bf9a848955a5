"""How the programs of a backward kernel hold their rows, and how many of them there are.

Beside the row itself a program keeps its weight and its share of the weight gradient in float32
from the first row to the last. At 32 elements a thread that takes nearly all 255 registers that a
thread can have, so eight warps fill a multiprocessor: one program of eight, two of four, four of
two, eight of one. The fewer warps share a row, the cheaper are its two sums. A thread owns eight
neighbours of each block, so that it moves 16 bytes at once in 16-bit types.

Compiled for an H200 (Triton 3.4 to 3.9) a whole row has no spills at 32 elements a thread, and 8
to 32 bytes of them at 40. A row of 16384 in one program of 16 warps spills 200 to 360 bytes a
thread; in two programs 0 to 64. The rule was read off such figures and earlier kernels' times;
`scripts/backward_on_gpu.py --sweep` times it against others.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import triton

LANES = 32
NEIGHBOURS = 8
MOST_CHUNKS = 5
WARPS = 8
"""Of all programs on one multiprocessor together; also the most of one program."""
WIDEST_PART = MOST_CHUNKS * NEIGHBOURS * LANES * WARPS
MOST_STAGES = 3
"""A row that is computed and two whose loads are on their way."""
TENSORS_READ = 3


class Layout(NamedTuple):
    """Blocks of a part of a row, the parts of a row, and who works on them."""

    chunk: int
    """Lanes of a block; a power of two."""
    chunks: int
    """Blocks of a part."""
    parts: int
    """Programs that share a row."""
    warps: int
    """Warps of a program."""
    programs: int
    """Programs to start for each multiprocessor."""
    stages: int
    """Rows in flight, the one that is computed among them."""


def layout_for(width: int, size: int, device: torch.device) -> Layout:
    """Return the layout for rows of `width` elements of `size` bytes."""
    parts = triton.cdiv(width, WIDEST_PART)
    chunk, chunks, warps = _blocks(triton.cdiv(width, parts))
    programs = WARPS // warps
    # Of a row shared by several, the others' weight is loaded with it.
    stage = TENSORS_READ * chunk * chunks * parts * size
    buffers = shared_bytes(device) // programs // stage
    return Layout(chunk, chunks, parts, warps, programs, min(1 + buffers, MOST_STAGES))


def _blocks(width: int) -> tuple[int, int, int]:
    """Return chunk, chunks and warps with the fewest idle lanes; of equals with fewest warps."""
    least = NEIGHBOURS * LANES
    if width <= least:
        return max(triton.next_power_of_2(width), 4), 1, 1
    choices = []
    warps = 1
    while warps <= WARPS:
        chunk = least * warps
        chunks = triton.cdiv(width, chunk)
        if chunks <= MOST_CHUNKS:
            choices.append((chunk * chunks, warps, chunk, chunks))
        warps *= 2
    _, warps, chunk, chunks = min(choices)
    return chunk, chunks, warps


def groups_for(rows: int, layout: Layout, device: torch.device) -> int:
    """Return how many rows are done at once: as many as there are programs for."""
    return min(rows, multiprocessors(device) * layout.programs // layout.parts)


def multiprocessors(device: torch.device) -> int:
    """Return how many the GPU has; 2 for the interpreter, so that a program takes many rows."""
    if device.type == "cpu":
        return 2
    return int(torch.cuda.get_device_properties(device).multi_processor_count)


def shared_bytes(device: torch.device) -> int:
    """Return the most shared memory that one program can have; an H200's for the interpreter."""
    if device.type == "cpu":
        return 232448
    index = torch.cuda.current_device() if device.index is None else device.index
    about = triton.runtime.driver.active.utils.get_device_properties(index)
    return int(about["max_shared_mem"])
