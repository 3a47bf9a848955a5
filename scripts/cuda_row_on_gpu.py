"""Set the CUDA C++ row of `bench fused-transformer` beside the Triton kernel on a GPU.

Prints what both kernels need (lines, machine code), whether h is the same bit for bit, and a table
of times at 64 Mi elements a tensor: the Triton kernel, the CUDA kernel in each layout worth a
try, and a copy of the same bytes, all by turns. Exit code 1 if something differs, 3 where
something is missing.

    scripts/cuda_row_on_gpu.py [--tests] [--json FILE]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
os.environ.pop("TRITON_INTERPRET", None)  # before Triton is imported: kernels are compiled

import torch  # noqa: E402
import triton  # noqa: E402

from triton_path.worker.bench.timing import GpuClock, Turn, time_turns  # noqa: E402
from triton_path.worker.compiler.tools import NoTool  # noqa: E402
from triton_path.worker.kernels import cuda_beside_triton as beside  # noqa: E402
from triton_path.worker.kernels import fused_transformer as chain  # noqa: E402
from triton_path.worker.kernels import fused_transformer_cuda as by_hand  # noqa: E402
from triton_path.worker.kernels.row_layout import layout_for as triton_layout  # noqa: E402

if TYPE_CHECKING:
    from triton_path.jobs.bench import Timing

ELEMENTS = 64 << 20
WIDTHS = (1024, 2048, 4096, 5120, 8192, 16384)
ODD = ((1, 1), (5, 100), (3, 257), (2, 1500), (64, 4096), (7, 5120), (3, 16384), (2, 65536))
DTYPES = (torch.bfloat16, torch.float16, torch.float32)
P, ROUNDS, SEED = 0.1, 7, 2**62 + 7
TESTS = "tests/worker/test_fused_transformer_cuda.py"


def device_line() -> str:
    """Return the date, the device, its driver and clocks, and the versions that matter."""
    query = [
        "nvidia-smi",
        "--query-gpu=driver_version,clocks.sm,clocks.mem",
        "--format=csv,noheader",
    ]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    versions = [f"torch {torch.__version__}", f"triton {triton.__version__}"]
    for name in ("cuda-core", "cuda-bindings", "nvidia-cuda-nvrtc"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} of unknown version")
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    name = torch.cuda.get_device_name()
    return f"{now}  {name}, driver and clocks {done.stdout.strip()}, {', '.join(versions)}"


def draw(
    rows: int, width: int, dtype: torch.dtype
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Draw x, residual and weight."""

    def normal(*size: int) -> torch.Tensor:
        return torch.randn(size, device="cuda").to(dtype)

    return normal(rows, width), normal(rows, width), normal(width)


def same_bits() -> int:
    """Compare h with the Triton kernel's at odd shapes; return how many differ."""
    wrong = 0
    for dtype in DTYPES:
        for rows, width in ODD:
            inputs = draw(rows, width, dtype)
            h, out = by_hand.cuda(*inputs, P, seed=SEED)
            like_h, like_out = chain.fused(*inputs, P, seed=SEED)
            equal = torch.equal(h, like_h) and torch.allclose(out, like_out, rtol=2e-2, atol=1e-3)
            if not equal:
                print(f"! h or out differs: {dtype} {rows} x {width}")
                wrong += 1
    print(
        f"h bit for bit the Triton kernel's: {len(DTYPES) * len(ODD) - wrong} right, {wrong} wrong"
    )
    return wrong


def triton_facts(width: int) -> beside.Facts:
    """Return what the Triton kernel's machine code holds."""
    x, residual, weight = draw(2, width, torch.bfloat16)
    layout = triton_layout(width, 2)
    compiled = chain.boundary_kernel.warmup(
        *(x, residual, weight, x, x, width, width, width),
        *(1.0 / (1.0 - P), chain.EPS, SEED, None, chain.threshold_of(P)),
        CHUNK=layout.chunk,
        CHUNKS=layout.chunks,
        ROUNDS=ROUNDS,
        DROP=True,
        num_warps=layout.warps,
        grid=(2,),
    )
    return beside.facts(compiled.asm["cubin"], ROUNDS)


