"""Count what ten eager operations read and write. Nothing is computed: the tensors are meta."""

import sys

print("Ten eager operations of a T5 layer, counted\n", flush=True)

try:
    import numpy  # noqa: F401  PyTorch asks for it in some meta operations
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves
except ImportError as missing:
    print(f"Missing here: {missing.name}\nInstall:  pip install torch numpy")
    sys.exit(3)

ROWS, WIDTH = 16384, 4096
P = 0.1  # dropout
DTYPE = torch.bfloat16
E = ROWS * WIDTH  # elements of one tensor


class Ledger(TorchDispatchMode):
    """Print a line for each operation that PyTorch would hand to the GPU as a kernel."""

    launches = 0
    total = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if func.is_view:  # a view moves no byte and launches nothing
            return result
        inputs = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        outputs = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        reads = sum(tensor.nbytes for tensor in inputs)
        writes = sum(tensor.nbytes for tensor in outputs)
        self.launches += 1
        self.total += reads + writes
        name = func.overloadpacket.__name__
        dtype = str(outputs[0].dtype).removeprefix("torch.")
        print(
            f"{self.launches:>2} {name:<15}{dtype:<9}"
            f"{reads / E:>6.1f}E{writes / E:>7.1f}E{self.total / E:>7.1f}E"
        )
        return result


def sublayer_boundary(x, residual, weight):
    """Dropout, residual add and RMS norm, written as a T5 layer writes them."""
    x = torch.ops.aten.native_dropout(x, P, True)[0] if P else x
    hidden = residual + x
    variance = hidden.to(torch.float32).pow(2).mean(-1, keepdim=True)
    normed = hidden * torch.rsqrt(variance + 1e-6)
    return hidden, weight * normed.to(weight.dtype)


x = torch.empty(ROWS, WIDTH, dtype=DTYPE, device="meta")
residual = torch.empty_like(x)
weight = torch.empty(WIDTH, dtype=DTYPE, device="meta")

print(f"   {'operation':<15}{'result':<9}{'reads':>7}{'writes':>8}{'so far':>8}")
with Ledger() as eager:
    sublayer_boundary(x, residual, weight)

fused = 4 * x.nbytes + weight.nbytes  # read x and residual, write hidden and the result
print(f"\neager  {eager.launches:>2} launches {eager.total / 1e9:.2f} GB = {eager.total / E:.0f}E")
print(
    f"fused   1 launch   {fused / 1e9:.2f} GB = {fused / E:.0f}E   ratio {eager.total / fused:.1f}"
)
print(f"1E = {E / 1e6:.1f} MB, a byte an element; 0.0E is under 0.05E")
print("Counted from tensor sizes, no caches; nothing is timed.")
