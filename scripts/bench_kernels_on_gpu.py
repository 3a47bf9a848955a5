"""Check and time the seven kernels beside the transformer boundary on a GPU.

For each bench and shape: the fused kernel is compared with float64, then timed by turns with eager,
best eager, torch.compile, liger-kernel where it is installed, and a copy of as many bytes. Then the
layouts that the kernel could have had are timed. Prints tables; `--log FOLDER` keeps everything.
Exit code 1 if a kernel is wrong, 3 without a GPU.

    scripts/bench_kernels_on_gpu.py [BENCH ...] [--seconds N] [--no-layouts] [--log FOLDER]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
os.environ.pop("TRITON_INTERPRET", None)  # before Triton is imported: kernels are compiled

import torch  # noqa: E402
import triton  # noqa: E402

from triton_path.jobs.bench import BEST_EAGER, COMPILED, EAGER, FUSED  # noqa: E402
from triton_path.worker.bench.masks import mask_faults, scale_faults  # noqa: E402
from triton_path.worker.bench.timing import GpuClock, Turn, time_turns  # noqa: E402
from triton_path.worker.kernels import (  # noqa: E402
    cross_entropy,
    dropout,
    layer_norm,
    rms_norm,
    softmax,
    swiglu,
    vector_add,
)
from triton_path.worker.kernels.row_layout import Layout  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Run = Callable[[], object]

LIGER, COPY = "liger", "copy"
DEVICE = "cuda"
P = 0.1
MI = 1 << 20
SWEEP = [
    *((64 * MI // width, width) for width in (1024, 2048, 4096, 8192, 16384, 32768)),
    (64 * MI // 5120, 5120),
    *((16 * MI // width, width) for width in (1024, 4096, 16384)),
    (512, 1024),
    (16, 8192),
]
VOCABULARIES = [(64 * MI // vocab, vocab) for vocab in (32000, 50257, 128256)]
DTYPE = torch.bfloat16


@dataclass(frozen=True)
class Bench:
    """One bench: its module, and what its functions take beside the matrices."""

    name: str
    module: Any
    matrices: int = 1
    columns: int = 0
    training: bool = False
    """Whether a backward pass is run too."""
    shapes: list[tuple[int, int]] = field(default_factory=lambda: SWEEP)

    def inputs(self, rows: int, width: int) -> tuple[Any, ...]:
        """Draw random arguments for all of the module's functions."""
        draw = partial(torch.randn, device=DEVICE, dtype=DTYPE)
        if self.module is cross_entropy:
            logits = draw(rows, width).requires_grad_(self.training)
            return logits, torch.randint(width, (rows,), device=DEVICE)
        arguments: list[Any] = [draw(rows, width) for _ in range(self.matrices)]
        arguments += [draw(width) for _ in range(self.columns)]
        return (*arguments, P) if self.module is dropout else tuple(arguments)

    def steps(self, rows: int, width: int) -> Any:
        """Return the kernels of the fused way, with their bytes."""
        of = self.module.training_steps if self.training else self.module.fused_steps
        return of(rows, width, DTYPE.itemsize)

    def run(self, way: Callable[..., torch.Tensor], arguments: tuple[Any, ...]) -> Run:
        """Return a run of `way`, with its backward pass if the bench has one."""
        if not self.training:
            return lambda: way(*arguments)
        return lambda: torch.autograd.grad(way(*arguments), arguments[0])


BENCHES = [
    Bench("vector-add", vector_add, matrices=2),
    Bench("softmax", softmax),
    Bench("rms-norm", rms_norm, columns=1),
    Bench("layer-norm", layer_norm, columns=2),
    Bench("swiglu", swiglu, matrices=2),
    Bench("dropout", dropout),
    Bench("cross-entropy", cross_entropy, shapes=[*SWEEP, *VOCABULARIES]),
    Bench("cross-entropy-training", cross_entropy, training=True, shapes=[*SWEEP, *VOCABULARIES]),
]


