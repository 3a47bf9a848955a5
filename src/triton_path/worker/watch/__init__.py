"""The memory watch: runs Triton kernels on a CPU and finds what a GPU would hide.

    from triton_path.worker.watch import WatchOptions, watch

    with watch(WatchOptions(outputs=("out",))) as w:
        kernel[grid](x, out, n, BLOCK=64)
    w.report.ok        # False if anything but advice was found
    w.report.faults    # what is wrong, where, why it matters, what to try
    w.report.launches  # bytes, sectors and flops of each launch

`WatchOptions()` has the checks that cost nothing to speak of, `WatchOptions.everything()` all of
them. A fault that stops a kernel ends the block without an exception; other exceptions of the
block pass. Tensors on the meta device take part without storage: their loads give zero. It needs
TRITON_INTERPRET=1 from before Triton was imported; otherwise, or where the self-test fails,
`report.watched` is False, kernels run as Triton runs them, and the reason is in the report.

How it works, in the order to read it: `memory` gives each tensor argument addresses of its own;
`access` turns blocks of pointers into checked offsets; `run` passes every access through the
checks (`races`, `undefined`, `overflow`, `counting`); `launch` runs the grid and words what stops
it; `reruns` runs it again where the order of programs or masked lanes may matter; `watching` puts
everything in place.
"""

from triton_path.worker.watch.options import WatchOptions
from triton_path.worker.watch.stops import KernelStopped
from triton_path.worker.watch.watching import Watch, watch

__all__ = ["KernelStopped", "Watch", "WatchOptions", "watch"]
