"""The job `trace` in this process: files that are right, wrong, endless, or no launch at all."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest
import torch

from triton_path.jobs.inspect import Argument
from triton_path.jobs.trace import HandLaunch, TraceAnswer, TraceJob
from triton_path.worker.missing import MissingHere
from triton_path.worker.trace import by_hand as data
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


def tensor(name: str, *shape: int, dtype: str = "fp32") -> Argument:
    return Argument(name=name, dtype=dtype, shape=shape)


def by_hand(*arguments: Argument, kernel: str | None = "copy", **constants: Any) -> dict[str, Any]:
    hand = HandLaunch(kernel=kernel, arguments=arguments, constants=constants, grid=(4,))
    return {"by_hand": hand}


N = Argument(name="n", value=100)


def test_a_launch_by_hand(traced: Callable[..., TraceAnswer]) -> None:
    x, out = tensor("x_ptr", 128), tensor("out_ptr", 100)
    for kernel in ("copy", None):
        answer = traced("print(__name__)", **by_hand(x, out, N, kernel=kernel, BLOCK=32))
        (launch,) = answer.watch.launches
        assert (launch.kernel, launch.grid, answer.watch.ok) == ("copy", (4, 1, 1), True)
        assert [(value.name, value.text) for value in launch.values] == [
            ("n", "100"), ("BLOCK", "32"),
        ]  # fmt: skip
    assert answer.ran.printed == ("file",)  # imported, not run as a script


def test_a_launch_by_hand_finds_faults_too(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("", **by_hand(tensor("x_ptr", 100), tensor("out_ptr", 100), N, BLOCK=32))
    assert [fault.kind for fault in answer.watch.faults] == ["out-of-bounds-load"]
    assert answer.watch.launches[0].stopped_by == 0


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ((N,), "copy also needs --arg x_ptr=... --arg out_ptr=... --set BLOCK=..."),
        ((N, tensor("y_ptr", 3)), "copy has no parameter 'y_ptr'."),
        ((tensor("x_ptr", 3, dtype="f32"),), "There is no dtype 'f32'"),
    ],
)
def test_arguments_that_do_not_fit(
    traced: Callable[..., TraceAnswer], changes: tuple[Argument, ...], detail: str
) -> None:
    answer = traced("", **by_hand(*changes))
    assert answer.trouble == "wrong arguments"
    assert answer.detail.startswith(detail)


def test_which_kernel_by_hand(traced: Callable[..., TraceAnswer]) -> None:
    assert traced("", **by_hand(N, kernel="cope")).trouble == "no such kernel"
    second = """
        @triton.jit
        def other(n):
            pass
    """
    assert traced(second, **by_hand(N, kernel=None)).trouble == "which kernel"


def test_what_wrappers_choose_need_not_be_given(traced: Callable[..., TraceAnswer]) -> None:
    body = """
        @triton.autotune([triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64})], key=["n"])
        @triton.heuristics({"EVEN": lambda given: given["n"] % 2 == 0})
        @triton.jit
        def tuned(x_ptr, n, EVEN: tl.constexpr, BLOCK: tl.constexpr):
            i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.store(x_ptr + i, EVEN, mask=i < n)
    """
    answer = traced(body, **by_hand(tensor("x_ptr", 100), N, kernel="tuned"))
    assert (answer.trouble, answer.watch.ok) == ("", True)
    assert "first of 2 configurations" in answer.watch.launches[0].notes[0]


def test_data_by_hand_is_the_same_every_time() -> None:
    made = [data._tensor(tensor("x", 1000, dtype=name), 3, virtual=False)
            for name in ("fp32", "bf16", "i64", "u8", "i1", "fp8e5") for _ in range(2)]  # fmt: skip
    for one, other in zip(made[::2], made[1::2], strict=True):
        assert torch.equal(one.float(), other.float())
    assert made[0].std() == pytest.approx(1, rel=0.1)
    assert set(made[4].tolist()) == set(made[6].tolist()) == {1, 2, 3, 4}


def test_tensors_too_large_by_hand_have_shapes_alone(
    traced: Callable[..., TraceAnswer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "MOST_FILLED", 1000)
    answer = traced("", **by_hand(tensor("x_ptr", 256), tensor("out_ptr", 100), N, BLOCK=32))
    (launch,) = answer.watch.launches
    assert launch.notes[0].startswith("x_ptr: shape alone")
    assert launch.arguments[0].loaded_bytes == 512


def test_memory_that_does_not_suffice_is_no_fault_of_the_file(
    traced: Callable[..., TraceAnswer],
) -> None:
    answer = traced("""
        copy[(1,)](torch.zeros(8), torch.zeros(8), 8, BLOCK=8)
        x = torch.empty(1 << 60, device="cuda", dtype=torch.int8)
    """)
    large = answer.ran.too_large
    assert large is not None
    assert (large.bytes_asked, large.line) == (1 << 60, 14)
    assert large.source.startswith("x = torch.empty")
    assert (answer.ran.raised, len(answer.watch.launches)) == ("", 1)
    answer = traced("def f(): raise MemoryError\nf()")
    assert answer.ran.too_large is not None
    assert answer.ran.too_large.bytes_asked is None


def test_chosen_programs_run_and_the_rest_is_extrapolated(
    traced: Callable[..., TraceAnswer],
) -> None:
    body = """
        out = torch.empty(320, device="cuda")
        copy[(10,)](torch.zeros(320), out, 320, BLOCK=32)
        assert out.sum() == 0
    """
    answer = traced(body, programs=(0, -1))
    (launch,) = answer.watch.launches
    assert launch.extrapolated is not None
    assert (launch.programs, launch.extrapolated.ids) == (2, (0, 9))
    assert launch.extrapolated.arguments[1].stored_bytes == 1280
    assert answer.watch.ok
    answer = traced(body.replace("320", "32000").replace("10,", "1000,"), launch_seconds=0.02)
    (launch,) = answer.watch.launches
    assert launch.extrapolated is not None
    assert launch.extrapolated.chosen == "for time"


def test_a_warm_up_leads_to_the_launch(traced: Callable[..., TraceAnswer]) -> None:
    answer = traced("""
        x, out = torch.zeros(8, device="cuda"), torch.zeros(8, device="cuda")
        warm = copy.warmup(x, out, 8, BLOCK=8, num_warps=4, grid=(1,))
        warm._init_handles()
        programs = 65536 // (warm.n_regs * 32 * 4) // (warm.metadata.shared // 1024)
        warm[(programs // 16,)](x, out, 8, 8)
    """)
    assert (answer.ran.raised, len(answer.watch.launches)) == ("", 1)
    assert answer.watch.launches[0].notes[0].startswith("warmup")
