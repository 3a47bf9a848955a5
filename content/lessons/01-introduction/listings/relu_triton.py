"""ReLU in Triton: what one program does with a block of B elements."""

import os

import torch

if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")  # before Triton is imported

import triton
import triton.language as tl


# region: kernel
@triton.jit
def relu(
    x, y, n,
    B: tl.constexpr):
    p = tl.program_id(0)
    i = tl.arange(0, B)
    i += p * B
    m = i < n
    v = tl.load(x + i,
                mask=m)
    v = tl.where(v < 0,
                 0.0, v)
    tl.store(y + i,
             v, mask=m)
# endregion


def launch(x, y, n):
    relu[(triton.cdiv(n, 256),)](x, y, n, B=256)


if __name__ == "__main__":
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.linspace(-3, 3, 1000, device=device)
    x[500] = float("nan")  # torch.relu hands a NaN on, and so must this
    y = torch.full_like(x, -1.0)
    launch(x, y, x.numel())
    torch.testing.assert_close(y, torch.relu(x), rtol=0, atol=0, equal_nan=True)
    print(f"relu of {x.numel()} numbers on {device}: right")
