"""A person's own chain: what the file must hold, and what is said where it does not."""

from __future__ import annotations

import sys

import pytest

from triton_path.jobs.bench_file import FileJob, FileVerifyJob
from triton_path.tutor.bench_starter import STARTER
from triton_path.worker.bench.own.run import bench_file, verify_file

GOOD = """\
\"\"\"A chain.\"\"\"
import torch


def inputs(device):
    return torch.randn(8, 16, device=device), torch.randn(16, 16, device=device)


def eager(x, w):
    return torch.relu((x * 2 + 1) @ w)


def candidate_same(x, w):
    return torch.relu((2 * x + 1) @ w)


def candidate_wrong(x, w):
    return (2 * x + 1) @ w
"""


@pytest.fixture
def ask(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))

    def run(source, job=FileJob):
        path = tmp_path / "mine.py"
        path.write_text(source)
        work = bench_file if job is FileJob else verify_file
        return work(job(path=str(path)), lambda _: None)

    return run


def test_a_chain_is_counted_and_its_parts_are_found(ask):
    answer = ask(GOOD)
    assert answer.trouble is None
    assert answer.candidates == ("candidate_same", "candidate_wrong")
    (shape,) = answer.report.shapes
    assert shape.inputs == {"x": "8x16 float32", "w": "16x16 float32"}
    assert [row.op for row in shape.ledger.rows] == ["mul", "add", "mm", "relu"]
    assert [part.fusable for part in shape.ledger.parts] == [True, False, True]
    assert answer.report.about == "A chain."


def test_candidates_are_checked_against_eager_in_float64(ask):
    cases = ask(GOOD, FileVerifyJob).verification.cases
    assert {case.name: not case.check.faults for case in cases} == {"same": True, "wrong": False}


def test_a_list_of_candidates_may_take_the_place_of_their_names(ask):
    source = (
        GOOD.replace("def candidate_", "def my_") + "\ncandidates = [my_same, lambda x, w: x]\n"
    )
    assert ask(source).candidates == ("my_same", "candidate 2")


def test_large_inputs_are_counted_without_memory_and_not_checked_here(ask):
    answer = ask(GOOD.replace("(8, 16,", "(1 << 30, 16,"))
    assert answer.report.shapes[0].rows == 1 << 30
    large = ask(GOOD.replace("(8, 16,", "(1 << 30, 16,"), FileVerifyJob)
    assert "small_inputs" in large.notes[0]


def test_inputs_may_take_no_device_and_be_a_dict(ask):
    source = "import torch\ndef inputs():\n    return {'x': torch.ones(4, 4), 'p': 0.5}\n"
    answer = ask(source + "def eager(x, p):\n    return x * p + 1\n")
    assert answer.report.shapes[0].inputs == {"x": "4x4 float32", "p": "0.5"}
    assert answer.candidates == ()


TROUBLES = {
    "no function `inputs`": "def eager(x):\n    return x\n",
    "no function `eager`": "def inputs():\n    return 1\n",
    "raised when it was imported": "1 / 0\n",
    "returned no tensor": "def inputs():\n    return 3\ndef eager(x):\n    return x\n",
    "eager() raised": GOOD.replace("torch.relu((x * 2 + 1) @ w)", "x @ x"),
    "eager takes 2": GOOD.replace(
        "device=device)\n\n\ndef eager", "device=device), 3\n\n\ndef eager"
    ),
    "cannot take what inputs() returned": GOOD.replace(
        "(x, w):\n    return torch.relu((x", "(x, w, v):\n    return torch.relu((x"
    ),
    "by shapes alone": GOOD.replace("(x * 2 + 1) @ w)", "x * x.sum().item())"),
    "draws random numbers": GOOD.replace("x * 2", "torch.rand_like(x)"),
    "no list of functions": GOOD + "\ncandidates = 3\n",
}


@pytest.mark.parametrize("said", TROUBLES)
def test_what_a_file_lacks_is_said(said, ask):
    trouble = ask(TROUBLES[said]).trouble
    assert said in trouble.message
    if "raised" in said:
        assert "mine.py" in trouble.detail
        assert "triton_path" not in trouble.detail


def test_asking_for_cuda_without_one_is_told_how_to_take_the_device(ask):
    import torch

    if torch.cuda.is_available():
        pytest.skip("a GPU is here")
    trouble = ask(GOOD.replace("device=device", "device='cuda'")).trouble
    assert "def inputs(device)" in trouble.mend


def test_the_starter_runs_and_its_candidate_is_right(ask):
    answer = ask(STARTER)
    assert [row.op for row in answer.report.shapes[0].ledger.rows] == [
        "tanh", "sigmoid", "mul", "mul", "add",
    ]  # fmt: skip
    (case,) = ask(STARTER, FileVerifyJob).verification.cases
    assert case.check.faults == ()


@pytest.mark.gpu
def test_the_starter_is_measured_on_a_gpu(ask):
    report = ask(STARTER).report
    assert report.faults == ()
    times = {provider.name: provider for provider in report.providers}
    assert times["triton"].speedup["eager"].value > 1
    assert report.shapes[0].ledger.measured
