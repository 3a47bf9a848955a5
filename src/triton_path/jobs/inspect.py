"""What the compiler makes of a kernel: what to compile, and the report of what came out.

`InspectReport` is also the document that `--json` prints; `SCHEMA` is its version. What it tells is
counted in the compiled code, or predicted from that and the limits of a GPU; only what stands in
`measured` was measured, on the GPU that it names.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from triton_path.jobs.bench import Clocks, Timing
from triton_path.jobs.messages import Message

SCHEMA: Literal["triton-path/inspect/1"] = "triton-path/inspect/1"
TARGETS = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120", "gfx90a", "gfx942")
LISTINGS = ("ttir", "ttgir", "llir", "ptx", "sass", "amdgcn")
Scalar = bool | int | float | str
Operation = Literal["load", "store", "atomic", "async copy", "bulk copy"]


class Argument(Message):
    """One argument given by hand: a tensor by its dtype and shape, or a value."""

    name: str
    dtype: str | None = None
    """Triton's short name, such as fp32; None for a value."""
    shape: tuple[int, ...] = ()
    value: Scalar | None = None


class Build(Message):
    """One way to compile the launch; None is as the launch has it."""

    label: str
    target: str
    num_warps: int | None = None
    num_stages: int | None = None
    constants: dict[str, Scalar] = Field(default_factory=dict)
    """Constexprs that replace those of the launch."""
    unaligned: bool = False
    """Move each pointer off its multiple of 16 bytes, and each integer off multiples of 16."""
    launch: int | None = None
    """Another launch of the file, counted from 1."""


class InspectJob(Message):
    """Find a launch of a kernel and compile it; needs a process without TRITON_INTERPRET."""

    kind: Literal["inspect"] = "inspect"
    path: str
    kernel: str | None
    """None: the only one that the file launches."""
    launch: int = 1
    arguments: tuple[Argument, ...] = ()
    """Arguments given by hand; empty: the file is run to find a launch."""
    constants: dict[str, Scalar] = Field(default_factory=dict)
    """Constexprs given by hand."""
    builds: tuple[Build, ...]
    show: str | None = None
    """A listing to return, one of LISTINGS."""
    measure: bool = False
    """Run the launch on this machine's GPU instead, and time it."""


class Place(Message):
    """A line of a source file."""

    file: str
    line: int
    source: str
    """The text of the line."""


class Rejection(Message):
    """Why the compiler does not take the kernel."""

    message: str
    """The compiler's own words, one line."""
    hint: str
    """What to write instead; empty where nothing is known."""
    place: Place | None
    column: int | None = None
    """Where in the line it stands, from 0."""
    function: str | None = None
    called_from: tuple[Place, ...] = ()
    """Calls that led there, the kernel's own line first."""


class Access(Message):
    """Instructions of one line that move data between a thread and global memory."""

    place: Place | None
    operation: Operation
    bits: int
    """Moved by one thread in one instruction; 0 for a bulk copy, which moves a whole tile."""
    count: int


class TensorCore(Message):
    """A matrix instruction."""

    instruction: str
    count: int


class LineCount(Message):
    """What a source line became; instructions of inlined helpers count at every caller's line."""

    place: Place
    function: str
    kinds: dict[str, int]
    """Instructions of each kind, most frequent first."""

    @property
    def total(self) -> int:
        """All instructions of the line."""
        return sum(self.kinds.values())


class Occupancy(Message):
    """How many programs one multiprocessor can hold at once."""

    kind: Literal["predicted"] = "predicted"
    programs: int
    warps: int
    most_warps: int
    limits: dict[str, int]
    """Programs that fit by each resource alone."""
    limiter: str
    formula: str
    source: str


