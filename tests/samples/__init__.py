"""Kernels in files, as a person would write them; tests copy them and change them.

Nothing here is imported: each is read as text and run by the command that is tested.
"""

from __future__ import annotations

from pathlib import Path


def sample(name: str) -> str:
    """Return the text of a file of this folder."""
    return (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8")
