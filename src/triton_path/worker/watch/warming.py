"""`kernel.warmup(...)`: host code that asks what the compiler made of a kernel, with no compiler.

The softmax tutorial sizes its grid by the registers and the shared memory of the compiled kernel.
What it gets here are figures of no kernel, which lead it to its launch.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from triton_path.worker.triton_private.names import InterpretedFunction

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.worker.triton_private.patching import Patches

REGISTERS = 32
SHARED_BYTES = 1024
NOTE = (
    f"warmup: the file was told {REGISTERS} registers and {SHARED_BYTES} B of shared memory, "
    "which are no figures of this kernel (triton-path inspect has them)"
)


class WarmedUp:
    """What `warmup` returns: a kernel that can be launched, with figures that are made up."""

    n_regs = REGISTERS
    n_spills = 0
    n_max_threads = 1024

    def __init__(self, kernel: Any, given: dict[str, Any]) -> None:
        """`given` are the keyword arguments of the warm-up, constexprs among them."""
        self._kernel = kernel
        self._given = given
        self.name = kernel.__name__
        self.asm = dict.fromkeys(("ttir", "ttgir", "llir", "ptx", "cubin"), "")
        warps = given.get("num_warps", 4)
        self.metadata = SimpleNamespace(
            name=self.name, shared=SHARED_BYTES, num_warps=warps, num_ctas=1, num_stages=3
        )
        self.num_warps = warps
        self.shared = SHARED_BYTES

    def _init_handles(self) -> None:
        """Load nothing."""

    def result(self) -> WarmedUp:
        """Return the kernel, as one that is compiled in the background does."""
        return self

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        """Return what launches on `grid`; constexprs that it is not given are the warm-up's."""

        def launch(*args: Any, **named: Any) -> Any:
            parameters = self._kernel.arg_names
            left = set(parameters[len(args) :]) - set(named)
            rest = {name: value for name, value in self._given.items() if name in left}
            return self._kernel[grid](*args, **{**rest, **named})

        return launch


def patch_warmup(patches: Patches, announce: Callable[[Any], object]) -> None:
    """Let a warm-up return a kernel; `announce` gets the function of each that was warmed up."""

    def warmup(kernel: Any, *_args: Any, **named: Any) -> Any:
        named.pop("grid", None)
        announce(kernel.fn)
        return WarmedUp(kernel, named)

    patches.put(InterpretedFunction, "warmup", warmup)
