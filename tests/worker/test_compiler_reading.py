"""Reading machine code, and occupancy by NVIDIA's rules; nothing is compiled here."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from triton_path.jobs import inspect as wire
from triton_path.worker.compiler import private
from triton_path.worker.compiler.advice import advise
from triton_path.worker.compiler.build import Made
from triton_path.worker.compiler.facts import count
from triton_path.worker.compiler.instructions import read_amdgcn, read_sass
from triton_path.worker.compiler.kinds import KINDS, kind_of
from triton_path.worker.compiler.occupancy import amd_occupancy, nvidia_occupancy
from triton_path.worker.compiler.places import read_places
from triton_path.worker.compiler.targets import TARGETS

PTX = """\
.target sm_80
\t.loc\t1 5 14                          // kern.py:5:14
ld.global
\t.loc\t2 170 27                        // standard.py:170:27 @[ standard.py:191:40 @[ kern.py:6:15 ] ]
max
\t.loc\t1 0 14                          // kern.py:0:14
\t.file\t1 "/home/me/kern.py"
\t.file\t2 "/lib" "standard.py"
"""  # noqa: E501 -- as Triton writes it
SASS = """\
\t//## File ".nv_debug_ptx_txt", line 3
        /*0000*/              @!P2 LDG.E.128 R8, [R12.64] ;
        /*0010*/                   LDG.E.U16.SYS R4, [R12.64+0x800] ;
        /*0020*/                   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;
\t//## File ".nv_debug_ptx_txt", line 5
        /*0030*/                   FMNMX R15, R9, R8, !PT ;
        /*0040*/                   STG.E [R4.64], R15 ;
        /*0050*/                   EXIT ;
