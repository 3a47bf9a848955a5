"""The timing of the large case: what is reported, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from tests.worker.practice.fake_gpu import GRADING, HEAD, KERNEL, FakeGpu, N
from triton_path.worker.practice import gpu_baselines, gpu_timing
from triton_path.worker.practice.gpu import measure_on

pytestmark = pytest.mark.filterwarnings("ignore")

STREAM_US = 100.0


@pytest.fixture
def gpu(tmp_path, device, monkeypatch):
    if device != "cpu":
        pytest.skip("a CPU stands for the GPU here, which needs Triton's interpreter")
    gpu = FakeGpu(tmp_path)
    monkeypatch.setattr(gpu_timing, "streams", gpu.streams(STREAM_US))
    monkeypatch.setattr(gpu_baselines, "compiled", lambda function: function)
    monkeypatch.setattr(gpu_timing, "WARM_UP_S", 0.0005)
    monkeypatch.setattr(gpu_timing, "BUDGET_S", 0.001)  # 20 rounds
    monkeypatch.setattr("builtins.fake_clock", gpu.clock, raising=False)
    return gpu


def add(body):
    """Return a file whose function has this body; `spend` takes time on the GPU."""
    clock = "import builtins\nspend = builtins.fake_clock.spend\n"
    return f"{HEAD}{clock}{KERNEL}\ncalls = []\nkept = {{}}\n\ndef add(x, y, out):\n{body}"


def slow_reference(us):
    return (
        f"{HEAD}import builtins\n\ndef reference(x, y):\n"
        f"    builtins.fake_clock.spend({us})\n    return x + y\n"
    )


HONEST = add("    launch(x, y, out)\n    spend(125.0)\n")
LARGE = f"    if x.numel() == {N}:\n        calls.append(1)\n"


def measured(gpu, source=HONEST, *, reference=None, **fields):
    job, learner = gpu.job(source, reference=reference or slow_reference(400), **fields)
    return measure_on(gpu.machine, job, learner)


def test_yours_is_timed_beside_eager_and_the_stream(gpu):
    reference = slow_reference(400) + (
        "\n\ndef best_eager(x, y):\n    builtins.fake_clock.spend(200)\n    return y + x\n"
    )
    finding, result = measured(gpu, reference=reference)
    assert finding is None
    assert result.cases == 3
    assert result.label == f"n = {N}, float16"
    assert result.untimed == ""
    assert [(one.name, one.time.value) for one in result.providers] == [
        ("yours", 125.0),
        ("eager", 400.0),
        ("best eager", 200.0),
        ("torch.compile", 400.0),
    ]
    assert [one.of_limit for one in result.providers] == [0.8, 0.25, 0.5, 0.25]
    assert all(one.time.n >= 20 for one in result.providers)
    assert result.limit_time.value == STREAM_US
    assert result.limit.startswith("a stream that reads 20 kB and writes 10 kB (")
    assert result.limit.endswith("measured in the same run")
    assert (result.device, result.driver) == ("a GPU", "1.2.3")


def test_the_work_of_setting_outputs_back_is_not_timed(gpu, monkeypatch):
    monkeypatch.setattr(gpu_timing.Outputs, "set_back", lambda _self: gpu.clock.spend(10_000.0))
    finding, result = measured(gpu)
    assert finding is None
    assert result.providers[0].time.value == 125.0


def test_with_flops_the_matrix_rate_is_the_limit(gpu, monkeypatch):
    def product(dtype, device):
        assert (dtype, device) == (torch.float16, "cpu")
        return 10, "float16", lambda: gpu.clock.spend(50.0)

    monkeypatch.setattr(gpu_timing, "matrix_product", product)
    grading = replace(GRADING, timing=replace(GRADING.timing, flops=2 * 10**3 * 5 // 2))
    finding, result = measured(gpu, grading=grading)
    assert finding is None
    assert result.limit_time.value == pytest.approx(125.0)
    assert result.providers[0].of_limit == pytest.approx(1.0)
    assert "torch.matmul" in result.limit


def test_torch_compile_that_fails_is_a_note(gpu, monkeypatch):
    def broken(_function):
        def run(*_):
            raise RuntimeError("Failed to find C compiler. Please specify via CC.\nmore")

        return run

    monkeypatch.setattr(gpu_baselines, "compiled", broken)
    finding, result = measured(gpu)
    assert finding is None
    assert [one.name for one in result.providers] == ["yours", "eager"]
    assert result.untimed == (
        "torch.compile does not run here: RuntimeError: Failed to find C compiler. Please specify "
        "via CC."
    )


def test_a_baseline_with_other_results_is_not_timed(gpu):
    reference = slow_reference(400) + "\n\ndef best_eager(x, y):\n    return x + y + 1\n"
    finding, result = measured(gpu, reference=reference)
    assert finding is None
    assert "best eager" not in [one.name for one in result.providers]
    assert result.untimed.startswith("best eager gives other results")


def test_without_a_timed_case_it_says_so(gpu):
    finding, result = measured(gpu, grading=replace(GRADING, timing=None))
    assert finding is None
    assert result.cases == 3
    assert result.providers == ()
    assert result.untimed == "This exercise has no timed case."
    assert measured(gpu, time_it=False)[1].untimed == "Timing was not asked for."


def test_what_is_wrong_in_the_large_case_alone_is_not_timed(gpu):
    body = "    n = min(out.numel(), 4096)\n    launch(x[:n], y[:n], out[:n])\n    spend(125.0)\n"
    finding, result = measured(gpu, add(body))
    assert finding.kind == "wrong-on-gpu"
    assert finding.mismatch.first == (4096,)
    assert finding.case.sizes == {"n": N}
    assert (result.cases, result.providers) == (3, ())
    assert result.untimed == "The timed case failed."


def test_a_wrong_case_is_not_followed_by_any_timing(gpu):
    finding, result = measured(gpu, add("    launch(x, x, out)\n"))
    assert finding.kind == "wrong-on-gpu"
    assert (result.cases, result.label) == (0, "")


def test_a_time_below_the_floor_is_refused(gpu):
    finding, result = measured(gpu, add("    launch(x, y, out)\n    spend(60.0)\n"))
    assert finding.kind == "impossibly-fast"
    assert "60.0 us is less than" in finding.sentence
    assert "a stream that reads" in finding.why
    assert result.providers == ()


def test_a_little_faster_than_the_stream_is_believed(gpu):
    gpu.machine = replace(gpu.machine, l2_bytes=16)
    finding, result = measured(gpu, add("    launch(x, y, out)\n    spend(97.0)\n"))
    assert finding is None
    assert result.providers[0].of_limit == pytest.approx(100 / 97)


def test_work_on_another_stream_is_found(gpu):
    body = "    launch(x, y, out)\n    spend(40.0)\n    builtins.fake_clock.spend_beside(300.0)\n"
    finding, _ = measured(gpu, add(body))
    assert finding.kind == "hidden-work"
    assert "300 us" in finding.sentence or "305 us" in finding.sentence


def test_a_stream_that_is_left_current_is_found(gpu):
    elsewhere = "    builtins.fake_clock.elsewhere = True\n"
    finding, _ = measured(gpu, add("    launch(x, y, out)\n    spend(125.0)\n" + elsewhere))
    assert finding.kind == "hidden-work"
    assert "another stream current" in finding.sentence


def test_doing_nothing_when_called_again_is_found(gpu):
    body = f"{LARGE}    if len(calls) < 25:\n        launch(x, y, out)\n    spend(125.0)\n"
    finding, _ = measured(gpu, add(body))
    assert finding.kind == "remembers"
    assert "`out`" in finding.sentence
    assert finding.mismatch is None  # found by the timed runs themselves


def test_an_earlier_result_is_found(gpu):
    body = (
        f"{LARGE}    key = (out.numel(), out.dtype, len(calls) > 0)\n"
        "    if key not in kept or not calls:\n"
        "        launch(x, y, out)\n        kept[key] = out.detach().numpy().copy()\n"
        "    else:\n        out.detach().numpy()[:] = kept[key]\n"
        "    spend(125.0)\n"
    )
    finding, _ = measured(gpu, add(body))
    assert finding.kind == "remembers"
    assert finding.mismatch.output == "out"


def test_what_raises_only_when_repeated_is_a_finding(gpu):
    body = f"{LARGE}    if len(calls) > 5:\n        raise ValueError('five times')\n"
    finding, _ = measured(gpu, add(body + "    launch(x, y, out)\n    spend(125.0)\n"))
    assert finding.kind == "raised-on-gpu"
    assert "five times" in finding.sentence
    assert finding.place.source.strip() == "raise ValueError('five times')"


def test_a_very_slow_kernel_is_not_timed(gpu):
    finding, result = measured(gpu, add("    launch(x, y, out)\n    spend(400_000.0)\n"))
    assert finding is None
    assert result.untimed == "One run takes 0.4 s, too long to be timed 20 times."


def test_a_case_that_does_not_fit_is_not_timed(gpu, monkeypatch):
    def full(*_):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(gpu_timing, "make_large", full)
    finding, result = measured(gpu)
    assert finding is None
    assert result.cases == 3
    assert result.untimed == (
        f"The timed case (n = {N}, float16) does not fit into the free memory of a GPU."
    )


def test_a_machine_that_runs_no_kernel_is_not_the_learners_fault(gpu, monkeypatch):
    def broken(_device):
        raise RuntimeError("Failed to find C compiler. Please specify via CC.")

    monkeypatch.setattr("triton_path.worker.doctor.doubling.wrong_result", broken)
    finding, result = measured(gpu)
    assert finding is None
    assert result.cases == 0
    assert result.untimed.startswith("No kernel runs on a GPU: RuntimeError: Failed to find C")
    assert "gcc" in result.untimed


def test_a_fault_of_our_own_is_no_finding(gpu, monkeypatch):
    def broken(*_):
        raise KeyError("ours")

    monkeypatch.setattr(gpu_timing, "work_of", broken)
    with pytest.raises(KeyError):
        measured(gpu)


IN_PLACE = f"""{HEAD}import builtins

@triton.jit
def double_kernel(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 2 * tl.load(x_ptr + i, mask=i < n), mask=i < n)


def double(x):
    double_kernel[(triton.cdiv(x.numel(), 1024),)](x, x.numel(), BLOCK=1024)
    builtins.fake_clock.spend(125.0)
"""


def test_a_tensor_that_is_changed_in_place_is_set_back(gpu):
    grading = replace(
        GRADING,
        entry="double",
        tensors=(replace(GRADING.tensors[0], role="in-place"),),
        cases=GRADING.cases[:1],
    )
    reference = slow_reference(400).replace("(x, y)", "(x)").replace("x + y", "2 * x")
    finding, result = measured(gpu, IN_PLACE, grading=grading, reference=reference)
    assert finding is None
    assert result.providers[0].time.value == 125.0
