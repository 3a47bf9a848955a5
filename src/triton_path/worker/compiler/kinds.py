"""What an instruction does, by its name: SASS of NVIDIA and the assembly of AMD."""

from __future__ import annotations

import re

KINDS = (
    "tensor core",
    "global load",
    "global store",
    "async copy",
    "atomic",
    "shared memory",
    "spill",
    "float",
    "special function",
    "convert",
    "shuffle",
    "sync",
    "integer",
    "control",
    "move",
)
"""Most telling first. `spill` is any use of local memory, `special function` exp, rsqrt, sin ...,
`sync` barriers, fences and waits for the tensor cores; `shared memory` also tensor memory."""

NVIDIA = (
    ("tensor core", r"[HIBDQO]?G?MMA\b|UTC\w*MMA"),
    ("async copy", r"LDGSTS|LDGDEPBAR|DEPBAR|UBLKCP|UBLKPF|UTMA"),
    ("global load", r"LDG|LD\b"),
    ("global store", r"STG|ST\b"),
    ("atomic", r"ATOM|RED\b|REDG|CAS"),
    ("shared memory", r"LDS|STS|LDSM|STSM|LDT|STT|LDTM|STTM|UTCCP"),
    ("spill", r"LDL|STL"),
    ("special function", r"MUFU"),
    ("convert", r"[FI]2[FIP]|F2FP|I2FP|F2IP|FRND|PACK"),
    ("float", r"[FDH](?:ADD|MUL|FMA|MNMX|SET|SETP|SEL|CHK|SWZADD)|HADD2|HMUL2|HFMA2|HMNMX2|HSET"),
    ("shuffle", r"SHFL|C?REDUX|MATCH|VOTE|WARPSYNC|ELECT"),
    ("sync", r"U?BAR|MEMBAR|FENCE|SYNCS|ERRBAR|CCTL|UTCBAR|UTCATOM|UVIRTCOUNT|WARPGROUP"),
    ("control", r"BRA|BRX|JMP|EXIT|CALL|RET|BSSY|BSYNC|BREAK|BPT|NANOSLEEP|KILL|YIELD|ACQBULK"),
    ("move", r"U?MOV|IMAD\.MOV|CS2R|S2U?R|R2U?R|U?SEL\b|U?PRMT|LDC|ULDC|LDCU|R2P|P2R|UP2UR|S2UR"),
    (
        "integer",
        r"U?I(?:ADD|MAD|MUL|MNMX|SETP|SCADD|ABS|DP)|U?LEA|U?LOP|U?SHF|U?SHL|U?SHR|U?SGXT|U?BMSK|"
        r"U?FLO|U?POPC|U?BREV|U?PLOP|VIADD|VIMNMX|VABSDIFF|UVIADD|PLOP|ISETP|LOP",
    ),
)

AMD = (
    ("tensor core", r"v_mfma|v_smfmac|v_wmma"),
    ("atomic", r"(?:global|buffer|flat|ds)_atomic|ds_add|ds_cmpst"),
    ("async copy", r"(?:global|buffer)_load_lds"),
    ("global load", r"(?:global|buffer|flat)_load"),
    ("global store", r"(?:global|buffer|flat)_store"),
    ("spill", r"scratch_"),
    ("shuffle", r"ds_b?permute|ds_swizzle|v_permlane|v_readlane|v_writelane|v_readfirstlane|"
     r"\w+_dpp"),
    ("shared memory", r"ds_"),
    ("sync", r"s_barrier|buffer_(?:wb|inv|gl)"),
    ("special function", r"v_(?:exp|log|rcp|rsq|sqrt|sin|cos)_f"),
    ("convert", r"v_cvt|v_pack"),
    ("float", r"v_(?:pk_)?(?:add|sub|subrev|mul|fma|fmac|mad|mac|max|max3|min|med3|ldexp|div_\w+)_"
     r"(?:f|legacy_f)|v_cmpx?_\w+_f|v_dot2"),
    ("control", r"s_c?branch|s_endpgm|s_setpc|s_swappc|s_and_saveexec|s_or_saveexec|s_nop|"
     r"s_sched|s_waitcnt|s_setprio"),
    ("move", r"v_mov|v_accvgpr|s_mov|v_cndmask|s_cselect|s_load|s_cmov|v_perm_b32|s_buffer_load"),
    ("integer", r"[vs]_"),
)  # fmt: skip


def _compiled(table: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern)) for kind, pattern in table)


_NVIDIA, _AMD = _compiled(NVIDIA), _compiled(AMD)


def kind_of(opcode: str, backend: str) -> str:
    """Return the kind of an instruction, one of KINDS; what is not known counts as a move."""
    for kind, pattern in _NVIDIA if backend == "cuda" else _AMD:
        if pattern.match(opcode):
            return kind
    return "move"
