"""The GPU: who sees it, a real kernel on it, and how fast it copies."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.jobs.doctor import GpuFound
from triton_path.jobs.machine import gpu_device_here
from triton_path.worker.doctor.packages import one_line, torch_build

if TYPE_CHECKING:
    from triton_path.jobs.bench import Timing

COPY_BYTES = 1 << 30
"""Size of the copied tensor; less where less of the memory is free."""
MEMORY_SHARE = 8
DEFAULT_L2_BYTES = 64 << 20


def find_gpu() -> GpuFound:
    """Say what the driver and torch see; where torch can use a GPU, run a kernel and a copy."""
    if not _any_trace():
        return GpuFound()  # without the second and more that importing torch takes
    name, driver = _asked_of_driver()
    found = GpuFound(name=name, driver=driver, device_file=Path("/dev/nvidiactl").exists())
    try:
        torch = importlib.import_module("torch")
    except Exception as raised:
        return found.model_copy(update={"fault": f"torch does not import: {one_line(raised)}"})
    found = found.model_copy(update={"torch_build": torch_build(torch)})
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            available = torch.cuda.is_available()
        if not available:
            # torch tells as a warning why a GPU that is here cannot be used.
            reasons = [one_line(w.message) for w in told if isinstance(w.message, Warning)]
            return found.model_copy(update={"fault": reasons[-1] if reasons else None})
        return _used(found)
    except Exception as raised:
        return found.model_copy(update={"fault": one_line(raised)})


def _any_trace() -> bool:
    """Whether a driver's tool or device is here."""
    return shutil.which("nvidia-smi") is not None or gpu_device_here()


def _used(found: GpuFound) -> GpuFound:
    """Run the kernel, and only if it was right, time the copy."""
    import torch

    from triton_path.worker.bench.device import gpu_facts, gpu_here

    facts = gpu_facts()
    amd = torch.version.hip is not None
    about = torch.cuda.get_device_properties(torch.cuda.current_device())
    found = found.model_copy(
        update={
            "name": facts.name,
            "driver": facts.driver or found.driver,
            "capability": about.gcnArchName.split(":")[0] if amd else facts.capability,
            "usable": gpu_here(),
        }
    )
    if not found.usable:
        return found
    try:
        from triton_path.worker.doctor.doubling import wrong_result

        wrong = wrong_result("cuda")
        if wrong is not None:
            return found.model_copy(update={"fault": wrong})
        moved, timing = _time_copy(facts.l2_bytes or DEFAULT_L2_BYTES)
    except Exception as raised:
        # A missing C compiler, an illegal access: what is known of the GPU is told all the same.
        return found.model_copy(update={"fault": one_line(raised)})
    return found.model_copy(update={"copy_time": timing, "copy_bytes": moved})


def _time_copy(l2_bytes: int) -> tuple[int, Timing | None]:
    """Return the bytes that a copy reads and writes, and its time with a cold cache.

    None where the memory is taken by others: then there is no figure, and the rest stands.
    """
    import torch

    from triton_path.worker.bench.timing import time_on_gpu

    free, _ = torch.cuda.mem_get_info()
    size = min(COPY_BYTES, free // MEMORY_SHARE)
    try:
        source = torch.randint(-128, 127, (size,), dtype=torch.int8, device="cuda")
        target = torch.empty_like(source)
        return 2 * size, time_on_gpu({"copy": lambda: target.copy_(source)}, l2_bytes)["copy"]
    except torch.OutOfMemoryError:
        return 0, None


def _asked_of_driver() -> tuple[str | None, str | None]:
    """Return the name of the first GPU and the driver's version as nvidia-smi tells them."""
    if shutil.which("nvidia-smi") is None:
        return None, None
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None, None
    lines = asked.stdout.strip().splitlines()
    if asked.returncode != 0 or not lines:
        return None, None
    name, _, driver = lines[0].partition(",")
    return name.strip(), driver.strip() or None
