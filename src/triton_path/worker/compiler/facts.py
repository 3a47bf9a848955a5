"""Counts what is in a compiled kernel."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from triton_path.jobs.inspect import Access, Facts, LineCount, Occupancy, TensorCore
from triton_path.worker.compiler import private, tools
from triton_path.worker.compiler.instructions import read_amdgcn, read_sass
from triton_path.worker.compiler.occupancy import amd_occupancy, nvidia_occupancy
from triton_path.worker.compiler.places import own_frames, read_places
from triton_path.worker.compiler.rejection import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.jobs.inspect import Operation
    from triton_path.worker.compiler.build import Made
    from triton_path.worker.compiler.instructions import Instruction

MATRIX = re.compile(
    r"^\s*(?:@%p\d+ )?((?:wgmma\.mma_async|mma|tcgen05\.mma)(?:\.[\w:]+)+|v_mfma\w*|v_smfmac\w*)",
    re.MULTILINE,
)
BUFFER = re.compile(r"ttg\.local_alloc.*?!ttg\.memdesc<((?:\d+x)+)([a-z]\w*),")
"""A tile in shared memory; mbarriers are buffers of i64 and left out."""
BUFFER_NOTHING_SHOWN = "i64"
FOUND_IN_AMD = {
    "registers": r"^; NumVgprs: (\d+)",
    "accumulators": r"^; NumAgprs: (\d+)",
    "waves": r"^; Occupancy: (\d+)",
    "scratch": r"^; ScratchSize: (\d+)",
}


def count(made: Made) -> tuple[Facts, list[str]]:
    """Return the facts of a compiled kernel, and what could not be told."""
    return _count_nvidia(made) if made.cubin is not None else _count_amd(made)


def _count_nvidia(made: Made) -> tuple[Facts, list[str]]:
    assert made.cubin is not None
    ptx, notes = made.texts["ptx"], []
    code: list[Instruction] = []
    registers = occupancy = None
    stack = 0
    spills: tuple[int, int] | tuple[None, None] = (None, None)
    try:
        code = read_sass(tools.disassemble(made.cubin, ptx_lines=True), read_places(ptx))
    except tools.NoTool as fault:
        notes.append(f"{fault}: no instructions, lines and vector widths.")
    try:
        registers, stack = tools.registers_and_stack(made.cubin)
        shared = made.metadata.shared
        occupancy = nvidia_occupancy(made.target, registers, _warps(made), shared)
    except tools.NoTool as fault:
        notes.append(f"{fault}: no registers and no occupancy.")
    try:
        # ptxas takes as long as the compilation did: ask it only where something can be spilled.
        local = stack > 0 or not code or any(item.kind == "spill" for item in code)
        spills = tools.spilled_bytes(ptx) if local else (0, 0)
    except tools.NoTool as fault:
        notes.append(f"{fault}: spills are not known.")
    barriers = sum(item.opcode.startswith("BAR.") for item in code)
    return _facts(made, code, ptx, registers, spills, occupancy, barriers), notes


def _warps(made: Made) -> int:
    """Return the warps of a program: with warp specialisation more than num_warps."""
    threads = re.search(r"^\s*\.(?:req|max)ntid (\d+)", made.texts["ptx"], re.MULTILINE)
    return int(threads[1]) // made.target.warp_lanes if threads else int(made.metadata.num_warps)


def _count_amd(made: Made) -> tuple[Facts, list[str]]:
    text = made.texts["amdgcn"]
    code = read_amdgcn(text, read_places(text))
    told = {
        name: int(found[1]) if (found := re.search(pattern, text, re.MULTILINE)) else None
        for name, pattern in FOUND_IN_AMD.items()
    }
    occupancy = None
    if told["waves"]:
        shared, warps = made.metadata.shared, made.metadata.num_warps
        occupancy = amd_occupancy(made.target, told["waves"], warps, shared)
    registers = told["registers"]
    if registers is not None:
        registers += told["accumulators"] or 0
    spilled = re.search(r"\.vgpr_spill_count:\s+(\d+)", text)
    # A spilled vector register is stored once and loaded at least once, 4 bytes a thread.
    size = int(spilled[1]) * 4 if spilled else None
    barriers = sum(item.opcode == "s_barrier" for item in code)
    return _facts(made, code, text, registers, (size, size), occupancy, barriers), []


def _facts(
    made: Made,
    code: Sequence[Instruction],
    assembly: str,
    registers: int | None,
    spills: tuple[int | None, int | None],
    occupancy: Occupancy | None,
    barriers: int,
) -> Facts:
    operations = Counter(item.access[0] for item in code if item.access)
    return Facts(
        instructions=len(code),
        kinds=dict(Counter(item.kind for item in code).most_common()),
        registers=registers,
        spill_stores=spills[0],
        spill_loads=spills[1],
        shared_bytes=made.metadata.shared,
        shared_limit=made.target.program_shared_kib * 1024,
        shared_source=made.target.source,
        accesses=_accesses(code),
        tensor_cores=tuple(
            TensorCore(instruction=name, count=times)
            for name, times in Counter(MATRIX.findall(assembly)).most_common()
        ),
        dots=len(re.findall(r"= tt\.dot", made.texts.get("ttir", ""))),
        async_copies=operations["async copy"],
        bulk_copies=operations["bulk copy"],
        buffers=_buffers(made.texts.get("ttgir", "")),
        barriers=barriers,
        occupancy=occupancy,
        lines=_lines(code),
    )


def _buffers(ttgir: str) -> tuple[str, ...]:
    found = []
    for shape, dtype in BUFFER.findall(ttgir):
        sizes = shape.rstrip("x").split("x")
        if dtype == BUFFER_NOTHING_SHOWN:
            continue
        tile = f"{'x'.join(sizes[-2:])} {dtype}"
        found.append(f"{sizes[0]} x {tile}" if len(sizes) > 2 else tile)
    return tuple(found)


def _accesses(code: Sequence[Instruction]) -> tuple[Access, ...]:
    """Group accesses of global memory by the innermost of the person's lines, in their order."""
    found: Counter[tuple[str, int, Operation, int]] = Counter()
    for item in code:
        if item.access is not None:
            file, line = (own_frames(item.frames) or (("", 0),))[0]
            found[(file, line, *item.access)] += 1
    return tuple(
        Access(place=place_of(file, line) if file else None, operation=what, bits=bits, count=times)
        for (file, line, what, bits), times in sorted(found.items())
    )


def _lines(code: Sequence[Instruction]) -> tuple[LineCount, ...]:
    """Count for each of the person's lines what it became, itself or by what it calls."""
    kinds: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for item in code:
        for frame in set(own_frames(item.frames)):
            kinds[frame][item.kind] += 1
    functions = private.functions_by_file({file for file, _ in kinds})
    return tuple(
        LineCount(
            place=place_of(file, line),
            function=_function_at(functions.get(file, []), line),
            kinds=dict(counts.most_common()),
        )
        for (file, line), counts in sorted(kinds.items())
    )


def _function_at(functions: Sequence[tuple[int, str]], line: int) -> str:
    """Return the last function that begins at or above the line; its `def` line counts to it."""
    return next((name for first, name in reversed(functions) if first <= line), "")
