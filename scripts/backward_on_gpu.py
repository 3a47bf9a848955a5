"""Check and time the backward of the T5 boundary on a GPU, beside torch.compile and eager.

Prints a line for each shape: the time of a copy of as many bytes (five tensors, rules 3 to 7 and
11 of the bench) and of each backward, and the share of the copy's bandwidth that the fused one
reaches. With --sweep it times other layouts too, the fastest first. Writes the same and more to
$OUT/backward.json where OUT is set. Exit code 1 if a check fails, 3 without a GPU.

    scripts/backward_on_gpu.py [--elements 67108864] [--dtype bfloat16] [--sweep] [WIDTH ...]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
os.environ.pop("TRITON_INTERPRET", None)  # before Triton is imported: kernels are compiled

import torch  # noqa: E402
import torch._functorch.config  # noqa: E402
import triton  # noqa: E402

from triton_path.worker.bench.device import gpu_facts, gpu_here, read_clocks  # noqa: E402
from triton_path.worker.bench.timing import time_on_gpu  # noqa: E402
from triton_path.worker.kernels import fused_transformer as chain  # noqa: E402
from triton_path.worker.kernels.backward_layout import Layout, layout_for  # noqa: E402
from triton_path.worker.kernels.fused_transformer_backward import (  # noqa: E402
    backward,
    reference,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import Timing

WIDTHS = (1024, 2048, 4096, 5120, 8192, 16384)
P, SEED = 0.1, 7
DEVICE = torch.device("cuda", 0)
TENSORS = 5
NAMES = ("dx", "dresidual", "dweight")
BLOCK = 256
"""Lanes of a warp's block: eight neighbours a thread."""
COPY, FUSED, COMPILED, BEST_EAGER, EAGER = "copy", "fused", "torch.compile", "best eager", "eager"
ROW = "{:>7} x {:<6} {:>8} {:>8} {:>9} {:>14} {:>11} {:>8}   {}"


def draw(rows: int, width: int, dtype: torch.dtype) -> list[torch.Tensor]:
    """Return x, residual, weight, dout and dh from a normal distribution."""
    generator = torch.Generator(DEVICE).manual_seed(5)

    def normal(*size: int) -> torch.Tensor:
        return torch.randn(*size, generator=generator, device=DEVICE, dtype=dtype)

    return [
        normal(rows, width),
        normal(rows, width),
        normal(width),
        *(normal(rows, width) for _ in "oh"),
    ]


def faults(got: tuple[torch.Tensor, ...], wanted: tuple[torch.Tensor, ...]) -> list[str]:
    """Say which gradients are further from float64 than a few roundings; NaN is far."""
    bound = 4 * torch.finfo(got[0].dtype).eps
    found = []
    for name, one, other in zip(NAMES, got, wanted, strict=True):
        off = ((one.double() - other).norm() / other.norm()).item()
        if not off <= bound:
            found.append(f"{name} is off by {off:.1e}")
    return found


def truth(h: torch.Tensor, weight: torch.Tensor, dout: torch.Tensor, dh: torch.Tensor) -> Any:
    """Return the gradients in float64 under the mask that the forward drew."""
    ones = torch.ones_like(h)
    mask = chain.fused(ones, torch.zeros_like(h), weight, P, seed=SEED)[0] != 0
    return reference(dout.double(), dh.double(), h.double(), weight.double(), mask, P)


def by_autograd(run: Callable[..., Any], given: list[torch.Tensor]) -> Callable[[], Any]:
    """Return the call of the backward alone."""
    x, residual, weight = (each.detach().requires_grad_() for each in given[:3])
    h, out = run(x, residual, weight, P)
    return lambda: torch.autograd.grad(
        (h, out), (x, residual, weight), (given[4], given[3]), retain_graph=True
    )


