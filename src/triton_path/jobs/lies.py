"""`bench lies`: which false figures to produce, and the report that sets true ones beside them.

`LiesReport` is also the document that `--json` prints; `SCHEMA` is its version.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field

from triton_path.jobs.bench import Device, Figure, Timing
from triton_path.jobs.messages import Message

SCHEMA: Literal["triton-path/lies/1"] = "triton-path/lies/1"
LieName = Literal[
    "no-sync",
    "warm-cache",
    "no-warm-up",
    "compile-time",
    "tf32",
    "zeros",
    "stale-output",
    "clone",
    "one-sample",
    "autotune",
    "host-bound",
    "denominator",
]
NAMES: tuple[LieName, ...] = get_args(LieName)
"""In the order in which they are told."""
State = Literal["shown", "not shown", "needs a GPU", "missing", "failed"]


class LiesJob(Message):
    """Make each of `names` happen."""

    kind: Literal["bench-lies"] = "bench-lies"
    names: tuple[LieName, ...]


class Pair(Message):
    """A false figure and the true one of the same thing, both of this run."""

    what: str
    """The quantity: `4096 x 4096 product, time of one`."""
    false: Timing | Figure
    true: Timing | Figure | None
    """None where an honest bench prints nothing in its place."""
    factor: Figure | None = None
    """The larger over the smaller; None where one is missing or nought."""
    shows: bool
    """Whether the false figure is false here: off by more than 5 %, in the expected direction, and
    outside the spread of the true one."""


class LieReport(Message):
    """One way to go wrong, on this machine."""

    name: LieName
    state: State
    setting: str = ""
    """What was run, and how, in a sentence or two."""
    pairs: tuple[Pair, ...] = ()
    """The first one tells the lie."""
    why_not: str = ""
    """Why there are no figures, or why they do not show the lie."""
    title: str = ""
    public: str = ""
    """What happened where it was published."""
    sources: tuple[str, ...] = ()


class LiesReport(Message):
    """The whole document; dump it by alias, so that its first field is named `schema`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Annotated[Literal["triton-path/lies/1"], Field(alias="schema")] = SCHEMA
    date: str
    """Start of the run, ISO 8601 with the offset from UTC."""
    seconds: float
    """What the run took, the start of the worker apart."""
    versions: dict[str, str]
    device: Device
    lies: tuple[LieReport, ...]
