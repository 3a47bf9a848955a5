"""How the launch of a kernel is found, and what is said where it is not."""

from __future__ import annotations

import pytest

from tests.worker.compiling import (
    ADD,
    HEAD,
    SOFTMAX,
    accesses,
    ask,
    job,
    report,
    specialised,
    trouble,
)
from triton_path.jobs.inspect import Argument, Build
from triton_path.sandbox import Worker


@pytest.fixture(scope="module")
def worker():
    with Worker(interpret=False) as started:
        yield started


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kernel.py"


def test_an_integer_of_one_is_a_constant(worker, path):
    found = report(worker, path, f"{ADD}\nrun(1)\n")
    assert specialised(found)["n"] == "= 1"


def test_the_first_configuration_of_an_autotuner_is_taken(worker, path):
    tuned = ADD.replace(
        "@triton.jit",
        '@triton.autotune([triton.Config({"BLOCK": 256}, num_warps=2), '
        'triton.Config({"BLOCK": 512})], key=["n"])\n@triton.jit',
    ).replace(", BLOCK=1024", "")
    found = report(worker, path, f"{tuned}\nrun()\n")
    assert found.launch.configurations == 2
    assert found.builds[0].num_warps == 2
    assert found.launch.grid == (16,)


CUDA = """
device = triton.runtime.driver.active.get_active_torch_device()
x = torch.ones(4096, device=device)
assert x.is_cuda and x.device == device and torch.cuda.is_available()
torch.manual_seed(0)
generator = torch.Generator(device="cuda").manual_seed(1)
y = torch.rand(4096, device="cuda:0", generator=generator)
model = torch.nn.Linear(4, 4).cuda().to("cuda", torch.float16)
with torch.device("cuda"):
    z = torch.empty(4096)
torch.cuda.synchronize()
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
count = torch.cuda.get_device_properties(x.device).multi_processor_count
ms = triton.testing.do_bench(lambda: add[(count,)](x, y, z, 4096, BLOCK=1024))
assert ms > 0 and start.elapsed_time(end) > 0
torch.testing.assert_close(x, x.clone())
compiled = add.warmup(x, y, z, 4096, BLOCK=512, grid=(1,))
compiled._init_handles()
assert compiled.metadata.shared == 0
"""


def test_a_file_written_for_a_gpu_gets_to_its_launches_on_the_cpu(worker, path):
    found = report(worker, path, f"{ADD}\n{CUDA}")
    assert found.notes == ()
    assert found.launch.of == 2
    assert found.launch.grid == (108,)


def test_a_file_that_turns_the_interpreter_on_is_compiled_all_the_same(worker, path):
    switch = 'import os\n\nos.environ["TRITON_INTERPRET"] = "1"\n'
    path.write_text(f"{switch}{HEAD}{ADD}\nrun()\n")
    answer = ask(worker, job(path))
    assert answer.report is not None, answer.trouble
    assert accesses(answer.report)[0] == ("load", 128, 2)


def test_a_launch_given_by_options_needs_no_launch_in_the_file(worker, path):
    kinds = {"x_ptr": "bf16", "y_ptr": "bf16", "out_ptr": "fp32"}
    tensors = [Argument(name=n, dtype=kind, shape=(4096,)) for n, kind in kinds.items()]
    arguments = (*tensors, Argument(name="n", value=64))
    found = report(worker, path, ADD, "add", arguments=arguments, constants={"BLOCK": 1024})
    assert found.launch.found == "given by options"
    assert [a.text for a in found.launch.arguments][:2] == ["bf16[4096]", "bf16[4096]"]
    facts = found.builds[0].facts
    assert facts is not None
    assert facts.accesses[0].bits == 128


def test_options_that_do_not_fit_the_kernel_are_told(worker, path):
    found = trouble(worker, path, ADD, "add", arguments=(Argument(name="n", value=9),))
    assert found.reason == "arguments"
    assert "--arg x_ptr=..." in found.message
    assert "--set BLOCK=..." in found.message
    assert found.parameters == ("x_ptr", "y_ptr", "out_ptr", "n", "BLOCK*")
    builds = (Build(label="x", target="sm_80", constants={"FOO": 3}),)
    found = trouble(worker, path, f"{ADD}\nrun()\n", builds=builds)
    assert "'FOO'" in found.message


@pytest.mark.parametrize(
    ("text", "kernel", "reason", "words"),
    [
        ("x = 1\n", None, "no kernel", "no @triton.jit kernel"),
        (ADD, "add", "not launched", "add is never launched"),
        (f"{ADD}{SOFTMAX}run()\nmain()\n", None, "which kernel", "add, softmax"),
        (f"{ADD}run()\n", "ad", "unknown kernel", "ad"),
        (f"{ADD}run()\n", "add", "no such launch", "no launch 9"),
        (f"{ADD}run(nothing)\n", None, "raised", "NameError"),
        (f"{ADD}add[(1,)](1, 2)\n", None, "raised", "TypeError"),
        (f"{ADD}raise SystemExit(3)\n", None, "raised", "exit code 3"),
    ],
)
def test_what_the_person_has_to_mend_is_told(worker, path, text, kernel, reason, words):
    launch = 9 if reason == "no such launch" else 1
    found = trouble(worker, path, text, kernel, launch=launch)
    assert (found.reason, words in found.message) == (reason, True), found.message


def test_a_traceback_is_cut_to_the_persons_lines(worker, path):
    found = trouble(worker, path, f"{ADD}\ntorch.ones(3).reshape(7)\n")
    assert found.traceback.count("File ") == 1
    assert str(path) in found.traceback
