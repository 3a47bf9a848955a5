"""Run the watch's right kernels compiled on a GPU and compare them with what they should give.

Prints a line for each case and a count last; exit code 1 if one differs, 3 without a GPU. The
watch judges kernels in the interpreter: this shows that the GPU agrees.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "src")]
os.environ.pop("TRITON_INTERPRET", None)  # before Triton is imported: kernels are compiled

import torch  # noqa: E402
import triton  # noqa: E402

from tests.worker.watch.cases import Case, collect  # noqa: E402

CASES = collect()
AGREES = (
    "right",
    "ran",
    "rejected by the compiler, as marked",
    "not run: its tensors have no storage",
)


def outcome(case: Case) -> str:
    """Run one case in this process; return `right`, `ran`, or what went wrong."""
    expected = getattr(case.run, "on_gpu", "right")
    if expected == "impossible":
        return "not run: its tensors have no storage"
    torch.set_default_device("cuda")
    torch.manual_seed(0)
    triton.set_allocator(_scratch)  # descriptors made in a kernel live there
    try:
        pairs = case.run()
        torch.cuda.synchronize()
        for got, wanted in pairs or []:
            torch.testing.assert_close(got, wanted)
    except Exception as fault:
        if expected == "rejected" and isinstance(fault, triton.compiler.CompilationError):
            return "rejected by the compiler, as marked"
        first = next((line for line in str(fault).splitlines() if line.strip()), "")
        return f"{type(fault).__name__}: {first.strip()[:110]}"
    if expected == "rejected":
        return "compiled, though it is marked as rejected"
    return "right" if pairs else "ran"


def _scratch(size: int, _alignment: int, _stream: int | None) -> torch.Tensor:
    return torch.empty(size, device="cuda", dtype=torch.int8)


def by_name(name: str) -> str:
    """Run the case of that name; a function cannot be sent to another process, a name can."""
    return outcome(next(case for case in CASES if case.name == name))


def main() -> int:
    """Run all cases that the watch calls right, each in a process of its own."""
    if not Path("/dev/nvidiactl").exists():
        print("No NVIDIA GPU is here.")
        return 3
    right = [case.name for case in CASES if not case.expected]
    # Forked before CUDA is touched: an illegal access costs only its own case.
    context = multiprocessing.get_context("fork")
    with context.Pool(8, maxtasksperchild=1) as pool:
        waiting = {name: pool.apply_async(by_name, (name,)) for name in right}
        results = {}
        for name, result in waiting.items():
            try:
                results[name] = result.get(timeout=60)
            except multiprocessing.TimeoutError:
                results[name] = "did not end within 60 s"
            sign = " " if results[name] in AGREES else "!"
            print(f"{sign} {name:<60} {results[name]}", flush=True)
    counts = Counter(results.values())
    good = sum(counts[word] for word in AGREES)
    print(f"{good} of {len(right)} agree: {', '.join(f'{counts[word]} {word}' for word in AGREES)}")
    return 0 if good == len(right) else 1


if __name__ == "__main__":
    raise SystemExit(main())
