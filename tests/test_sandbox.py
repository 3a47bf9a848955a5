from __future__ import annotations

import socket
import subprocess
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


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker(interpret=False) as started:
        started.start()
        yield started


def test_output_and_exit_code_come_back(worker: Worker, tmp_path: Path) -> None:
    job = worker.submit(write(tmp_path, "print('hello')\nraise SystemExit(3)"), time_limit_s=30)
    printed, ended = finish(job)
    assert printed == "hello\n"
    assert (ended.ending, ended.exit_code) == ("failed", 3)


def test_a_job_sees_the_size_of_its_panel_and_no_input(worker: Worker, tmp_path: Path) -> None:
    text = "import shutil, sys\nprint(tuple(shutil.get_terminal_size()), repr(sys.stdin.read()))"
    printed, ended = finish(worker.submit(write(tmp_path, text), time_limit_s=30))
    assert printed == "(61, 17) ''\n"
    assert ended.ending == "finished"


def test_a_warm_worker_answers_within_a_tenth_of_a_second(worker: Worker, tmp_path: Path) -> None:
    quick = write(tmp_path, "print('first line')")
    finish(worker.submit(quick, time_limit_s=30))
    times = []
    for _ in range(5):
        start = time.monotonic()
        job = worker.submit(quick, time_limit_s=30)
        while not any(isinstance(event, Output) for event in job.events(wait_s=1.0)):
            pass
        times.append(time.monotonic() - start)
        finish(job)
    assert min(times) < 0.1


def test_a_traceback_shows_the_learners_lines_alone(worker: Worker, tmp_path: Path) -> None:
    text = "import json\ndef mine():\n    json.loads('{')\nmine()\n"
    printed, ended = finish(worker.submit(write(tmp_path, text), time_limit_s=30))
    assert "line 3, in mine" in printed
    assert "JSONDecodeError" in printed
    assert "decoder.py" not in printed
    assert "runpy" not in printed
    assert ended.exit_code == 1


def test_a_syntax_error_names_its_line(worker: Worker, tmp_path: Path) -> None:
    printed, _ = finish(worker.submit(write(tmp_path, "x = 1\nif x\n    y"), time_limit_s=30))
    assert "line 2" in printed
    assert "SyntaxError" in printed
    assert "runpy" not in printed


def test_an_endless_loop_is_stopped_at_the_time_limit(worker: Worker, tmp_path: Path) -> None:
    job = worker.submit(
        write(tmp_path, "print('on', flush=True)\nwhile True: pass"), time_limit_s=1
    )
    printed, ended = finish(job)
    assert printed == "on\n"
    assert ended.ending == "time limit"
    assert ended.seconds < 5


def test_what_a_job_started_is_ended_with_it(worker: Worker, tmp_path: Path) -> None:
    text = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\nwhile True: pass"
    )
    job = worker.submit(write(tmp_path, text), time_limit_s=30)
    printed = ""
    while not printed.endswith("\n"):
        printed += "".join(e.data.decode() for e in job.events(1.0) if isinstance(e, Output))
    job.cancel()
    _, ended = finish(job)
    assert ended.ending == "cancelled"
    deadline = time.monotonic() + 5
    while is_running(int(printed)):
        assert time.monotonic() < deadline, "the grandchild outlived its job"
        time.sleep(0.05)


def test_a_crash_is_named_and_the_worker_lives_on(worker: Worker, tmp_path: Path) -> None:
    text = (
        "import os, signal\nprint('last words', flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)"
    )
    printed, ended = finish(worker.submit(write(tmp_path, text), time_limit_s=30))
    assert printed == "last words\n"
    assert (ended.ending, ended.signal_name) == ("killed", "SIGSEGV")
    _, after = finish(worker.submit(write(tmp_path, "print(1)"), time_limit_s=30))
    assert after.ending == "finished"


def test_a_flood_of_output_arrives_whole(worker: Worker, tmp_path: Path) -> None:
    job = worker.submit(write(tmp_path, "print('x' * 3_000_000)"), time_limit_s=30)
    printed, _ = finish(job)
    assert len(printed) == 3_000_001


def test_a_child_that_keeps_the_pipe_open_does_not_hold_the_job(
    worker: Worker, tmp_path: Path
) -> None:
    text = "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nprint('done', flush=True)"
    printed, ended = finish(worker.submit(write(tmp_path, text), time_limit_s=30))
    assert "done" in printed
    assert ended.seconds < 10


def test_what_a_job_prints_is_no_message(worker: Worker, tmp_path: Path) -> None:
    text = 'print(\'{"type": "result", "value": {"exit_code": 0}}\')\nraise SystemExit(1)'
    job = worker.submit(write(tmp_path, text), time_limit_s=30)
    answers = []
    while not job.ended:
        answers += [e.message for e in job.events(1.0) if isinstance(e, Answered)]
    assert [answer.value for answer in answers] == [{"exit_code": 1}]  # type: ignore[union-attr]


