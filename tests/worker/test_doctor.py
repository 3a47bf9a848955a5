"""The doctor's probes, each in a process of its own: this one interprets kernels."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.worker.conftest import ON_GPU
from triton_path.jobs.bench import Device, Timing
from triton_path.jobs.doctor import CompilerFound, GpuFound, PackageFound, ProbeJob, Tried
from triton_path.sandbox import run_job
from triton_path.tutor.doctor.cold import ColdProbe, Died
from triton_path.worker.doctor import doubling, gpu


def package(name: str) -> PackageFound | Died:
    return ColdProbe(name).found(PackageFound)  # type: ignore[arg-type]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put a module in front of an installed one."""

    def put(name: str, text: str) -> None:
        folder = tmp_path / "fakes"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(text)
        monkeypatch.setenv("PYTHONPATH", str(folder))

    return put


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put a shell script in front of the programs on PATH."""

    def put(name: str, text: str) -> None:
        folder = tmp_path / "programs"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    return put


def test_a_warm_worker_does_a_probe_too():
    found = run_job(ProbeJob(probe="torch"), PackageFound, interpret=False, time_limit_s=120)
    assert found.version.split("+")[0] == importlib.metadata.version("torch").split("+")[0]
    assert found.build.startswith(("CUDA", "ROCm", "CPU"))


@pytest.mark.parametrize("name", ["triton", "numpy"])
def test_a_package_that_is_here(name):
    assert package(name) == PackageFound(version=importlib.metadata.version(name))


def test_a_package_that_is_not_here(fake):
    fake("triton", "raise ModuleNotFoundError('No module named triton', name='triton')")
    assert package("triton") == PackageFound()


def test_a_package_that_lacks_another_is_broken(fake):
    fake("triton", "import no_such_package_anywhere")
    assert "no_such_package_anywhere" in package("triton").fault


def test_a_library_that_does_not_load(fake):
    fake("torch", "raise OSError('libcudart.so.12: cannot open\\nmore')")
    assert package("torch") == PackageFound(fault="OSError: libcudart.so.12: cannot open")


def test_a_folder_of_the_packages_name_is_no_package(tmp_path, monkeypatch):
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert "has no version" in package("numpy").fault


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("import os, sys; sys.stderr.write('what(): libcuda\\n'); sys.stderr.flush(); os.abort()",
         "ended its process by SIGABRT: what(): libcuda"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended its process by SIGSEGV"),
        ("import os; os._exit(7)", "ended its process with exit code 7"),
    ],
)  # fmt: skip
def test_a_package_that_kills_its_process(fake, text, how):
    fake("torch", text)
    assert package("torch") == Died(how)


def test_what_an_import_prints_is_no_answer(fake):
    fake("numpy", "import os; print('{}'); os.write(1, b'noise'); __version__ = '2.0'")
    assert package("numpy") == PackageFound(version="2.0")


def test_a_probe_that_hangs_is_ended(fake, monkeypatch):
    monkeypatch.setattr("triton_path.tutor.doctor.cold.TIME_LIMIT_SECONDS", 2.0)
    fake("numpy", "import time; time.sleep(60)")
    assert package("numpy") == Died("did not end within 2 s")


def test_the_interpreter_runs_a_kernel():
    found = ColdProbe("interpreter").found(Tried)
    assert found == Tried(did="a kernel ran, 600 values right")


def test_a_kernel_compiles_without_torch_and_without_a_home(fake, monkeypatch, tmp_path):
    fake("torch", "raise OSError('broken')")
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    found = ColdProbe("compile").found(Tried)
    assert found.fault is None
    assert "for sm_80" in found.did


def test_the_interpreter_reports_what_it_met(fake):
    fake("torch", "raise OSError('broken')")
    assert ColdProbe("interpreter").found(Tried).fault == "OSError: broken"


@pytest.mark.skipif(ON_GPU, reason="stand-ins replace the kernel on the CPU")
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (lambda y, sums: y[0].__setitem__(0, 5.0), "wrong values"),
        (lambda y, sums: sums.add_(1), "summed wrongly"),
        (lambda y, sums: y.select(1, -1).fill_(0), "where its mask was false"),
    ],
)
def test_a_wrong_kernel_is_found(monkeypatch, fault, said):
    right = doubling.double_rows

    class Wrong:
        def __getitem__(self, grid):
            def launch(x, y, sums, *rest, **options):
                right[grid](x, y, sums, *rest, **options)
                fault(y, sums)

            return launch

    assert doubling.wrong_result("cpu") is None
    monkeypatch.setattr(doubling, "double_rows", Wrong())
    assert said in doubling.wrong_result("cpu")


real_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def cxx() -> CompilerFound | Died:
    return ColdProbe("cxx").found(CompilerFound)


@real_compiler
def test_a_compiler_that_works(monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    found = cxx()
    assert (found.command, found.fault) == ("g++", None)


@real_compiler
def test_a_compiler_without_pythons_headers(programs, monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    real = shutil.which("g++")
    programs(
        "g++",
        'for a in "$@"; do case $a in *.cpp) grep -q Python.h "$a" && '
        "{ echo 'total.cpp:1:10: fatal error: Python.h: No such file' >&2; exit 1; };; esac; done\n"
        f'exec {real} "$@"',
    )
    assert cxx().lacks == ("Python.h",)


def test_a_compiler_that_fails(programs, monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    programs("g++", "echo 'g++: fatal error: cannot execute cc1plus' >&2; exit 1")
    assert cxx() == CompilerFound(command="g++", fault="g++: fatal error: cannot execute cc1plus")


def test_no_compiler(monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent / "nowhere"))
    assert cxx() == CompilerFound()


@pytest.mark.skipif(ON_GPU, reason="a GPU is here")
def test_a_gpu_that_the_driver_shows_and_a_cpu_build_does_not(programs):
    programs("nvidia-smi", "echo 'NVIDIA A100-SXM4-80GB, 570.12'")
    found = ColdProbe("gpu").found(GpuFound)
    assert (found.name, found.driver) == ("NVIDIA A100-SXM4-80GB", "570.12")
    assert found.torch_build is not None
    assert (found.usable, found.copy_time) == (False, None)


@pytest.mark.skipif(ON_GPU, reason="a GPU is here")
def test_a_driver_that_does_not_answer_is_no_gpu(programs):
    programs("nvidia-smi", "exit 9")
    assert ColdProbe("gpu").found(GpuFound).name is None


@pytest.fixture
def pretended_gpu(monkeypatch: pytest.MonkeyPatch):
    """What torch would say of a GPU; only the kernel and the copy are left to a test."""
    import torch

    from triton_path.worker.bench import device

    facts = Device(kind="gpu", name="NVIDIA H200", capability="9.0", driver="570.1")
    monkeypatch.setattr(device, "gpu_facts", lambda: facts)
    monkeypatch.setattr(device, "gpu_here", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: None)
    monkeypatch.setattr(gpu, "_any_trace", lambda: True)


@pytest.mark.usefixtures("pretended_gpu")
def test_a_kernel_that_does_not_start_leaves_the_gpus_name(monkeypatch):
    def fail(_):
        raise RuntimeError("Failed to find C compiler.\nPlease specify via CC")

    monkeypatch.setattr(doubling, "wrong_result", fail)
    found = gpu.find_gpu()
    assert (found.name, found.capability, found.usable) == ("NVIDIA H200", "9.0", True)
    assert found.fault == "RuntimeError: Failed to find C compiler."


@pytest.mark.usefixtures("pretended_gpu")
def test_no_copy_is_timed_where_the_kernel_was_wrong(monkeypatch):
    monkeypatch.setattr(doubling, "wrong_result", lambda _: "the kernel wrote wrong values")
    monkeypatch.setattr(gpu, "_time_copy", lambda _: pytest.fail("timed"))
    assert gpu.find_gpu().fault == "the kernel wrote wrong values"


@pytest.mark.usefixtures("pretended_gpu")
def test_a_copy_is_timed_where_the_kernel_was_right(monkeypatch):
    timing = Timing(value=500, unit="us", kind="measured", p20=490, p80=510, n=80)
    monkeypatch.setattr(doubling, "wrong_result", lambda _: None)
    monkeypatch.setattr(gpu, "_time_copy", lambda _: (2 << 30, timing))
    found = gpu.find_gpu()
    assert (found.fault, found.copy_time, found.copy_bytes) == (None, timing, 2 << 30)


@pytest.mark.gpu
def test_a_gpu_runs_the_kernel_and_is_timed():
    found = ColdProbe("gpu").found(GpuFound)
    assert found.fault is None
    assert found.usable
    assert found.copy_time.n >= 20
    assert found.copy_time.kind == "measured"
