"""The GPU of this machine, or a reason why nothing can be run on it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.practice import GpuResult
from triton_path.worker.bench.needs import mend, versions
from triton_path.worker.bench.timing import GpuClock

if TYPE_CHECKING:
    from triton_path.jobs.bench import Device

CACHE_VARIABLE = "TRITON_CACHE_DIR"
_own_cache = os.environ.get(CACHE_VARIABLE)
"""As it is when this module is imported: a job that compiles sets a cache of its own later."""


@dataclass(frozen=True)
class Machine:
    """Where kernels run; a test puts a CPU and a clock of its own in the GPU's place."""

    device: str
    """As torch names it."""
    name: str
    driver: str
    l2_bytes: int
    clock: GpuClock

    def result(self, **fields: object) -> GpuResult:
        """Return a result with all that is known of the machine, and `fields`."""
        about = versions()
        return GpuResult(
            device=self.name,
            driver=self.driver,
            torch=about["torch"],
            triton=about["triton"],
            date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            **fields,  # type: ignore[arg-type]
        )


def this_machine() -> Machine | None:
    """Return the GPU that kernels are launched on; None where none is that Triton can use."""
    from triton_path.worker.bench.device import gpu_facts, gpu_here

    if not gpu_here():
        return None
    facts: Device = gpu_facts()
    return Machine(
        "cuda", facts.name, facts.driver or "unknown", facts.l2_bytes or 64 << 20, GpuClock()
    )


def why_unusable(machine: Machine) -> str | None:
    """Run a small kernel of our own; return why kernels cannot be run here, or None.

    What fails in this kernel is the machine's fault: a missing C compiler, an old driver.
    """
    from triton_path.worker.doctor.doubling import wrong_result

    try:
        wrong = wrong_result(machine.device)
        machine.clock.wait()
    except Exception as fault:
        line = first_line(fault)
        return f"No kernel runs on {machine.name}: {line} Try: {mend(line)}"
    return None if wrong is None else f"On {machine.name} {wrong}. Try: triton-path doctor"


def use_gpu(device: str) -> None:
    """Undo what compiling without a GPU set up, and give descriptors a place to lie in.

    The person's own cache is used, so that compiling costs nothing the next time.
    """
    import triton

    if _own_cache is None:
        os.environ.pop(CACHE_VARIABLE, None)
    else:
        os.environ[CACHE_VARIABLE] = _own_cache
    if device != "cpu":
        triton.runtime.driver.reset_active()

    def scratch(size: int, _alignment: int, _stream: int | None) -> torch.Tensor:
        return torch.empty(size, device=device, dtype=torch.int8)

    triton.set_allocator(scratch)


def first_line(fault: BaseException) -> str:
    """Return the type and the first line of what an exception says, as a sentence."""
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    text = f"{type(fault).__name__}: {lines[0]}" if lines else type(fault).__name__
    return text if text.endswith((".", "!", "?")) else f"{text}."
