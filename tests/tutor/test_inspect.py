from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from triton_path.errors import ExitCode, MissingFault, TutorError, UsageFault
from triton_path.jobs.inspect import Argument, InspectAnswer, InspectJob, Trouble
from triton_path.sandbox import WorkerFault
from triton_path.tutor import inspect as tutor
from triton_path.tutor.inspect_options import (
    Options,
    parse_against,
    parse_argument,
    parse_constant,
    parse_job,
    parse_show,
    parse_target,
    parse_warps,
    parse_where,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "add.py"
    path.write_text("")
    return path


def test_a_whole_command_line_becomes_a_job(file: Path) -> None:
    options = Options(
        target="H200", constants=["BLOCK=128"], num_warps="8",
        against=["num_warps=4", "target=sm_80,unaligned,BLOCK=64"], show="ptx",
    )  # fmt: skip
    job = parse_job(f"{file}:add", options)
    assert (job.path, job.kernel, job.constants) == (str(file), "add", {"BLOCK": 128})
    first, second, third = job.builds
    assert (first.target, first.num_warps, first.label) == ("sm_90", 8, "sm_90")
    assert (second.num_warps, second.label) == (4, "num_warps=4")
    assert (third.target, third.num_warps, third.unaligned) == ("sm_80", 8, True)
    assert third.constants == {"BLOCK": 64}


def test_a_kernel_stands_after_a_colon_and_may_be_left_out(file: Path) -> None:
    assert parse_where(f"{file}:k") == (file, "k")
    assert parse_where(str(file)) == (file, None)
    assert parse_where(f"{file}:") == (file, None)


def test_a_missing_file_gets_the_nearest_one(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    with pytest.raises(MissingFault, match=r"Did you mean 'add\.py'"):
        parse_where("ad.py:k")
    with pytest.raises(MissingFault):
        parse_where("nowhere/ad.py")
    with pytest.raises(UsageFault, match="folder"):
        parse_where(str(file.parent))


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("sm_80", "sm_80"), ("SM80", "sm_80"), ("80", "sm_80"), ("9.0", "sm_90"),
        ("sm_90a", "sm_90"), ("GFX942", "gfx942"), ("mi300x", "gfx942"), ("RTX-4090", "sm_89"),
        ("b200", "sm_100"),
    ],
)  # fmt: skip
def test_targets_are_named_by_architecture_or_gpu(text: str, target: str) -> None:
    assert parse_target(text) == target


@pytest.mark.parametrize("text", ["sm_81", "v100", "gfx900", "nothing", ""])
def test_a_target_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageFault, match=r"sm_75|no target"):
        parse_target(text)


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("x=fp32[1024,64]", Argument(name="x", dtype="fp32", shape=(1024, 64))),
        ("x = *bf16[8 x 4]", Argument(name="x", dtype="bf16", shape=(8, 4))),
        ("x=fp8e4nv[16]", Argument(name="x", dtype="fp8e4nv", shape=(16,))),
        ("n=1024", Argument(name="n", value=1024)),
        ("eps=1e-6", Argument(name="eps", value=1e-6)),
        ("flag=True", Argument(name="flag", value=True)),
    ],
)
def test_arguments_are_tensors_or_values(text: str, argument: Argument) -> None:
    assert parse_argument(text) == argument


@pytest.mark.parametrize("text", ["x", "x=", "=3", "x=word", "3x=4", "x=fp32[a]"])
def test_an_argument_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageFault):
        parse_argument(text)


def test_constants_may_be_words() -> None:
    assert parse_constant("ACT='relu'") == ("ACT", "relu")
    assert parse_constant("B=-1") == ("B", -1)


@pytest.mark.parametrize("text", ["3", "0", "64", "-4", "four", ""])
def test_warps_are_a_power_of_two(text: str) -> None:
    with pytest.raises(UsageFault, match="1, 2, 4, 8, 16 or 32"):
        parse_warps(text)


@pytest.mark.parametrize("text", ["", ",", "foo", "target=sm_99", "num_warps=3", "launch=0"])
def test_a_change_that_is_none_is_refused(text: str, file: Path) -> None:
    (first,) = parse_job(str(file), Options(target="sm_80")).builds
    with pytest.raises(UsageFault):
        parse_against(text, first)


def test_a_listing_must_be_one_of_the_target(file: Path) -> None:
    (amd,) = parse_job(str(file), Options(target="gfx942")).builds
    with pytest.raises(UsageFault, match="amdgcn"):
        parse_show("ptx", [amd])
    with pytest.raises(UsageFault, match="Did you mean 'sass'"):
        parse_show("sas", [amd])
    assert parse_show("amdgcn", [amd]) == "amdgcn"


def answered(monkeypatch: pytest.MonkeyPatch, file: Path, trouble: Trouble) -> TutorError:
    monkeypatch.setattr(tutor, "run_job", lambda *_, **__: InspectAnswer(trouble=trouble))
    with pytest.raises(TutorError) as caught:
        tutor.run_inspect(job(file), f"{file.name}:k", lambda _: None)
    return caught.value


def job(file: Path) -> InspectJob:
    return parse_job(f"{file}:k", Options(target="sm_80"))


def test_what_to_type_follows_from_the_trouble(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = ("x_ptr", "n", "BLOCK*")
    fault = answered(
        monkeypatch, file, Trouble(reason="not launched", message="no", parameters=parameters)
    )
    assert fault.hint == (
        "triton-path inspect add.py:k --arg 'x_ptr=fp32[1024]' --arg n=1024 --set BLOCK=128"
    )
    fault = answered(
        monkeypatch, file, Trouble(reason="unknown kernel", message="ad", names=("add", "mul"))
    )
    assert "Did you mean 'add'" in fault.message
    assert fault.hint == "triton-path inspect add.py:add   (kernels: add, mul)"
    fault = answered(
        monkeypatch, file, Trouble(reason="which kernel", message="two", names=("add", "mul"))
    )
    assert fault.hint == "triton-path inspect add.py:add"
    fault = answered(
        monkeypatch, file, Trouble(reason="raised", message="it raised", traceback="line 3")
    )
    assert fault.exit_code == ExitCode.WRONG
    assert "line 3" in fault.message


def test_a_crash_says_what_was_being_done(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object, **__: object) -> None:
        raise WorkerFault("ended by SIGSEGV.")

    monkeypatch.setattr(tutor, "run_job", crash)
    with pytest.raises(WorkerFault, match="SIGSEGV") as caught:
        tutor.run_inspect(job(file), "add.py", lambda _: None)
    assert "give the launch" in (caught.value.hint or "")
