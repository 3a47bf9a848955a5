"""Reports of traces made by hand, for tests that need no worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triton_path.jobs.trace import Ran, Target, TraceAnswer, TraceReport
from triton_path.jobs.watch import (
    ArgumentCount,
    ArgumentEstimate,
    Extrapolation,
    Fault,
    LaunchReport,
    LineCount,
    LineEstimate,
    Ownership,
    Place,
    Program,
    WatchReport,
)
from triton_path.tutor.roofline import roofline

if TYPE_CHECKING:
    from triton_path.course.gpus import GpuTable

H200 = Target(
    id="h200", name="H200", bandwidth_gb_s=4800, fp32_tflops=67, bf16_tflops=989, sources=("a",)
)
SOURCE = "    a = tl.load(x_ptr + i)"


def place(line: int = 9, source: str = SOURCE, column: int = 8, end: int = 26) -> Place:
    return Place(
        file="/k/add.py", line=line, end_line=line, column=column, end_column=end,
        function="add", source=source,
    )  # fmt: skip


def argument(name: str, **changes: Any) -> ArgumentCount:
    return ArgumentCount(
        **{
            "name": name, "shape": (100,), "strides": (1,), "dtype": "float32",
            "loaded_bytes": 400, "stored_bytes": 0, "atomic_bytes": 0,
            "unique_loaded_bytes": 400, "unique_stored_bytes": 0, "redundancy": 1.0, **changes,
        }
    )  # fmt: skip


def line(**changes: Any) -> LineCount:
    return LineCount(
        **{
            "place": place(), "argument": "x_ptr", "access": "load", "executions": 4,
            "lanes": 128, "active_lanes": 100, "bytes_used": 400, "sectors": 13,
            "sector_efficiency": 0.96, **changes,
        }
    )  # fmt: skip


def owned(cells: list[list[int]], rows: int = 0, columns: int = 0) -> Ownership:
    down, across = rows or len(cells), columns or len(cells[0])
    shape = (across,) if down == 1 else (down, across)
    return Ownership(
        argument="o_ptr", shape=shape, rows=down, columns=across,
        cells=tuple(map(tuple, cells)),
    )  # fmt: skip


def launch(**changes: Any) -> LaunchReport:
    stored = argument("o_ptr", loaded_bytes=0, stored_bytes=400, unique_loaded_bytes=0,
                      unique_stored_bytes=400, redundancy=None)  # fmt: skip
    return LaunchReport(
        **{
            "kernel": "add", "place": place(7, "def add():"), "grid": (4, 1, 1), "programs": 4,
            "runs": 1, "dot_flops": 0, "arguments": (argument("x_ptr"), stored),
            "lines": (line(),), "notes": (),
            "ownership": (owned([[n // 25 for n in range(100)]]),), **changes,
        }
    )  # fmt: skip


def extrapolation(**changes: Any) -> Extrapolation:
    """Return what fits to `launch()`: a hundred programs, each of which moves 400 bytes."""
    ids = changes.get("ids", (0,))
    return Extrapolation(
        **{
            "programs": len(ids), "grid_programs": 100, "ids": ids, "chosen": "for time",
            "dot_flops": 0,
            "arguments": (
                ArgumentEstimate(name="x_ptr", loaded_bytes=20_000, stored_bytes=0, atomic_bytes=0),
                ArgumentEstimate(name="o_ptr", loaded_bytes=0, stored_bytes=20_000, atomic_bytes=0),
            ),
            "lines": (LineEstimate(bytes_used=20_000, sectors=625),), **changes,
        }
    )  # fmt: skip


def fault(**changes: Any) -> Fault:
    return Fault(
        **{
            "kind": "out-of-bounds-load", "severity": "fault", "sentence": "It reads `x`[5].",
            "why": "A GPU reads whatever lies there.", "remedy": "Give it a mask.",
            "place": place(), "kernel": "add", "launch": 0,
            "program": Program(id=(3, 0, 0), grid=(4, 1, 1), linear=3), **changes,
        }
    )  # fmt: skip


def watched(*launches: LaunchReport, faults: tuple[Fault, ...] = ()) -> WatchReport:
    return WatchReport(
        watched=True, unwatched_reason="", triton="3.7.1", launches=launches, faults=faults
    )


def answer(watch: WatchReport, ran: Ran | None = None, **changes: Any) -> TraceAnswer:
    fields = {"kernels": ("add", "unused"), "functions": ("main",), **changes}
    return TraceAnswer(watch=watch, ran=ran or Ran(), **fields)


def report(watch: WatchReport, table: GpuTable, **changes: Any) -> TraceReport:
    gpu = table.find("h200")
    rooflines = tuple(roofline(n, it, gpu, table) for n, it in enumerate(watch.launches))
    return TraceReport(
        **{
            "file": "/k/add.py", "everything": True, "target": H200, "watch": watch,
            "rooflines": rooflines, "ran": Ran(), **changes,
        }
    )  # fmt: skip
