"""Where a launch lands on the roofline of a GPU: flops a byte against peak over bandwidth."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from triton_path.jobs.trace import Bound, Rate, Roofline, Target
from triton_path.tutor.trace_words import itemsize

if TYPE_CHECKING:
    from triton_path.course.gpus import Gpu, GpuTable
    from triton_path.jobs.watch import Extrapolation, LaunchReport

HALF = ("float16", "bfloat16")
FULL = ("float32", "float64")


def target_of(gpu: Gpu, table: GpuTable) -> Target:
    """Return what the roofline needs of `gpu`, with the titles of the sources."""
    figures = [gpu.bandwidth_gb_s, gpu.fp32_tflops, *([gpu.bf16_tflops] if gpu.bf16_tflops else [])]
    return Target(
        id=gpu.id,
        name=gpu.name,
        bandwidth_gb_s=gpu.bandwidth_gb_s.value,
        fp32_tflops=gpu.fp32_tflops.value,
        bf16_tflops=gpu.bf16_tflops.value if gpu.bf16_tflops else None,
        sources=tuple(dict.fromkeys(table.sources[figure.source].title for figure in figures)),
    )


def roofline(number: int, launch: LaunchReport, gpu: Gpu, table: GpuTable) -> Roofline:
    """Place launch `number` under the roof of `gpu`; the bytes of one run are counted."""
    whole = launch.extrapolated
    counted = launch.arguments if whole is None else whole.arguments
    asked = sum(a.loaded_bytes + a.stored_bytes + a.atomic_bytes for a in counted)
    once = _once(launch) if whole is None else _once_at_most(launch, whole)
    rate, note = _rate(launch, gpu)
    ridges = [ridge for other in table.gpus if (ridge := ridge_of(other, rate)) is not None]
    ridge = ridge_of(gpu, rate)
    assert ridge is not None
    lowest = min(ridges)
    dots = launch.dot_flops if whole is None else whole.dot_flops
    intensity = dots / asked if dots and asked else None
    intensity_once = dots / once if dots and once else None
    known = [value for value in (intensity, intensity_once) if value is not None]
    bound: Bound = "no dot"
    if known:
        bound = "memory" if max(known) < ridge else "caches decide"
        bound = "compute" if min(known) >= ridge else bound
    return Roofline(
        launch=number,
        extrapolated=whole is not None,
        dot_flops=dots,
        bytes_asked=asked,
        bytes_once=once,
        intensity=intensity,
        intensity_once=intensity_once,
        rate=rate,
        ridge=ridge,
        lowest_ridge=lowest,
        bound=bound,
        everywhere=bool(known) and max(known) < lowest,
        note=note,
    )


def ridge_of(gpu: Gpu, rate: Rate) -> float | None:
    """Return the peak of `gpu` over its bandwidth, flops a byte; None where it has no such peak."""
    peak = gpu.bf16_tflops if rate == "bf16" else gpu.fp32_tflops
    return None if peak is None else peak.value * 1e3 / gpu.bandwidth_gb_s.value


def _once(launch: LaunchReport) -> int | None:
    """Return the bytes of different elements; None where an argument's were not counted."""
    total = 0
    for argument in launch.arguments:
        for part in (argument.unique_loaded_bytes, argument.unique_stored_bytes):
            if part is None:
                return None
            total += part
    return total


def _once_at_most(launch: LaunchReport, whole: Extrapolation) -> int:
    """Return the bytes of different elements, no more than a tensor has, where few programs ran."""
    total = 0
    for argument, estimate in zip(launch.arguments, whole.arguments, strict=True):
        size = prod(argument.shape) * itemsize(argument.dtype)
        loaded = estimate.loaded_bytes + estimate.atomic_bytes
        stored = estimate.stored_bytes + estimate.atomic_bytes
        total += min(loaded, size) + min(stored, size)
    return total


def _rate(launch: LaunchReport, gpu: Gpu) -> tuple[Rate, str]:
    """Return which peak to take, and what does not fit it."""
    if not launch.dot_flops:
        return "fp32", ""
    loaded = {argument.dtype for argument in launch.arguments if argument.loaded_bytes}
    matrices = loaded - set(FULL)
    if not matrices:
        return "fp32", "the table has no TF32 rate, which tl.dot takes for float32 by default"
    if gpu.bf16_tflops is None:
        return "fp32", f"the table has no rate of {gpu.name}'s matrix units"
    if loaded & set(HALF):
        return "bf16", ""
    return "bf16", f"the table has no rate for {', '.join(sorted(matrices))}"
