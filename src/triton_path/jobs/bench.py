"""A bench: what to run, and the report whose every figure says how it was obtained.

`BenchReport` is also the document that `--json` prints; `SCHEMA` is its version. Fields are only
ever added under one version; a changed meaning needs a new one.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from triton_path.jobs.messages import Message

SCHEMA: Literal["triton-path/bench/1"] = "triton-path/bench/1"
Kind = Literal["measured", "counted", "predicted"]
DType = Literal["bfloat16", "float16", "float32"]
BYTES: dict[DType, int] = {"bfloat16": 2, "float16": 2, "float32": 4}
"""Bytes of one element."""
MAX_WIDTH = 65536
"""Widest row of the fused kernel: a program holds all of it in registers."""
EAGER, BEST_EAGER, COMPILED = "eager", "best eager", "torch.compile"
FUSED, TEN_ROUNDS = "Triton fused", "Triton, 10 rounds"
"""Names of the providers, in reports and on screens."""


class Shape(Message):
    """The size of a tensor of `rows` x `width` elements."""

    rows: Annotated[int, Field(ge=1)]
    width: Annotated[int, Field(ge=1)]

    def __str__(self) -> str:
        return f"{self.rows}x{self.width}"


class Case(Message):
    """What every shape of one run has in common."""

    dtype: DType = "bfloat16"
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    rounds: Annotated[int, Field(ge=1)] = 7
    """Philox rounds of the fused kernel; PyTorch's own dropout uses 10."""


class BenchJob(Message):
    """Count, check and time; on a GPU the whole bench, elsewhere what a CPU can do."""

    kind: Literal["bench"] = "bench"
    case: Case
    shapes: tuple[Shape, ...]
    cpu_elements: int = 1 << 22
    """On a CPU a larger shape is timed with fewer rows, so that it has at most this many."""


class VerifyJob(Message):
    """Check the fused kernel in Triton's interpreter; the worker must have been started for it."""

    kind: Literal["bench-verify"] = "bench-verify"
    dropout: Annotated[float, Field(ge=0, lt=1)]
    rounds: int


class Figure(Message):
    """A number, its unit and how it was obtained."""

    value: int | float
    unit: str
    kind: Kind


class Timing(Figure):
    """A measured time: `value` is the median of `n` runs."""

    p20: float
    p80: float
    n: int


class Check(Message):
    """A provider against float64 under the dropout mask that it drew itself."""

    error_h: float | None
    """Norm of the difference over norm of the reference, for the residual stream h; None where
    it is no number or nothing could be compared."""
    error_out: float | None
    """The same for the normalised output."""
    allowed_h: float
    """Twice the error of eager, plus one unit in the last place of the dtype."""
    allowed_out: float
    keep_rate: float | None
    """Share of elements that the mask kept; None where nothing is dropped."""
    faults: tuple[str, ...]
    """What is wrong, a sentence each; empty for a provider that may be timed."""


class Verified(Message):
    """One case of the fused kernel in the interpreter."""

    shape: Shape
    dtype: DType
    strided: bool
    """Whether the rows of the inputs lay apart in memory."""
    check: Check


class Verification(Message):
    """All cases that were run in the interpreter."""

    cases: tuple[Verified, ...]


class ProviderReport(Message):
    """One way to compute the chain at one shape on one device."""

    name: str
    device: str
    """Where the time holds: the GPU's name, `cpu`, or the GPU that a prediction is for."""
    rows: int
    width: int
    launches: Figure
    kernels: tuple[str, ...]
    """Name of each kernel or operation, in order."""
    bytes: Figure | None
    """Read plus written, each tensor that an operation touches counted once."""
    read: int | None = None
    """Bytes read, of `bytes`."""
    floor: Figure | None = None
    """The least time that `bytes` can take at the bandwidth named in the shape's report."""
    time: Timing | Figure | None = None
    """Time with its launches, cold cache."""
    graph_time: Timing | None = None
    """Time of the same work replayed as a CUDA graph: no launch from the host in it."""
    bandwidth: Figure | None = None
    of_copy: Figure | None = None
    """`bandwidth` as a share of a copy of two tensors to two others, measured in the same run."""
    speedup: dict[str, Figure] = Field(default_factory=dict)
    """How many times faster than the named provider; empty unless both passed their check."""
    check: Check | None = None
    compile_time: Figure | None = None
    """Time of the first call, where something was compiled in it."""
    refused: str | None = None
    """Why no speedup is given."""


class ShapeReport(Message):
    """What belongs to a shape and not to one provider."""

    rows: int
    width: int
    device: str
    traffic_ratio: Figure
    """Bytes of eager over bytes of the fused kernel."""
    copy_time: Timing | None = None
    """A copy as large as the fused kernel's traffic: two tensors read, two written."""
    copy_bandwidth: Figure | None = None
    cpu_rows: int | None = None
    """Without a GPU: the rows that were timed on the CPU instead, of the same width."""


class Clocks(Message):
    """The state of a GPU at one moment, as nvidia-smi gave it."""

    when: str
    sm_mhz: float | None
    memory_mhz: float | None
    power_w: float | None
    temperature_c: float | None
    throttle: str | None
    """Why the clock is held back; `none` where it is not."""


class Device(Message):
    """The machine that the bench ran on."""

    kind: Literal["gpu", "cpu"]
    name: str
    capability: str | None = None
    multiprocessors: int | None = None
    l2_bytes: int | None = None
    memory_bytes: int | None = None
    threads: int | None = None
    """Threads that torch used on a CPU."""
    driver: str | None = None
    large_copy: Figure | None = None
    """Bandwidth of a large copy on this device, read plus write."""
    clocks: tuple[Clocks, ...] = ()


class Target(Message):
    """The GPU that times were predicted for."""

    id: str
    name: str
    bandwidth: Figure
    source: str


class RandomNumbers(Message):
    """What the fused kernel spends on randomness: a comparison must be like for like."""

    rounds: int
    threshold_bits: int
    elements_per_call: int
    seed: str
    """Where the seed comes from and what it costs."""
    seed_time: Figure


class BenchReport(Message):
    """The whole document; dump it by alias, so that its first field is named `schema`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Annotated[Literal["triton-path/bench/1"], Field(alias="schema")] = SCHEMA
    bench: str
    date: str
    """Start of the run, ISO 8601 with the offset from UTC."""
    versions: dict[str, str]
    device: Device
    case: Case
    random: RandomNumbers
    shapes: tuple[ShapeReport, ...]
    providers: tuple[ProviderReport, ...]
    target: Target | None = None
    verification: Verification | None = None
    notes: tuple[str, ...] = ()
    """What could not be done here and why."""
    faults: tuple[str, ...] = ()
    """Every check that failed; not empty means exit code 1."""
    verdict: str = ""
