"""Regions against a list of the offsets that a strided view really has."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from triton_path.worker.watch.access import BadAccess, resolve
from triton_path.worker.watch.memory import AddressSpace, strided_offsets

FLOAT32 = np.dtype(np.float32)

views = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 9)), min_size=1, max_size=3)


def view_of(axes: list[tuple[int, int]], start: int = 3) -> torch.Tensor:
    sizes, strides = zip(*axes, strict=True)
    return torch.arange(200.0).as_strided(sizes, strides, start)


@given(views)
def test_belongs_is_exact(axes: list[tuple[int, int]]) -> None:
    tensor = view_of(axes)
    region = AddressSpace().add("x", tensor)
    real = set(region.offsets().reshape(-1).tolist())
    tried = np.arange(-5, 60)
    assert region.belongs(tried).tolist() == [offset in real for offset in tried.tolist()]
    assert region.extent == max(real) + 1
    assert region.dense == (len(real) == region.extent)


@given(views)
def test_views_see_the_tensor(axes: list[tuple[int, int]]) -> None:
    tensor = view_of(axes)
    region = AddressSpace().add("x", tensor)
    assert region.view(FLOAT32)[region.offsets()].tolist() == tensor.tolist()


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.randoms())
def test_an_index_has_its_offset(sizes: list[int], random) -> None:  # type: ignore[no-untyped-def]
    order = list(range(len(sizes)))
    random.shuffle(order)
    tensor = torch.zeros(sizes).permute(order)
    region = AddressSpace().add("x", tensor)
    for offset in range(region.extent):
        index = region.index_of(offset)
        assert index is not None
        assert sum(i * s for i, s in zip(index, region.strides, strict=True)) == offset
        assert all(i < size for i, size in zip(index, region.shape, strict=True))
    flat = np.arange(region.numel)
    wanted = region.offsets().reshape(-1)
    assert strided_offsets(flat, region.shape, region.strides).tolist() == wanted.tolist()


def test_arguments_are_far_apart() -> None:
    space = AddressSpace()
    regions = [space.add(name, torch.zeros(8)) for name in "abc"]
    for region in regions:
        for steps in (-(1 << 40), -1, 0, 7, 1 << 40):
            assert space.at(region.base + steps) is region
    assert space.at(0x7F00_0000_0000) is None


def test_aliases_share_a_storage_and_its_smallest_unit() -> None:
    space = AddressSpace()
    memory = torch.zeros(8)
    whole, tail = space.add("whole", memory), space.add("tail", memory[4:].view(torch.int16))
    assert whole.storage is tail.storage
    assert whole.storage.unit == 2
    assert whole.units(np.array([4, 5]), 4).tolist() == [8, 9, 10, 11]
    assert tail.units(np.array([0, 3]), 2).tolist() == [8, 11]


def test_a_block_over_two_arguments_is_split() -> None:
    space = AddressSpace()
    a, b = space.add("a", torch.zeros(4)), space.add("b", torch.zeros(4))
    pointers = np.array([a.base, b.base + 4, a.base + 8, b.base + 12], dtype=np.uint64)
    access = resolve(space, "load", pointers, None, FLOAT32, masked=False)
    assert [part.region.name for part in access.parts] == ["a", "b"]
    assert [part.offsets.tolist() for part in access.parts] == [[0, 2], [1, 3]]
    pointers[3] += np.uint64(4)
    with pytest.raises(BadAccess) as caught:
        resolve(space, "load", pointers, None, FLOAT32, masked=False)
    assert caught.value.region is b
    assert caught.value.bad.tolist() == [False, False, False, True]


def test_inactive_lanes_may_point_anywhere() -> None:
    space = AddressSpace()
    region = space.add("a", torch.zeros(4))
    pointers = np.array([region.base, 12345, region.base + 400, region.base + 4], dtype=np.uint64)
    active = np.array([True, False, False, True])
    access = resolve(space, "load", pointers, active, FLOAT32, masked=True)
    assert access.parts[0].offsets.tolist() == [0, 1]


def test_half_an_element_is_out_of_bounds() -> None:
    space = AddressSpace()
    region = space.add("a", torch.zeros(3, dtype=torch.int16))
    pointers = np.array([region.base, region.base + 4], dtype=np.uint64)
    with pytest.raises(BadAccess) as caught:
        resolve(space, "load", pointers, None, FLOAT32, masked=False)
    assert caught.value.bad.tolist() == [False, True]
