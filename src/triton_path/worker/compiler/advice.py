"""What in a kernel's facts is worth a look, a sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.jobs.inspect import Facts

WIDE = 128
FEW_WARPS = 0.25
"""Share of a multiprocessor's warps below which the latency of memory is hard to hide."""


def advise(facts: Facts, target: str) -> tuple[str, ...]:
    """Return the advice for a kernel compiled for `target`."""
    return (*_shared(facts, target), *_spills(facts), *_tensor_cores(facts, target),
            *_widths(facts), *_occupancy(facts))  # fmt: skip


def _shared(facts: Facts, target: str) -> Iterator[str]:
    if facts.shared_bytes > facts.shared_limit:
        yield (
            f"It will not launch: {facts.shared_bytes} bytes of shared memory, and {target} gives "
            f"a program {facts.shared_limit}. Smaller tiles or fewer num_stages."
        )


def _spills(facts: Facts) -> Iterator[str]:
    if facts.spill_stores:
        yield (
            f"Registers do not suffice: each thread spills {facts.spill_stores} bytes to memory "
            "and loads them back. Smaller tiles, or more num_warps."
        )


def _tensor_cores(facts: Facts, target: str) -> Iterator[str]:
    if facts.dots and facts.instructions and not facts.tensor_cores:
        why = (
            "this Triton has no tensor-core code for sm_75"
            if target == "sm_75"
            else "float32 inputs with input_precision='ieee', or float64, do that"
        )
        yield f"tl.dot became ordinary multiply-adds, no tensor-core instruction: {why}."


def _widths(facts: Facts) -> Iterator[str]:
    plain = [a for a in facts.accesses if a.operation in ("load", "store", "async copy")]
    narrow = sorted({a.place.line for a in plain if a.bits < WIDE and a.place})
    wide = sorted({a.bits for a in plain if a.bits < WIDE})
    if narrow:
        lines = ", ".join(map(str, narrow))
        sizes = " and ".join(f"{bits // 8}" for bits in wide)
        yield (
            f"Line{'s' if len(narrow) > 1 else ''} {lines}: {sizes} bytes a thread at once; 16 "
            "take neighbouring addresses, pointers, strides and bounds divisible by 16, and 16 "
            "bytes of work a thread (block size, num_warps)."
        )


def _occupancy(facts: Facts) -> Iterator[str]:
    found = facts.occupancy
    if found is None or facts.shared_bytes > facts.shared_limit:
        return
    if found.warps < FEW_WARPS * found.most_warps and not facts.tensor_cores:
        yield (
            f"Few warps: {found.warps} of {found.most_warps} fit at once, limited by "
            f"{found.limiter}; loads then have little to hide behind."
        )