class Facts(Message):
    """What was counted in the compiled code."""

    kind: Literal["counted"] = "counted"
    instructions: int
    kinds: dict[str, int]
    """Instructions of each kind, most frequent first."""
    registers: int | None
    """Of a thread."""
    spill_stores: int | None
    """Bytes of registers that a thread writes to local memory; None where no tool could tell."""
    spill_loads: int | None
    shared_bytes: int
    shared_limit: int
    """Most that one program may have."""
    shared_source: str
    accesses: tuple[Access, ...]
    tensor_cores: tuple[TensorCore, ...]
    dots: int
    """`tl.dot` operations in the program as written."""
    async_copies: int
    """cp.async instructions."""
    bulk_copies: int
    """Copies by the tensor memory accelerator (TMA)."""
    buffers: tuple[str, ...]
    """Tiles kept in shared memory, `3 x 64x32 f16` for three stages of one tile."""
    barriers: int
    """Barriers for the whole program."""
    occupancy: Occupancy | None
    lines: tuple[LineCount, ...]


class Compiled(Message):
    """One build: its facts, or why there are none."""

    build: Build
    num_warps: int | None = None
    num_stages: int | None = None
    facts: Facts | None = None
    rejection: Rejection | None = None
    listing: str | None = None
    advice: tuple[str, ...] = ()
    """What in the facts is worth a look."""
    notes: tuple[str, ...] = ()
    """What could not be told and why."""


class LaunchArgument(Message):
    """An argument as the launch passed it."""

    name: str
    text: str
    """Such as `fp32[1024, 64]`, `1024`, or for a constexpr `128`."""
    specialised: str
    """What the compiler may assume of it: `16 | address`, `= 1`, `constant`, or nothing."""


class Launch(Message):
    """The launch that was compiled."""

    number: int
    of: int
    """Distinct launches of this kernel that the file made."""
    grid: tuple[int, ...] | None
    arguments: tuple[LaunchArgument, ...]
    found: Literal["by running the file", "by running main()", "given by options"]
    configurations: int = 0
    """Configurations of its autotuner, of which the first was taken; 0 without one."""


class MeasuredBuild(Message):
    """One way to compile the launch, as the GPU took it."""

    label: str
    arguments: tuple[LaunchArgument, ...]
    """An autotuner may have chosen other constants than its first."""
    num_warps: int
    num_stages: int
    registers: int | None = None
    """Of a thread, as the driver loaded it; None where it could not be loaded."""
    local_bytes: int | None = None
    """Local memory of a thread, which holds spilled registers and arrays."""
    programs: int | None = None
    """Most that a multiprocessor holds at once, as CUDA's driver computes it."""
    time: Timing | None = None
    """Of the launch alone, with a cold cache."""
    note: str = ""
    """Why there is no time."""


class Measured(Message):
    """What this machine's GPU made of the launch."""

    kind: Literal["measured"] = "measured"
    device: str
    target: str
    """The architecture that it was compiled for: the GPU's own."""
    driver: str | None
    torch: str
    triton: str
    date: str
    """Year, month and day."""
    clocks: tuple[Clocks, ...]
    """Before and after; empty where the driver's tool does not tell."""
    builds: tuple[MeasuredBuild, ...]


class Trouble(Message):
    """Why there is nothing to report: the person's to mend."""

    reason: Literal["raised", "no kernel", "which kernel", "unknown kernel", "not launched",
                    "no such launch", "arguments"]  # fmt: skip
    message: str
    names: tuple[str, ...] = ()
    """Kernels that there are."""
    traceback: str = ""
    """Cut to the person's own lines."""
    parameters: tuple[str, ...] = ()
    """Parameters of the kernel; constexprs end in `*`."""


class InspectReport(Message):
    """The whole document; dump it by alias, so that its first field is named `schema`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Annotated[Literal["triton-path/inspect/1"], Field(alias="schema")] = SCHEMA
    triton: str
    file: str
    kernel: str
    defined: Place | None
    launch: Launch
    builds: tuple[Compiled, ...]
    notes: tuple[str, ...] = ()
    measured: Measured | None = None
    """None without a GPU."""
    unmeasured: str | None = None
    """Why a GPU that is here measured nothing."""


class InspectAnswer(Message):
    """A report, or why there is none; for a job that measures, one of the last two."""

    report: InspectReport | None = None
    trouble: Trouble | None = None
    measured: Measured | None = None
    unmeasured: str | None = None
