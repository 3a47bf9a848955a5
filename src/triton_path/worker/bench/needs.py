"""What a bench cannot do without, asked for before anything runs."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import shutil
import sys

from triton_path.worker.missing import MissingHere

NO_TRITON_WHEELS = ("darwin", "win32")


def require_packages() -> None:
    """Raise MissingHere unless torch and triton import."""
    for name in ("torch", "triton"):
        try:
            importlib.import_module(name)
        except Exception as fault:
            # A broken installation can raise anything, an OSError of a shared library included.
            raise _missing(name, fault) from fault


def _missing(name: str, fault: Exception) -> MissingHere:
    if name == "triton" and sys.platform in NO_TRITON_WHEELS:
        return MissingHere(
            "Triton has packages for Linux only, and a bench needs its kernel.",
            hint="triton-path bench fused-transformer   (on Linux, or inside WSL)",
        )
    if isinstance(fault, ModuleNotFoundError) and fault.name == name:
        return MissingHere(f"{name} is not installed.", hint=f"python -m pip install {name}")
    first_line = (str(fault).splitlines() or [""])[0]
    return MissingHere(
        f"{name} is installed but does not import: {type(fault).__name__}: {first_line}",
        hint=f"python -m pip install --force-reinstall {name}",
    )


def cpp_compiler() -> str | None:
    """Return the C++ compiler that torch.compile would use on a CPU, or None."""
    for name in (os.environ.get("CXX"), "g++", "clang++"):
        if name and shutil.which(name):
            return name
    return None


def mend(message: str) -> str:
    """Return the command that most likely mends a failed first launch on a GPU."""
    if "compiler" in message.lower():
        return "sudo apt install gcc   (Triton builds a small C stub for each machine)"
    return "python -m pip install --upgrade torch triton"


def versions() -> dict[str, str]:
    """Return the versions that a figure depends on."""
    found = {"python": sys.version.split()[0]}
    for name in ("torch", "triton", "numpy", "triton-path"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            # A source folder on PYTHONPATH has no metadata; a package from a system may lack it.
            module = importlib.import_module(name.replace("-", "_"))
            found[name] = getattr(module, "__version__", "unknown")
    return found
