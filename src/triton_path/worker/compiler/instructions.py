"""Reads machine code: SASS as nvdisasm writes it, and AMD's assembly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.worker.compiler.kinds import kind_of

if TYPE_CHECKING:
    from triton_path.jobs.inspect import Operation
    from triton_path.worker.compiler.places import Frame, Places

PTX_LINE = re.compile(r'^\s*//## File "\.nv_debug_ptx_txt", line (\d+)')
SASS = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+\{?\s*(?:@!?U?P\w+\s+)?([A-Z][\w.]*)")
AMDGCN = re.compile(r"^\s+([a-z][a-z0-9_]+)(?:\s+([^;]*))?")
DWORDS = re.compile(r"dword(?:x(\d+))?$")
NARROW = {"ubyte": 8, "sbyte": 8, "byte": 8, "ushort": 16, "sshort": 16, "short": 16}


@dataclass(frozen=True)
class Instruction:
    """One machine instruction."""

    opcode: str
    kind: str
    frames: tuple[Frame, ...]
    """Where it comes from, innermost function first."""
    access: tuple[Operation, int] | None
    """Of global memory: what, and bits of one thread; None for all else."""


def read_sass(text: str, places: Places) -> list[Instruction]:
    """Read what `disassemble(..., ptx_lines=True)` gave; `places` are those of the PTX."""
    found = []
    frames: tuple[Frame, ...] = ()
    for line in text.splitlines():
        if marked := PTX_LINE.match(line):
            frames = places.at(int(marked[1])) or frames
        elif (matched := SASS.match(line)) and matched[1] != "NOP":
            opcode = matched[1]
            kind = kind_of(opcode, "cuda")
            found.append(Instruction(opcode, kind, frames, _sass_access(opcode)))
    return _without_padding(found)


def _without_padding(found: list[Instruction]) -> list[Instruction]:
    """Drop the branch to itself that ends the code: no thread reaches it."""
    return found[:-1] if found and found[-1].opcode == "BRA" else found


def _sass_access(opcode: str) -> tuple[Operation, int] | None:
    parts = opcode.split(".")
    operation: Operation
    if parts[0] in ("UTMALDG", "UTMASTG", "UBLKCP", "UTMAREDG"):
        return "bulk copy", 0
    if parts[0] in ("LDG", "LD"):
        operation = "load"
    elif parts[0] in ("STG", "ST"):
        operation = "store"
    elif parts[0] == "LDGSTS":
        operation = "async copy"
    elif parts[0] in ("ATOM", "ATOMG", "RED", "REDG"):
        operation = "atomic"
    else:
        return None
    return operation, _sass_bits(parts[1:])


def _sass_bits(modifiers: list[str]) -> int:
    for word in modifiers:
        if word in ("64", "128", "256"):
            return int(word)
        if word in ("U8", "S8"):
            return 8
        if word in ("U16", "S16"):
            return 16
    return 32


def read_amdgcn(text: str, places: Places) -> list[Instruction]:
    """Read AMD's assembly up to the end of its one function."""
    found = []
    inside = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(".Lfunc_end"):
            break
        inside = inside or ".loc" in line
        matched = AMDGCN.match(line)
        if inside and matched and not line.lstrip().startswith("."):
            opcode = matched[1]
            to_lds = re.search(r"\blds\b", matched[2] or "") is not None
            kind = kind_of(opcode, "hip")
            access = _amd_access(opcode, to_lds=to_lds)
            if to_lds and kind == "global load":
                kind = "async copy"
            if "Folded Spill" in line or "Folded Reload" in line:
                kind, access = "spill", None
            found.append(Instruction(opcode, kind, places.at(number), access))
    return found


def _amd_access(opcode: str, *, to_lds: bool) -> tuple[Operation, int] | None:
    matched = re.match(r"(?:global|buffer|flat)_(load|store|atomic)_(?:lds_)?(\w+)", opcode)
    if matched is None:
        return None
    size = matched[2]
    operation: Operation = "load" if matched[1] == "load" else "store"
    if matched[1] == "atomic":
        return "atomic", 64 if size.endswith(("x2", "64")) else 32
    if to_lds:
        operation = "async copy"
    if dwords := DWORDS.search(size):
        return operation, 32 * int(dwords[1] or 1)
    return operation, next((bits for name, bits in NARROW.items() if size.startswith(name)), 32)
