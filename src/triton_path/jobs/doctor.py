"""The doctor's probes: one question to a process of its own, and what it found by trying."""

from __future__ import annotations

from typing import Literal

from triton_path.jobs.bench import Timing
from triton_path.jobs.messages import Message

Package = Literal["torch", "triton", "numpy"]
Probe = Package | Literal["interpreter", "compile", "gpu", "cxx"]


class ProbeJob(Message):
    """Try one thing. `interpreter` needs a worker that was started for the interpreter."""

    kind: Literal["doctor"] = "doctor"
    probe: Probe


class PackageFound(Message):
    """A package that was imported, or was not: with neither version nor fault it is not here."""

    version: str | None = None
    fault: str | None = None
    """What the import raised, on one line."""
    build: str | None = None
    """Of torch: `CUDA 12.8`, `ROCm 6.4` or `CPU build`."""
    wants_triton: str | None = None
    """Of torch: the one version of Triton that it was published with, where it names one."""


class Tried(Message):
    """A kernel that was run or compiled, and checked."""

    fault: str | None = None
    """What went wrong, on one line; None where the result was right."""
    did: str = ""
    """What was done and checked, in a few words."""


class CompilerFound(Message):
    """The C++ compiler that torch.compile would take."""

    command: str | None = None
    fault: str | None = None
    """What it said of a small program, on one line; None where the program ran."""
    lacks: tuple[Literal["Python.h", "OpenMP"], ...] = ()
    """What that program could do only without."""


class GpuFound(Message):
    """The GPU, as the driver and torch see it, and what a real kernel made of it."""

    name: str | None = None
    """None where neither the driver nor torch shows a GPU."""
    driver: str | None = None
    capability: str | None = None
    """Compute capability, `9.0`; on AMD the architecture's name, `gfx942`."""
    torch_build: str | None = None
    """As in PackageFound; None where torch does not import."""
    usable: bool = False
    """Whether torch can use it and Triton compiles for it."""
    device_file: bool = False
    """Whether the kernel shows an NVIDIA device, whatever the driver's tools say."""
    fault: str | None = None
    """Why it is not usable, or what the kernel did wrong, on one line."""
    copy_time: Timing | None = None
    """Of a copy on the GPU with a cold cache."""
    copy_bytes: int = 0
    """Bytes that the copy read plus those that it wrote."""
