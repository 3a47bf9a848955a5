"""A bench: what to run, and the report whose every figure says how it was obtained.

`BenchReport` is also the document that `--json` prints; `SCHEMA` is its version. Fields are only
ever added under one version; a changed meaning needs a new one.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from triton_path.jobs.figures import Figure as Figure
from triton_path.jobs.figures import Kind as Kind
from triton_path.jobs.figures import Timing as Timing
from triton_path.jobs.ledger import Ledger
from triton_path.jobs.messages import Message

SCHEMA: Literal["triton-path/bench/2"] = "triton-path/bench/2"
DType = Literal["bfloat16", "float16", "float32"]
Bound = Literal["launch", "cache", "memory"]
"""`launch`: the host takes longer than the kernels. `cache`: what a kernel leaves for the next
still lies in the L2. `memory`: neither."""
BYTES: dict[DType, int] = {"bfloat16": 2, "float16": 2, "float32": 4}
"""Bytes of one element."""
MAX_WIDTH = 65536
"""Widest row of the fused kernel: a program holds all of it in registers."""
EAGER, BEST_EAGER, COMPILED = "eager", "best eager", "torch.compile"
FUSED, TEN_ROUNDS = "Triton fused", "Triton, 10 rounds"
CUDA, LIGER = "CUDA C++", "liger-kernel"
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
    backward: bool = False
    """Whether the gradients of the chain are computed, and not the chain."""


class BenchJob(Message):
    """Count, check and time; on a GPU the whole bench, elsewhere what a CPU can do."""

    kind: Literal["bench"] = "bench"
    bench: str = "fused-transformer"
    case: Case
    shapes: tuple[Shape, ...]
    providers: tuple[str, ...] = ()
    """Those to run, eager always; empty for all."""
    cpu_elements: int = 1 << 22
    """On a CPU a larger shape is timed with fewer rows, so that it has at most this many."""


class VerifyJob(Message):
    """Check the fused kernel in Triton's interpreter; the worker must have been started for it."""

    kind: Literal["bench-verify"] = "bench-verify"
    bench: str = "fused-transformer"
    case: Case


class Check(Message):
    """A provider against float64 under the dropout mask that it drew itself."""

    errors: dict[str, float | None]
    """By output: norm of the difference over norm of the reference; None where it is no number.
    Empty where nothing could be compared."""
    allowed: dict[str, float]
    """By output: twice the error of eager, plus one unit in the last place of the dtype."""
    keep_rate: float | None
    """Share of elements that the mask kept; None where nothing is dropped."""
    faults: tuple[str, ...]
    """What is wrong, a sentence each; empty for a provider that may be timed."""

    @property
    def error(self) -> float | None:
        """The largest error of all outputs."""
        known = [error for error in self.errors.values() if error is not None]
        return max(known) if known and len(known) == len(self.errors) else None


class Explained(Message):
    """What a speedup over eager is made of; the product of the three is the speedup."""

    traffic: Figure
    """Bytes of eager over bytes of this one."""
    use: Figure
    """Bandwidth of this one over that of eager, both under a CUDA graph."""
    host: Figure
    """What disappears under a CUDA graph: time over graph time of eager, over the same of this."""


class Verified(Message):
    """One case of one provider in the interpreter."""

    name: str = FUSED
    shape: Shape
    dtype: str
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
    at_least: bool = False
    """Whether `bytes` are the least that it has to move, as nothing tells what it moved."""
    read: int | None = None
    """Bytes read, of `bytes`."""
    floor: Figure | None = None
    """The least time that `bytes` can take at the bandwidth named in the shape's report."""
    time: Timing | Figure | None = None
    """Time with its launches, cold cache."""
    graph_time: Timing | None = None
    """Time of the same work replayed as a CUDA graph: no launch from the host in it."""
    kernel_time: Timing | None = None
    """Sum of the times of its kernels, by the profiler: no gap between them in it."""
    host_time: Figure | None = None
    """What the host takes to launch it, with nothing in the way."""
    bound: Bound | None = None
    """What limits it at this size."""
    bandwidth: Figure | None = None
    of_copy: Figure | None = None
    """`bandwidth` as a share of a copy of two tensors to two others, measured in the same run."""
    speedup: dict[str, Figure] = Field(default_factory=dict)
    """How many times faster than the named provider; empty unless both passed their check."""
    explained: Explained | None = None
    """The speedup over eager, taken apart."""
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
    """Bytes of eager over the least."""
    least: Figure
    """Bytes that any kernel must move: inputs read once, outputs written once."""
    inputs: dict[str, str] = Field(default_factory=dict)
    """Shape and dtype of each input, as text."""
    ledger: Ledger | None = None
    """The eager chain, operation by operation."""
    copy_time: Timing | None = None
    """A copy as large as the least: as many bytes read and written in all."""
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


class OnGpu(Message):
    """What a chain takes at least on one GPU of the table, by its datasheet's bandwidth."""

    id: str
    name: str
    eager: Figure
    fused: Figure
    """If each part of the ledger were one kernel."""


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

    schema_: Annotated[Literal["triton-path/bench/2"], Field(alias="schema")] = SCHEMA
    bench: str
    """Name of the bench, or of the person's own file."""
    about: str = ""
    """What is computed, in a sentence."""
    own_file: str | None = None
    """Path of the person's own chain."""
    date: str
    """Start of the run, ISO 8601 with the offset from UTC."""
    versions: dict[str, str]
    commit: str | None = None
    """Of the course's repository, where it runs from one."""
    device: Device
    case: Case
    random: RandomNumbers | None = None
    """None where nothing is drawn."""
    shapes: tuple[ShapeReport, ...]
    providers: tuple[ProviderReport, ...]
    target: Target | None = None
    on_gpus: tuple[OnGpu, ...] = ()
    """Of a person's own chain."""
    verification: Verification | None = None
    notes: tuple[str, ...] = ()
    """What could not be done here and why."""
    faults: tuple[str, ...] = ()
    """Every check that failed; not empty means exit code 1."""
    verdict: str = ""
