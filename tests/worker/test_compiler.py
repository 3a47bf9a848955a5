"""What is told of a compiled kernel."""

from __future__ import annotations

import pytest
import triton

from tests.samples import sample
from tests.worker.compiling import ADD, SOFTMAX, accesses, line_of, report, specialised
from triton_path.jobs.inspect import Build
from triton_path.sandbox import Worker

VERSION = tuple(map(int, triton.__version__.split(".")[:2]))

MATMUL = sample("matmul")


@pytest.fixture(scope="module")
def worker():
    with Worker(interpret=False) as started:
        yield started


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kernel.py"


def test_an_add_loads_and_stores_sixteen_bytes_and_fills_the_multiprocessor(worker, path):
    found = report(worker, path, f"{ADD}\nassert bool((run() == 2).all())\n")
    facts = found.builds[0].facts
    assert facts is not None
    assert accesses(found) == [("load", 128, 2), ("load", 128, 2), ("store", 128, 2)]
    assert [a.place.line for a in facts.accesses if a.place] == [
        line_of(path, text) for text in ("x = tl.load", "y = tl.load", "tl.store")
    ]
    assert found.launch.grid == (4,)
    assert found.builds[0].num_warps == 4
    assert (facts.spill_stores, facts.shared_bytes, facts.barriers, facts.dots) == (0, 0, 0, 0)
    assert facts.registers is not None
    assert 8 < facts.registers < 64
    assert facts.occupancy is not None
    assert facts.occupancy.warps == facts.occupancy.most_warps == 64
    assert sum(facts.kinds.values()) == facts.instructions
    # Nothing ran, so the file's own check failed: told, and no reason to give up.
    assert "AssertionError" in found.notes[0]


def test_each_line_of_the_kernel_gets_its_instructions(worker, path):
    found = report(worker, path, f"{ADD}\nrun()\n")
    facts = found.builds[0].facts
    assert facts is not None
    kinds = {count.place.line: count.kinds for count in facts.lines}
    assert kinds[line_of(path, "x = tl.load")]["global load"] == 2
    assert kinds[line_of(path, "tl.store")]["global store"] == 2
    assert {count.function for count in facts.lines} == {"add"}
    assert sum(count.total for count in facts.lines) == pytest.approx(facts.instructions, abs=3)


def test_what_a_helper_does_counts_at_its_caller_too(worker, path):
    facts = report(worker, path, SOFTMAX).builds[0].facts
    assert facts is not None
    kinds = {(count.function, count.place.line): count.kinds for count in facts.lines}
    helper = kinds["shifted", line_of(path, "return tl.exp")]
    caller = kinds["softmax", line_of(path, "e = shifted(v)")]
    assert helper["special function"] == 8  # 1024 exponentials over 128 threads
    # 3.4 tells of a helper's helper only the outermost call.
    assert caller == helper if VERSION >= (3, 6) else caller["special function"] == 8
    assert caller["shuffle"] > 0  # of tl.max, two calls down
    assert facts.barriers > 0


def test_alignment_is_that_of_the_launch(worker, path):
    builds = (
        Build(label="a", target="sm_80"),
        Build(label="b", target="sm_80", unaligned=True),
        Build(label="c", target="sm_80", num_warps=8),
    )
    found = report(worker, path, f"{ADD}\nrun(1)\nrun(4096)\n", launch=2, builds=builds)
    assert specialised(found) == {
        "x_ptr": "16 | address", "y_ptr": "16 | address", "out_ptr": "16 | address",
        "n": "16 | value", "BLOCK": "constant",
    }  # fmt: skip
    assert accesses(found)[0] == ("load", 128, 2)
    assert accesses(found, 1)[0] == ("load", 32, 8)
    assert accesses(found, 2)[0] == ("load", 128, 1)
    assert [build.num_warps for build in found.builds] == [4, 4, 8]
    assert any("4 bytes a thread" in text for text in found.builds[1].advice)
    assert (found.launch.number, found.launch.of) == (2, 2)


def test_a_view_off_its_alignment_loses_the_wide_loads(worker, path):
    text = f'{ADD}\nx = torch.ones(4097, device="cuda")[1:]\nadd[(4,)](x, x, x, 4096, BLOCK=1024)\n'
    found = report(worker, path, text)
    assert specialised(found)["x_ptr"] == ""
    assert accesses(found)[0] == ("load", 32, 8)


@pytest.mark.parametrize(
    ("target", "instruction", "copies"),
    [
        ("sm_80", "mma.sync.aligned.m16n8k16", True),
        ("sm_90", "wgmma.mma_async", True),
        ("sm_120", "mma.sync.aligned.m16n8k16", True),
        ("gfx942", "v_mfma_f32", False),
    ],
)
def test_a_dot_uses_the_tensor_cores_of_its_target(worker, path, target, instruction, copies):
    found = report(worker, path, MATMUL, target=target)
    facts = found.builds[0].facts
    assert facts is not None
    assert facts.tensor_cores[0].instruction.startswith(instruction)
    assert facts.kinds["tensor core"] > 0
    assert facts.dots == 1
    assert (facts.async_copies > 0) == copies
    assert facts.buffers
    assert facts.shared_bytes > 0
    assert facts.occupancy is not None
    assert "shared memory" in facts.occupancy.limits
    assert (facts.registers or 0) > 16


def test_tiles_too_large_for_the_shared_memory_are_advised_against(worker, path):
    builds = (Build(label="x", target="sm_86", num_stages=8),)
    found = report(worker, path, MATMUL.replace("a, 64, a.s", "a, 512, a.s"), builds=builds)
    facts = found.builds[0].facts
    assert facts is not None
    assert facts.shared_bytes > facts.shared_limit
    assert any("will not launch" in text for text in found.builds[0].advice)


def test_spilled_registers_are_told_in_bytes(worker, path):
    builds = (Build(label="x", target="sm_80", constants={"maxnreg": 32}),)
    found = report(worker, path, MATMUL, builds=builds)
    facts = found.builds[0].facts
    assert facts is not None
    assert facts.registers == 32
    assert (facts.spill_stores or 0) > 0
    assert facts.kinds["spill"] > 0
    assert any("spills" in text for text in found.builds[0].advice)


@pytest.mark.parametrize("show", ["ttgir", "ptx", "sass"])
def test_a_listing_is_returned(worker, path, show):
    words = {"ttgir": "ttg.num-warps", "ptx": ".entry add"}
    found = report(worker, path, f"{ADD}\nrun()\n", show=show)
    assert words.get(show, "LDG.E.128") in (found.builds[0].listing or "")
