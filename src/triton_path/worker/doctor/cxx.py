"""The C++ compiler: a small library built as torch.compile builds its own, loaded and called."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

from triton_path.jobs.doctor import CompilerFound
from triton_path.worker.doctor.packages import one_line

SECONDS = 40.0
HEADERS = "#include <Python.h>\n"
SOURCE = """\
#include <numeric>
#include <vector>
extern "C" int total(int n) {
    std::vector<int> values(n, 2);
    int sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += values[i];
    return sum == std::accumulate(values.begin(), values.end(), 0) ? sum : -1;
}
"""
OPENMP = ("-fopenmp",)


def compiler() -> str | None:
    """Return the C++ compiler that torch.compile would take on a CPU, or None."""
    for name in (os.environ.get("CXX"), "g++", "clang++"):
        if name and shutil.which(name):
            return name
    return None


def try_compiler() -> CompilerFound:
    """Build and call the library; where that fails, find out what it fails for."""
    command = compiler()
    if command is None:
        return CompilerFound()
    fault = _fault(command, HEADERS + SOURCE, OPENMP)
    if fault is None:
        return CompilerFound(command=command)
    bare = _fault(command, SOURCE, ())
    if bare is not None:
        return CompilerFound(command=command, fault=bare)
    lacks = []
    if _fault(command, HEADERS + SOURCE, ()) is not None:
        lacks.append("Python.h")
    if _fault(command, SOURCE, OPENMP) is not None:
        lacks.append("OpenMP")
    return CompilerFound.model_validate({"command": command, "lacks": lacks})


def _fault(command: str, source: str, flags: tuple[str, ...]) -> str | None:
    """Build, load and call; return what went wrong on one line, or None."""
    with tempfile.TemporaryDirectory() as folder:
        file, library = Path(folder, "total.cpp"), Path(folder, "total.so")
        file.write_text(source)
        include = sysconfig.get_paths()["include"]
        arguments = [command, "-shared", "-fPIC", "-O1", *flags, f"-I{include}"]
        try:
            built = subprocess.run(
                [*arguments, str(file), "-o", str(library)],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
                check=False,
            )
            if built.returncode != 0:
                return _complaint(built.stderr)
            got = ctypes.CDLL(str(library)).total(1000)
        except (OSError, subprocess.TimeoutExpired) as raised:
            return one_line(raised)
    return None if got == 2000 else f"the program it built gave {got} in place of 2000"


def _complaint(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    text = (errors or lines or ["it failed and said nothing"])[0]
    return text[:200]
