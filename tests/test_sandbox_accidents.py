"""What a job may do wrong, each with its verdict, and nothing of it left running.

Each is tried in a forked process and in a Python started afresh.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.jobs.demos import finish, is_running, write
from triton_path.errors import MissingFault
from triton_path.jobs.demo import DemoEnd
from triton_path.sandbox import Answered, Output, Worker, WorkerFault, run_job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("children_uncovered")
linux = pytest.mark.skipif(sys.platform != "linux", reason="orphans are found on Linux alone")
PREPARE = (
    "import os, signal, subprocess, sys, time\n"
    # At once: several processes write to the same pipe.
    "def say(number): os.write(1, f'{number}\\n'.encode())\n"
)
SLEEPER = "['sleep', '60']"


WAYS = ["forked", "afresh"]


def started(way: str) -> Worker:
    """Start a worker whose jobs get their processes in that way."""
    with pytest.MonkeyPatch.context() as patch:
        if way == "afresh":
            patch.setenv("TRITON_PATH_NO_FORK", "1")
        worker = Worker(interpret=False)
        worker.start()
    return worker


@pytest.fixture(scope="module", params=WAYS)
def worker(
    children_uncovered: None,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Worker]:
    with started(request.param) as worker:
        # The first job waits for the import of torch, which no time limit below is meant for.
        finish(worker.submit(write(tmp_path_factory.mktemp("warm"), ""), time_limit_s=90))
        yield worker


@pytest.fixture
def healthy(worker: Worker, tmp_path: Path) -> Iterator[Worker]:
    """The worker; after the test the next job must find it as it was."""
    yield worker
    printed, ended = finish(worker.submit(write(tmp_path, "print('next')"), time_limit_s=60))
    assert (printed, ended.ending) == ("next\n", "finished")


@pytest.mark.parametrize(
    ("text", "ending", "exit_code", "signal_name"),
    [
        ("while True: pass", "time limit", None, "SIGKILL"),
        ("time.sleep(60)", "time limit", None, "SIGKILL"),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass", "time limit", None,
         "SIGKILL"),
        ("while True: print('x' * 10000)", "time limit", None, "SIGKILL"),
        ("os._exit(7)", "failed", 7, None),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed", None, "SIGSEGV"),
        ("import ctypes; ctypes.string_at(0)", "killed", None, "SIGSEGV"),
        ("os.kill(os.getpid(), 40)", "killed", None, "signal 40"),
        ("os.abort()", "killed", None, "SIGABRT"),
        ("input()", "failed", 1, None),
        ("os.close(1); os.close(2)", "finished", 0, None),
    ],
)  # fmt: skip
def test_every_accident_has_its_verdict(
    healthy: Worker, tmp_path: Path, text: str, ending: str, exit_code: int, signal_name: str
) -> None:
    _, ended = finish(healthy.submit(write(tmp_path, PREPARE + text), time_limit_s=2))
    assert (ended.ending, ended.exit_code, ended.signal_name) == (ending, exit_code, signal_name)
    assert ended.seconds < 8


def test_a_job_reads_nothing(healthy: Worker, tmp_path: Path) -> None:
    text = "import sys\nprint(repr(sys.stdin.read()))"
    printed, _ = finish(healthy.submit(write(tmp_path, text), time_limit_s=30))
    assert printed == "''\n"


CHILDREN = {
    "a hundred children": f"for _ in range(100): say(subprocess.Popen({SLEEPER}).pid)\n",
    "a hundred forks": "for _ in range(100):\n"
    "    child = os.fork()\n    if child == 0: time.sleep(60)\n    say(child)\n",
    "sessions of their own": "for _ in range(10):\n"
    f"    say(subprocess.Popen({SLEEPER}, start_new_session=True).pid)\n",
    "a daemon": "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    "        say(os.getpid())\n        time.sleep(60)\n    os._exit(0)\nos.wait()\n"
    "time.sleep(0.3)\n",
    "a chain of daemons": "for _ in range(20):\n    if os.fork():\n        break\n    os.setsid()\n"
    "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsay(os.getpid())\n"
    "time.sleep(0.3 if os.getpid() == first else 60)\n",
}  # fmt: skip


@linux
@pytest.mark.parametrize("end", ["", "os._exit(3)\n"])
@pytest.mark.parametrize("name", CHILDREN)
def test_nothing_that_a_job_started_is_left(
    healthy: Worker, tmp_path: Path, name: str, end: str
) -> None:
    text = f"{PREPARE}first = os.getpid()\n{CHILDREN[name]}{end}"
    printed, ended = finish(healthy.submit(write(tmp_path, text), time_limit_s=60))
    numbers = [int(word) for word in printed.split()]
    assert numbers
    assert not [number for number in numbers if is_running(number)]
    assert (ended.ending, ended.exit_code) == (("failed", 3) if end else ("finished", 0))


@linux
@pytest.mark.parametrize("name", CHILDREN)
def test_nothing_is_left_of_a_job_that_was_stopped(
    healthy: Worker, tmp_path: Path, name: str
) -> None:
    text = (
        f"{PREPARE}first = os.getpid()\n{CHILDREN[name]}print('all', flush=True)\nwhile True: pass"
    )
    job = healthy.submit(write(tmp_path, text), time_limit_s=60)
    printed = ""
    while "all\n" not in printed:
        printed += "".join(e.data.decode() for e in job.events(1.0) if isinstance(e, Output))
    job.cancel()
    rest, ended = finish(job)
    numbers = [int(word) for word in (printed + rest).split() if word != "all"]
    assert numbers
    assert not [number for number in numbers if is_running(number)]
    assert ended.ending == "cancelled"


@linux
def test_a_loop_that_forks_is_stopped(tmp_path: Path) -> None:
    """Not in a forked job: six hundred copies of a process with torch in it are too much."""
    text = f"{PREPARE}for _ in range(600):\n    if os.fork() == 0: time.sleep(60)\ntime.sleep(60)"
    with started("afresh") as fresh:
        printed, ended = finish(fresh.submit(write(tmp_path, text), time_limit_s=30))
    assert "it had started more than 500 processes" in printed
    assert (ended.ending, ended.signal_name) == ("killed", "SIGKILL")
    assert ended.seconds < 20


@linux
@pytest.mark.parametrize("way", WAYS)
def test_a_daemon_of_a_job_ends_with_the_tutor(tmp_path: Path, way: str) -> None:
    with started(way) as fresh:
        text = PREPARE + CHILDREN["a daemon"] + "while True: pass"
        job = fresh.submit(write(tmp_path, text), time_limit_s=60)
        printed = ""
        while "\n" not in printed:
            printed += "".join(e.data.decode() for e in job.events(1.0) if isinstance(e, Output))
    wait_for_the_end(int(printed))


def wait_for_the_end(pid: int) -> None:
    deadline = time.monotonic() + 5
    while is_running(pid):
        assert time.monotonic() < deadline, f"{pid} lives on"
        time.sleep(0.02)


ANSWER_FD = (
    "fd = next(n for n in range(3, 20) if os.path.exists(f'/proc/self/fd/{n}')"
    " and 'pipe' in os.readlink(f'/proc/self/fd/{n}'))\n"
)


@linux
@pytest.mark.parametrize(
    "text",
    [
        "os.write(fd, b'{}' * 1000)",
        "import struct; os.write(fd, struct.pack('>I', 2) + b'{}')",
        "[os.write(fd, b'\\xff' * 60000) for _ in range(600)]",
        "os.close(fd)",
        "os.closerange(3, 64)",
    ],
)
def test_a_job_that_spoils_its_answer_has_its_own_end(
    healthy: Worker, tmp_path: Path, text: str
) -> None:
    demo = write(tmp_path, f"{PREPARE}{ANSWER_FD}{text}\nprint('to the end')")
    printed, ended = finish(healthy.submit(demo, time_limit_s=30))
    assert (printed, ended.ending) == ("to the end\n", "finished")


@linux
def test_a_spoiled_answer_is_told_as_none(tmp_path: Path) -> None:
    demo = write(tmp_path, f"{PREPARE}{ANSWER_FD}os.write(fd, b'{{}}' * 1000)")
    with pytest.raises(WorkerFault, match="ended before it gave an answer"):
        run_job(demo, DemoEnd, interpret=False, time_limit_s=60)


def test_a_job_may_answer_again_and_again(healthy: Worker, tmp_path: Path) -> None:
    text = (
        f'{PREPARE}{ANSWER_FD}import struct\nstep = b\'{{"type":"progress","text":"x"}}\'\n'
        "for _ in range(5000): os.write(fd, struct.pack('>I', len(step)) + step)\n"
    )
    job = healthy.submit(write(tmp_path, text), time_limit_s=30)
    answers = 0
    while not job.ended:
        answers += sum(isinstance(event, Answered) for event in job.events(1.0))
    assert answers == 5001


@pytest.mark.parametrize("way", WAYS)
def test_a_job_that_kills_its_worker_is_ended(tmp_path: Path, way: str) -> None:
    text = f"{PREPARE}print(os.getpid(), flush=True)\nos.kill(os.getppid(), signal.SIGKILL)\n"
    with started(way) as fresh:
        job = fresh.submit(write(tmp_path, text + "time.sleep(60)"), time_limit_s=30)
        printed, ended = finish(job)
        assert ended.ending == "killed"
        wait_for_the_end(int(printed))
        _, after = finish(fresh.submit(write(tmp_path, "print(1)"), time_limit_s=60))
    assert after.ending == "finished"


@pytest.mark.parametrize("interpret", [True, False])
def test_a_memory_hog_fails_at_its_line(tmp_path: Path, interpret: bool) -> None:
    """A mapping that is never touched: more than a job may have, less than the machine has."""
    from triton_path.jobs.machine import gpu_device_here

    if gpu_device_here() and not interpret:
        pytest.skip("where a GPU is, its driver reserves more address space than any limit")
    text = (
        "import mmap, os\n"
        "machine = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES')\n"
        "hog = mmap.mmap(-1, machine * 6 // 10)\n"
    )
    with Worker(interpret=interpret) as fresh:
        printed, ended = finish(fresh.submit(write(tmp_path, text), time_limit_s=60))
    assert "line 3" in printed
    assert "Cannot allocate memory" in printed
    assert ended.exit_code == 1


REFUSES = """
import os
if {fork}:
    def fork():
        raise BlockingIOError(11, "Resource temporarily unavailable")
    os.fork = fork
