"""What the memory watch found out about the kernels that ran under it.

A `Fault` is made to be shown: its four sentences say what is wrong, why it matters on a GPU, and
what to try; its other fields hold the same facts for a program. Kinds are stable: exercises and
`--json` name them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from triton_path.jobs.messages import Message

Kind = Literal[
    "out-of-bounds-load",
    "out-of-bounds-store",
    "out-of-bounds-atomic",
    "foreign-pointer",
    "uninitialised-read",
    "never-written",
    "write-write-race",
    "read-write-race",
    "lane-write-race",
    "read-back-without-barrier",
    "order-dependence",
    "depends-on-masked-lanes",
    "offset-overflow",
    "block-boolean",
    "chained-comparison",
    "block-condition",
    "device-assert",
    "false-assumption",
    "waits-for-another-program",
    "endless-loop",
    "kernel-error",
    "not-modelled",
    "descriptor-misaligned",
    "autotune-reruns-in-place",
    "timing-refused",
]
Severity = Literal["fault", "advice"]
Access = Literal["load", "store", "atomic"]
PictureAccess = Literal["load", "store"]
Triple = tuple[int, int, int]
Span = tuple[int, int]
"""The first and the last of neighbours."""


class Place(Message):
    """Where in the learner's code; columns count characters from 0 and are None on Python 3.10."""

    file: str
    line: int
    end_line: int
    column: int | None
    end_column: int | None
    function: str
    source: str
    """The text of `line`, without its line end; empty where the source is not to be had."""


class Program(Message):
    """One program of a launch."""

    id: Triple
    grid: Triple
    linear: int
    """Position in the grid with the first axis running fastest."""


class Lanes(Message):
    """What the lanes of one access did."""

    access: Access
    argument: str
    """Name of the kernel's parameter that the tensor was passed as."""
    shape: tuple[int, ...]
    dtype: str
    offset: int
    """Offset of the first offending element from the tensor's start, in elements."""
    index: tuple[int, ...] | None
    """The same as an index; None before the tensor's start."""
    lane: tuple[int, ...]
    """Position of the offending lane in its block; empty for a scalar."""
    offending: int
    """Lanes with this fault in this access."""
    active: int
    """Lanes that the mask let through."""
    lanes: int
    """All lanes of the block."""
    masked: bool
    """Whether the access had a mask."""
    described: bool = False
    """Whether a descriptor or block pointer made the mask."""


class Fault(Message):
    """One finding; the first of its kind at its line, `times` counts the repetitions."""

    kind: Kind
    severity: Severity
    sentence: str
    """What is wrong, with names and numbers."""
    why: str
    """Why it matters on a GPU."""
    remedy: str
    """What to try."""
    place: Place | None
    """None where no line of the learner's is to blame alone."""
    calls: tuple[Place, ...] = ()
    """The learner's calls that led to `place`, outermost first, where a helper was called."""
    others: tuple[Place, ...] = ()
    """Further lines that take part, such as the store that a racing load meets."""
    kernel: str
    launch: int
    """Index into `WatchReport.launches`; -1 outside of any."""
    program: Program | None = None
    other_program: Program | None = None
    """The second program of a race."""
    lanes: Lanes | None = None
    times: int = 1


