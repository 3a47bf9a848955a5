"""Which operations of a chain could be one kernel, and what would be left to move.

The rule, in the order of dispatch: elementwise operations and reductions along the last axis share
a kernel. A matrix product, and what is not known to fuse, stands alone. A reduction over rows ends
a kernel as soon as its result is used: no program knows it before all are done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.ledger import Part

if TYPE_CHECKING:
    from triton_path.worker.bench.counting import Counted, Op

ALONE = {
    "matrix product": "a matrix product: a tiled kernel of its own; at most its neighbours join it",
    "other": "not known to fuse",
}


def parts_of(counted: Counted) -> list[Part]:
    """Cut the operations into parts, each with its bytes now and as one kernel."""
    groups = _groups(counted.ops)
    parts = []
    first = 0
    for number, (group, why) in enumerate(groups):
        later = [op for other, _ in groups[number + 1 :] for op in other]
        alone = group[0].kind in ALONE
        now = sum(op.read + op.written for op in group)
        # What an operation moves when it stands alone is not lessened by calling it a part.
        fused = now if len(group) == 1 else min(now, _outside(group, later, counted.results))
        part = Part(
            first=first, ops=len(group), fusable=not alone, why=why, bytes_now=now,
            bytes_fused=fused,
        )  # fmt: skip
        parts.append(part)
        first += len(group)
    return parts


def _groups(ops: list[Op]) -> list[tuple[list[Op], str]]:
    groups: list[tuple[list[Op], str]] = []
    group: list[Op] = []
    whole: set[int] = set()

    def close(why: str) -> None:
        nonlocal group
        if group:
            groups.append((group, why))
        group = []
        whole.clear()

    for op in ops:
        if op.kind in ALONE:
            close(f"{op.name} comes next: {op.kind}")
            groups.append(([op], ALONE[op.kind]))
            continue
        if whole & set(op.reads):
            close(f"{op.name} needs the result of a reduction over all rows")
        group.append(op)
        if op.kind == "whole reduction":
            whole |= set(op.writes)
    close("")
    return groups


def _outside(group: list[Op], later: list[Op], results: dict[int, int]) -> int:
    """Return the bytes that come from outside of the group, and those that leave it."""
    made: dict[int, int] = {}
    read: dict[int, int] = {}
    for op in group:
        for storage, size in op.reads.items():
            if storage not in made:
                read[storage] = max(read.get(storage, 0), size)
        for storage, size in op.writes.items():
            made[storage] = max(made.get(storage, 0), size)
    needed = {storage for op in later for storage in op.reads} | set(results)
    return sum(read.values()) + sum(size for it, size in made.items() if it in needed)
