"""What the watch counts, against figures found by hand."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

from tests.worker.watch.speed_kernels import matmul
from triton_path.jobs.watch import Tile
from triton_path.worker.watch import WatchOptions, scalars, watch
from triton_path.worker.watch.lanes import sectors_of, stride_of
from triton_path.worker.watch.memory import AddressSpace
from triton_path.worker.watch.owners import PieceOwners, tiles

if TYPE_CHECKING:
    from triton_path.jobs.watch import LaunchReport


@triton.jit
def copy_every(x, out, step, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes * step, mask=lanes < n)
    tl.store(out + lanes, values, mask=lanes < n)


@triton.jit
def transpose(x, out, n, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    values = tl.load(x + rows[:, None] * n + columns[None, :])
    tl.store(out + columns[None, :] * n + rows[:, None], values)


def count(run) -> LaunchReport:  # type: ignore[no-untyped-def]
    with watch(WatchOptions.everything()) as watched:
        run()
    assert not watched.report.faults
    return watched.report.launches[0]


def test_bytes_of_a_copy() -> None:
    launch = count(lambda: copy_every[(4,)](torch.zeros(100), torch.empty(100), 1, 100, BLOCK=32))
    x, out = launch.arguments
    assert (x.loaded_bytes, x.unique_loaded_bytes, x.stored_bytes) == (400, 400, 0)
    assert (out.loaded_bytes, out.stored_bytes, out.unique_stored_bytes) == (0, 400, 400)
    load, store = launch.lines
    assert (load.executions, load.lanes, load.active_lanes, load.bytes_used) == (4, 128, 100, 400)
    assert store.access == "store"
    assert load.sector_efficiency == pytest.approx(400 / (13 * 32))


@pytest.mark.parametrize(("step", "sectors"), [(1, 4), (2, 8), (8, 32), (64, 32)])
def test_sectors_of_a_stride(step: int, sectors: int) -> None:
    x, out = torch.zeros(32 * step), torch.empty(32)
    launch = count(lambda: copy_every[(1,)](x, out, step, 32, BLOCK=32))
    # A tensor of torch starts at a multiple of 64 bytes.
    assert launch.lines[0].sectors == sectors
    assert [line.stride for line in launch.lines] == [step, 1]


def test_strides_of_blocks() -> None:
    tile = torch.zeros(64, 64)
    launch = count(lambda: transpose[(2, 2)](tile, torch.empty(64, 64), 64, TILE=32))
    assert [line.stride for line in launch.lines] == [1, 1]
    order = [0]
    addresses = np.array([8, 4, 0], dtype=np.uint64)
    assert stride_of(addresses, 4, order) == -1
    assert stride_of(addresses, 8, order) is None
    assert stride_of(np.array([0, 4, 12], dtype=np.uint64), 4, order) is None
    assert stride_of(np.array([4], dtype=np.uint64), 4, order) is None
    assert stride_of(np.array([4, 4], dtype=np.uint64), 4, order) == 0


def test_what_is_no_tensor_is_listed() -> None:
    launch = count(lambda: copy_every[(1,)](torch.zeros(32), torch.empty(32), 1, 32, BLOCK=32))
    assert [(value.name, value.text, value.constant) for value in launch.values] == [
        ("step", "1", False), ("n", "32", False), ("BLOCK", "32", True),
    ]  # fmt: skip
    assert scalars.shown(tl.float32) == "fp32"
    assert scalars.shown("relu") == "'relu'"
    assert scalars.shown(tl.constexpr(8)) == "8"
    assert scalars.shown(len) == "len"
    assert scalars.shown("x" * 99).endswith("...")


def test_lanes_follow_the_contiguous_axis() -> None:
    addresses = (np.arange(32)[None, :] * 4096 + np.arange(32)[:, None] * 4).astype(np.uint64)
    assert sectors_of(addresses, None, 4) == 32 * 4
    assert sectors_of(np.ascontiguousarray(addresses.T), None, 4) == 32 * 4


def test_masked_lanes_fetch_nothing() -> None:
    addresses = (np.arange(64) * 4).astype(np.uint64)
    active = np.arange(64) < 9
    assert sectors_of(addresses, active, 4) == 2
    assert sectors_of(addresses, np.zeros(64, dtype=bool), 4) == 0


def test_flops_and_redundancy_of_a_matmul() -> None:
    a, b, c = torch.zeros(64, 96), torch.zeros(96, 128), torch.empty(64, 128)
    launch = count(lambda: matmul[(2, 4)](a, b, c, 64, 128, 96, TILE=32))
    assert launch.dot_flops == 2 * 64 * 96 * 128
    assert [argument.redundancy for argument in launch.arguments] == [4.0, 2.0, None]
    assert launch.programs == 8


def test_who_owns_what() -> None:
    out = torch.empty(64, 64)
    launch = count(lambda: transpose[(2, 2)](torch.zeros(64, 64), out, 64, TILE=32))
    owned, loaded = launch.ownership
    assert (owned.argument, owned.access, owned.rows, owned.columns) == ("out", "store", 64, 64)
    assert owned.cells[0][0] == 0
    assert owned.cells[0][63] == 1  # program (1, 0) stores the upper right corner
    assert owned.cells[63][0] == 2
    assert owned.tiles[1] == (Tile(rows=(0, 31), columns=((32, 63),)),)
    assert (loaded.argument, loaded.access) == ("x", "load")
    assert loaded.tiles[1] == (Tile(rows=(32, 63), columns=((0, 31),)),)


def test_the_first_to_load_is_shown_and_all_are_known() -> None:
    a, b, c = torch.zeros(64, 96), torch.zeros(96, 128), torch.empty(64, 128)
    launch = count(lambda: matmul[(2, 4)](a, b, c, 64, 128, 96, TILE=32))
    _, of_a, _ = launch.ownership
    assert {cell for row in of_a.cells for cell in row} == {0, 1}
    whole = (Tile(rows=(0, 31), columns=((0, 95),)),)
    assert [of_a.tiles[program] == whole for program in range(8)] == [True, False] * 4


def test_cells_that_lie_apart_are_told_as_spans() -> None:
    cells = np.array([[1, 1, 0, 1], [1, 1, 0, 1], [0, 0, 0, 0], [0, 0, 1, 1]], dtype=bool)
    assert tiles(cells) == (
        Tile(rows=(0, 1), columns=((0, 1), (3, 3))),
        Tile(rows=(3, 3), columns=((2, 3),)),
    )


def test_pieces_of_a_strided_tensor() -> None:
    tensor = torch.zeros(1000, 2000).t()[::2]
    region = AddressSpace().add("x", tensor)
    owners = PieceOwners(region, "store")
    owners.note(np.array([0, 2000 * 999 + 1998]), 3)
    picture = owners.picture()
    assert picture.sampled
    assert (picture.cells[0][0], picture.cells[0][1], picture.cells[-1][-1]) == (3, -1, 3)


def test_a_picture_is_bounded() -> None:
    out = torch.empty(1000, 1000)
    launch = count(
        lambda: copy_every[(1000,)](torch.zeros(1_000_000), out, 1, 1_000_000, BLOCK=1024)
    )
    owned, loaded = launch.ownership
    assert (len(owned.cells), len(owned.cells[0])) == (64, 128)
    assert all(program >= 0 for row in owned.cells for program in row)
    assert (len(loaded.cells), len(loaded.cells[0])) == (1, 768)
    assert not owned.sampled
