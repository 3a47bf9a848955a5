"""A trace: which file to run under the watch, and the report of what its kernels did.

`TraceReport` is also the document that `--json` prints; `SCHEMA` is its version. Nothing in it is
measured: it is counted in Triton's interpreter, or predicted from that and a GPU's datasheet.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from triton_path.jobs.inspect import Argument, Scalar
from triton_path.jobs.messages import Message
from triton_path.jobs.watch import WatchReport

SCHEMA: Literal["triton-path/trace/1"] = "triton-path/trace/1"
Rate = Literal["bf16", "fp32"]
Trouble = Literal[
    "",
    "no such function",
    "needs arguments",
    "is a kernel",
    "no such kernel",
    "which kernel",
    "wrong arguments",
]
Bound = Literal["memory", "compute", "caches decide", "no dot"]


class HandLaunch(Message):
    """A launch that no code of the file makes: its arguments are given by shape and dtype."""

    kernel: str | None
    """None: the only kernel of the file."""
    arguments: tuple[Argument, ...] = ()
    """Tensors are filled with random numbers, the same every time; integers are 1 to 4."""
    constants: dict[str, Scalar] = Field(default_factory=dict)
    grid: tuple[int, ...]


class TraceJob(Message):
    """Run a file, or call a function of it; the worker must have been started for it."""

    kind: Literal["trace"] = "trace"
    path: str
    function: str | None = None
    """Called after the file was imported; None runs the file as a script."""
    everything: bool = True
    """Run launches again in other orders and with other values in masked lanes."""
    capability: str = "9.0"
    """Of the GPU that the file is told it has: compute capability, or AMD's architecture."""
    seconds: float = 60.0
    """Longest time for the file; what it launched until then is reported."""
    by_hand: HandLaunch | None = None
    """Launched after the file was imported; `function` is then None."""
    programs: tuple[int, ...] | None = None
    """Linear ids of the programs to run in each launch, negative ones counted from the end."""
    launch_seconds: float = 5.0
    """Of a launch that would take longer some programs run and the rest is extrapolated."""


class TooLarge(Message):
    """Why the file ended: it needed more memory than a job has here."""

    bytes_asked: int | None
    """Of the one allocation that failed; None where it is not known."""
    bytes_allowed: int | None
    """What the job may take in all; None where there is no limit but the machine's."""
    line: int | None
    """Of the file."""
    source: str = ""
    """The text of that line."""


class Ran(Message):
    """How the file ran."""

    printed: tuple[str, ...] = ()
    """The last lines that it printed."""
    printed_lines: int = 0
    """Lines that it printed in all."""
    raised: str = ""
    """Traceback of what it raised, its own lines only; empty where it raised nothing."""
    too_large: TooLarge | None = None
    """Set instead of `raised` where memory did not suffice."""
    out_of_time: bool = False
    stopped: bool = False
    """Whether a fault of a kernel ended it before its end."""
    led_to_cpu: bool = False
    """Whether it asked for CUDA and got the CPU."""
    called: str = ""
    """The function that was called; empty where the file's own end was enough."""


class TraceAnswer(Message):
    """What the worker found."""

    watch: WatchReport
    ran: Ran
    kernels: tuple[str, ...]
    """Names of the `@triton.jit` functions that the file holds or launched."""
    functions: tuple[str, ...]
    """Functions of the file that can be called without arguments."""
    trouble: Trouble = ""
    """Why the function or the kernel asked for was not called."""
    detail: str = ""
    """What is wrong with arguments that were given by hand, as a sentence."""


class Target(Message):
    """The GPU of the roofline, by its datasheet."""

    id: str
    name: str
    bandwidth_gb_s: float
    fp32_tflops: float
    bf16_tflops: float | None
    sources: tuple[str, ...]
    """Where these figures were taken from."""


class Roofline(Message):
    """Where one launch lands: flops of `tl.dot` for each byte, against what the target can do.

    Not counted: elementwise operations and reductions. Bytes asked for are what active lanes
    loaded, stored and changed atomically; with perfect caches each element would come once.
    """

    kind: Literal["predicted"] = "predicted"
    launch: int
    """Index into the launches of the watch."""
    extrapolated: bool = False
    """Whether flops and bytes are those of `LaunchReport.extrapolated`, and none of them counted.
    `bytes_once` then takes no more of a tensor than its size."""
    dot_flops: int
    bytes_asked: int
    bytes_once: int | None
    intensity: float | None
    """Dot flops over bytes asked for; None where there is no dot."""
    intensity_once: float | None
    """Dot flops over `bytes_once`."""
    rate: Rate
    """Which peak of the target is taken."""
    ridge: float
    """Flops a byte from which the target is limited by its arithmetic: peak over bandwidth."""
    lowest_ridge: float
    """The same for the GPU of the list where it is lowest."""
    bound: Bound
    everywhere: bool
    """Whether it is memory-bound even on the GPU with the lowest ridge."""
    note: str = ""
    """What does not fit the rate taken."""


class TraceReport(Message):
    """The whole document; dump it by alias, so that its first field is named `schema`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Annotated[Literal["triton-path/trace/1"], Field(alias="schema")] = SCHEMA
    file: str
    kernel: str | None = None
    """The kernel that was asked for; launches and faults of others are left out."""
    everything: bool
    target: Target
    watch: WatchReport
    rooflines: tuple[Roofline, ...]
    ran: Ran
    stopped_launch: int | None = None
    """The launch that a fault stopped, index as in `watch`: its counts are up to there."""
    faults_elsewhere: int = 0
    """Faults of kernels that were not asked for."""

    @property
    def wrong(self) -> bool:
        """Whether a fault was found, or the file raised.

        What it raises after a launch of which some programs ran may be due to that alone.
        """
        return bool(self.faults or (self.ran.raised and not self.in_part))

    @property
    def in_part(self) -> bool:
        """Whether of any launch only some programs ran."""
        return any(launch.extrapolated is not None for launch in self.watch.launches)

    @property
    def faults(self) -> int:
        """How many faults there are, advice and refused timing left out."""
        return sum(
            fault.severity == "fault" and fault.kind != "timing-refused"
            for fault in self.watch.faults
        )
