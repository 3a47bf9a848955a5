"""What the compiler cannot do without, asked for before it is imported."""

from __future__ import annotations

import importlib

from triton_path.worker.missing import MissingHere


def require_compiler() -> None:
    """Raise MissingHere unless torch and Triton import."""
    for name in ("torch", "triton"):
        try:
            importlib.import_module(name)
        except Exception as fault:
            # A broken installation can raise anything, an OSError of a shared library included.
            first_line = (str(fault).splitlines() or [""])[0]
            message = f"{name} does not import: {type(fault).__name__}: {first_line}"
            if isinstance(fault, ModuleNotFoundError) and fault.name == name:
                message = f"{name} is not installed, and the compiler is in it or needs it."
            raise MissingHere(message, hint="triton-path doctor") from fault
