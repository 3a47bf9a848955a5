"""Checking a learner's kernel: what to check, and the verdict.

A check takes two jobs in two processes, as Triton decides between interpreter and compiler when it
is imported: `CheckJob` runs the file in the interpreter under the memory watch, `CompileJob`
compiles its launches and, on a GPU, runs and times them. `Verdict` is both together; it is also the
document that `--json` prints.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field

from triton_path.jobs.bench import Timing as Measured
from triton_path.jobs.grading import Grading
from triton_path.jobs.inspect import Rejection
from triton_path.jobs.messages import Message
from triton_path.jobs.watch import Fault, Place

SCHEMA: Literal["triton-path/practice/1"] = "triton-path/practice/1"
TARGET = "sm_80"
"""What a kernel is compiled for where there is no GPU."""

Stage = Literal[
    "import", "compile", "crash", "rules", "memory", "unwritten", "values", "order", "advice"
]
"""In the order of a verdict: what keeps the kernel from running at all comes first."""
STAGES: tuple[Stage, ...] = get_args(Stage)
DONE = "done"
"""File that the interpreter's job makes when all its results are kept."""


class Mistake(Message):
    """A wrong solution that the exercise keeps, to tell a learner's mistake by its name."""

    path: str
    name: str
    """Such as "a missing mask on a ragged last block"."""
    read: str
    """What to read again."""
    fault: str
    """Kind of the fault that a check finds first."""


class CheckJob(Message):
    """Check a file in the interpreter; the worker must have been started for it."""

    kind: Literal["check"] = "check"
    path: str
    exercise: str
    reference: str
    """Path of reference.py."""
    grading: Grading
    seed: int
    mistakes: tuple[Mistake, ...] = ()
    keep: str | None = None
    """Folder that takes the results of each case, for the comparison with a GPU's."""
    seconds: float = 60.0
    """Longest time for all cases. A launch may take a part of it: an endless loop is told sooner
    than a slow kernel is given up."""


class SeedsJob(Message):
    """Tell with which data a wrong file passes; the worker must have been started for it."""

    kind: Literal["seeds"] = "seeds"
    path: str
    reference: str
    """Path of reference.py."""
    grading: Grading
    seeds: tuple[int, ...]


class SeedsAnswer(Message):
    """The seeds of a `SeedsJob` with which no case fails in the interpreter."""

    passed: tuple[int, ...]


class CompileJob(Message):
    """Compile the launches of a file's cases, and run and time them where a GPU is there.

    Needs a process without TRITON_INTERPRET.
    """

    kind: Literal["compile"] = "compile"
    path: str
    exercise: str
    reference: str
    grading: Grading
    seed: int
    mistakes: tuple[Mistake, ...] = ()
    target: str = TARGET
    time_it: bool = True
    """On a GPU: time the large case as well."""
    kept: str | None = None
    """Folder with the interpreter's results; see `CheckJob.keep`."""


class CaseLabel(Message):
    """A case: its sizes, dtype and layouts, and what it is for."""

    number: int
    """From 1."""
    of: int
    sizes: dict[str, int]
    dtype: str
    layouts: dict[str, str] = Field(default_factory=dict)
    why: str = ""
    fresh: bool = False


class Cell(Message):
    """One element of a picture of wrong values."""

    expected: str
    got: str
    wrong: bool


class Mismatch(Message):
    """Where an output is wrong."""

    output: str
    shape: tuple[int, ...]
    dtype: str
    wrong: int
    """Elements outside of the tolerance."""
    total: int
    first: tuple[int, ...]
    """Index of the first of them."""
    expected: str
    got: str
    difference: str
    """Largest difference, NaN where one is."""
    tolerance: str
    """The formula with its numbers, in words."""
    patterns: tuple[str, ...] = ()
    """What the wrong elements have in common, the most telling first."""
    rows: tuple[int, ...] = ()
    """Row numbers of the picture; empty for a vector (one row)."""
    columns: tuple[int, ...] = ()
    cells: tuple[tuple[Cell, ...], ...] = ()


class Diagnosis(Message):
    """A known mistake that fails in the same way."""

    name: str
    read: str
    file: str
    """Name of the wrong solution, without its folder."""


