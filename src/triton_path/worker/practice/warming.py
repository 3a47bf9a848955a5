"""What a process imports ahead of the first check, so that a forked job has it at once."""

from __future__ import annotations

import importlib


def warm_up(*, interpreted: bool) -> None:
    """Import the grader, or the compiler. Raises whatever a broken installation does."""
    if interpreted:
        importlib.import_module("triton_path.worker.practice.check")
        return
    # torch's function modes, which stand in for CUDA, import torch._dynamo when first used.
    importlib.import_module("torch._dynamo")
    importlib.import_module("triton_path.worker.practice.compiling")
    from triton_path.worker.compiler.private import prepare_to_compile

    prepare_to_compile()
