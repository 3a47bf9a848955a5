"""How many programs fit on a multiprocessor at once.

NVIDIA's rules are those of its occupancy calculator: cuda_occupancy.h of the CUDA toolkit, which
also lies among Triton's files (backends/nvidia/include).
"""

from __future__ import annotations

from triton_path.jobs.inspect import Occupancy
from triton_path.worker.compiler.targets import REGISTERS, Target

PARTITIONS = 4
"""Of a multiprocessor; each has a quarter of the registers and of the warps."""
REGISTER_UNIT = 256
"""Registers are given to a warp in multiples of this."""
RESERVED_SHARED = 1024
"""Bytes that the system takes of each program's shared memory, from capability 8.0 on."""
RULES = "cuda_occupancy.h"


def nvidia_occupancy(
    target: Target, registers: int, warps: int, shared_bytes: int, lanes: int = 32
) -> Occupancy:
    """Predict the programs that a multiprocessor holds.

    `registers` are of a thread, `warps` and `shared_bytes` of a program. The formula that is given
    with the result rounds down at every division.
    """
    per_warp = _up(max(1, registers) * lanes, REGISTER_UNIT)
    partition = REGISTERS // PARTITIONS
    # A launch is checked as if it took warps of all partitions alike; then they are packed.
    launches = per_warp * _up(warps, PARTITIONS) <= REGISTERS
    limits = {
        "programs": target.programs,
        "warps": target.warps // warps,
        "registers": PARTITIONS * (partition // per_warp) // warps if launches else 0,
    }
    terms = [
        f"{target.programs} programs",
        f"{target.warps} warps / {warps}",
        f"{PARTITIONS} * floor({partition} registers / {per_warp}) / {warps}",
    ]
    if shared_bytes:
        modern = int(target.arch) >= 80
        unit, reserved = (128, RESERVED_SHARED) if modern else (256, 0)
        size, room = _up(shared_bytes + reserved, unit), target.shared_kib * 1024
        limits["shared memory"] = room // size
        terms.append(f"{room} bytes / {size}")
    return _occupancy(target, limits, warps, terms, f"rules: {RULES}; limits: {target.source}")


def amd_occupancy(target: Target, waves_a_simd: int, warps: int, shared_bytes: int) -> Occupancy:
    """Predict the same from `waves_a_simd`, which LLVM derives from the registers."""
    limits = {"registers": waves_a_simd * PARTITIONS // warps}
    terms = [f"{PARTITIONS} * {waves_a_simd} waves / {warps}"]
    if shared_bytes:
        room = target.shared_kib * 1024
        limits["shared memory"] = room // shared_bytes
        terms.append(f"{room} bytes / {shared_bytes}")
    return _occupancy(target, limits, warps, terms, target.source)


def _occupancy(
    target: Target, limits: dict[str, int], warps: int, terms: list[str], source: str
) -> Occupancy:
    limiter = min(limits, key=lambda name: limits[name])
    programs = limits[limiter]
    return Occupancy(
        programs=programs,
        warps=programs * warps,
        most_warps=target.warps,
        limits=limits,
        limiter=limiter,
        formula=f"min({', '.join(terms)})",
        source=source,
    )


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
