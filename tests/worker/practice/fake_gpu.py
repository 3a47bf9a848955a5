"""A GPU that is a CPU with a clock of its own: time passes only where a test spends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triton_path.jobs.grading import Case, Grading, TensorSpec, Timing
from triton_path.jobs.practice import CompileJob
from triton_path.worker.bench.timing import GpuClock
from triton_path.worker.practice.gpu_machine import Machine
from triton_path.worker.practice.learner import load

if TYPE_CHECKING:
    from pathlib import Path

N = 5000
"""Elements of the timed case."""

HEAD = """\
import torch
import triton
import triton.language as tl
"""
REFERENCE = HEAD + "\ndef reference(x, y):\n    return x + y\n"
KERNEL = """
@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x + y, mask=i < n)


def launch(x, y, out):
    add_kernel[(triton.cdiv(out.numel(), 1024),)](x, y, out, out.numel(), BLOCK=1024)
"""
RIGHT = HEAD + KERNEL + "\n\ndef add(x, y, out):\n    launch(x, y, out)\n"

GRADING = Grading(
    entry="add",
    tensors=(
        TensorSpec(name="x", shape=("n",)),
        TensorSpec(name="y", shape=("n",)),
        TensorSpec(name="out", shape=("n",), role="output"),
    ),
    cases=(
        Case(sizes={"n": 100}),
        Case(sizes={"n": 90}, dtype="float16", layouts={"x": "shifted"}),
    ),
    timing=Timing(sizes={"n": N}, dtype="float16"),
)


class FakeClock(GpuClock):
    """Counts microseconds that work spends, on the stream or beside it."""

    device = "cpu"
    TICK_US = 5.0
    """What looking at the clock takes; else a loop that waits for an end would have none."""

    def __init__(self) -> None:
        self.us = 0.0
        self._beside = 0.0
        self.elsewhere = False
        self.waits = 0

    def spend(self, us: float) -> None:
        """Work on the stream."""
        self.us += us

    def spend_beside(self, us: float) -> None:
        """Work on another stream, which only a wait for the whole device takes in."""
        self._beside += us

    def event(self) -> Any:
        return [0.0]

    def record(self, event: Any) -> None:
        event[0] = self.us

    def between_us(self, start: Any, end: Any) -> float:
        return end[0] - start[0]

    def wait(self) -> None:
        self.waits += 1
        self.us += self._beside
        self._beside = 0.0

    def wait_for_stream(self) -> None:
        pass

    def on_its_stream(self) -> bool:
        return not self.elsewhere

    def now(self) -> float:
        self.us += self.TICK_US
        return self.us / 1e6


class FakeGpu:
    """The machine, and the job that a test gives it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = FakeClock()
        self.machine = Machine("cpu", "a GPU", "1.2.3", 1024, self.clock)

    def job(
        self, source: str = RIGHT, *, reference: str = REFERENCE, **fields: Any
    ) -> tuple[CompileJob, Any]:
        """Write the files; return the job and the learner."""
        path, about = self.folder / "add.py", self.folder / "reference.py"
        path.write_text(source)
        about.write_text(reference)
        grading = fields.pop("grading", GRADING)
        job = CompileJob(
            path=str(path),
            exercise="add",
            reference=str(about),
            grading=grading,
            seed=7,
            **fields,
        )
        return job, load(path, grading)

    def streams(self, us: float) -> Any:
        """Return what stands for `gpu_stream.streams`: every setting takes `us` and some more."""

        def fake(_read: int, _written: int, _device: str) -> dict[str, Any]:
            return {
                f"setting {number}": lambda extra=number: self.clock.spend(us + 10 * extra)
                for number in range(3)
            }

        return fake
