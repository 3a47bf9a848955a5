"""Compiles one launch for one target, with the specialisation that the launch would get."""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_path.jobs.inspect import LISTINGS
from triton_path.worker.compiler import private
from triton_path.worker.compiler.arguments import unaligned
from triton_path.worker.compiler.capture import bound
from triton_path.worker.compiler.targets import TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.jobs.inspect import Build, Scalar
    from triton_path.worker.compiler.capture import Recorded
    from triton_path.worker.compiler.targets import Target

_device = itertools.count()
"""Triton keeps the target of each device number, so every target gets a number of its own."""
_devices: dict[str, int] = {}


@dataclass
class Made:
    """What the compiler gave."""

    target: Target
    texts: dict[str, str]
    """The listings, by their names in LISTINGS."""
    cubin: bytes | None
    metadata: Any
    warned: list[str] = field(default_factory=list)
    """Warnings at the person's lines, in the compiler's words."""


@dataclass
class Refused(Exception):
    """The compiler did not take the kernel."""

    fault: BaseException
    printed: str
    """What its C++ part wrote, which may name the line."""


def use_target(name: str) -> Target:
    """Make Triton compile for the target `name`, with no driver and no GPU."""
    target = TARGETS[name]
    if name not in _devices:
        _devices[name] = next(_device)
    properties = {
        "max_shared_mem": target.program_shared_kib * 1024,
        "multiprocessor_count": target.multiprocessors,
        "max_num_regs": 65536,
        "warpSize": target.warp_lanes,
    }
    gpu = private.GPUTarget(target.backend, target.arch, target.warp_lanes)
    private.set_driver(private.NoDriver(gpu, _devices[name], properties))
    return target


def varied(launch: Recorded, build: Build, constants: dict[str, Scalar]) -> Recorded:
    """Return the launch with the options, constexprs and alignment of `build`."""
    values = bound(launch.kernel, launch.arguments, launch.named)
    constexprs = {p.name for p in launch.kernel.params if p.is_constexpr}
    if build.unaligned:
        values = {n: v if n in constexprs else unaligned(v) for n, v in values.items()}
    options = {name: value for name, value in launch.named.items() if name not in values}
    asked = {"num_warps": build.num_warps, "num_stages": build.num_stages}
    options |= {name: value for name, value in asked.items() if value is not None}
    named = {**values, **constants, **build.constants, **options}
    return replace(launch, arguments=(), named=named)


def make(launch: Recorded, target_name: str) -> Made:
    """Compile. Raises Refused where the compiler rejects the kernel."""
    target = use_target(target_name)
    if target.backend == "hip":
        private.skip_linking()
    with _printed() as printed, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            compiled = launch.kernel.run(*launch.arguments, grid=None, warmup=True, **launch.named)
        except Exception as fault:
            raise Refused(fault, printed()) from fault
    texts = {name: compiled.asm[name] for name in LISTINGS if dict.__contains__(compiled.asm, name)}
    own = [w for w in warned if not w.filename.startswith(private.LIBRARY)]
    told = [f"line {w.lineno}: {w.message}" for w in own]
    cubin = compiled.asm["cubin"] if target.backend == "cuda" else None
    return Made(target, texts, cubin, compiled.metadata, list(dict.fromkeys(told)))


@contextlib.contextmanager
def _printed() -> Iterator[Any]:
    """Give a function that returns what was written to stderr, by C++ as well, so far."""
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield lambda: os.pread(file.fileno(), 1 << 20, 0).decode(errors="replace")
        finally:
            os.dup2(kept, 2)
            os.close(kept)


@contextlib.contextmanager
def cache() -> Iterator[None]:
    """Give Triton a cache of its own for the time of a job: what is in it names files and lines.

    In memory where that is possible: Triton makes and removes a dozen folders for each kernel.
    """
    memory = "/dev/shm"  # noqa: S108 -- a folder of our own is made in it
    place = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="triton-path-", dir=place) as folder:
        private.settle_environment(Path(folder))
        yield