def liger_way(bench: Bench) -> Callable[..., torch.Tensor] | None:
    """Return liger-kernel's function for the bench, or None."""
    try:
        from liger_kernel import ops  # type: ignore[import-not-found]
    except ImportError:
        return None
    if bench.module is cross_entropy:
        # It writes the gradient over the logits: give it its own.
        return lambda x, t: ops.LigerCrossEntropyFunction.apply(x, t, None)[0]
    ways: dict[Any, Callable[..., torch.Tensor]] = {
        softmax: ops.LigerSoftmaxFunction.apply,
        rms_norm: lambda x, w: ops.LigerRMSNormFunction.apply(x, w, rms_norm.EPS),
        layer_norm: lambda x, w, b: ops.LigerLayerNormFunction.apply(x, w, b, layer_norm.EPS),
        swiglu: ops.LigerSiLUMulFunction.apply,
    }
    return ways.get(bench.module)


def compiled(bench: Bench) -> Callable[..., torch.Tensor]:
    """Return the eager way under torch.compile: after a few shapes dynamo would run eager."""
    torch._dynamo.reset()
    return torch.compile(bench.module.eager, dynamic=False)


def faults_of(bench: Bench, rows: int, width: int) -> list[str]:
    """Compare the fused way with float64, by the rule of the bench."""
    arguments = bench.inputs(rows, width)
    if bench.module is dropout:
        ones = torch.ones_like(arguments[0])
        out, other = (dropout.fused(ones, P, seed=seed) for seed in (1, 2))
        mask = out != 0
        given = dropout.fused(arguments[0], P, seed=1)
        off = (given.double() - arguments[0].double() * mask / (1 - P)).norm() / given.norm()
        wrong = [f"off by {off:.1e}"] if not off < torch.finfo(DTYPE).eps else []
        return mask_faults(mask, other != 0, P) + scale_faults(out, mask, P) + wrong
    wide = [each.detach().double() if each.is_floating_point() else each for each in arguments]
    if bench.training:
        wide[0].requires_grad_()

    def outcome(way: Callable[..., torch.Tensor], given: Any) -> list[torch.Tensor]:
        loss = way(*given)
        got = [loss.detach()]
        return [*got, torch.autograd.grad(loss, given[0])[0]] if bench.training else got

    true = outcome(bench.module.best_eager, wide)
    eager = outcome(bench.module.eager, arguments)
    faults = []
    for index, got in enumerate(outcome(bench.module.fused, arguments)):
        size = true[index].norm()
        off, allowed = (
            ((each.double() - true[index]).norm() / size).item() for each in (got, eager[index])
        )
        allowed = 2 * allowed + torch.finfo(got.dtype).eps
        if not off <= allowed:
            faults.append(f"off by {off:.1e}, {allowed:.1e} is allowed")
    return faults


