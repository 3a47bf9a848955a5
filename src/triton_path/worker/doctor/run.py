"""Which function does which probe; each import waits until its probe is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triton_path.jobs.doctor import ProbeJob
    from triton_path.jobs.messages import Message


def probe(job: ProbeJob) -> Message:
    """Try the one thing that `job` names. What fails is an answer, not an exception."""
    if job.probe == "interpreter":
        from triton_path.worker.doctor.kernels import interpret

        return interpret()
    if job.probe == "compile":
        from triton_path.worker.doctor.kernels import compile_alone

        return compile_alone()
    if job.probe == "gpu":
        from triton_path.worker.doctor.gpu import find_gpu

        return find_gpu()
    if job.probe == "cxx":
        from triton_path.worker.doctor.cxx import try_compiler

        return try_compiler()
    from triton_path.worker.doctor.packages import find_package

    return find_package(job.probe)
