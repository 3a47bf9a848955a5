"""Every private name of Triton that the compiler uses, and what differs between 3.4 and 3.9.

Nothing here was promised to stay. What each name stands for:

- `JITFunction.run(*args, grid, warmup, **kwargs)`: every launch goes through it, autotuned or not.
  With `warmup=True` it specialises and compiles, and does not launch.
- `JITFunction.params`, `.fn`, `.src` (from `def` on, dedented).
- `Autotuner._bench`: times one configuration.
- `CompiledKernel._init_handles()`: loads it on the GPU; then `.n_regs`, `.n_spills` (local memory
  of a thread in words of 4 bytes) and `.function` (the driver's handle) are there.
- `HIPBackend.make_hsaco`, `.hash`: link the code object and name the linker; up to 3.5 they need
  ROCm's, which does not come with Triton.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import triton
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.compiler.errors import CompilationError
from triton.runtime.autotuner import Autotuner
from triton.runtime.errors import OutOfResources
from triton.runtime.jit import JITFunction, KernelInterface

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "Autotuner",
    "CompilationError",
    "GPUTarget",
    "JITFunction",
    "KernelInterface",
    "OutOfResources",
]

TOOLS = Path(triton.__file__).parent / "backends" / "nvidia" / "bin"
LIBRARY = str(Path(triton.__file__).parent)
Run = Any
"""A function in the place of JITFunction.run."""


class NoDriver(DriverBase):  # type: ignore[misc]
    """Stands where Triton asks the GPU's driver, and says what the target would."""

    def __init__(self, target: GPUTarget, device: int, properties: dict[str, int]) -> None:
        self.target = target
        self.device = device
        self.utils = _Utilities(properties)
        self.launcher_cls = _Launcher

    @classmethod
    def is_active(cls) -> bool:
        return True

    def map_python_to_cpp_type(self, ty: str) -> str:
        return ty

    def get_current_target(self) -> GPUTarget:
        return self.target

    def get_current_device(self) -> int:
        return self.device

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, _device: int | None = None) -> int:
        return 0

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cuda", 0)

    def get_benchmarker(self) -> Callable[..., list[float]]:
        return lambda *_, **__: [1.0, 1.0, 1.0]


class _Utilities:
    """The part of a driver that tells a device's properties and loads a binary."""

    def __init__(self, properties: dict[str, int]) -> None:
        self._properties = properties

    def get_device_properties(self, _device: int) -> dict[str, int]:
        return self._properties

    def load_binary(self, *_: object) -> tuple[int, int, int, int, int]:
        """Return module, function, registers, spills, most threads: no kernel is loaded."""
        return 0, 0, 32, 0, 1024


class _Launcher:
    """Launches nothing."""

    def __init__(self, *_: object) -> None:
        pass

    def __call__(self, *_: object, **__: object) -> None:
        pass


def set_driver(driver: DriverBase) -> None:
    """Make `driver` the one that Triton asks."""
    triton.runtime.driver.set_active(driver)


@contextmanager
def replaced(owner: Any, name: str, value: object) -> Iterator[Any]:
    """Replace an attribute of a class or module, give the old one, and put it back."""
    old = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield old
    finally:
        setattr(owner, name, old)


def jit_function(value: Any) -> Any:
    """Return the JITFunction inside of autotuners and heuristics; None where there is none."""
    while isinstance(value, KernelInterface) and not isinstance(value, JITFunction):
        value = getattr(value, "fn", None)
    return value if isinstance(value, JITFunction) else None


def load(compiled: Any) -> tuple[int, int, int]:
    """Load a kernel on the GPU; return its registers, its local bytes and the driver's handle."""
    compiled._init_handles()
    return int(compiled.n_regs), 4 * int(compiled.n_spills), int(compiled.function)


def skip_linking() -> None:
    """Keep AMD's backend from linking: the assembly tells all, and 3.4 has no linker with it."""
    # Not by its module's name: up to 3.5 Triton loads a copy of its own.
    backend = triton.backends.backends["amd"].compiler
    backend.make_hsaco = staticmethod(lambda *_, **__: b"")
    backend.hash = lambda self: str(self.target)


def source_text(function: Any) -> str:
    """Return the source of a JITFunction from `def` on."""
    return str(function.src)


def source_file(function: Any) -> str:
    """Return the file of a JITFunction."""
    return str(function.fn.__code__.co_filename)


def def_line(function: Any) -> int:
    """Return the line of `def`: below the decorators, where Triton counts from."""
    lines, first = inspect.getsourcelines(function.fn)
    return first + next((n for n, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)


def function_of(source: str | None) -> Any:
    """Return the JITFunction whose text is `source`: a CompilationError names no more than that."""
    if source is None:
        return None
    return next((item for item in _all_functions() if source_text(item) == source), None)


def settle_environment(cache: Path) -> None:
    """Set what Triton reads from the environment: its cache, and a warning of 3.9 not to give.

    A knob that is set holds, whatever the environment says later: a file that turns the
    interpreter on for itself is compiled all the same.
    """
    triton.knobs.runtime.interpret = False
    os.environ["TRITON_CACHE_DIR"] = str(cache)
    os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")


def functions_by_file(files: set[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the jitted functions of each file, as (line of `def`, name) in order."""
    found: dict[str, set[tuple[int, str]]] = {file: set() for file in files}
    for item in _all_functions():
        if source_file(item) in found:
            found[source_file(item)].add((def_line(item), item.__name__))
    return {file: sorted(functions) for file, functions in found.items()}


def _all_functions() -> list[Any]:
    # By type, not isinstance: that would ask proxies of other libraries what they stand for.
    return [item for item in gc.get_objects() if issubclass(type(item), JITFunction)]


def prepare_to_compile() -> None:
    """Do once what the first compilation of a process does: 0.4 s that a fork need not repeat.

    Triton hashes its own files for the keys of its cache, and imports Gluon when it first looks
    at an argument.
    """
    for name in ("triton.runtime.cache", "triton.compiler.compiler"):
        key = getattr(importlib.import_module(name), "triton_key", None)
        if key is not None:
            key()
            break
    with suppress(ImportError):
        importlib.import_module("triton.experimental.gluon")
