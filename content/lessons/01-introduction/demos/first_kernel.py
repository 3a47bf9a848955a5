"""A first kernel: each program prints the elements that it owns."""

import os
import shutil
import sys

print("Each row is one program; (x) is a masked lane.\n", flush=True)
os.environ["TRITON_INTERPRET"] = "1"  # before Triton is imported: run kernels as Python

try:
    import numpy  # noqa: F401  the interpreter computes with it
    import torch
    import triton
    import triton.language as tl
except ImportError as missing:
    print(f"Missing here: {missing.name}\nInstall:  pip install torch triton numpy")
    print("Triton has wheels for Linux only. Lessons and quizzes work.")
    sys.exit(3)

BLOCK = 4  # a power of two: tl.arange takes no other length
N = 10


# region: kernel
@triton.jit
def double(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    show(pid, offsets, mask)
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, 2 * x, mask=mask)


# endregion


def show(pid, offsets, mask):
    """Print a program's lanes: plain Python, so only the interpreter can call it in a kernel."""
    inside = str(mask).strip("[]").split()
    lanes = [
        f"{offset:>4} " if keep == "True" else f"({offset:>3})"
        for offset, keep in zip(str(offsets).strip("[]").split(), inside, strict=True)
    ]
    fit = max(1, (shutil.get_terminal_size().columns - 13) // 5)
    for start in range(0, len(lanes), fit):
        label = f"program {str(pid).strip('[]'):>2}" if start == 0 else ""
        print(f"{label:<12}{''.join(lanes[start : start + fit])}")


x = torch.arange(N, dtype=torch.float32)
y = torch.zeros(N)
# region: launch
programs = triton.cdiv(N, BLOCK)
double[(programs,)](x, y, N, BLOCK=BLOCK)
# endregion

lanes = programs * BLOCK
print(f"\nprograms: {programs} x {BLOCK} lanes = {lanes} lanes for {N} elements")
print(f"{lanes - N} masked lanes: nothing loaded, nothing stored")
print(f"y = 2 * x in PyTorch too: {'right' if torch.equal(y, 2 * x) else 'WRONG'}")