class Finding(Message):
    """One thing that is wrong, or advice."""

    kind: str
    """Stable name: a kind of the watch, or one of the grader's own."""
    stage: Stage
    sentence: str
    why: str = ""
    remedy: str = ""
    place: Place | None = None
    case: CaseLabel | None = None
    fault: Fault | None = None
    """The watch's own words, where it found this."""
    rejection: Rejection | None = None
    """The compiler's, where it did."""
    mismatch: Mismatch | None = None
    traceback: str = ""
    """Of what the file raised, its own lines only."""
    diagnosis: Diagnosis | None = None

    @property
    def advice(self) -> bool:
        """Whether the solution passes all the same."""
        return self.stage == "advice"


class CaseResult(Message):
    """How one case went."""

    label: CaseLabel
    passed: bool
    error: str = ""
    """Largest difference over what is tolerated, in percent: `3 %`."""
    launches: tuple[str, ...] = ()
    """The kernels that were launched: name, grid and constants, such as `add[4, 1, 1] BLOCK=32`."""


class CheckAnswer(Message):
    """What the interpreter found; no findings but advice: it passed there."""

    findings: tuple[Finding, ...]
    cases: tuple[CaseResult, ...]
    planned: int
    """Cases that there are. Fewer are run where the time is over, or a loop did not end."""
    watched: bool
    unwatched_reason: str = ""
    printed: tuple[str, ...] = ()
    """The last lines that the file printed."""
    tolerance: str = ""
    """How results were compared, in words."""


class Provider(Message):
    """One way to compute the timed case."""

    name: str
    time: Measured
    of_limit: float | None
    """Share of the limit that it reaches: 1.0 is the limit."""


class GpuResult(Message):
    """What a GPU gave: measured, all of it."""

    kind: Literal["measured"] = "measured"
    device: str
    driver: str
    torch: str
    triton: str
    date: str
    """ISO 8601, UTC."""
    cases: int
    """Cases that agree with the reference on the GPU."""
    agreement: str = ""
    """How far its results lie from the interpreter's, in words."""
    label: str = ""
    """The timed case: sizes and dtype."""
    limit: str = ""
    """What the limit is: a stream that reads and writes as much, measured in the same run."""
    limit_time: Measured | None = None
    providers: tuple[Provider, ...] = ()
    """The learner's kernel first, then eager, best eager, torch.compile."""
    untimed: str = ""
    """Why nothing was timed, or why one of the providers was not."""


class CompileAnswer(Message):
    """What the compiler and the GPU made of the file."""

    finding: Finding | None
    compiled: int
    """Distinct launches that compiled."""
    target: str
    launches: dict[int, tuple[str, ...]] = Field(default_factory=dict)
    """By the number of the case: what was launched; as in `CaseResult`."""
    uncompiled: str = ""
    """Why nothing was compiled."""
    left_out: int = 0
    """Kinds of launches that were not compiled, since the others took long."""
    unrun: str = ""
    """Why nothing was run on a GPU."""
    gpu: GpuResult | None = None


class Verdict(Message):
    """The whole document; dump it by alias, so that its first field is named `schema`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Annotated[Literal["triton-path/practice/1"], Field(alias="schema")] = SCHEMA
    exercise: str
    title: str
    file: str
    passed: bool
    stars: int
    """0 failed, 1 correct, 2 and 3 by the speed measured on a GPU."""
    seed: int
    findings: tuple[Finding, ...]
    """Faults in the order of a verdict, then advice."""
    cases: tuple[CaseResult, ...]
    planned: int
    checked: tuple[str, ...]
    """What was checked how, and what was not and why, a line each."""
    tolerance: str = ""
    printed: tuple[str, ...] = ()
    gpu: GpuResult | None = None
    seconds: float
    """Wall time of the check: measured on this machine, says nothing of the kernel's speed."""

    @property
    def faults(self) -> tuple[Finding, ...]:
        """What fails the solution."""
        return tuple(finding for finding in self.findings if not finding.advice)

    @property
    def advice(self) -> tuple[Finding, ...]:
        """What does not."""
        return tuple(finding for finding in self.findings if finding.advice)
