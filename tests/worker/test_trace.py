"""The job `trace` in this process: files that are right, wrong, endless, or no launch at all."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest
import torch

from triton_path.jobs.trace import TraceAnswer, TraceJob
from triton_path.worker.missing import MissingHere
from triton_path.worker.trace.printed import LINES, Printed
from triton_path.worker.trace.run import trace, without_repeated_pictures
from triton_path.worker.triton_private import names
from triton_path.worker.watch import selftest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    not names.INTERPRETED, reason="kernels are compiled in this process: nothing to watch"
)

HEAD = """\
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i), mask=i < n)


"""


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., TraceAnswer]:
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setitem(sys.modules, "file", sys)

    def run(body: str, *, head: str = HEAD, **job: Any) -> TraceAnswer:
        path = tmp_path / "file.py"
        path.write_text(head + textwrap.dedent(body))
        return trace(TraceJob(path=str(path), **job), lambda _: None)

    return run


def test_cuda_is_led_to_the_cpu_and_noted(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("""
        DEVICE = triton.runtime.driver.active.get_active_torch_device()
        assert torch.cuda.is_available()
        x = torch.arange(64.0, device="cuda").to(DEVICE)
        out = torch.zeros(64).cuda()
        assert x.is_cuda and x.device == DEVICE
        copy[(2,)](x, out, 64, BLOCK=32)
        assert torch.equal(x, out)
        print("equal")
    """)
    assert (answer.ran.raised, answer.ran.printed) == ("", ("equal",))
    assert answer.ran.led_to_cpu
    assert not answer.ran.stopped
    (launch,) = answer.watch.launches
    assert launch.lines[0].sector_efficiency == 1.0
    assert launch.ownership[0].cells[0][-1] == 1
    assert not torch.cuda.is_available()
    assert torch.ones(1).device.type == "cpu"


def test_a_file_for_the_cpu_is_not_said_to_want_cuda(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("copy[(1,)](torch.zeros(8), torch.zeros(8), 8, BLOCK=8)")
    assert not answer.ran.led_to_cpu
    assert answer.watch.ok


def test_a_fault_ends_the_file(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("""
        print("before")
        copy[(2,)](torch.zeros(40), torch.zeros(40), 40, BLOCK=32)
        print("after")
    """)
    assert [fault.kind for fault in answer.watch.faults] == ["out-of-bounds-load"]
    assert answer.watch.faults[0].place is not None
    assert answer.watch.faults[0].place.line == 9
    assert answer.ran.stopped
    assert answer.ran.printed == ("before",)


def test_quick_makes_no_second_runs(traced: Callable[..., TraceAnswer]) -> None:
    body = """
        @triton.jit
        def top(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            tl.store(out_ptr, tl.max(tl.load(x_ptr + i, mask=i < n), axis=0))

        top[(1,)](-torch.ones(5), torch.zeros(1), 5, BLOCK=8)
    """
    assert [f.kind for f in traced(body).watch.faults] == ["depends-on-masked-lanes"]
    assert traced(body, everything=False).watch.faults == ()


def test_main_is_called_where_the_file_launches_nothing(
    traced: Callable[..., TraceAnswer],
) -> None:
    body = """
        def launch(size=8):
            copy[(1,)](torch.zeros(size), torch.zeros(size), size, BLOCK=8)

        def main():
            launch()
            launch()

        def sized(size):
            launch(size)

        if __name__ == "__main__":
            print("a script")
    """
    answer = traced(body)
    assert (answer.ran.called, len(answer.watch.launches)) == ("main", 2)
    assert [bool(launch.ownership) for launch in answer.watch.launches] == [True, False]
    assert answer.ran.printed == ("a script",)
    answer = traced(body, function="launch")
    assert (answer.ran.called, answer.ran.printed) == ("launch", ())
    assert answer.functions == ("launch", "main")
    assert answer.kernels == ("copy",)
    troubles = {name: traced(body, function=name).trouble for name in ("sized", "copy", "lunch")}
    assert troubles == {
        "sized": "needs arguments", "copy": "is a kernel", "lunch": "no such function",
    }  # fmt: skip


def test_what_the_file_raises_is_its_own_lines(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("""
        copy[(1,)](torch.zeros(8), torch.zeros(8), 8, BLOCK=8)

        def fails():
            torch.ones(3) @ torch.ones(4)

        fails()
    """)
    raised = answer.ran.raised
    assert raised.count("File ") == 2
    assert "site-packages" not in raised
    assert "running.py" not in raised
    assert raised.splitlines()[-1].startswith("RuntimeError")
    assert len(answer.watch.launches) == 1


def test_leaving_with_a_code_is_told_and_leaving_is_not(
    traced: Callable[..., TraceAnswer],
) -> None:
    assert traced("raise SystemExit('no data')").ran.raised == "SystemExit: no data"
    assert traced("raise SystemExit(0)").ran.raised == ""


def test_an_endless_file_is_stopped_and_what_it_launched_is_kept(
    traced: Callable[..., TraceAnswer],
) -> None:
    answer = traced(
        """
        copy[(1,)](torch.zeros(8), torch.zeros(8), 8, BLOCK=8)
        while True:
            try:
                pass
            except Exception:
                pass
        """,
        seconds=1.0,
    )
    assert answer.ran.out_of_time
    assert not answer.ran.stopped
    assert len(answer.watch.launches) == 1


def test_timing_ends_the_file_with_a_finding(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("triton.testing.do_bench(lambda: None)")
    assert [fault.kind for fault in answer.watch.faults] == ["timing-refused"]


def test_the_end_of_a_flood_is_kept(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("for n in range(5000): print('line', n)", head="")
    assert (len(answer.ran.printed), answer.ran.printed_lines) == (LINES, 5000)
    assert answer.ran.printed[-1] == "line 4999"


def test_lines_are_counted_however_they_are_cut() -> None:
    printed = Printed()
    for text in ("a", "b\nc", "\n"):
        printed.add(text)
    assert (printed.lines, printed.total) == (("ab", "c"), 2)
    assert (Printed().lines, Printed().total) == ((), 0)


def test_without_a_watch_there_is_no_trace(
    traced: Callable[..., TraceAnswer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selftest, "reason_not_to_watch", lambda: "Triton is too new.")
    with pytest.raises(MissingHere, match="Triton is too new") as caught:
        traced("print()")
    assert caught.value.hint == "triton-path doctor"


def test_only_equal_launches_lose_their_picture(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("""
        for size in (8, 16, 8):
            copy[(2,)](torch.zeros(size), torch.zeros(size), size, BLOCK=size // 2)
    """)
    kept = [bool(launch.ownership) for launch in answer.watch.launches]
    assert kept == [True, True, False]
    assert without_repeated_pictures(answer.watch) == answer.watch
