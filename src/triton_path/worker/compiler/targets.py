"""What each GPU architecture can hold: the limits that occupancy and shared memory run into.

NVIDIA: CUDA C++ Programming Guide, appendix Compute Capabilities, table Technical Specifications
(https://docs.nvidia.com/cuda/cuda-c-programming-guide/#compute-capabilities). AMD: LLVM's AMDGPU
backend and AMD's ISA guides; a compute unit has four SIMD units.
"""

from __future__ import annotations

from dataclasses import dataclass

NVIDIA_SOURCE = "CUDA C++ Programming Guide"
AMD_SOURCE = "waves: LLVM's comment in the assembly; limits: AMD CDNA ISA guides"


@dataclass(frozen=True)
class Target:
    """An architecture; a multiprocessor is a compute unit at AMD."""

    backend: str
    arch: int | str
    warp_lanes: int
    warps: int
    """Most warps that a multiprocessor holds."""
    programs: int
    """Most programs that it holds."""
    shared_kib: int
    """Shared memory of a multiprocessor, KiB; the largest part of L1 that can be had for it."""
    program_shared_kib: int
    """Most that one program may have, KiB."""
    multiprocessors: int
    """Of a typical GPU: a file that asks for the count gets this one."""
    source: str


def _nvidia(
    arch: int, warps: int, programs: int, shared: int, program_shared: int, multiprocessors: int
) -> Target:
    return Target(
        "cuda", arch, 32, warps, programs, shared, program_shared, multiprocessors, NVIDIA_SOURCE
    )


TARGETS = {
    "sm_75": _nvidia(75, 32, 16, 64, 64, 40),
    "sm_80": _nvidia(80, 64, 32, 164, 163, 108),
    "sm_86": _nvidia(86, 48, 16, 100, 99, 82),
    "sm_89": _nvidia(89, 48, 24, 100, 99, 128),
    "sm_90": _nvidia(90, 64, 32, 228, 227, 132),
    "sm_100": _nvidia(100, 64, 32, 228, 227, 148),
    "sm_120": _nvidia(120, 48, 24, 100, 99, 170),
    "gfx90a": Target("hip", "gfx90a", 64, 32, 32, 64, 64, 110, AMD_SOURCE),
    "gfx942": Target("hip", "gfx942", 64, 32, 32, 64, 64, 304, AMD_SOURCE),
}
"""The keys are those of `jobs.inspect.TARGETS`."""

REGISTERS = 65536
"""32-bit registers of an NVIDIA multiprocessor, on all of these."""
MOST_REGISTERS = 255
"""Of one thread; the compiler spills beyond."""
