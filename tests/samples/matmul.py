import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, K, stride, B: tl.constexpr):
    r = tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(0, K, B):
        a = tl.load(a_ptr + r[:, None] * stride + k + r[None, :])
        b = tl.load(b_ptr + (k + r[:, None]) * stride + r[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + r[:, None] * stride + r[None, :], acc.to(tl.float16))


a = torch.ones((64, 64), dtype=torch.float16, device="cuda")
matmul[(1,)](a, a, a, 64, a.stride(0), B=64)


# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
