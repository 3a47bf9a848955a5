"""Proves, once in a process, that the watch works with the Triton that is installed."""

from __future__ import annotations

import functools

import torch
import triton
import triton.language as tl

from triton_path.worker.triton_private import names


@functools.cache
def reason_not_to_watch() -> str:
    """Return why kernels must run unwatched, or an empty string where all is well."""
    if not names.INTERPRETED:
        return "Triton was imported without TRITON_INTERPRET=1, so kernels are compiled."
    try:
        return _try_both()
    except Exception as fault:
        return (
            f"The watch does not work with Triton {names.VERSION}: {type(fault).__name__}: {fault}"
        )


def _try_both() -> str:
    """Run a kernel with a known fault, then a right one."""
    # Not before: both need this module.
    from triton_path.worker.watch.options import WatchOptions
    from triton_path.worker.watch.watching import watch

    options = WatchOptions(self_test=False)
    source, target = torch.arange(8.0), torch.zeros(8)
    with watch(options) as wrong:
        _copy[(1,)](source, target, 1)
    kinds = [fault.kind for fault in wrong.report.faults]
    if kinds != ["out-of-bounds-load"]:
        return f"The self-test on Triton {names.VERSION} missed a load out of bounds: {kinds}."
    with watch(options) as right:
        _copy[(1,)](source, target, 0)
    found = [fault.kind for fault in right.report.faults]
    if found or not torch.equal(source, target):
        return f"The self-test on Triton {names.VERSION} refused a right kernel: {found}."
    return ""


def _copy_block(source, target, shift, size: tl.constexpr = 8):  # type: ignore[no-untyped-def]
    lanes = tl.arange(0, size)
    tl.store(target + lanes, tl.load(source + lanes + shift))


_copy = triton.jit(_copy_block)
