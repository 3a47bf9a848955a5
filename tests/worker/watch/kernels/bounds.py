"""Accesses outside of a tensor, and unusual ones inside."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from tests.worker.watch.cases import case
from tests.worker.watch.kernels.helpers import helping
from triton_path.worker.triton_private import names


@triton.jit
def load_bare(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes)  # fault: out-of-bounds-load
    tl.store(out + lanes, values, mask=lanes < n)


@case()
def load_without_a_mask():
    load_bare[(4,)](torch.randn(100), torch.zeros(100), 100, BLOCK=32)


@triton.jit
def store_bare(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)
    tl.store(out + lanes, values)  # fault: out-of-bounds-store


@case()
def store_without_a_mask():
    store_bare[(4,)](torch.randn(100), torch.zeros(100), 100, BLOCK=32)


@triton.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes, mask=lanes < n), mask=lanes < n)


@case()
def masked_copy():
    x, out = torch.randn(100), torch.empty(100)
    copy[(4,)](x, out, 100, BLOCK=32)
    return [(out, x)]


@case()
def every_dtype():
    pairs = []
    for dtype in (
        torch.bool,
        torch.int8,
        torch.int64,
        torch.float64,
        torch.float16,
        torch.bfloat16,
    ):
        x, out = (torch.randn(50) * 3).to(dtype), torch.empty(50, dtype=dtype)
        copy[(2,)](x, out, 50, BLOCK=32)
        pairs.append((out, x))
    return pairs


@case()
def no_elements():
    copy[(1,)](torch.empty(0), torch.empty(0), 0, BLOCK=32)


@case()
def no_programs():
    copy[(0,)](torch.empty(0), torch.empty(0), 0, BLOCK=32)


@triton.jit
def first_of(x, out):
    tl.store(out, tl.load(x))  # fault: out-of-bounds-load


@case()
def a_tensor_without_elements():
    first_of[(1,)](torch.empty(0), torch.zeros(1))


@triton.jit
def off_by_one(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes <= n, other=0.0)  # fault: out-of-bounds-load
    tl.store(out + lanes, values, mask=lanes < n)


@case()
def mask_one_too_far():
    off_by_one[(1,)](torch.randn(20), torch.zeros(20), 20, BLOCK=32)


@triton.jit
def before(x, out):
    row = tl.program_id(0)
    tl.store(out + row, tl.load(x + row - 1))  # fault: out-of-bounds-load


@case()
def element_before_the_first():
    before[(4,)](torch.randn(4), torch.zeros(4))


@triton.jit
def backwards(x_end, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x_end + (n - 1) - lanes, mask=lanes < n)
    tl.store(out + lanes, values, mask=lanes < n)


@case()
def a_stride_of_minus_one():
    x, out = torch.randn(20), torch.empty(20)
    backwards[(1,)](x, out, 20, BLOCK=32)
    return [(out, x.flip(0))]


@triton.jit
def rows_by_shape(x, out, columns, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    inside = lanes < columns
    values = tl.load(x + row * columns + lanes, mask=inside)  # fault: out-of-bounds-load
    tl.store(out + row * columns + lanes, values, mask=inside)


@case()
def shape_taken_for_stride():
    rows_by_shape[(8,)](torch.randn(8, 8)[:, :3], torch.zeros(8, 3), 3, BLOCK=4)


@triton.jit
def rows_by_stride(x, out, stride, columns, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    inside = lanes < columns
    values = tl.load(x + row * stride + lanes, mask=inside)
    tl.store(out + row * columns + lanes, values, mask=inside)


@case()
def a_view_with_gaps():
    x, out = torch.randn(8, 8)[:, 2:5], torch.empty(8, 3)
    rows_by_stride[(8,)](x, out, x.stride(0), 3, BLOCK=4)
    return [(out, x)]


@case()
def an_expanded_view():
    x, out = torch.randn(3).expand(8, 3), torch.empty(8, 3)
    rows_by_stride[(8,)](x, out, x.stride(0), 3, BLOCK=4)
    return [(out, x.contiguous())]


@triton.jit
def as_if_contiguous(grad, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(grad + lanes, mask=lanes < n)  # fault: out-of-bounds-load
    tl.store(out + lanes, values, mask=lanes < n)


@case()
def the_gradient_of_a_sum():
    """What autograd hands to a backward after `.sum()`: one element, expanded."""
    as_if_contiguous[(1,)](torch.ones(()).expand(20), torch.zeros(20), 20, BLOCK=32)


@triton.jit
def transpose(x, out, m, n, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    values = tl.load(x + rows[:, None] * n + columns[None, :], mask=inside)
    tl.store(out + columns[None, :] * m + rows[:, None], values, mask=inside)


@case()
def transposed():
    x, out = torch.randn(10, 7), torch.empty(7, 10)
    transpose[(3, 2)](x, out, 10, 7, TILE=4)
    return [(out, x.t())]


@triton.jit
def axes_mixed_up(x, out, m, n, TILE: tl.constexpr):
    rows, columns = tl.arange(0, TILE), tl.arange(0, TILE)
    inside = (rows[:, None] < n) & (columns[None, :] < m)
    at = rows[:, None] * n + columns[None, :]
    tl.store(out + at, tl.load(x + at, mask=inside), mask=inside)  # fault: out-of-bounds-load


@case()
def mask_of_the_other_axis():
    axes_mixed_up[(1,)](torch.randn(4, 10), torch.zeros(4, 10), 4, 10, TILE=16)


@triton.jit
def matmul_bare_k(a, b, c, m, n, k, TILE: tl.constexpr):
    rows, columns, inner = tl.arange(0, TILE), tl.arange(0, TILE), tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, k, TILE):
        steps = start + inner
        left = tl.load(a + (rows % m)[:, None] * k + steps[None, :])  # fault: out-of-bounds-load
        right = tl.load(b + steps[:, None] * n + (columns % n)[None, :])
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(
        c + rows[:, None] * n + columns[None, :],
        total,
        mask=(rows[:, None] < m) & (columns[None, :] < n),
    )


@case()
def no_mask_along_k():
    a, b, c = torch.randn(16, 20), torch.randn(20, 16), torch.zeros(16, 16)
    matmul_bare_k[(1,)](a, b, c, 16, 16, 20, TILE=16)


@triton.jit
def matmul_wrapped(a, b, c, m, n, k, TILE: tl.constexpr):
    rows, columns, inner = tl.arange(0, TILE), tl.arange(0, TILE), tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, tl.cdiv(k, TILE)):
        steps = start * TILE + inner
        there = steps < k
        left = tl.load(a + (rows % m)[:, None] * k + steps[None, :], mask=there[None, :], other=0.0)
        right = tl.load(
            b + steps[:, None] * n + (columns % n)[None, :], mask=there[:, None], other=0.0
        )
        total = tl.dot(left, right, total, input_precision="ieee")
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=inside)


@case()
def rows_wrapped_around():
    a, b, c = torch.randn(10, 20), torch.randn(20, 12), torch.empty(10, 12)
    matmul_wrapped[(1,)](a, b, c, 10, 12, 20, TILE=16)
    return [(c, a @ b)]


@triton.jit
def add_one_each(out):
    tl.atomic_add(out + tl.program_id(0), 1.0)  # fault: out-of-bounds-atomic


@case()
def atomic_past_the_end():
    add_one_each[(3,)](torch.zeros(2))


@triton.jit
def far_away(out):
    tl.store(out + 1_000_000_000, 1.0)  # fault: out-of-bounds-store


@case()
def store_far_away():
    far_away[(1,)](torch.zeros(2))


@triton.jit
def through_helper(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, helping.doubled(x, lanes, 0))


@case()
def helper_of_another_module():
    x, out = torch.randn(16), torch.empty(16)
    through_helper[(1,)](x, out, BLOCK=16)
    return [(out, x * 2)]


@triton.jit
def through_wrong_helper(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, helping.shifted(x, lanes))


@case()
def fault_in_another_module():
    through_wrong_helper[(1,)](torch.randn(16), torch.zeros(16), BLOCK=16)


fault_in_another_module.helper = Path(helping.__file__)


@triton.jit
def either(x, y, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(tl.where(lanes % 2 == 0, x + lanes, y + lanes)))


@case()
def pointers_of_two_tensors():
    out = torch.empty(8)
    either[(1,)](torch.zeros(8), torch.ones(8), out, BLOCK=8)
    return [(out, torch.tensor([0.0, 1.0] * 4))]


@triton.jit
def other_type(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    bits = tl.load(x.to(tl.pointer_type(tl.int32)) + lanes)
    tl.store(out + lanes, bits)


@case()
def pointer_to_another_type():
    x, out = torch.randn(8), torch.empty(8, dtype=torch.int32)
    other_type[(1,)](x, out, BLOCK=8)
    return [(out, x.view(torch.int32))]


@triton.jit
def from_table(table, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    pointer = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    values = tl.load(pointer + lanes, mask=lanes < n)
    tl.store(out + tl.program_id(0) * n + lanes, values, mask=lanes < n)


@case()
def addresses_in_a_tensor():
    rows, out = [torch.randn(5), torch.randn(5)], torch.empty(2, 5)
    from_table[(2,)](torch.tensor([row.data_ptr() for row in rows]), out, 5, BLOCK=8)
    return [(out, torch.stack(rows))]


@triton.jit
def past_the_table(table, out):
    pointer = tl.load(table).to(tl.pointer_type(tl.float32))
    tl.store(out, tl.load(pointer + 3))  # fault: out-of-bounds-load


@case()
def past_a_tensor_known_by_its_address():
    three = torch.ones(3)
    past_the_table[(1,)](torch.tensor([three.data_ptr()]), torch.zeros(1))


@triton.jit
def from_nowhere(table, out):
    pointer = tl.load(table).to(tl.pointer_type(tl.float32))
    tl.store(out, tl.load(pointer))  # fault: foreign-pointer


@case()
def address_of_nothing():
    from_nowhere[(1,)](torch.tensor([64]), torch.zeros(1))


@triton.jit
def three_axes(out, a, b, c):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    tl.store(out + (x * b + y) * c + z, x * 100 + y * 10 + z)


@case()
def grid_of_three_axes():
    out = torch.empty(2, 3, 4, dtype=torch.int32)
    three_axes[(2, 3, 4)](out, 2, 3, 4)
    x, y, z = torch.meshgrid(torch.arange(2), torch.arange(3), torch.arange(4), indexing="ij")
    return [(out, (x * 100 + y * 10 + z).int())]


@triton.jit
def with_descriptors(x, out, m, n, TILE: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[TILE, TILE])
    target = tl.make_tensor_descriptor(out, shape=[m, n], strides=[n, 1], block_shape=[TILE, TILE])
    at = [tl.program_id(0) * TILE, tl.program_id(1) * TILE]
    target.store(at, source.load(at) * 2)


@case()
def descriptors():
    x, out = torch.randn(20, 36), torch.empty(20, 36)
    with_descriptors[(2, 3)](x, out, 20, 36, TILE=16)
    return [(out, x * 2)]


@triton.jit
def boastful(x, out, m, n, TILE: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[TILE, TILE])
    values = source.load([0, 0])  # fault: out-of-bounds-load
    tl.store(out, tl.sum(values))


@case()
def descriptor_larger_than_its_tensor():
    boastful[(1,)](torch.randn(8, 16), torch.zeros(1), 16, 16, TILE=16)


@triton.jit
def given_descriptors(source, target):
    target.store([0, 0], source.load([0, 0]) * 2)


@case()
def descriptors_of_the_host():
    x, out = torch.randn(16, 16), torch.empty(16, 16)
    given_descriptors[(1,)](
        TensorDescriptor.from_tensor(x, [16, 16]), TensorDescriptor.from_tensor(out, [16, 16])
    )
    return [(out, x * 2)]


@triton.jit
def misaligned(x, out, m, n, TILE: tl.constexpr):
    source = tl.make_tensor_descriptor(  # fault: descriptor-misaligned
        x, shape=[m, n], strides=[n, 1], block_shape=[TILE, TILE]
    )
    tl.store(out, tl.sum(source.load([0, 0])))


@case()
def descriptor_of_rows_of_20_bytes():
    misaligned[(1,)](torch.randn(8, 5), torch.zeros(1), 8, 5, TILE=8)


@triton.jit
def with_block_pointers(x, out, m, n, TILE: tl.constexpr):
    source = tl.make_block_ptr(x, (m, n), (n, 1), (0, 0), (TILE, TILE), (1, 0))
    target = tl.make_block_ptr(out, (m, n), (n, 1), (0, 0), (TILE, TILE), (1, 0))
    for _ in range(0, n, TILE):
        block = tl.load(source, boundary_check=(0, 1), padding_option="zero")
        tl.store(target, block * 2, boundary_check=(0, 1))
        source, target = tl.advance(source, (0, TILE)), tl.advance(target, (0, TILE))


@case()
def block_pointers():
    if not hasattr(names.Builder, "create_make_block_ptr"):
        pytest.skip("Triton 3.8 has no block pointers in its interpreter")
    x, out = torch.randn(10, 20), torch.empty(10, 20)
    with_block_pointers[(1,)](x, out, 10, 20, TILE=16)
    return [(out, x * 2)]
