"""Occupancy against NVIDIA's own calculator, a header that comes with Triton."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
import triton

from triton_path.worker.compiler.occupancy import nvidia_occupancy
from triton_path.worker.compiler.targets import TARGETS

INCLUDE = Path(triton.__file__).parent / "backends" / "nvidia" / "include"
COMPILER = shutil.which("g++") or shutil.which("clang++")
NVIDIA = [target for target in TARGETS.values() if target.backend == "cuda"]
CASES = 200
"""For each architecture."""
PROGRAM = """
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "cuda_occupancy.h"

int main() {
  int arch, regs, warps, shared, room, most, all;
  while (scanf("%d %d %d %d %d %d %d", &arch, &regs, &warps, &shared, &room, &most, &all) == 7) {
    cudaOccDeviceProp device;
    memset((void *)&device, 0, sizeof device);
    device.computeMajor = arch / 10;
    device.computeMinor = arch % 10;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = all * 32;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.numSms = 100;
    device.sharedMemPerBlock = 49152;
    device.sharedMemPerMultiprocessor = room * 1024;
    device.sharedMemPerBlockOptin = most * 1024;
    device.reservedSharedMemPerBlock = arch >= 80 ? 1024 : 0;
    cudaOccFuncAttributes kernel;
    memset((void *)&kernel, 0, sizeof kernel);
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = regs;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = INT_MAX;
    cudaOccDeviceState state;
    memset((void *)&state, 0, sizeof state);
    state.carveoutConfig = 100;
    cudaOccResult result;
    int fault = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, &device, &kernel, &state, warps * 32, shared);
    printf("%d\\n", fault ? -1 : result.activeBlocksPerMultiprocessor);
  }
}
"""


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler; none is here")
@pytest.mark.skipif(not (INCLUDE / "cuda_occupancy.h").is_file(), reason="Triton lacks the header")
def test_occupancy_is_what_nvidias_calculator_gives(tmp_path: Path) -> None:
    assert COMPILER is not None
    (tmp_path / "ask.cpp").write_text(PROGRAM)
    ask = tmp_path / "ask"
    subprocess.run([COMPILER, f"-I{INCLUDE}", "-o", ask, tmp_path / "ask.cpp"], check=True)
    pick = random.Random(7)  # noqa: S311 -- the same cases each time, no secret
    cases = [
        (
            target,
            pick.randrange(1, 256),
            pick.choice((1, 2, 4, 8, 16, 32)),
            pick.choice((0, 16, 8192, pick.randrange(target.program_shared_kib * 1024))),
        )
        for target in NVIDIA
        for _ in range(CASES)
    ]
    lines = [
        f"{t.arch} {registers} {warps} {shared} {t.shared_kib} {t.program_shared_kib} {t.warps}"
        for t, registers, warps, shared in cases
    ]
    done = subprocess.run([ask], input="\n".join(lines), capture_output=True, text=True, check=True)
    theirs = list(map(int, done.stdout.split()))
    ours = [nvidia_occupancy(*case).programs for case in cases]
    assert len(theirs) == len(NVIDIA) * CASES
    assert ours == theirs
