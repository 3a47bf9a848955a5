"""The file that `triton-path bench new` writes."""

STARTER = '''\
"""A scaled residual with a gate: five eager kernels against one."""

import torch
import triton
import triton.language as tl


def inputs(device):
    """What is benched: the arguments of `eager`, by name."""
    return tensors(8192, 4096, device)


def small_inputs(device):
    """What Triton's interpreter checks where no GPU is. Odd sizes find more."""
    return tensors(5, 300, device, torch.float32)


def tensors(rows, width, device, dtype=torch.bfloat16):
    def draw(*size):
        return torch.randn(*size, dtype=dtype, device=device)

    return {"x": draw(rows, width), "gate": draw(rows, width), "residual": draw(rows, width)}


def eager(x, gate, residual):
    """The chain as you have it today."""
    return residual + torch.tanh(x) * torch.sigmoid(gate) * 0.5


@triton.jit
def gated_kernel(x_ptr, gate_ptr, residual_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    x = tl.load(x_ptr + i, mask=inside).to(tl.float32)
    gate = tl.load(gate_ptr + i, mask=inside).to(tl.float32)
    residual = tl.load(residual_ptr + i, mask=inside).to(tl.float32)
    tanh = 2 * tl.sigmoid(2 * x) - 1
    out = residual + tanh * tl.sigmoid(gate) * 0.5
    tl.store(out_ptr + i, out.to(out_ptr.dtype.element_ty), mask=inside)


def candidate_triton(x, gate, residual):
    """One kernel. Add more functions whose names begin with `candidate`."""
    out = torch.empty_like(x)
    n = x.numel()
    gated_kernel[(triton.cdiv(n, 1024),)](x, gate, residual, out, n, BLOCK=1024)
    return out
'''
