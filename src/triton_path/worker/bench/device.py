"""What the GPU is, and the state it was in while it was measured."""

from __future__ import annotations

import shutil
import subprocess

import torch

from triton_path.jobs.bench import Clocks, Device

OLDEST = (7, 0)
"""Triton compiles for nothing older."""
FIELDS = ("clocks.sm", "clocks.mem", "power.draw", "temperature.gpu")
IDLE_BIT = 0x1
"""The throttle reason that only says there is no work."""
REASONS = {
    0x2: "clocks set by an application",
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x20: "thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "power brake",
}
"""Bits of clocks_event_reasons.active, from NVML's nvml.h."""


def gpu_here() -> bool:
    """Tell whether a GPU is here that Triton can compile for."""
    if not torch.cuda.is_available():
        return False
    return torch.version.hip is not None or torch.cuda.get_device_capability() >= OLDEST


def gpu_facts() -> Device:
    """Describe the current GPU as torch and the driver see it."""
    facts = torch.cuda.get_device_properties(torch.cuda.current_device())
    driver = _query("driver_version")
    return Device(
        kind="gpu",
        name=facts.name,
        capability=f"{facts.major}.{facts.minor}",
        multiprocessors=facts.multi_processor_count,
        l2_bytes=getattr(facts, "L2_cache_size", None) or 64 << 20,
        memory_bytes=facts.total_memory,
        driver=driver[0] if driver else None,
    )


def read_clocks(when: str) -> Clocks | None:
    """Return clocks, power and throttle reasons now, or None where nvidia-smi cannot tell."""
    values = _query(*FIELDS)
    if values is None:
        return None
    # Drivers before 535 call the field by its older name.
    active = _query("clocks_event_reasons.active") or _query("clocks_throttle_reasons.active")
    sm, memory, power, temperature = (_number(value) for value in values)
    return Clocks(
        when=when,
        sm_mhz=sm,
        memory_mhz=memory,
        power_w=power,
        temperature_c=temperature,
        throttle=describe_throttle(active[0]) if active else None,
    )


def describe_throttle(mask: str) -> str | None:
    """Turn nvidia-smi's bit mask ("0x0000000000000004") into words; None where it is no mask."""
    try:
        bits = int(mask, 16) & ~IDLE_BIT
    except ValueError:
        return None
    known = [text for bit, text in REASONS.items() if bits & bit]
    unknown = bits & ~sum(REASONS)
    return ", ".join(known + ([hex(unknown)] if unknown else [])) or "none"


def _query(*fields: str) -> list[str] | None:
    """Ask nvidia-smi for fields of the GPU that torch uses, whatever number it has there."""
    if shutil.which("nvidia-smi") is None:
        return None
    which = getattr(torch.cuda.get_device_properties(torch.cuda.current_device()), "uuid", None)
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"]
    if which is not None:
        command.append(f"--id=GPU-{which}")
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = asked.stdout.strip().splitlines()
    if asked.returncode != 0 or not lines:
        return None
    values = [value.strip() for value in lines[0].split(",")]
    return values if len(values) == len(fields) else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
