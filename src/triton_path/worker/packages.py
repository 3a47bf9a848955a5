"""The packages that every job with a kernel needs, asked for before they are used."""

from __future__ import annotations

import importlib

from triton_path.jobs.machine import has_triton_wheels
from triton_path.worker.missing import MissingHere


def require_packages() -> None:
    """Raise MissingHere unless torch and triton import."""
    for name in ("torch", "triton"):
        try:
            importlib.import_module(name)
        except Exception as fault:
            # A broken installation can raise anything, an OSError of a shared library included.
            raise _missing(name, fault) from fault


def _missing(name: str, fault: Exception) -> MissingHere:
    if name == "triton" and not has_triton_wheels():
        return MissingHere(
            "Triton has packages for Linux only, and this needs it: use Linux, or WSL.",
            hint="triton-path doctor",
        )
    if isinstance(fault, ModuleNotFoundError) and fault.name == name:
        return MissingHere(f"{name} is not installed.", hint=f"python -m pip install {name}")
    first_line = (str(fault).splitlines() or [""])[0]
    return MissingHere(
        f"{name} is installed but does not import: {type(fault).__name__}: {first_line}",
        hint=f"python -m pip install --force-reinstall {name}",
    )
