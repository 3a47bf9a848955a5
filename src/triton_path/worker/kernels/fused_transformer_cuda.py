"""Compiles fused_transformer.cu with NVRTC when it is first needed, and launches it.

NVRTC is CUDA's C++ compiler as a library; cuda.core is NVIDIA's Python package for it. All that
Triton does at a launch stands here by hand: one instance of the template for each dtype, layout
and number of rounds; the arguments, each of the type that the kernel declares; the stream.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any, NamedTuple

import torch
import triton

from triton_path.jobs.bench import MAX_WIDTH
from triton_path.worker.kernels.fused_transformer import EPS, Pair, draw_seed, threshold_of
from triton_path.worker.missing import MissingHere

SOURCE = Path(__file__).with_name("fused_transformer.cu")
PAIRS = {torch.bfloat16: "__nv_bfloat162", torch.float16: "__half2", torch.float32: "float2"}
"""What the kernel calls two elements of a dtype."""
VECTOR_BYTES, WARP, MAX_THREADS = 16, 32, 1024
HEADERS = ("cuda_bf16.h", "cuda_fp16.h")


class Layout(NamedTuple):
    """How a block holds its row."""

    threads: int
    """A multiple of 32, not more than 1024."""
    vectors: int
    """Vectors of 16 bytes that a thread holds of x, and as many of the residual."""


def layout_for(width: int, size: int) -> Layout:
    """Return the layout for `width` columns of `size` bytes.

    Up to four warps of one vector a thread: then more vectors, because each is a load that is
    under way meanwhile, but no more than four, because a vector takes eight registers; then more
    threads, as many as leave the fewest idle; then, past 1024 threads, more vectors again.
    By these reasons, not by measurement: scripts/cuda_row_on_gpu.py times others beside it.
    """
    needed = triton.cdiv(width * size, VECTOR_BYTES)
    vectors = min(triton.cdiv(needed, 4 * WARP), 4)
    threads = triton.cdiv(triton.cdiv(needed, vectors), WARP) * WARP
    if threads > MAX_THREADS:
        return Layout(MAX_THREADS, triton.cdiv(needed, MAX_THREADS))
    return Layout(threads, vectors)


def instance(
    dtype: torch.dtype, layout: Layout, *, whole: bool = True, rounds: int = 7, drop: bool = True
) -> str:
    """Return the name of one instance of the kernel's template."""
    arguments = [PAIRS[dtype], *layout, str(whole).lower(), rounds, str(drop).lower()]
    return f"boundary<{', '.join(map(str, arguments))}>"


@functools.cache
def build(name: str, capability: tuple[int, int]) -> Any:
    """Compile the instance `name` for a GPU of `capability`; return cuda.core's ObjectCode.

    Needs no GPU; `.code` is the cubin. Raises MissingHere where something is missing or NVRTC is
    too old for the GPU.
    """
    if missing := why_missing():
        raise MissingHere(missing)
    core = _cuda_core()
    options = core.ProgramOptions(
        std="c++17",
        arch="sm_{}{}".format(*capability),
        include_path=str(header_folder()),
    )
    try:
        program = core.Program(SOURCE.read_text(encoding="utf-8"), "c++", options)
        return program.compile("cubin", name_expressions=(name,))
    except Exception as fault:  # each release of cuda.core raises others
        raise MissingHere(f"NVRTC could not compile {SOURCE.name}: {fault}", _install()) from fault


@functools.cache
def _kernel(name: str, capability: tuple[int, int]) -> Any:
    return build(name, capability).get_kernel(name)