def layouts_of(bench: Bench, width: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield names of layouts worth a try, with the arguments or module constants that make them."""
    if bench.module in (vector_add, swiglu):
        for block in (1024, 2048, 4096, 8192):
            for each in (8, 16, 32):
                yield f"{block}/{each}", {"block": block, "ELEMENTS_PER_THREAD": each}
    elif bench.module is dropout:
        for page in (1024, 2048, 4096):
            for warps in (1, 2, 4, 8, 16):
                if 8 <= page // (32 * warps) <= 32:
                    yield f"{page}x{warps}w", {"warps": warps, "PAGE": page}
    else:
        for layout in {*row_layouts(bench, width)}:
            yield f"{layout.chunk}x{layout.chunks}:{layout.warps}w", {"layout": layout}


def row_layouts(bench: Bench, width: int) -> Iterator[Layout]:
    """Yield ways to hold a row, and steps in which to read it twice."""
    whole = triton.next_power_of_2(width)
    for warps in (1, 2, 4, 8, 16, 32):
        vector = warps * 32 * 8  # 16 bytes a thread
        if bench.module is not cross_entropy:
            for chunk in {whole, whole // 2, whole // 4, 1024 if width % 1024 == 0 else whole}:
                chunks = triton.cdiv(width, chunk)
                held = chunk * chunks // (32 * warps)
                if chunk >= vector and 8 <= held <= 64 and chunks <= 8:
                    yield Layout(chunk, chunks, warps)
        if bench.module is cross_entropy or width >= 8192:
            for chunks in (2, 4, 8):
                if vector * chunks <= 2 * whole and (warps >= 4 or width < 8192):
                    yield Layout(vector, chunks, warps)


def layout_run(bench: Bench, arguments: tuple[Any, ...], how: dict[str, Any]) -> Run:
    """Return a run of the fused way with that layout."""
    given = {name: value for name, value in how.items() if name.islower()}
    constants = {name: value for name, value in how.items() if name.isupper()}
    where = dropout if bench.module is dropout else vector_add
    way = bench.module.fused
    if bench.module is cross_entropy:
        arguments = (arguments[0].detach(), arguments[1])
        given["gradient"] = bench.training
        way = cross_entropy.loss_and_gradient

    def run() -> object:
        before = {name: getattr(where, name) for name in constants}
        vars(where).update(constants)
        try:
            return way(*arguments, **given)
        finally:
            vars(where).update(before)

    return run


def fill_caches(task: tuple[int, int, int, bool]) -> str:
    """Compile everything for one bench and shape, in a process of its own; return what failed."""
    number, rows, width, layouts = task
    bench = BENCHES[number]
    arguments = bench.inputs(rows, width)
    try:
        bench.run(compiled(bench), arguments)()
        if layouts:
            for _, how in layouts_of(bench, width):
                layout_run(bench, arguments, how)()
        torch.cuda.synchronize()
    except Exception as fault:
        return f"{bench.name} {rows}x{width}: {type(fault).__name__}: {str(fault)[:200]}"
    finally:
        del arguments
        torch.cuda.empty_cache()
    return ""


def time_shape(bench: Bench, rows: int, width: int, l2: int) -> dict[str, Any]:
    """Time all the ways at one shape; return medians and spreads in microseconds."""
    arguments = bench.inputs(rows, width)
    moved = sum(step.read + step.written for step in bench.steps(rows, width))
    source = torch.randn(max(moved // 4, 1), device=DEVICE).to(DTYPE)
    target = torch.empty_like(source)
    ways: dict[str, Callable[..., torch.Tensor]] = {
        EAGER: bench.module.eager,
        BEST_EAGER: bench.module.best_eager,
        COMPILED: compiled(bench),
        FUSED: bench.module.fused,
    }
    runs = {name: bench.run(way, arguments) for name, way in ways.items()}
    liger = liger_way(bench)
    if liger is not None:
        own = (arguments[0].detach().clone().requires_grad_(bench.training), *arguments[1:])
        runs[LIGER] = bench.run(liger, own)
    runs[COPY] = lambda: target.copy_(source)
    for name, run in list(runs.items()):
        try:
            run()
        except Exception as fault:
            print(f"  {name} at {rows}x{width}: {type(fault).__name__}: {str(fault)[:150]}")
            del runs[name]
    timed = time_turns(
        {name: Turn(run) for name, run in runs.items()},
        l2,
        GpuClock(),
        warm_up_s=0.03,
        budget_s=0.12,
    )
    return {name: each.model_dump() for name, each in timed.items()}


def time_layouts(bench: Bench, rows: int, width: int, l2: int) -> dict[str, float]:
    """Time the layouts worth a try at one shape; return medians in microseconds."""
    arguments = bench.inputs(rows, width)
    runs: dict[str, Run] = {"chosen": layout_run(bench, arguments, {})}
    runs |= {name: layout_run(bench, arguments, how) for name, how in layouts_of(bench, width)}
    turns = {name: Turn(run) for name, run in runs.items()}
    timed = time_turns(turns, l2, GpuClock(), warm_up_s=0.005, budget_s=0.05)
    return {name: each.value for name, each in timed.items()}


def machine() -> str:
    """Say what this is measured on, with clocks, power and reasons to throttle."""
    wanted = "name,driver_version,clocks.sm,clocks.mem,power.draw,clocks_throttle_reasons.active"
    command = ["nvidia-smi", f"--query-gpu={wanted}", "--format=csv,noheader"]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    versions = f"torch {torch.__version__}, Triton {triton.__version__}"
    return f"{found}; {versions}; {time.strftime('%Y-%m-%d %H:%M:%S')}"


def row_of(name: str, shape: str, timed: dict[str, Any]) -> str:
    """Return one line of the table: times, the share of a copy, and the fused way against each."""
    us = {way: each["value"] for way, each in timed.items()}
    fused = us[FUSED]
    cells = [f"{us[COPY]:8.1f}{fused:8.1f}{us[COPY] / fused:7.1%}"]
    cells += [
        f"{us[way]:9.1f}{us[way] / fused:6.2f}x" if way in us else f"{'-':>16}"
        for way in (EAGER, BEST_EAGER, COMPILED, LIGER)
    ]
    return f"{name:<23}{shape:<13}" + "".join(cells)


def head() -> str:
    """Return the head of the table."""
    ways = "".join(f"{way:>16}" for way in (EAGER, BEST_EAGER, COMPILED, LIGER))
    return f"{'bench':<23}{'shape':<13}{'copy':>8}{'fused':>8}{'share':>7}{ways}"


def main() -> int:
    """Fill the compilers' caches, then check, time, and try layouts, until the time is up."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("benches", nargs="*", help=", ".join(bench.name for bench in BENCHES))
    parser.add_argument("--seconds", type=float, default=200, help="begin nothing after these")
    parser.add_argument("--no-layouts", action="store_true")
    parser.add_argument("--log", type=Path, default=None)
    options = parser.parse_args()
    if not Path("/dev/nvidiactl").exists():
        print("No NVIDIA GPU is here.")
        return 3
    began = time.monotonic()
    chosen = [b for b in BENCHES if not options.benches or b.name in options.benches]
    # All 64 Mi shapes first: the time may end before the rest.
    tasks = [(BENCHES.index(b), *shape) for b in chosen for shape in b.shapes]
    tasks.sort(key=lambda task: -(task[1] * task[2]))
    large = [task for task in tasks if task[1] * task[2] > 32 * MI]
    compile_for = [(*task, not options.no_layouts and task in large) for task in tasks]
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(14, os.cpu_count() or 1)) as pool:
        for fault in filter(None, pool.imap_unordered(fill_caches, compile_for)):
            print(f"  not compiled: {fault}", flush=True)
    log = SimpleNamespace(machine=[machine()], wrong=[], times=[], layouts=[], skipped=[])
    print(f"{log.machine[0]}\ncaches filled in {time.monotonic() - began:.0f} s", flush=True)
    l2 = torch.cuda.get_device_properties(0).L2_cache_size

    def over() -> bool:
        return bool(time.monotonic() - began > options.seconds)

    print(head())
    for number, rows, width in tasks:
        bench, shape = BENCHES[number], f"{rows}x{width}"
        if over():
            log.skipped.append(f"times of {bench.name} {shape}")
            continue
        faults = faults_of(bench, rows, width)
        if faults:
            log.wrong.append(f"{bench.name} {shape}: {'; '.join(faults)}")
            print(f"{bench.name:<23}{shape:<13}wrong: {'; '.join(faults)}", flush=True)
            continue
        timed = time_shape(bench, rows, width, l2)
        log.times.append({"bench": bench.name, "rows": rows, "width": width, "us": timed})
        print(row_of(bench.name, shape, timed), flush=True)
        torch.cuda.empty_cache()
    print("\nlayouts at 64 Mi elements: the chosen one, then the fastest (us)")
    for number, rows, width in [] if options.no_layouts else large:
        bench = BENCHES[number]
        if over():
            log.skipped.append(f"layouts of {bench.name} {rows}x{width}")
            continue
        us = time_layouts(bench, rows, width, l2)
        log.layouts.append({"bench": bench.name, "rows": rows, "width": width, "us": us})
        best = sorted((time, name) for name, time in us.items() if name != "chosen")[:4]
        shown = "  ".join(f"{name} {time:.1f}" for time, name in best)
        print(f"{bench.name:<23}{width:<7}{us['chosen']:7.1f}  {shown}", flush=True)
        torch.cuda.empty_cache()
    log.machine.append(machine())
    print(f"\n{log.machine[1]}\n{len(log.wrong)} wrong, {len(log.skipped)} skipped")
    if options.log:
        options.log.mkdir(parents=True, exist_ok=True)
        (options.log / "kernels.json").write_text(json.dumps(vars(log), indent=1))
    return 1 if log.wrong or not log.times else 0


if __name__ == "__main__":
    raise SystemExit(main())