.L_x_0:
        /*0060*/                   BRA `(.L_x_0);
        /*0070*/                   NOP;
"""
AMDGCN = """\
\ts_ignored
\t.loc\t1 5 14                          ; kern.py:5:14
\tbuffer_load_dwordx4 v[6:9], v1, s[16:19], 0 offen
\tglobal_load_ushort v2, v[2:3], off
\tv_add_f32_dpp v1, v1, v2 row_shr:1
\tbuffer_store_dword v1, off, s[0:3], 0 offset:4 ; 4-byte Folded Spill
\ts_endpgm
.Lfunc_end0:
\tv_never
"""


def test_a_place_has_every_call_on_the_way_to_it():
    places = read_places(PTX)
    assert places.at(3) == (("/home/me/kern.py", 5),)
    assert places.at(5) == (
        ("/lib/standard.py", 170),
        ("/lib/standard.py", 191),
        ("/home/me/kern.py", 6),
    )
    assert places.at(6) == places.at(5)  # line 0 belongs to what stood before
    assert places.at(99) == ()


PTX_39 = """\
\t.loc\t1 6 9                           // kern.py:6:9
\t.loc\t2 216 16, function_name $L__info_string0, inlined_at 1 6 9 // standard.py:216:16
\t.loc\t2 196 12, function_name $L__info_string0, inlined_at 2 216 16 // standard.py:196:12
max
\t// begin inline asm
\t.loc\t2 196 12                        // standard.py:196:12
first
\t.loc\t2 197 12                        // standard.py:197:12
second
\t// end inline asm
\t.loc\t1 7 9                           // kern.py:7:9
store
\t.file\t1 "/home/me/kern.py"
\t.file\t2 "/lib/standard.py"
"""


def test_the_places_of_triton_3_9_name_their_callers_and_miscount_within_an_instruction():
    places = read_places(PTX_39)
    calls = (("/lib/standard.py", 196), ("/lib/standard.py", 216), ("/home/me/kern.py", 6))
    assert places.at(4) == places.at(7) == places.at(9) == calls
    assert places.at(12) == (("/home/me/kern.py", 7),)


def test_sass_is_read_with_its_widths_and_without_what_no_thread_reaches():
    found = read_sass(SASS, read_places(PTX))
    assert [(i.opcode, i.kind, i.access) for i in found] == [
        ("LDG.E.128", "global load", ("load", 128)),
        ("LDG.E.U16.SYS", "global load", ("load", 16)),
        ("IMAD.MOV.U32", "move", None),
        ("FMNMX", "float", None),
        ("STG.E", "global store", ("store", 32)),
        ("EXIT", "control", None),
    ]
    assert found[0].frames == (("/home/me/kern.py", 5),)
    assert found[3].frames[-1] == ("/home/me/kern.py", 6)


def test_amds_assembly_is_read_to_the_end_of_the_function():
    found = read_amdgcn(AMDGCN, read_places(AMDGCN))
    assert [(i.kind, i.access) for i in found] == [
        ("global load", ("load", 128)),
        ("global load", ("load", 16)),
        ("shuffle", None),
        ("spill", None),
        ("control", None),
    ]


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [
        ("HMMA.16816.F32", "tensor core"), ("HGMMA.64x64x16.F32", "tensor core"),
        ("UTCHMMA", "tensor core"), ("LDGSTS.E.BYPASS.128", "async copy"),
        ("UTMALDG.2D", "async copy"), ("RED.E.ADD.F32", "atomic"), ("RET.REL.NODEC", "control"),
        ("LDSM.16.M88.4", "shared memory"), ("LDL.64", "spill"), ("MUFU.EX2", "special function"),
        ("SHF.L.U32", "integer"), ("SHFL.BFLY", "shuffle"), ("SEL", "move"), ("FSEL", "float"),
        ("BAR.SYNC", "sync"), ("F2FP.PACK_AB", "convert"), ("ISETP.GE.AND", "integer"),
        ("LDC.64", "move"), ("ST.E.64", "global store"), ("NEVERHEARD", "move"),
    ],
)  # fmt: skip
def test_an_instruction_is_of_a_kind(opcode, kind):
    assert kind_of(opcode, "cuda") == kind
    assert kind in KINDS


@pytest.mark.parametrize(
    ("target", "registers", "warps", "shared", "programs", "limiter"),
    [
        # What cuda_occupancy.h gives, compiled and asked.
        ("sm_80", 26, 4, 0, 16, "warps"),
        ("sm_80", 255, 4, 0, 2, "registers"),
        ("sm_80", 32, 1, 0, 32, "programs"),
        ("sm_80", 32, 4, 48 * 1024, 3, "shared memory"),
        ("sm_80", 32, 4, 163 * 1024, 1, "shared memory"),
        ("sm_86", 32, 4, 0, 12, "warps"),
        ("sm_90", 168, 8, 0, 1, "registers"),
        ("sm_75", 64, 8, 32 * 1024, 2, "shared memory"),
    ],
)
def test_occupancy_follows_nvidias_rules(target, registers, warps, shared, programs, limiter):
    found = nvidia_occupancy(TARGETS[target], registers, warps, shared)
    assert (found.programs, found.limiter) == (programs, limiter)
    assert found.warps == programs * warps
    assert found.kind == "predicted"
    assert "cuda_occupancy.h" in found.source
    assert found.formula.startswith("min(")


def test_amds_occupancy_starts_from_what_llvm_says():
    found = amd_occupancy(TARGETS["gfx942"], 8, 4, 16384)
    assert (found.programs, found.warps, found.limiter) == (4, 16, "shared memory")


def test_every_target_that_can_be_asked_for_has_its_limits():
    assert tuple(TARGETS) == wire.TARGETS


def facts(**changes: object) -> wire.Facts:
    plain: dict[str, object] = {
        "instructions": 10, "kinds": {}, "registers": 32, "spill_stores": 0, "spill_loads": 0,
        "shared_bytes": 0, "shared_limit": 1024, "shared_source": "", "accesses": (),
        "tensor_cores": (), "dots": 0, "async_copies": 0, "bulk_copies": 0, "buffers": (),
        "barriers": 0, "occupancy": None, "lines": (),
    }  # fmt: skip
    return wire.Facts.model_validate({**plain, **changes})


def access(bits: int) -> dict[str, object]:
    place = {"file": "k.py", "line": 3, "source": ""}
    return {"place": place, "operation": "load", "bits": bits, "count": 1}


def test_what_a_missing_tool_would_tell_is_not_known(tmp_path, monkeypatch):
    monkeypatch.setattr(private, "TOOLS", tmp_path)
    metadata = SimpleNamespace(num_warps=4, shared=0)
    made = Made(TARGETS["sm_80"], {"ptx": PTX}, b"", metadata)
    found, notes = count(made)
    assert (found.registers, found.spill_stores, found.occupancy) == (None, None, None)
    assert (found.instructions, found.accesses, found.lines) == (0, (), ())
    assert [note.split()[0] for note in notes] == ["nvdisasm", "cuobjdump", "ptxas"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"shared_bytes": 2048}, "will not launch"),
        ({"spill_stores": 8}, "spills 8 bytes"),
        ({"dots": 1}, "no tensor-core instruction"),
        ({"accesses": (access(32),)}, "Line 3: 4 bytes a thread"),
        ({"occupancy": nvidia_occupancy(TARGETS["sm_80"], 255, 4, 0)}, "Few warps"),
    ],
)
def test_advice_is_given_for_what_is_slow_and_nothing_else(changes, words):
    (told,) = advise(facts(**changes), "sm_80")
    assert words in told


def test_no_advice_is_given_for_a_good_kernel():
    assert advise(facts(accesses=(access(128),)), "sm_80") == ()
