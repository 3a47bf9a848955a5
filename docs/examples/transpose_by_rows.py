"""A transpose that is right and slow: a program reads a row and stores a column."""

import torch
import triton
import triton.language as tl


@triton.jit
def transpose(x_ptr, out_ptr, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + c, mask=c < columns)
    tl.store(out_ptr + c * rows + row, x, mask=c < columns)


def main():
    x = torch.rand(32, 48, device="cuda")
    out = torch.empty(48, 32, device="cuda")
    transpose[(32,)](x, out, 32, 48, BLOCK=64)
    assert torch.equal(out, x.T)


if __name__ == "__main__":
    main()
