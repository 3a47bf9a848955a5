"""Whether a package imports, and which version comes."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
from typing import TYPE_CHECKING

from triton_path.jobs.doctor import PackageFound

if TYPE_CHECKING:
    from types import ModuleType

    from triton_path.jobs.doctor import Package

EXACT_TRITON = re.compile(r"(?:pytorch-)?triton(?:-rocm|-xpu)?\s*\(?==\s*([^\s;,)]+)")
MOST_CHARACTERS = 200


def one_line(fault: BaseException) -> str:
    """Return what was raised on one line: messages of loaders and compilers run over pages."""
    first = next((line.strip() for line in str(fault).splitlines() if line.strip()), "")
    text = f"{type(fault).__name__}: {first}" if first else type(fault).__name__
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"


def find_package(name: Package) -> PackageFound:
    """Import `name`; a broken installation can raise anything, an OSError of a library included."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as fault:
        # A package that lacks another one is broken, not absent.
        return PackageFound() if fault.name == name else PackageFound(fault=one_line(fault))
    except Exception as fault:
        return PackageFound(fault=one_line(fault))
    version = getattr(module, "__version__", None)
    if version is None:
        # A folder named like the package, without the package in it, imports too.
        return PackageFound(fault=f"what imports as {name} has no version: {_where(module)}")
    if name != "torch":
        return PackageFound(version=str(version))
    return PackageFound(
        version=str(version), build=torch_build(module), wants_triton=_wanted_triton()
    )


def torch_build(torch: ModuleType) -> str:
    """Return what this torch was built for."""
    version = getattr(torch, "version", None)
    for attribute, name in (("cuda", "CUDA"), ("hip", "ROCm")):
        number = getattr(version, attribute, None)
        if number:
            return f"{name} {number}"
    return "CPU build"


def _where(module: ModuleType) -> str:
    return str(module.__file__ or next(iter(getattr(module, "__path__", ())), "nowhere"))


def _wanted_triton() -> str | None:
    """Return the version that torch's own metadata asks for; CPU builds name none."""
    try:
        wanted = importlib.metadata.requires("torch") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for requirement in wanted:
        exact = EXACT_TRITON.match(requirement)
        if exact and "extra ==" not in requirement:
            return exact[1]
    return None
