"""What both sides ask of this machine; nothing heavy is imported to know it."""

from __future__ import annotations

import sys
from pathlib import Path

NO_TRITON_WHEELS = ("darwin", "win32")
"""Triton has packages for Linux only; as `sys.platform` has it."""
GPU_DEVICES = ("nvidia[0-9c]*", "nvhost*", "nvmap", "kfd", "dxg")
"""Device files of a GPU's driver: NVIDIA, Jetson, AMD, and WSL's way to either."""


def has_triton_wheels(platform: str = sys.platform) -> bool:
    """Tell whether Triton can be installed from a package on this system."""
    return not platform.startswith(NO_TRITON_WHEELS)


def gpu_device_here() -> bool:
    """Tell whether a driver shows a GPU; whether torch can use it is another question."""
    return any(path for name in GPU_DEVICES for path in Path("/dev").glob(name))


WARM_VARIABLE = "TRITON_PATH_WARM"
"""Environment variable that tells a worker what else to import ahead: `practice`."""
