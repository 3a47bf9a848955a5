"""What a driver says, in plain words."""

from __future__ import annotations

import pytest
import torch
from triton.runtime.errors import OutOfResources

from tests.worker.practice.fake_gpu import FakeGpu
from triton_path.jobs.practice import CaseLabel
from triton_path.worker.practice.gpu_faults import memory_is_full, of_exception

LABEL = CaseLabel(number=1, of=2, sizes={"n": 1}, dtype="float32")


@pytest.fixture
def learner(tmp_path):
    return FakeGpu(tmp_path).job()[1]


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (
            RuntimeError("Triton Error [CUDA]: an illegal memory access was encountered"),
            "illegal-access",
            "memory that is not its own",
        ),
        (
            RuntimeError(
                "CUDA error: an illegal memory access was encountered\nCUDA kernel errors might be "
                "asynchronously reported at some other API call"
            ),
            "illegal-access",
            "memory that is not its own",
        ),
        (RuntimeError("CUDA error: misaligned address"), "illegal-access", "no multiple"),
        (RuntimeError("CUDA error: device-side assert triggered"), "device-assert", "assertion"),
        (RuntimeError("Triton Error [CUDA]: invalid argument"), "launch-failed", "refused"),
        (
            RuntimeError("CUDA error: unspecified launch failure"),
            "launch-failed",
            "stopped the kernel",
        ),
        (RuntimeError("Triton Error [CUDA]: no such thing"), "launch-failed", "no such thing"),
        (
            OutOfResources(262144, 232448, "shared memory"),
            "launch-failed",
            "needs 256 KiB of shared memory; a program has at most 227 KiB here",
        ),
        (OutOfResources(300, 255, "registers"), "launch-failed", "300 of registers"),
        (ValueError("no such block"), "raised-on-gpu", "ValueError: no such block."),
        (TypeError(""), "raised-on-gpu", "TypeError."),
    ],
)
def test_what_was_raised_becomes_a_finding(fault, kind, words, learner):
    finding = of_exception(fault, learner, LABEL)
    assert finding.kind == kind
    assert finding.stage == "crash"
    assert words in finding.sentence
    assert finding.case == LABEL
    assert finding.remedy


def test_a_fault_of_the_host_code_has_its_line(tmp_path):
    source = "def add(x, y, out):\n    x.nothing()\n"
    learner = FakeGpu(tmp_path).job(source)[1]
    with pytest.raises(AttributeError) as raised:
        learner.entry(torch.ones(1), None, None)
    finding = of_exception(raised.value, learner, LABEL)
    assert (finding.place.line, finding.place.source) == (2, "    x.nothing()")
    assert "add.py" in finding.traceback


@pytest.mark.parametrize(
    ("fault", "full"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB"), True),
        (RuntimeError("Triton Error [CUDA]: out of memory"), True),
        (RuntimeError("CUDA error: out of memory"), True),
        (MemoryError("out of memory"), False),
        (RuntimeError("CUDA error: invalid argument"), False),
    ],
)
def test_memory_that_is_full_is_nobodys_fault(fault, full):
    assert memory_is_full(fault) == full
