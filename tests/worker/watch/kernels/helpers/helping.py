"""Functions that kernels of another module call."""

import triton
import triton.language as tl


@triton.jit
def doubled(pointer, lanes, shift):
    return tl.load(pointer + lanes + shift) * 2


@triton.jit
def shifted(pointer, lanes):
    return tl.load(pointer + lanes + 1)  # fault: out-of-bounds-load
