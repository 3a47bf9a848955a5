"""The ledger of the eager chain: its operations, their kernels, bytes and times."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.jobs.bench import Figure
from triton_path.jobs.ledger import Ledger, LedgerRow
from triton_path.worker.bench.fusing import parts_of

if TYPE_CHECKING:
    from triton_path.worker.bench.counting import Counted, Op

NO_OP = "-"


@dataclass(frozen=True)
class Ran:
    """A kernel that a GPU ran."""

    name: str
    within: tuple[tuple[int, str], ...] = ()
    """The operations that it was launched from, innermost first: which call, and its name."""


def ledger_of(
    counted: Counted, ran: list[Ran] | None = None, times: list[list[float]] | None = None
) -> Ledger:
    """Put together what was counted and, on a GPU, what ran.

    `times` has the microseconds of each of `ran`, of every profiled run.
    """
    parts = parts_of(counted)
    part_of = [number for number, part in enumerate(parts) for _ in range(part.ops)]
    pairs, stray = pair(counted.ops, ran or [])
    medians = [statistics.median(taken) for taken in times] if times else None
    costs = [
        sum(medians[index] for index in indices) if medians else float(op.read + op.written)
        for op, indices in zip(counted.ops, pairs, strict=True)
    ]
    costs += [medians[index] if medians else 0.0 for index in stray]
    total, so_far, rows = sum(costs) or 1.0, 0.0, []
    for number, cost in enumerate(costs):
        so_far += cost
        op = counted.ops[number] if number < len(pairs) else None
        indices = pairs[number] if op else [stray[number - len(pairs)]]
        rows.append(
            LedgerRow(
                op=op.name if op else NO_OP,
                op_kind=op.kind if op else "other",
                part=part_of[number] if op else None,
                kernels=tuple(ran[index].name for index in indices) if ran else (),
                read=op.read if op else None,
                written=op.written if op else None,
                time=Figure(value=cost, unit="us", kind="measured") if medians else None,
                share=cost / total,
                cumulative=so_far / total,
            )
        )
    note = ""
    if stray:
        note = f"{len(stray)} of {len(ran or [])} kernels belong to no operation that was counted."
    return Ledger(
        rows=tuple(rows),
        parts=tuple(parts),
        measured=medians is not None,
        runs=len(times[0]) if times else 0,
        note=note,
    )


def pair(ops: list[Op], ran: list[Ran]) -> tuple[list[list[int]], list[int]]:
    """Give each kernel to the operation that launched it; return those of each, and the rest.

    Both lists are in order, so an operation's kernels come behind those of the one before.
    """
    found: list[list[int]] = [[] for _ in ops]
    stray: list[int] = []
    claimed: dict[int, int] = {}
    at = 0
    for number, kernel in enumerate(ran):
        calls = {name.removeprefix("aten::"): call for call, name in reversed(kernel.within)}
        for index in range(at, len(ops)):
            call = calls.get(ops[index].name)
            if call is not None and claimed.setdefault(index, call) == call:
                found[index].append(number)
                at = index
                break
        else:
            stray.append(number)
    if stray and len(ops) == len(ran):
        # One kernel an operation, and the profiler does not tell which: their order does.
        return [[number] for number in range(len(ops))], []
    return found, stray