def candidates(width: int, size: int) -> list[Layout]:
    """Return layouts that may be faster than the one that is used: more warps, other stages."""
    found = []
    for parts in (1,) if width <= 8192 else (1, 2, 4):
        for warps in (1, 2, 4, 8, 16, 32):
            chunk, own = BLOCK * warps, triton.cdiv(width, parts)
            chunks = triton.cdiv(own, chunk)
            # The fewest registers that were seen, of 65536: 61 for 8 elements, 250 for 32.
            registers = {1: 80, 2: 128, 3: 168, 4: 255, 5: 255}.get(chunks)
            if registers is None or chunks * chunk * parts > 1.25 * width:
                continue
            most = min(max(65536 // (registers * warps * 32), 1), 16)
            stage = 3 * size * chunk * chunks * parts
            found += [
                Layout(chunk, chunks, parts, warps, programs, stages)
                for programs in sorted({most, max(most // 2, 1), max(3 * most // 4, 1)})
                for stages in (1, 2, 3, 4)
                if (stages - 1) * stage * programs <= 232448
            ]
    return found


def sweep(given: list[torch.Tensor], h: torch.Tensor, l2_bytes: int) -> dict[str, Timing]:
    """Time other layouts; one that does not compile or is wrong is left out."""
    _, _, weight, dout, dh = given
    wanted = truth(h, weight, dout, dh)
    runs: dict[str, Callable[[], object]] = {}
    for layout in candidates(h.shape[1], h.element_size()):

        def run(layout: Layout = layout) -> Any:
            return backward(dout, dh, h, weight, P, seed=SEED, layout=layout)

        try:
            wrong = faults(run(), wanted)
        except Exception as fault:  # too little shared memory, too many registers
            wrong = [type(fault).__name__]
        if wrong:
            print("  left out:", tuple(layout), *wrong, flush=True)
        else:
            runs[str(tuple(layout))] = run
    timings = time_on_gpu(runs, l2_bytes)
    return dict(sorted(timings.items(), key=lambda item: item[1].value))


def one_shape(
    rows: int, width: int, dtype: torch.dtype, l2_bytes: int, *, with_sweep: bool
) -> dict[str, Any]:
    """Check, then time by turns; print the line of the table."""
    torch.compiler.reset()  # at its limit of shapes dynamo would run eager, with a mere warning
    given = draw(rows, width, dtype)
    x, residual, weight, dout, dh = given
    h, _ = chain.fused(x, residual, weight, P, seed=SEED)

    def fused() -> tuple[torch.Tensor, ...]:
        return backward(dout, dh, h, weight, P, seed=SEED)

    nans = [torch.full_like(h, float("nan")) for _ in "xr"]
    del nans  # what the allocator hands out next is full of NaN
    wrong = faults(fused(), truth(h, weight, dout, dh))
    if not all(torch.equal(a, b) for a, b in zip(fused(), fused(), strict=True)):
        wrong.append("two calls gave different bits")
    compiled = torch.compile(chain.eager, dynamic=False)
    source = torch.randn(TENSORS * rows * width // 2, device=DEVICE, dtype=dtype)
    target = torch.empty_like(source)
    timings = time_on_gpu(
        {
            COPY: lambda: target.copy_(source),
            FUSED: fused,
            COMPILED: by_autograd(compiled, given),
            BEST_EAGER: by_autograd(chain.best_eager, given),
            EAGER: by_autograd(chain.eager, given),
        },
        l2_bytes,
    )
    us = {name: timing.value for name, timing in timings.items()}
    layout = layout_for(width, h.element_size(), DEVICE)
    print(
        ROW.format(
            rows,
            width,
            *(f"{us[name]:.1f}" for name in (COPY, FUSED)),
            f"{100 * us[COPY] / us[FUSED]:.1f} %",
            *(f"{us[name]:.0f} {us[name] / us[FUSED]:.2f}x" for name in (COMPILED, BEST_EAGER)),
            f"{us[EAGER]:.0f}",
            "; ".join(wrong) or f"right  {tuple(layout)}",
        ),
        flush=True,
    )
    found = {name: timing.model_dump() for name, timing in timings.items()}
    swept = {}
    if with_sweep:
        swept = sweep(given, h, l2_bytes)
        for name, timing in list(swept.items())[:6]:
            share = 100 * us[COPY] / timing.value
            print(f"    {name:<28} {timing.value:8.1f} us {share:6.1f} %", flush=True)
    return {
        "rows": rows,
        "width": width,
        "faults": wrong,
        "timings": found,
        "sweep": {name: timing.model_dump() for name, timing in swept.items()},
    }


def main() -> int:
    """Run every width; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("widths", nargs="*", type=int, default=WIDTHS)
    parser.add_argument("--elements", type=int, default=1 << 26)
    parser.add_argument("--dtype", default="bfloat16", choices=("bfloat16", "float16", "float32"))
    parser.add_argument("--sweep", action="store_true")
    asked = parser.parse_args()
    if not gpu_here():
        print("No GPU that Triton can compile for is here.")
        return 3
    torch._functorch.config.donated_buffer = False  # a compiled backward must run many times
    device = gpu_facts()
    print(device.name, "driver", device.driver, "torch", torch.__version__, triton.__version__)
    print(asked.dtype, f"p {P}, 7 rounds", time.strftime("%Y-%m-%d"), read_clocks("before"))
    print(ROW.format("rows", "width", COPY, FUSED, "of copy", COMPILED, BEST_EAGER, EAGER, "check"))
    shapes = [
        one_shape(
            max(asked.elements // width, 1),
            width,
            getattr(torch, asked.dtype),
            device.l2_bytes or 64 << 20,
            with_sweep=asked.sweep,
        )
        for width in asked.widths
    ]
    print(read_clocks("after"))
    if "OUT" in os.environ:
        text = json.dumps({"device": device.model_dump(), "shapes": shapes}, indent=1)
        Path(os.environ["OUT"], f"backward-{asked.dtype}.json").write_text(text)
    return 1 if any(shape["faults"] for shape in shapes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
