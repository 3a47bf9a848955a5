import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x + 1, mask=i < n)


N, SIZE = 100, 32


def main():
    print("{ this is no JSON")  # noqa: T201 -- what a person's file may print
    x = torch.ones(N, device="cuda")
    add[(4,)](x, torch.empty_like(x), N, BLOCK=SIZE)


# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
