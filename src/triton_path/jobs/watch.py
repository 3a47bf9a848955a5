"""What the memory watch found out about the kernels that ran under it.

A `Fault` is made to be shown: its four sentences say what is wrong, why it matters on a GPU, and
what to try; its other fields hold the same facts for a program. Kinds are stable: exercises and
`--json` name them.
"""

from __future__ import annotations

from typing import Literal

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
Triple = tuple[int, int, int]


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


class Ownership(Message):
    """Which program wrote which part of a tensor, scaled down to a picture.

    `cells[row][column]` is the linear program id of the last store to the element at that cell,
    -1 where none was stored. Axes before the last are joined into rows.
    """

    argument: str
    shape: tuple[int, ...]
    rows: int
    """Rows of the whole tensor."""
    columns: int
    cells: tuple[tuple[int, ...], ...]


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
