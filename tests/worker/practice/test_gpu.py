"""A check on a real GPU, each in a process of its own: some of these kernels break it."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
import torch

from tests.conftest import REPOSITORY, run_python
from tests.worker.practice.fake_gpu import GRADING, HEAD, KERNEL, REFERENCE, RIGHT
from triton_path.jobs.grading import Timing
from triton_path.jobs.practice import CompileJob, Finding, GpuResult

pytestmark = pytest.mark.gpu

LARGE = replace(GRADING, timing=Timing(sizes={"n": 1 << 25}, dtype="float16"))
PROGRAM = """\
import sys
from pathlib import Path
from triton_path.worker.practice import gpu
from triton_path.worker.practice.learner import load
from triton_path.jobs.practice import CompileJob
job = CompileJob.model_validate_json(sys.argv[1])
finding, result = gpu.measure(job, load(Path(job.path), job.grading))
print("FINDING", finding.model_dump_json() if finding else "null")
print("RESULT", result.model_dump_json())
"""


@pytest.fixture
def measured(tmp_path):
    def run(source=RIGHT, *, grading=LARGE, reference=REFERENCE):
        (tmp_path / "add.py").write_text(source)
        (tmp_path / "reference.py").write_text(reference)
        job = CompileJob(
            path=str(tmp_path / "add.py"),
            exercise="add",
            reference=str(tmp_path / "reference.py"),
            grading=grading,
            seed=11,
        )
        ended = run_python(
            "-c",
            PROGRAM,
            job.model_dump_json(),
            PYTHONPATH=os.pathsep.join([str(REPOSITORY / "src"), os.environ.get("PYTHONPATH", "")]),
            TRITON_INTERPRET="0",
        )
        told = dict(line.split(" ", 1) for line in ended.stdout.splitlines() if " {" in line)
        assert "RESULT" in told, ended.stderr
        finding = json.loads(told.get("FINDING", "null"))
        return (
            Finding.model_validate(finding) if finding else None,
            GpuResult.model_validate_json(told["RESULT"]),
        )

    return run


def add(body, before=""):
    return f"{HEAD}{before}{KERNEL}\nstate = {{}}\n\ndef add(x, y, out):\n{body}"


def test_a_right_kernel_is_timed_beside_the_stream(measured):
    best = "\n\ndef best_eager(x, y):\n    return torch.add(x, y)\n"
    finding, result = measured(reference=REFERENCE + best)
    assert finding is None
    assert result.cases == 3
    times = {one.name: one for one in result.providers}
    assert list(times)[:3] == ["yours", "eager", "best eager"]
    assert "torch.compile" in times or "torch.compile" in result.untimed
    for one in times.values():
        assert one.time.n >= 20
        assert one.time.p20 <= one.time.value <= one.time.p80
        assert 0.3 < one.of_limit < 1.06
    assert result.limit.startswith("a stream that reads 134 MB and writes 67.1 MB (")
    assert "TFLOP" not in result.limit


def test_a_matrix_rate_limits_where_flops_are_given(measured):
    # As if each element took 4096 operations: far more than this kernel does in its time.
    timing = Timing(sizes={"n": 1 << 20}, dtype="float16", flops="n*4096*8")
    finding, result = measured(grading=replace(GRADING, timing=timing))
    assert finding is None or finding.kind == "impossibly-fast"
    assert "matmul" in (result.limit or finding.why)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("    far_kernel[(1,)](out, 1 << 42)\n    launch(x, y, out)\n", "illegal-access"),
        ("    far_kernel[(1, 70000)](out, 0)\n    launch(x, y, out)\n", "launch-failed"),
        ("    launch(x, y, out)\n    x.numpy()\n", "raised-on-gpu"),
        ("    torch.add(x, y, out=out)\n", "torch-does-the-work"),
        ("    launch(x, x, out)\n", "wrong-on-gpu"),
    ],
)
def test_what_fails_on_a_gpu_is_told_apart(measured, body, kind):
    far = "\n@triton.jit\ndef far_kernel(p, far):\n    tl.store(p + far, 0.0)\n"
    finding, result = measured(add(body, far))
    assert finding.kind == kind
    assert finding.sentence
    assert result.providers == ()


SIDE = "side = torch.cuda.Stream()\n"


def test_work_on_a_side_stream_is_found(measured):
    body = (
        f"    if x.numel() < {1 << 25}:\n        launch(x, y, out)\n        return\n"
        "    side.wait_stream(torch.cuda.current_stream())\n"
        "    with torch.cuda.stream(side):\n        launch(x, y, out)\n"
    )
    finding, _ = measured(add(body, SIDE))
    assert finding.kind in ("hidden-work", "remembers", "impossibly-fast")


def test_a_side_stream_that_is_waited_for_is_timed(measured):
    body = (
        "    side.wait_stream(torch.cuda.current_stream())\n"
        "    with torch.cuda.stream(side):\n        launch(x, y, out)\n"
        "    torch.cuda.current_stream().wait_stream(side)\n"
    )
    finding, result = measured(add(body, SIDE))
    assert finding is None
    assert result.providers[0].of_limit < 1.06


def test_an_earlier_result_is_found(measured):
    body = (
        "    key = (out.data_ptr(), out.numel())\n"
        "    if key in state:\n        return\n    state[key] = True\n    launch(x, y, out)\n"
    )
    finding, _ = measured(add(body))
    assert finding.kind in ("remembers", "wrong-on-gpu", "impossibly-fast")


def test_patched_timers_change_nothing(measured):
    patch = (
        "import time\n"
        "torch.cuda.Event.elapsed_time = lambda *_: 0.001\n"
        "torch.cuda.Event.record = lambda *_: None\n"
        "torch.cuda.synchronize = lambda *_: None\n"
        "torch.Tensor.zero_ = lambda self: self\n"
        "time.perf_counter = lambda: 0.0\n"
    )
    finding, result = measured(add("    launch(x, y, out)\n", patch))
    assert finding is None
    assert 0.3 < result.providers[0].of_limit < 1.06


@pytest.mark.parametrize("written", [1 << 27, 0])
def test_the_stream_is_as_fast_as_torch(written):
    """Compare with what torch has for the same mix: a copy, or a sum for pure reads."""
    from triton_path.worker.bench.timing import Turn, time_turns
    from triton_path.worker.practice.gpu_machine import this_machine
    from triton_path.worker.practice.gpu_stream import streams

    machine = this_machine()
    source = torch.randn(1 << 26, device="cuda").half()
    target = torch.empty_like(source)
    theirs = (lambda: target.copy_(source)) if written else source.sum
    every = streams(1 << 27, written, "cuda")
    turns = {name: Turn(run) for name, run in every.items()} | {"torch": Turn(theirs)}
    times = time_turns(turns, machine.l2_bytes, machine.clock)
    best = min(times[name].value for name in every)
    assert best <= 1.05 * times["torch"].value