if {popen}:
    import _posixsubprocess, subprocess
    def refuse(*_):
        raise BlockingIOError(11, "Resource temporarily unavailable")
    subprocess._fork_exec = _posixsubprocess.fork_exec = refuse
if {none}:
    del os.fork
"""


@pytest.mark.parametrize("how", ["fork", "none"])
def test_a_refused_fork_starts_python_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    refuse(monkeypatch, tmp_path, how)
    text = "import os\nprint(os.path.basename(open('/proc/self/cmdline').read().split(chr(0))[3]))"
    with Worker(interpret=False) as fresh:
        printed, ended = finish(fresh.submit(write(tmp_path, text), time_limit_s=60))
    assert (printed, ended.ending) == ("job\n", "finished")


def test_where_no_process_starts_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(monkeypatch, tmp_path, "fork", "popen")
    with pytest.raises(MissingFault, match="starts no process") as caught:
        run_job(write(tmp_path, "print(1)"), DemoEnd, interpret=False, time_limit_s=60)
    assert "ulimit -u" in (caught.value.hint or "")


def refuse(patch: pytest.MonkeyPatch, folder: Path, *what: str) -> None:
    """Make every Python that is started with this PYTHONPATH refuse to start processes."""
    refused = {name: name in what for name in ("fork", "popen", "none")}
    (folder / "sitecustomize.py").write_text(REFUSES.format(**refused))
    patch.setenv("PYTHONPATH", str(folder))


def test_a_kernel_gives_the_same_in_a_python_started_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRITON_PATH_NO_FORK", "1")
    text = (
        "import torch, triton, triton.language as tl\n@triton.jit\n"
        "def add(x, n: tl.constexpr):\n    i = tl.arange(0, n)\n"
        "    tl.store(x + i, tl.load(x + i) + 1)\n"
        "x = torch.ones(8)\nadd[(1,)](x, 8)\nprint(x.sum().item())\n"
    )
    with Worker(interpret=True) as fresh:
        printed, _ = finish(fresh.submit(write(tmp_path, text), time_limit_s=60))
    assert printed == "16.0\n"


def test_the_server_never_sets_up_cuda(tmp_path: Path) -> None:
    """What CUDA sets up does not survive a fork; a job's state is that of the server it left."""
    text = "import sys\ntorch = sys.modules['torch']\nprint(torch.cuda.is_initialized())"
    for interpret in (False, True):
        with Worker(interpret=interpret) as fresh:
            printed, _ = finish(fresh.submit(write(tmp_path, text), time_limit_s=60))
        assert printed == "False\n"


def test_no_descriptor_of_the_server_reaches_a_job(healthy: Worker, tmp_path: Path) -> None:
    text = f"import os\n{ANSWER_FD}print([n for n in range(3, 64) if n != fd and _is(n)])"
    check = "def _is(n):\n    try:\n        return os.readlink(f'/proc/self/fd/{n}')"
    text = f"{check}\n    except OSError:\n        return None\n{text}"
    printed, _ = finish(healthy.submit(write(tmp_path, text), time_limit_s=30))
    assert printed == "[]\n"
