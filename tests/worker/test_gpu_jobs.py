"""Jobs on a GPU: each sets up CUDA for itself, so that what one breaks stays its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.jobs.demos import finish, is_running, write
from triton_path.sandbox import Worker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.gpu

HEAD = """\
import torch, triton, triton.language as tl

@triton.jit
def add_one(x, offset, n: tl.constexpr):
    i = tl.arange(0, n)
    tl.store(x + offset + i, tl.load(x + offset + i) + 1)

x = torch.ones(256, device="cuda")
"""
RIGHT = f"{HEAD}add_one[(1,)](x, 0, 256)\nprint(torch.cuda.is_initialized(), x.sum().item())\n"
ILLEGAL = f"{HEAD}add_one[(1,)](x, 1 << 40, 256)\ntorch.cuda.synchronize()\n"
ENDLESS = """\
import torch, triton, triton.language as tl

@triton.jit
def wait(x):
    value = tl.load(x, volatile=True)
    while value == 0:
        value = tl.load(x, volatile=True)

wait[(1,)](torch.zeros(1, device="cuda"))
print("launched", flush=True)
torch.cuda.synchronize()
"""


@pytest.fixture(scope="module", params=["forked", "afresh"])
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "afresh":
            patch.setenv("TRITON_PATH_NO_FORK", "1")
        started = Worker(interpret=False)
        started.start()
    with started:
        yield started


def test_cuda_is_set_up_by_the_job_and_not_by_the_server(worker: Worker, tmp_path: Path) -> None:
    text = "import torch\nprint(torch.cuda.is_initialized(), torch.cuda._is_in_bad_fork())\n"
    printed, _ = finish(worker.submit(write(tmp_path, text), time_limit_s=90))
    assert printed == "False False\n"
    printed, ended = finish(worker.submit(write(tmp_path, RIGHT), time_limit_s=90))
    assert (printed, ended.ending) == ("True 512.0\n", "finished")


def test_an_illegal_access_costs_its_own_job_alone(worker: Worker, tmp_path: Path) -> None:
    for _ in range(2):
        printed, ended = finish(worker.submit(write(tmp_path, ILLEGAL), time_limit_s=90))
        assert "illegal memory access" in printed
        assert ended.ending in ("failed", "killed")
        printed, ended = finish(worker.submit(write(tmp_path, RIGHT), time_limit_s=90))
        assert (printed, ended.ending) == ("True 512.0\n", "finished")


def test_an_endless_kernel_is_stopped_and_frees_the_gpu(worker: Worker, tmp_path: Path) -> None:
    text = f"import os\nprint(os.getpid(), flush=True)\n{ENDLESS}"
    printed, ended = finish(worker.submit(write(tmp_path, text), time_limit_s=20))
    number, said = printed.split()
    assert (said, ended.ending) == ("launched", "time limit")
    assert not is_running(int(number))
    printed, ended = finish(worker.submit(write(tmp_path, RIGHT), time_limit_s=90))
    assert (printed, ended.ending) == ("True 512.0\n", "finished")


def test_more_memory_than_the_gpu_has_is_the_jobs_own_fault(worker: Worker, tmp_path: Path) -> None:
    text = "import torch\ntorch.empty(1 << 45, dtype=torch.int8, device='cuda')\n"
    printed, ended = finish(worker.submit(write(tmp_path, text), time_limit_s=90))
    assert "OutOfMemoryError" in printed
    assert ended.exit_code == 1
