"""What else a bench needs or prints: a C++ compiler, the versions of what it measured."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import shutil
import sys


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