class ArgumentCount(Message):
    """Bytes of one tensor argument, counted over all programs."""

    name: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In elements."""
    dtype: str
    loaded_bytes: int
    """Bytes that active lanes asked for; the caches of a GPU may serve some of them."""
    stored_bytes: int
    atomic_bytes: int
    unique_loaded_bytes: int | None
    """Bytes of different elements among those loaded; None where it was not counted."""
    unique_stored_bytes: int | None
    redundancy: float | None
    """Loaded over unique loaded: how often each element was asked for."""


class LineCount(Message):
    """One access expression and one argument, counted over all programs.

    Sectors are a model, not a measurement: lanes are taken along the axis of the block with the
    smallest stride in memory, 32 at a time, and each group fetches the 32-byte sectors that its
    active lanes touch. The compiler may assign lanes otherwise.
    """

    place: Place
    argument: str
    access: Access
    executions: int
    lanes: int
    active_lanes: int
    bytes_used: int
    sectors: int | None
    sector_efficiency: float | None
    """Different bytes used over 32 bytes a sector: 1.0 is coalesced."""
    stride: int | None = None
    """Elements from one lane to the next, along that axis; 0 where all lanes have one element.
    None where lanes lie irregularly, where a block is one element, or where it was not counted."""


class Tile(Message):
    """Cells of a picture: the columns of each span, in every row of `rows`. Ends are included."""

    rows: Span
    columns: tuple[Span, ...]


class Ownership(Message):
    """Which program touched which part of a tensor, scaled down to a picture.

    `cells[row][column]` is the linear id of a program: the last that stored to the element at that
    cell, or the first that loaded it; -1 where there is none. Axes before the last are joined into
    rows.
    """

    argument: str
    access: PictureAccess = "store"
    """`store` includes atomics."""
    shape: tuple[int, ...]
    rows: int
    """Rows of the whole tensor."""
    columns: int
    cells: tuple[tuple[int, ...], ...]
    sampled: bool = False
    """Whether a cell names any program that ran and touched its piece of the tensor, since few
    of the grid ran; otherwise it names that of the element in the middle of the piece."""
    tiles: dict[int, tuple[Tile, ...]] = Field(default_factory=dict)
    """All that each program touched of these cells, by its linear id; of the first 4096 programs
    that ran."""


class Value(Message):
    """An argument of a launch that is no tensor."""

    name: str
    text: str
    """As Python writes it, shortened."""
    constant: bool
    """Whether it is a constexpr: known when the kernel is compiled."""


class ArgumentEstimate(Message):
    """Bytes of one tensor argument, estimated for the whole grid."""

    name: str
    loaded_bytes: int
    stored_bytes: int
    atomic_bytes: int


class LineEstimate(Message):
    """One line of `LaunchReport.lines`, at the same position, estimated for the whole grid."""

    bytes_used: int
    sectors: int | None


class Extrapolation(Message):
    """What a launch would count in its whole grid, from the programs that ran. Not counted.

    Programs at an end of the grid, whose blocks are often masked, are kept apart from the others.
    Within each such class every program that ran stands for those that are nearest to it.
    """

    kind: Literal["extrapolated"] = "extrapolated"
    programs: int
    """Programs that were counted."""
    grid_programs: int
    """Programs of the grid."""
    ids: tuple[int, ...]
    """The linear ids of those that were counted, lowest first."""
    chosen: Literal["by request", "for time"]
    dot_flops: int
    arguments: tuple[ArgumentEstimate, ...]
    lines: tuple[LineEstimate, ...]


class LaunchReport(Message):
    """One launch of one kernel."""

    kernel: str
    place: Place
    """The kernel's `def` line."""
    grid: Triple
    programs: int
    """Programs that ran; fewer than the grid where some were chosen or a fault stopped it."""
    runs: int
    """How often the launch was run: once, and again in other orders or with poison."""
    dot_flops: int
    """Two for each multiply-add of `tl.dot`."""
    arguments: tuple[ArgumentCount, ...]
    lines: tuple[LineCount, ...]
    ownership: tuple[Ownership, ...]
    values: tuple[Value, ...] = ()
    """Scalars and constexprs, in the order of the kernel's parameters."""
    extrapolated: Extrapolation | None = None
    """Only where some programs of the grid ran: all else in this report is counted in those."""
    stopped_by: int | None = None
    """The fault that stopped this launch, as an index into `WatchReport.faults`."""
    notes: tuple[str, ...]


class WatchReport(Message):
    """All launches of one watch."""

    watched: bool
    """False where the self-test failed: kernels ran, and nothing was checked."""
    unwatched_reason: str
    triton: str
    launches: tuple[LaunchReport, ...]
    faults: tuple[Fault, ...]
    """Faults and advice in the order they were found."""

    @property
    def ok(self) -> bool:
        """Whether nothing but advice was found."""
        return all(fault.severity == "advice" for fault in self.faults)
