"""Verdicts made by hand, for tests that need no worker."""

from __future__ import annotations

from typing import Any

from tests import traces
from triton_path.jobs.bench import Timing
from triton_path.jobs.inspect import Place as CompilerPlace
from triton_path.jobs.inspect import Rejection
from triton_path.jobs.practice import (
    CaseLabel,
    CaseResult,
    Cell,
    Diagnosis,
    Finding,
    GpuResult,
    Mismatch,
    Provider,
    Verdict,
)
from triton_path.jobs.watch import Lanes, Place, Program

FILE = "/home/you/triton-path-exercises/vector_add.py"
LINES = (
    "@triton.jit",
    "def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):",
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)",
    "    x = tl.load(x_ptr + i)",
    "    y = tl.load(y_ptr + i)",
    "    tl.store(out_ptr + i, x + y)",
)
SOURCES = {FILE: ("",) * 30 + LINES}
RAGGED = CaseLabel(number=2, of=6, sizes={"n": 1000}, dtype="float32", why="a ragged last block")
DRAWN = CaseLabel(
    number=6, of=6, sizes={"n": 1733}, dtype="float16", fresh=True,
    why="sizes drawn anew for each check",
)  # fmt: skip


def place(line: int = 34, column: int | None = 8, end: int | None = 26) -> Place:
    return Place(
        file=FILE, line=line, end_line=line, column=column, end_column=end,
        function="add_kernel", source=LINES[line - 31],
    )  # fmt: skip


def out_of_bounds(**changes: Any) -> Finding:
    lanes = Lanes(
        access="load", argument="x_ptr", shape=(1000,), dtype="float32", offset=1000,
        index=None, lane=(232,), offending=24, active=256, lanes=256, masked=False,
    )  # fmt: skip
    sentence = (
        "This load reads `x_ptr`[1000], but `x_ptr` has shape [1000] (float32) (program 3 of 4, "
        "lane [232]; 24 of 256 active lanes). It has no mask."
    )
    why = (
        "A GPU reads whatever lies there, which may be another tensor, or ends your process with "
        "an illegal memory access."
    )
    remedy = (
        "Give it `mask=offsets < n`: the last block of a grid mostly reaches past the end, since "
        "blocks are powers of two and tensors are not."
    )
    fault = traces.fault(
        place=place(), sentence=sentence, why=why, remedy=remedy, kernel="add_kernel",
        program=Program(id=(3, 0, 0), grid=(4, 1, 1), linear=3), lanes=lanes,
    )  # fmt: skip
    return Finding(
        **{
            "kind": fault.kind, "stage": "memory", "sentence": sentence, "why": why,
            "remedy": remedy, "place": place(), "case": RAGGED, "fault": fault,
            "diagnosis": Diagnosis(
                name="a missing mask on the last, ragged block",
                read="programs-and-blocks: the mask", file="no_mask.py",
            ),
            **changes,
        }
    )  # fmt: skip


def never_written(**changes: Any) -> Finding:
    return Finding(
        **{
            "kind": "never-written", "stage": "unwritten", "case": RAGGED,
            "sentence": "No program writes 232 of 1000 elements of `out`, the first is out[768].",
            "why": "They keep what was in memory before.",
            "remedy": "Let the grid cover all elements: `triton.cdiv(n, BLOCK)` programs.",
            **changes,
        }
    )  # fmt: skip


def vector_mismatch(**changes: Any) -> Mismatch:
    cells = tuple(
        Cell(expected=f"{0.37 * n:.4g}", got="0" if n >= 976 else f"{0.37 * n:.4g}", wrong=n >= 976)
        for n in range(972, 982)
    )
    return Mismatch(
        **{
            "output": "out", "shape": (1000,), "dtype": "float32", "wrong": 24, "total": 1000,
            "first": (976,), "expected": "361.1", "got": "0", "difference": "369.6",
            "tolerance": "2 units in the last place of float32 + 4.8e-07 x magnitude",
            "patterns": ("every wrong element is zero", "wrong from element 976 on, right before"),
            "columns": tuple(range(972, 982)), "cells": (cells,), **changes,
        }
    )  # fmt: skip


def matrix_mismatch() -> Mismatch:
    cells = tuple(
        tuple(
            Cell(expected=f"{r + c / 8:.3f}", got=f"{c + r / 8:.3f}", wrong=r != c)
            for c in range(8)
        )
        for r in range(8)
    )
    return vector_mismatch(
        shape=(32, 32), wrong=992, total=1024, first=(0, 1), rows=tuple(range(8)),
        columns=tuple(range(8)), cells=cells, patterns=("it is transposed",),
    )  # fmt: skip