class _TorchStream(NamedTuple):
    """A stream of torch as cuda.core wants it; newer releases of torch have this too."""

    handle: int

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return the version of the protocol, and the stream."""
        return 0, self.handle


def cuda(
    x: torch.Tensor,
    residual: torch.Tensor,
    weight: torch.Tensor,
    p: float,
    *,
    seed: int | torch.Tensor | None = None,
    rounds: int = 7,
    into: Pair | None = None,
    layout: Layout | None = None,
) -> Pair:
    """Return (h, out) from one launch on torch's current stream; arguments are those of `fused`.

    x, residual: (rows, width), any row stride, unit column stride, one dtype of bfloat16, float16
    or float32. weight: (width,), contiguous. `seed`: a number, or an int64 tensor of one element
    on the same device; drawn where it is None. The same seed gives the same h as `fused`, bit for
    bit. `into`: contiguous tensors to write h and out to, instead of new ones. `layout`: another
    than that of `layout_for`. The first call of an instance compiles it (a second, and not inside
    of a graph capture). Raises ValueError for inputs that the kernel cannot take, MissingHere
    where `why_missing` tells something.
    """
    rows, width = x.shape
    h, out = into or (torch.empty_like(x, memory_format=torch.contiguous_format) for _ in "ho")
    tensors = (x, residual, weight, h, out)
    _check(*tensors)
    if seed is None:
        seed = draw_seed()
    number, pointer = (0, _start(seed, x)) if isinstance(seed, torch.Tensor) else (seed, 0)
    if rows == 0:
        return h, out

    strides = (x.stride(0), residual.stride(0))
    starts = [tensor.data_ptr() for tensor in tensors]
    lanes = VECTOR_BYTES // x.element_size()
    whole = not any(n % lanes for n in (*strides, width))
    whole = whole and not any(start % VECTOR_BYTES for start in starts)
    layout = layout or layout_for(width, x.element_size())
    name = instance(x.dtype, layout, whole=whole, rounds=rounds, drop=p > 0)
    with torch.cuda.device(x.device):
        kernel = _kernel(name, torch.cuda.get_device_capability())
        core = _cuda_core()
        core.launch(
            _TorchStream(torch.cuda.current_stream().cuda_stream),
            core.LaunchConfig(grid=rows, block=layout.threads),
            kernel,
            *starts,
            *map(ctypes.c_int64, strides),
            ctypes.c_uint32(width),
            ctypes.c_float(1.0 / (1.0 - p)),
            ctypes.c_float(EPS),
            ctypes.c_uint64(number),
            pointer,
            ctypes.c_uint32(threshold_of(p)),
        )
    return h, out


def _check(
    x: torch.Tensor,
    residual: torch.Tensor,
    weight: torch.Tensor,
    h: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Raise ValueError for what the kernel cannot take: it would read whatever lies there."""
    width = x.shape[1]
    if x.stride(1) != 1 or residual.stride(1) != 1 or not weight.is_contiguous():
        raise ValueError("the elements of a row must lie side by side")
    if residual.shape != x.shape or weight.shape != (width,) or not 0 < width <= MAX_WIDTH:
        raise ValueError(f"cannot take {tuple(x.shape)}, {tuple(residual.shape)}, {weight.shape}")
    if any(t.shape != x.shape or not t.is_contiguous() for t in (h, out)):
        raise ValueError("h and out must be contiguous and as large as x")
    kinds = {(str(t.dtype), str(t.device)) for t in (x, residual, weight, h, out)}
    if len(kinds) > 1 or x.dtype not in PAIRS or not x.is_cuda:
        raise ValueError(f"cannot take {', '.join(map(' on '.join, sorted(kinds)))}")


def _start(seed: torch.Tensor, x: torch.Tensor) -> int:
    """Return where the seed lies. Raises ValueError."""
    if seed.dtype != torch.int64 or seed.numel() != 1 or seed.device != x.device:
        raise ValueError("a seed in a tensor is one int64 on the device of x")
    return seed.data_ptr()


def why_missing() -> str | None:
    """Return what is missing to compile the kernel, with the command that installs it; or None.

    Tells nothing about the GPU: NVRTC compiles without one.
    """
    if torch.version.hip is not None:
        return "CUDA C++ is for NVIDIA GPUs, and this torch is for AMD's."
    try:
        _cuda_core()
        bindings = importlib.import_module("cuda.bindings")
        nvrtc = importlib.import_module("cuda.bindings.nvrtc")
    except (ImportError, OSError, RuntimeError):
        return f"cuda.core is not installed: {_install()}"
    try:
        nvrtc.nvrtcVersion()  # loads the library
    except (OSError, RuntimeError):
        return f"NVRTC, CUDA's compiler at run time, is not installed: {_install()}"
    if str(bindings.__version__).split(".")[0] != _cuda_major():
        return (
            f"cuda.bindings {bindings.__version__} is for another CUDA than torch's "
            f"{torch.version.cuda}: {_install()}"
        )
    if header_folder() is None:
        suffix = "-cu12" if _cuda_major() == "12" else ""
        return (
            f"CUDA's {HEADERS[0]} was not found: "
            f"python -m pip install nvidia-cuda-runtime{suffix}, or set CUDA_HOME"
        )
    return None


def header_folder() -> Path | None:
    """Return the folder of cuda_bf16.h and cuda_fp16.h.

    Searched in this order: NVIDIA's pip packages, the CUDA toolkit, Triton's own copy.
    """
    spec = importlib.util.find_spec("nvidia")
    packages = [Path(place) for place in (spec and spec.submodule_search_locations) or ()]
    toolkits = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    folders = [
        *(folder for package in packages for folder in sorted(package.glob("*/include"))),
        *(Path(toolkit, "include") for toolkit in toolkits if toolkit),
        Path(triton.__file__).parent / "backends" / "nvidia" / "include",
    ]
    whole = (folder for folder in folders if all((folder / name).is_file() for name in HEADERS))
    return next(whole, None)


def _cuda_major() -> str:
    """Return the major version of torch's CUDA; a torch without CUDA can take any."""
    return (torch.version.cuda or "13").split(".")[0]


def _install() -> str:
    return f"python -m pip install 'cuda-core[cu{_cuda_major()}]'"


@functools.cache
def _cuda_core() -> Any:
    """Import cuda.core; before 0.5 its names were in cuda.core.experimental."""
    core = importlib.import_module("cuda.core")
    if not hasattr(core, "Program"):
        core = importlib.import_module("cuda.core.experimental")
    return core
