"""A launch made and timed on this machine's GPU; what of it needs no GPU is tried everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.samples import sample
from tests.worker.compiling import ADD, HEAD, ask, job, report
from tests.worker.conftest import ON_GPU
from triton_path.jobs.inspect import Argument, Build, InspectAnswer, Measured, MeasuredBuild
from triton_path.sandbox import Worker
from triton_path.worker.compiler import measure, private
from triton_path.worker.compiler.capture import Captured, Enough

gpu = pytest.mark.gpu


@pytest.fixture(scope="module")
def worker():
    with Worker(interpret=False) as started:
        yield started


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kernel.py"


def test_builds_that_are_the_same_on_one_gpu_are_measured_once():
    builds = (
        Build(label="sm_80", target="sm_80"),
        Build(label="target=sm_90", target="sm_90"),
        Build(label="target=sm_90, num_warps=8", target="sm_90", num_warps=8),
        Build(label="unaligned", target="sm_80", unaligned=True),
        Build(label="BLOCK=64", target="sm_80", constants={"BLOCK": 64}),
    )
    labels = [label for label, _ in measure.different(builds)]
    assert labels == ["as launched", "num_warps=8", "BLOCK=64"]


def test_every_launch_is_made_and_the_distinct_ones_are_kept_up_to_the_one_wanted(monkeypatch):
    made = []

    def run(kernel, *args, grid, warmup, **named):
        made.append((kernel.__name__, args, named))
        return "compiled"

    def add(x, n):
        pass

    def other(x, n):
        pass

    monkeypatch.setattr(private.JITFunction, "run", run)
    add, other = private.JITFunction(add), private.JITFunction(other)
    x, captured = torch.ones(4), Captured()
    with measure.launching(captured, "add", wanted=2):
        other[(1,)](x, 4)
        assert add[(1,)](x, 4) == "compiled"
        add[lambda meta: (meta["n"],)](x, 4)
        with pytest.raises(Enough):
            add[lambda meta: (meta["n"],)](x, 5)
    assert [args[1] for name, args, _ in made if name == "add"] == [4, 4, 5]
    assert [launch.grid for launch in captured.launches] == [(1,), (5,)]
    assert callable(captured.launches[1].grid_rule)
    assert private.JITFunction.run is run


@pytest.mark.skipif(ON_GPU, reason="a GPU is here")
def test_without_a_gpu_the_job_says_so(worker, path):
    path.write_text(f"{HEAD}{ADD}\nrun()\n")
    answer = ask(worker, job(path, measure=True))
    assert (answer.report, answer.trouble, answer.measured) == (None, None, None)
    assert "torch sees no GPU" in answer.unmeasured


def test_a_message_is_cut_to_one_line():
    assert measure.one_line(RuntimeError("\n first \nsecond")) == "first"
    assert measure.one_line(RuntimeError()) == "no message"
    assert len(measure.one_line(RuntimeError("x" * 999))) == measure.MOST_CHARACTERS


TUNED = ADD.replace(
    "@triton.jit",
    '@triton.autotune([triton.Config({"BLOCK": 32}, num_warps=1), '
    'triton.Config({"BLOCK": 1024}, num_warps=8)], key=["n"])\n@triton.jit',
).replace(", BLOCK=1024", "")
FIXED = ADD.replace('lambda meta: (triton.cdiv(n, meta["BLOCK"]),)', "(4,)")
BUILDS = (
    Build(label="as launched", target="sm_80"),
    Build(label="num_warps=8", target="sm_80", num_warps=8),
    Build(label="BLOCK=256", target="sm_80", constants={"BLOCK": 256}),
    Build(label="launch=2", target="sm_80", launch=2),
)
BY_HAND = {
    "arguments": (
        *(Argument(name=n, dtype="fp32", shape=(4096,)) for n in ("x_ptr", "y_ptr", "out_ptr")),
        Argument(name="n", value=4096),
    ),
    "constants": {"BLOCK": 1024},
}


def test_on_a_pretended_gpu_every_way_to_a_launch_is_measured(tmp_path):
    """All but the GPU itself: what is launched, what is told of it, and why something is not."""
    cases = {
        "builds": (f"{ADD}\nrun(1 << 16)\nrun(1 << 10)\n", {"builds": BUILDS}),
        "fixed": (f"{FIXED}\nrun()\n", {"builds": BUILDS[2:3]}),
        "tuned": (f"{TUNED}\nrun()\n", {}),
        "main": (f"{ADD}\ndef main():\n    run()\n", {}),
        "by hand": (ADD, BY_HAND),
        "never": (ADD, {}),
        "raises": (f"{ADD}\nnothing\n", {}),
        "other": (f"{ADD}\nrun()\n", {"launch": 3}),
    }
    jobs = []
    for name, (text, fields) in cases.items():
        path = tmp_path / f"{name.replace(' ', '_')}.py"
        path.write_text(HEAD + text)
        jobs.append(job(path, "add", measure=True, **fields).model_dump_json())
    environment = {n: value for n, value in os.environ.items() if n != "TRITON_INTERPRET"}
    script = str(Path(__file__).parent / "pretended_gpu.py")
    command = [
        sys.executable,
        "-c",
        f"import runpy; runpy.run_path({script!r}, run_name='__main__')",
    ]
    done = subprocess.run(
        [*command, *jobs], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = [InspectAnswer.model_validate_json(line) for line in done.stdout.splitlines()]
    found = dict(zip(cases, lines, strict=True))

    def builds(name: str) -> list[MeasuredBuild]:
        assert found[name].measured is not None, found[name].unmeasured
        return list(found[name].measured.builds)

    assert [(b.label, b.num_warps, b.time.value) for b in builds("builds")] == [
        ("as launched", 4, 9), ("num_warps=8", 8, 9), ("BLOCK=256", 4, 9), ("launch=2", 4, 9),
    ]  # fmt: skip
    about = found["builds"].measured
    assert (about.device, about.target, about.kind) == ("pretended", "sm_90", "measured")
    assert [a.text for a in builds("builds")[3].arguments][:1] == ["fp32[1024]"]
    assert [(b.time, b.note) for b in builds("fixed")] == [(None, measure.FIXED_GRID)]
    assert builds("tuned")[0].time.n == 20
    assert builds("main")[0].time.n == 20
    assert [(b.time, b.note) for b in builds("by hand")] == [(None, measure.BY_HAND)]
    assert "add is never launched" in found["never"].unmeasured
    assert "raised NameError before a launch" in found["raises"].unmeasured
    assert "There is no launch 3" in found["other"].unmeasured


# What follows needs a GPU.


def measured(worker, path, text: str, kernel="add", **fields) -> Measured:
    path.write_text(HEAD + text)
    answer = ask(worker, job(path, kernel, measure=True, **fields))
    assert answer.measured is not None, answer.unmeasured
    return answer.measured


def unmeasured(worker, path, text: str, kernel="add", **fields) -> str:
    path.write_text(HEAD + text)
    answer = ask(worker, job(path, kernel, measure=True, **fields))
    assert answer.measured is None
    assert "\n" not in answer.unmeasured
    return answer.unmeasured


LARGE = f"{ADD}\nout = run(1 << 26)\nassert bool((out == 2).all())\n"


@gpu
def test_a_launch_is_timed_and_the_driver_agrees_with_what_was_counted(worker, path):
    found = measured(worker, path, LARGE)
    (build,) = found.builds
    assert found.kind == "measured"
    assert found.device == torch.cuda.get_device_name()
    assert found.driver
    assert (build.label, build.num_warps, build.local_bytes) == ("as launched", 4, 0)
    assert build.time.kind == "measured"
    assert build.time.n >= 20
    assert build.time.p20 <= build.time.value <= build.time.p80
    # Three tensors of 256 MiB: no GPU moves them at 20 TB/s, and a slow one takes milliseconds.
    assert 40 < build.time.value < 20_000
    text = LARGE.replace("1 << 26", "4096")
    counted = report(worker, path, text, target=found.target).builds[0].facts
    assert counted.registers == build.registers
    assert counted.occupancy.programs == build.programs


@gpu
def test_several_builds_are_timed_by_turns(worker, path):
    found = measured(worker, path, f"{ADD}\nrun(1 << 24)\nrun(1 << 10)\n", builds=BUILDS)
    assert [(b.label, b.num_warps) for b in found.builds] == [
        ("as launched", 4), ("num_warps=8", 8), ("BLOCK=256", 4), ("launch=2", 4),
    ]  # fmt: skip
    assert all(build.time.n >= 20 for build in found.builds)
    assert found.builds[3].time.value < found.builds[0].time.value


@gpu
def test_a_grid_of_numbers_is_not_timed_with_other_constants(worker, path):
    (build,) = measured(worker, path, f"{FIXED}\nrun()\n", builds=BUILDS[2:3]).builds
    assert (build.time, build.note) == (None, measure.FIXED_GRID)
    assert build.registers > 0


@gpu
def test_an_autotuner_chooses_for_real(worker, path):
    (build,) = measured(worker, path, f"{TUNED}\nrun(1 << 26)\n").builds
    assert build.num_warps == 8
    assert {a.name: a.text for a in build.arguments}["BLOCK"] == "1024"
    assert build.time.n >= 20


@gpu
def test_a_launch_given_by_options_is_loaded_and_not_timed(worker, path):
    (build,) = measured(worker, path, ADD, **BY_HAND).builds
    assert (build.time, build.note) == (None, measure.BY_HAND)
    assert build.registers > 0
    assert build.programs > 0


@gpu
def test_the_file_runs_no_further_than_the_launch(worker, path):
    done = path.parent / "done"
    text = f"{ADD}\nrun(1 << 20)\nopen({str(done)!r}, 'w')\n"
    measured(worker, path, text)
    assert not done.exists()


@gpu
def test_too_much_shared_memory_is_told_and_the_others_are_timed(worker, path):
    # 1024 deep: each stage of the pipeline holds two tiles of 128 x 128.
    text = (
        sample("matmul")
        .replace("(64, 64)", "(1024, 1024)")
        .replace("64, a.s", "1024, a.s")
        .replace("B=64", "B=128, num_stages=2, num_warps=8")
    )
    builds = (
        Build(label="as launched", target="sm_80"),
        Build(label="num_stages=9", target="sm_80", num_stages=9),
    )
    first, second = measured(worker, path, text, "matmul", builds=builds).builds
    assert first.time.n >= 20
    assert second.time is None
    assert "shared memory" in second.note


@gpu
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{ADD}\nx = torch.ones(8, device='cuda')\n"
         "add[(1 << 20,)](x, x, x, 1 << 30, BLOCK=1024)\n", "illegal memory access"),
        (f"{ADD}\nif torch.cuda.get_device_properties(0).name.startswith('no GPU'):\n"
         "    run()\n", "never launched"),
        (f"{ADD}\ntorch.ones(3, device='cuda').reshape(7)\n", "RuntimeError"),
    ],
)  # fmt: skip
def test_what_goes_wrong_on_the_gpu_is_one_line_and_the_next_job_is_healthy(
    worker, path, text, words
):
    assert words in unmeasured(worker, path, text)
    assert measured(worker, path, f"{ADD}\nrun()\n").builds[0].time.n >= 20