def wrong_values(mismatch: Mismatch | None = None, **changes: Any) -> Finding:
    return Finding(
        **{
            "kind": "wrong-values", "stage": "values", "case": DRAWN,
            "sentence": "`out` is wrong: 24 of 1000 elements are outside of the tolerance; "
            "out[976] is 0, expected 361.1.",
            "why": "Tolerated: 2 units in the last place of float32 + 4.8e-07 x magnitude.",
            "mismatch": mismatch or vector_mismatch(), **changes,
        }
    )  # fmt: skip


def rejected() -> Finding:
    at = CompilerPlace(file=FILE, line=33, source=LINES[2])
    return Finding(
        kind="compiler-rejects", stage="compile",
        sentence="The compiler says: arange's range must be a power of 2",
        remedy="make BLOCK a power of two and mask what is too much",
        rejection=Rejection(
            message="arange's range must be a power of 2", hint="", place=at, column=35
        ),
    )  # fmt: skip


def raised() -> Finding:
    return Finding(
        kind="raised", stage="crash", case=RAGGED, place=place(36, None, None),
        sentence="Your function raised NameError: name 'BLOCKS' is not defined.",
        traceback=(
            "Traceback (most recent call last):\n"
            '  File "vector_add.py", line 44, in vector_add\n'
            "    add_kernel[(triton.cdiv(n, BLOCKS),)](x, y, out, n, BLOCK=BLOCK)\n"
            "NameError: name 'BLOCKS' is not defined"
        ),
    )  # fmt: skip


def advice(line: int = 33) -> Finding:
    return Finding(
        kind="offset-overflow", stage="advice", place=place(line),
        sentence="From 2,147,483,648 elements on, this offset overflows 32 bits.",
    )  # fmt: skip


def timing(value: float) -> Timing:
    return Timing(value=value, unit="us", kind="measured", p20=value - 1, p80=value + 2, n=200)


def gpu(**changes: Any) -> GpuResult:
    rows = (("yours", 102.0, 0.95), ("eager", 103.0, 0.94), ("torch.compile", 101.0, 0.96))
    return GpuResult(
        **{
            "device": "NVIDIA H200", "driver": "580.159.04", "torch": "2.11.0", "triton": "3.6.0",
            "date": "2026-12-01T09:00:00+00:00", "cases": 6,
            "agreement": "within 1 unit in the last place of the interpreter's in all 6 cases",
            "label": "n = 67108864, float16",
            "limit": "a stream that reads 2 and writes 1 as large",
            "limit_time": timing(97.0),
            "providers": tuple(
                Provider(name=name, time=timing(time), of_limit=share) for name, time, share in rows
            ),
            **changes,
        }
    )  # fmt: skip


def _result(label: CaseLabel, *, passed: bool = True) -> CaseResult:
    return CaseResult(
        label=label, passed=passed, error="3 %", launches=("add_kernel[4, 1, 1] BLOCK=256",)
    )


def failed(*findings: Finding, **changes: Any) -> Verdict:
    return Verdict(
        **{
            "exercise": "vector-add", "title": "Add two vectors", "file": FILE, "passed": False,
            "stars": 0, "seed": 4711, "findings": findings or (out_of_bounds(),),
            "cases": (_result(RAGGED, passed=False),), "planned": 6,
            "checked": ("under the memory watch, in Triton's interpreter",), "seconds": 0.3,
            **changes,
        }
    )  # fmt: skip


def passed(**changes: Any) -> Verdict:
    first = CaseLabel(
        number=1, of=6, sizes={"n": 1024}, dtype="float32", why="a whole number of blocks"
    )
    return Verdict(
        **{
            "exercise": "vector-add", "title": "Add two vectors", "file": FILE, "passed": True,
            "stars": 1, "seed": 4711, "findings": (),
            "cases": (_result(first), _result(RAGGED), _result(DRAWN)), "planned": 3,
            "checked": (
                "3 cases under the memory watch, in Triton's interpreter: bounds, races, order",
                "1 launch compiled for sm_80; not run on a GPU: this machine has none",
            ),
            "tolerance": "2 units in the last place of float32 + 4.8e-07 x magnitude",
            "seconds": 0.3, **changes,
        }
    )  # fmt: skip
