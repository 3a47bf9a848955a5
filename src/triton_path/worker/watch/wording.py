"""The sentences of each kind of fault that an access can have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from triton_path.jobs.watch import Kind, Lanes, Program
    from triton_path.worker.watch.memory import Region


class Words(NamedTuple):
    """What `Fault` says in prose."""

    sentence: str
    why: str
    remedy: str


def listed(values: tuple[int, ...]) -> str:
    """Return an index or a shape as a learner writes it."""
    return "[" + ", ".join(str(value) for value in values) + "]"


def program_name(program: Program) -> str:
    """Return the shortest name that is still exact: axes that the grid lacks are left out."""
    used = max((axis + 1 for axis in range(3) if program.grid[axis] > 1), default=1)
    if used == 1:
        return f"program {program.id[0]} of {program.grid[0]}"
    ids, grid = program.id[:used], program.grid[:used]
    return f"program ({', '.join(map(str, ids))}) of grid ({', '.join(map(str, grid))})"


def _element(lanes: Lanes) -> str:
    if lanes.index is None:
        return f"`{lanes.argument}` at offset {lanes.offset}"
    return f"`{lanes.argument}`{listed(lanes.index)}"


def _share(lanes: Lanes) -> str:
    if lanes.lanes == 1:
        return ""
    return f", lane {listed(lanes.lane)}; {lanes.offending} of {lanes.active} active lanes"


_VERBS = {"load": "reads", "store": "writes", "atomic": "changes"}


def out_of_bounds(lanes: Lanes, program: Program, region: Region) -> Words:
    """Word an access outside of the tensor it started from."""
    gap = 0 <= lanes.offset < region.extent
    sentence = (
        f"This {lanes.access} {_VERBS[lanes.access]} {_element(lanes)}, but "
        f"`{lanes.argument}` {_held(lanes, region)} ({program_name(program)}{_share(lanes)})."
    )
    if not gap and not lanes.described:
        sentence += " The mask lets them through." if lanes.masked else " It has no mask."
    if lanes.access == "load":
        why = (
            "A GPU reads whatever lies there, which may be another tensor, or ends your process "
            "with an illegal memory access."
        )
    else:
        why = (
            "A GPU overwrites whatever lies there, which may be another tensor, and says nothing; "
            "or it ends your process with an illegal memory access."
        )
    return Words(sentence, why, _remedy(lanes, region, gap=gap))


def _held(lanes: Lanes, region: Region) -> str:
    """Say what there is instead."""
    shape = f"has shape {listed(lanes.shape)} ({lanes.dtype})"
    if region.numel == 0:
        return f"{shape}: no element at all"
    if lanes.offset < 0:
        return f"{shape} and starts at offset 0"
    if region.contiguous:
        return shape
    if lanes.offset < region.extent:
        return f"{shape} and strides {listed(region.strides)}: nothing of it is at {lanes.offset}"
    return f"{shape} and strides {listed(region.strides)}: it ends at offset {region.extent - 1}"


def _remedy(lanes: Lanes, region: Region, *, gap: bool) -> str:
    if gap:
        return (
            f"`{lanes.argument}` is a view with gaps. Pass its strides to the kernel and multiply "
            "indices by them, not by the shape."
        )
    if not region.contiguous:
        return (
            f"Pass the strides of `{lanes.argument}` to the kernel and multiply indices by them, "
            f"or call `{lanes.argument}.contiguous()` first."
        )
    if lanes.offset < -(1 << 28):
        return "So far before the start, an int32 product has wrapped: compute it in int64."
    if lanes.offset < 0:
        return "Check what is subtracted from the offset, or mask the lanes where it is negative."
    if lanes.described:
        return (
            f"Give the descriptor the shape and strides that `{lanes.argument}` has: it masks what "
            "lies outside of the shape it was given, not outside of the tensor."
        )
    if lanes.masked:
        return (
            f"Compare the mask with the offset, axis by axis: for {_element(lanes)} it must be "
            "False. Look for `<=`, for the size of another tensor, and for an axis without a test."
        )
    if lanes.lanes == 1:
        return "Check the offset: is the grid larger than the tensor, or the stride another one?"
    return (
        "Give it `mask=offsets < n`: the last block of a grid mostly reaches past the end, "
        "since blocks are powers of two and tensors are not."
    )


def foreign_pointer(lanes: Lanes, program: Program) -> Words:
    """Word an access that no argument accounts for."""
    return Words(
        f"This {lanes.access} goes through an address that no tensor argument of the launch "
        f"accounts for ({program_name(program)}{_share(lanes)}).",
        "Whether there is memory at all is luck; a GPU most likely ends your process.",
        "Start every address from a tensor argument. An address kept in a tensor of integers is "
        "followed if it is the `data_ptr()` of a tensor that still lives.",
    )


def offset_overflow(lanes: Lanes, program: Program) -> Words:
    """Word a 32-bit offset that wrapped."""
    return Words(
        f"The offset of this {lanes.access} into `{lanes.argument}` should be {lanes.offset}, "
        f"which 32 bits cannot hold, so it wrapped ({program_name(program)}{_share(lanes)}).",
        "The wrapped offset points somewhere else. It happens only for tensors beyond 2^31 "
        "elements, so small tests pass.",
        "Make the first factor 64 bits wide before the product: `pid.to(tl.int64) * stride`.",
    )


def uninitialised(lanes: Lanes, program: Program) -> Words:
    """Word a read of memory that nobody wrote."""
    adds = lanes.access == "atomic"
    return Words(
        f"This {lanes.access} uses {_element(lanes)}, which nothing has written since "
        f"`torch.empty` made it ({program_name(program)}{_share(lanes)}).",
        "`torch.empty` gives memory as it is: here often zeros, on a GPU whatever was there last.",
        "Make it with `torch.zeros`: an atomic adds to what is there."
        if adds
        else "Write it first, or make it with `torch.zeros`.",
    )


def race(kind: Kind, lanes: Lanes, program: Program, other: Program | None) -> Words:
    """Word two accesses that nothing puts in order."""
    element = _element(lanes)
    this = program_name(program)
    that = program_name(other) if other is not None else "another"
    if kind == "write-write-race" and lanes.access == "atomic":
        return Words(
            f"{this.capitalize()} changes {element} with an atomic, and {that} stores there "
            "without one; nothing orders the two.",
            "Programs run at the same time, in no order: the store may come after the atomics of "
            "others and undo them.",
            "Initialise on the host, with `torch.zeros`, or in a launch of its own.",
        )
    if kind == "write-write-race":
        return Words(
            f"{this.capitalize()} and {that} both write {element}, with different values.",
            "Programs run at the same time, in no order. Which value stays changes from run to "
            "run; here the later program wins.",
            "Give each element one owner: put `tl.program_id` into the offset. To combine values, "
            "use `tl.atomic_add` on zeros, or one program with a loop.",
        )
    if kind == "read-write-race":
        return Words(
            f"{this.capitalize()} {_VERBS[lanes.access]} {element}, which {that} "
            f"{'writes' if lanes.access == 'load' else 'reads'} in the same launch, and "
            "nothing orders the two.",
            "Programs run at the same time. The value may be from before or after; here programs "
            "run one by one, which hides it.",
            "Split the work into two launches, the second reading what the first wrote; or write "
            "to another tensor than you read. Initialise on the host, not in one program.",
        )
    if kind == "lane-write-race":
        return Words(
            f"Several lanes of this store write {element} with different values ({this}).",
            "Lanes store at the same time: which value stays is not defined.",
            "Let each lane have its own offset, combine first (`tl.sum`, `tl.max`), or use an "
            "atomic.",
        )
    return Words(
        f"This load reads {element} through another lane than the one that stored it, with no "
        f"barrier in between ({this}{_share(lanes)}).",
        "Lanes are threads: the other one may not have stored yet. Compiled code puts no barrier "
        "between a store and a load.",
        "Keep the block in a variable and reshape or reduce that; or call `tl.debug_barrier()` "
        "between the two.",
    )
