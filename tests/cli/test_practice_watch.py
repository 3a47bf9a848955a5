from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.conftest import REPOSITORY
from triton_path.errors import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

WRONG = (REPOSITORY / "content/exercises/vector-add/wrong/no_mask.py").read_text()
RIGHT = (REPOSITORY / "content/exercises/vector-add/solution.py").read_text()
PATIENCE_SECONDS = 120.0


def test_without_a_file_there_is_nothing_to_watch(run: Run) -> None:
    done = run("practice", "watch")
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert "Next: triton-path practice start" in done.err


def test_piped_it_prints_a_verdict_at_each_save_until_ctrl_c(tmp_path: Path) -> None:
    file, out = tmp_path / "vector_add.py", tmp_path / "out"
    file.write_text(WRONG)

    def see(words: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while words not in out.read_text():
            assert time.monotonic() < deadline, out.read_text()
            time.sleep(0.05)

    with out.open("w") as stdout:
        process = subprocess.Popen(
            [sys.executable, "-m", "triton_path", "practice", "watch", str(file)],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.STDOUT,
        )
        try:
            see("✗ Load out of bounds")
            file.write_text(RIGHT)
            see("✓ passed")
            file.unlink()
            see("vector_add.py is gone.")
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_SECONDS) == ExitCode.INTERRUPTED
        finally:
            process.kill()
    assert "\x1b" not in out.read_text()
    assert "Traceback" not in out.read_text()


def test_from_a_save_to_its_verdict() -> None:
    """The budget is 0.5 s on an idle machine with 2 cores; the limit is for a busy one."""
    script = REPOSITORY / "scripts" / "watch_latency.py"
    done = subprocess.run(
        [sys.executable, str(script), "--saves", "4", "--limit", "8"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "measured, median" in done.stdout
