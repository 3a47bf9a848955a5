"""Rows for what runs: interpreter, compiler, GPU, C++ compiler. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.bench import Figure
from triton_path.tutor.doctor.cold import Died
from triton_path.tutor.doctor.report import Copy, Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triton_path.jobs.doctor import CompilerFound, GpuFound, Tried
    from triton_path.tutor.doctor.mend import Mender
    from triton_path.tutor.doctor.report import State

ENABLES: dict[str, str] = {
    "interpreter": "work without a GPU",
    "compile": "looking inside kernels",
    "gpu": "timing kernels",
    "cxx": "torch.compile on CPU",
}
NEEDS: dict[str, tuple[str, ...]] = {
    "interpreter": ("torch", "triton", "numpy"),
    "compile": ("triton",),
}
"""Rows without which a self-test cannot even begin; the first that is not there is named."""
NO_GPU = "none: times are predicted"
OLD_CUDA_WHEELS = "https://download.pytorch.org/whl/cu126"
"""The oldest CUDA that current torch is built for, so it asks least of the driver."""


def self_test_row(name: str, found: Tried | Died, before: Mapping[str, Row], mender: Mender) -> Row:
    """Judge a self-test; `before` holds the rows that stand above it, by their ids."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id=name, state=state, found=text, enables=ENABLES[name], mend=mend)

    for need in NEEDS[name]:
        if not before[need].usable:
            text = f"not tried: {need} is {before[need].state}"
            return row("missing", text, before[need].mend)
    # Where the versions do not fit, that is the likeliest reason, and its mend comes first.
    mend = before["fit"].mend or mender.install(
        "--force-reinstall", f"triton=={before['triton'].found}"
    )
    if isinstance(found, Died):
        return row("broken", f"it {found.how}", mend)
    if found.fault is not None:
        return row("broken", found.fault, mend)
    return row("works", found.did)


def gpu_row(
    found: GpuFound | Died, before: Mapping[str, Row], hidden: str | None, mender: Mender
) -> Row:
    """Judge the GPU; `hidden` is the value of CUDA_VISIBLE_DEVICES, if that is set."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id="gpu", state=state, found=text, enables=ENABLES["gpu"], mend=mend)

    if isinstance(found, Died):
        if not before["torch"].usable:
            text = f"not tried: torch is {before['torch'].state}"
            return row("missing", text, before["torch"].mend)
        return row("broken", f"trying it {found.how}", mender.torch(again=True))
    if found.capability is None:
        return _unseen(found, before, hidden, mender)
    about = describe(found)
    if not found.usable:
        return row("limited", f"{about}: Triton compiles for 7.0 and newer")
    if not before["triton"].usable:
        text = f"{about}; no kernel was tried: triton is {before['triton'].state}"
        return row("limited", text, before["triton"].mend)
    if found.fault is not None:
        return row("broken", f"{about}: {found.fault}", _launch_mend(found.fault, mender))
    copy = copy_of(found)
    if copy is None:
        return row("works", f"{about}; a kernel ran and was right; no memory free to time a copy")
    time = copy.time
    text = (
        f"{about}; a kernel ran and was right; copies {copy.bandwidth.value:.0f} GB/s "
        f"(measured, cold, median of {time.n}, {time.p20:.0f} .. {time.p80:.0f} us)"
    )
    return row("works", text)


def describe(found: GpuFound) -> str:
    """Return name, compute capability and driver on one line."""
    parts = [found.name or "a GPU"]
    if found.capability:
        dotted = found.capability[:1].isdigit()
        parts.append(f"compute capability {found.capability}" if dotted else found.capability)
    if found.driver:
        parts.append(f"driver {found.driver}")
    return ", ".join(parts)


def copy_of(found: GpuFound | Died) -> Copy | None:
    """Return the measured copy, where there is one."""
    if isinstance(found, Died) or found.copy_time is None:
        return None
    rate = found.copy_bytes / found.copy_time.value / 1e3  # bytes a microsecond to GB a second
    return Copy(
        device=found.name or "GPU",
        bandwidth=Figure(value=rate, unit="GB/s", kind="measured"),
        time=found.copy_time,
        bytes=found.copy_bytes,
    )


def _unseen(found: GpuFound, before: Mapping[str, Row], hidden: str | None, mender: Mender) -> Row:
    """Judge a GPU that torch does not offer: there may be none, or something stands between."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id="gpu", state=state, found=text, enables=ENABLES["gpu"], mend=mend)

    if found.name is None and not found.device_file:
        return row("missing", NO_GPU)
    if found.name is None:
        text = "a device is here, but not the driver's tools and libraries, as in a container"
        return row("limited", text, "docker run --gpus all IMAGE")
    about = describe(found)
    if hidden is not None and hidden.strip() in ("", "-1"):
        return row(
            "limited", f"{about}, hidden by CUDA_VISIBLE_DEVICES", "unset CUDA_VISIBLE_DEVICES"
        )
    if found.torch_build is None:
        text = f"{about}; not tried: torch is {before['torch'].state}"
        return row("limited", text, before["torch"].mend)
    if found.torch_build == "CPU build":
        text = f"{about}, but this torch is a CPU build"
        return row("limited", text, mender.torch(again=True))
    why = f": {found.fault}" if found.fault else ""
    mend = f"{mender.torch(again=True)} --index-url {OLD_CUDA_WHEELS}"
    return row("broken", f"{about}; torch ({found.torch_build}) cannot use it{why}", mend)


def _launch_mend(fault: str, mender: Mender) -> str:
    """Return what mends a failed first launch: Triton builds a C stub for each machine."""
    if "Python.h" in fault:
        return mender.system("python3-dev")
    if "compiler" in fault.lower() or "gcc" in fault:
        return mender.system("gcc")
    return mender.install("--upgrade", "torch", "triton")


def cxx_row(found: CompilerFound | Died, mender: Mender) -> Row:
    """Judge the C++ compiler."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id="cxx", state=state, found=text, enables=ENABLES["cxx"], mend=mend)

    if isinstance(found, Died):
        return row("broken", f"the library that it built {found.how}", mender.system("g++"))
    if found.command is None:
        return row("missing", "neither g++ nor clang++ is here", mender.system("g++"))
    if found.fault is not None:
        return row("broken", f"{found.command}: {found.fault}", mender.system("g++"))
    if "Python.h" in found.lacks:
        text = f"{found.command} works, but Python.h is not here"
        return row("limited", text, mender.system("python3-dev"))
    if "OpenMP" in found.lacks:
        name = "libomp" if mender.manager == "brew" else "libgomp1"
        return row("limited", f"{found.command} works, but without OpenMP", mender.system(name))
    return row("works", f"{found.command} built a library that ran")
