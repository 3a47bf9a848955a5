"""The kernel that the doctor runs, and the check of what it wrote."""

from __future__ import annotations

import triton
import triton.language as tl

ROWS, WIDTH, SPARE, BLOCK = 3, 200, 24, 64
"""Three full steps and a ragged last one; the spare columns must stay as they were."""
UNTOUCHED = -1.0


# A loop whose bound is known only at run time, a mask and a sum: numpy 2.4 broke the first in
# the interpreter of older Tritons, while kernels without a loop went on working.
@triton.jit  # type: ignore[untyped-decorator]
def double_rows(x_ptr, y_ptr, sum_ptr, stride, width, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]  # noqa: N803
    """Write y = 2x and the sum of x, one program a row of `width` float32 values."""
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, width, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        inside = columns < width
        x = tl.load(x_ptr + row * stride + columns, mask=inside, other=0.0)
        tl.store(y_ptr + row * stride + columns, 2 * x, mask=inside)
        total += x
    tl.store(sum_ptr + row, tl.sum(total, axis=0))


def wrong_result(device: str) -> str | None:
    """Run the kernel on `device`; return what is wrong with what it wrote, or None.

    The values are small whole numbers, so float32 is exact and nothing is a matter of rounding.
    """
    import torch  # only here: compiling the kernel must work without it

    stride = WIDTH + SPARE
    x = torch.arange(ROWS * stride, dtype=torch.float32, device=device).reshape(ROWS, stride) % 97
    y = torch.full_like(x, UNTOUCHED)
    sums = torch.full((ROWS,), UNTOUCHED, device=device)
    double_rows[(ROWS,)](x, y, sums, stride, WIDTH, BLOCK=BLOCK)
    if not torch.equal(y[:, :WIDTH], 2 * x[:, :WIDTH]):
        return "the kernel wrote wrong values"
    if not torch.equal(sums, x[:, :WIDTH].sum(dim=1)):
        return "the kernel summed wrongly"
    if not bool((y[:, WIDTH:] == UNTOUCHED).all()):
        return "the kernel wrote where its mask was false"
    return None