def print_facts() -> None:
    """Print lines of code and machine code of both."""
    for each in beside.lines():
        print(
            f"lines, {each.part:<7} Triton {each.triton:>3} ({each.triton_bare} of brackets)"
            f"   CUDA {each.cuda:>3} ({each.cuda_bare} of brackets)"
        )
    capability = torch.cuda.get_device_capability()
    for width in (1024, 4096, 16384):
        name = by_hand.instance(torch.bfloat16, by_hand.layout_for(width, 2), rounds=ROUNDS)
        try:
            by_cuda = beside.facts(bytes(by_hand.build(name, capability).code), ROUNDS)
            print(f"SASS, width {width:>5}: Triton {triton_facts(width)}")
            print(f"                   CUDA   {by_cuda}")
        except NoTool as fault:
            print(f"no SASS: {fault}")


def layouts(width: int) -> list[by_hand.Layout]:
    """Return that of `layout_for` and others with no idle thread, in bfloat16."""
    needed = width * 2 // by_hand.VECTOR_BYTES
    tried = [by_hand.layout_for(width, 2)]
    for vectors in (1, 2, 4, 5, 8):
        threads = needed // vectors
        other = by_hand.Layout(threads, vectors)
        if needed % vectors == 0 and threads % 32 == 0 and 32 <= threads <= 1024:
            tried += [other] if other not in tried else []
    return tried


def time_width(width: int) -> dict[str, Timing]:
    """Time one width, all by turns."""
    rows = ELEMENTS // width
    inputs = draw(rows, width, torch.bfloat16)
    source = torch.randn(2 * rows, width, device="cuda").to(torch.bfloat16)
    target = torch.empty_like(source)
    turns = {
        "copy": Turn(lambda: target.copy_(source)),
        "Triton": Turn(lambda: chain.fused(*inputs, P, seed=SEED, rounds=ROUNDS)),
    }
    for layout in layouts(width):

        def run(layout: by_hand.Layout = layout) -> Any:
            return by_hand.cuda(*inputs, P, seed=SEED, rounds=ROUNDS, layout=layout)

        turns[f"CUDA {layout.threads}x{layout.vectors}"] = Turn(run)
    l2_bytes = torch.cuda.get_device_properties(0).L2_cache_size
    return time_turns(turns, l2_bytes, GpuClock(), budget_s=0.6)


def main() -> int:
    """Check, then time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--tests", action="store_true", help="run the GPU tests of the CUDA row too"
    )
    parser.add_argument("--json", type=Path, help="write the times to this file")
    wanted = parser.parse_args()
    if missing := "No GPU is here." if not torch.cuda.is_available() else by_hand.why_missing():
        print(missing)
        return 3
    print(device_line(), flush=True)
    print_facts()
    sys.stdout.flush()
    faults = same_bits()
    print(f"64 Mi elements a tensor, bfloat16, p = {P}, {ROUNDS} rounds; medians by turns, us")
    kept: dict[str, Any] = {}
    for width in WIDTHS:
        times = time_width(width)
        kept[str(width)] = {name: timing.model_dump() for name, timing in times.items()}
        copy = times["copy"].value
        for number, (name, timing) in enumerate(times.items()):
            chosen = "  <- layout_for" if number == 2 else ""
            print(
                f"{width:>6} {name:<12} {timing.value:7.1f}  ({timing.p20:.1f} to {timing.p80:.1f},"
                f" n {timing.n})  {100 * copy / timing.value:5.1f} % of copy{chosen}",
                flush=True,
            )
    print(device_line(), flush=True)
    if wanted.json:
        wanted.json.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    if wanted.tests:
        command = [sys.executable, "-m", "pytest", "-q", "-m", "gpu", TESTS]
        faults += subprocess.run(command, check=False, cwd=ROOT).returncode != 0
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
