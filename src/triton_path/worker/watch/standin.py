"""A driver for host code that asks what it runs on, where there is no GPU.

Tutorials choose configurations by it. It claims to be the target that kernels are compiled for
without a GPU, with tensors on the CPU, and refuses what would measure time.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import torch
import triton.testing

from triton_path.worker.triton_private.names import ACTIVE_DRIVER, GPUTarget, driver_config

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.worker.triton_private.patching import Patches

A100 = {
    "max_shared_mem": 166_912,
    "max_num_regs": 65_536,
    "multiprocessor_count": 108,
    "warpSize": 32,
}
"""Device properties as Triton names them: CUDA programming guide, compute capability 8.0."""


class StandIn:
    """What `triton.runtime.driver.active` is during a watch."""

    def __init__(self, refuse: Callable[[str], None]) -> None:
        """`refuse` raises; it gets the name of what was asked for."""
        self._refuse = refuse
        self.utils = _Utilities()

    def get_current_target(self) -> Any:
        """Return the target that is compiled for by default."""
        return GPUTarget("cuda", 80, 32)

    def get_active_torch_device(self) -> torch.device:
        """Return where tensors are."""
        return torch.device("cpu")

    def get_current_device(self) -> int:
        """Return the number of the only device."""
        return 0

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        asking = sys._getframe(1).f_code
        if asking.co_filename == triton.testing.__file__:
            self._refuse(f"triton.testing.{asking.co_name}")
        self._refuse(f"triton.runtime.driver.active.{name}")
        raise AssertionError("not reached")


class _Utilities:
    def get_device_properties(self, _device: int | None = None) -> dict[str, int]:
        """Return an A100's."""
        return dict(A100)


def patch_driver(patches: Patches, refuse: Callable[[str], None]) -> None:
    """Put the stand-in in place."""
    patches.put(driver_config, ACTIVE_DRIVER, StandIn(refuse))
