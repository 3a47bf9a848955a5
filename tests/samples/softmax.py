import torch
import triton
import triton.language as tl


@triton.jit
def shifted(v):
    return tl.exp(v - tl.max(v, axis=0))


@triton.jit
def softmax(x_ptr, n, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    v = tl.load(x_ptr + cols, mask=cols < n, other=-float("inf"))
    e = shifted(v)
    tl.store(x_ptr + cols, e / tl.sum(e, axis=0), mask=cols < n)


def main():
    softmax[(1,)](torch.ones(1000, device="cuda"), 1000, BLOCK=1024)


# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
