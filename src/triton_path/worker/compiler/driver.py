"""What CUDA's driver tells of a kernel that is loaded; Triton has no name for it."""

from __future__ import annotations

import ctypes
import re
from typing import Any

THREADS = re.compile(r"^\s*\.(?:req|max)ntid (\d+)", re.MULTILINE)
LANES = 32


def most_programs(function: int, compiled: Any) -> int | None:
    """Return how many programs a multiprocessor holds at once, by the driver's own rules.

    `function` is its handle. None where there is no CUDA driver.
    """
    found = ctypes.c_int()
    # The PTX has the threads: with warp specialisation there are more than num_warps says.
    threads = THREADS.search(compiled.asm.get("ptx", ""))
    size = int(threads[1]) if threads else compiled.metadata.num_warps * LANES
    try:
        ask = ctypes.CDLL("libcuda.so.1").cuOccupancyMaxActiveBlocksPerMultiprocessor
    except (OSError, AttributeError):
        return None
    failed = ask(
        ctypes.byref(found),
        ctypes.c_void_p(function),
        ctypes.c_int(size),
        ctypes.c_size_t(compiled.metadata.shared),
    )
    return None if failed else found.value