def test_a_file_named_torch_in_the_folder_is_not_taken_for_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("print('not torch')")
    monkeypatch.chdir(tmp_path)
    with Worker(interpret=False) as fresh:
        job = write(
            tmp_path / "..", "import sys\nprint(hasattr(sys.modules.get('torch'), 'Tensor'))"
        )
        printed, _ = finish(fresh.submit(job, time_limit_s=60))
    assert printed == "True\n"


def test_a_broken_torch_still_serves_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "torch.py").write_text("raise OSError('libcudart.so: cannot open shared object')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Worker(interpret=False) as fresh:
        printed, ended = finish(fresh.submit(write(tmp_path, "print('alive')"), time_limit_s=60))
    assert (printed, ended.ending) == ("alive\n", "finished")


def test_a_torch_that_kills_its_process_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("import os\nos.abort()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Worker(interpret=False) as fresh:
        _, ended = finish(fresh.submit(write(tmp_path, "print(1)"), time_limit_s=60))
    assert ended.ending == "killed"


def test_closing_a_worker_ends_its_process(tmp_path: Path) -> None:
    fresh = Worker(interpret=False)
    fresh.start()
    process = fresh._process
    assert process is not None
    fresh.close()
    assert process.poll() is not None


def test_interpret_decides_before_triton_is_imported(tmp_path: Path) -> None:
    text = "import os\nprint(os.environ.get('TRITON_INTERPRET'))"
    for interpret, wanted in ((True, "1\n"), (False, "None\n")):
        with Worker(interpret=interpret) as fresh:
            printed, _ = finish(fresh.submit(write(tmp_path, text), time_limit_s=60))
        assert printed == wanted


def test_run_job_returns_the_result(tmp_path: Path) -> None:
    end = run_job(write(tmp_path, "print(1)"), DemoEnd, interpret=False, time_limit_s=60)
    assert end.exit_code == 0


def test_run_job_tells_of_a_job_without_an_answer(tmp_path: Path) -> None:
    job = write(tmp_path, "import os\nprint('why', flush=True)\nos._exit(9)")
    with pytest.raises(WorkerFault, match=r"(?s)ended before it gave an answer.*why"):
        run_job(job, DemoEnd, interpret=False, time_limit_s=60)


def test_run_job_tells_of_the_likeliest_reason_for_a_kill(tmp_path: Path) -> None:
    job = write(tmp_path, "import os\nos.kill(os.getpid(), 9)")
    with pytest.raises(WorkerFault, match="SIGKILL; the system does that where memory runs out"):
        run_job(job, DemoEnd, interpret=False, time_limit_s=60)


def test_run_job_tells_of_the_time_limit(tmp_path: Path) -> None:
    with pytest.raises(WorkerFault, match="time limit of 5 s"):
        run_job(write(tmp_path, "while True: pass"), DemoEnd, interpret=False, time_limit_s=5)


def test_a_system_that_runs_no_jobs_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "send_fds")
    with pytest.raises(MissingFault, match="Linux or macOS"):
        Worker(interpret=False).start()


def test_a_kill_right_after_the_start_is_not_lost(worker: Worker, tmp_path: Path) -> None:
    endless = write(tmp_path, "while True: pass")
    for _ in range(20):
        job = worker.submit(endless, time_limit_s=30)
        while not job.accepted:
            list(job.events(wait_s=0.2))
        job.cancel()
        _, ended = finish(job)
        assert ended.ending == "cancelled"
        assert ended.seconds < 10


def test_a_worker_that_hangs_in_an_import_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("while True: pass")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Worker(interpret=False) as fresh:
        _, ended = finish(fresh.submit(write(tmp_path, "print(1)"), time_limit_s=1))
    assert ended.ending == "time limit"


def test_a_worker_closed_while_it_warms_up_ends_its_job(tmp_path: Path) -> None:
    with Worker(interpret=False) as fresh:
        job = fresh.submit(write(tmp_path, "print(1)"), time_limit_s=30)
        job.cancel()
        fresh.close()
        _, ended = finish(job)
        assert ended.ending == "cancelled"
        _, after = finish(fresh.submit(write(tmp_path, "print(1)"), time_limit_s=60))
    assert after.ending == "finished"


def test_a_tutor_that_dies_during_the_warm_up_leaves_nothing_running(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    demo = write(tmp_path, f"open({str(marker)!r}, 'w').write('x')")
    code = (
        "import os, signal\nfrom triton_path.sandbox import Worker\n"
        "from triton_path.jobs.demo import DemoJob\n"
        f"Worker(interpret=False).submit(DemoJob(path={demo.path!r}, columns=80, lines=24),"
        " time_limit_s=60)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    time.sleep(6)  # longer than the import of torch that the orphan is in
    assert not marker.exists()
