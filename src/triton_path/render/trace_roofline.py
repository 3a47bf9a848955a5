"""Where a launch lands on the roofline, in words with every figure that leads there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from triton_path.render import theme
from triton_path.render.trace_words import ABOUT, bytes_text, flops_text, number_text

if TYPE_CHECKING:
    from triton_path.jobs.trace import Roofline, Target, TraceReport


def roofline_line(report: TraceReport, number: int) -> Text:
    """Return the intensity, the verdict, and what was left out of both."""
    roof, target = report.rooflines[number], report.target
    text = Text()
    if roof.bound == "no dot":
        text.append(f"below {roof.lowest_ridge:.3g} FLOP a byte ")
        text.append("memory-bound on every GPU listed", "bold")
        text.append(f" ({target.name}: below {roof.ridge:.3g}); no tl.dot, and other operations ")
        text.append("are not counted")
    else:
        text.append(_intensity(roof) + ": ")
        text.append(_verdict(roof, target), "bold")
        text.append(", at this size")
    if roof.note:
        text.append(f"; {roof.note}", theme.QUIET)
    return text


def _intensity(roof: Roofline) -> str:
    near = ABOUT if roof.extrapolated else ""
    parts = [f"{near}{flops_text(roof.dot_flops)} in tl.dot (other operations are not counted)"]
    if roof.intensity is not None:
        parts.append(
            f"over {near}{bytes_text(roof.bytes_asked)} asked for: "
            f"{number_text(roof.intensity)} FLOP a byte"
        )
    if roof.intensity_once is not None and roof.bytes_once != roof.bytes_asked:
        parts.append(f"if caches serve every repetition {number_text(roof.intensity_once)}")
    return ", ".join(parts)


def _verdict(roof: Roofline, target: Target) -> str:
    if roof.everywhere:
        rated = "" if roof.rate == "fp32" else f" that has a {roof.rate} rate"
        return f"memory-bound on every GPU listed{rated}"
    if roof.bound == "memory":
        return f"memory-bound on {target.name} (below {roof.ridge:.3g})"
    if roof.bound == "compute":
        return f"compute-bound on {target.name} (from {roof.ridge:.3g} on)"
    return f"on {target.name} the caches decide: the limit is {roof.ridge:.3g}"


def target_text(target: Target) -> Text:
    """Return the figures that the roofline was drawn from, and where they are from."""
    rates = f"{target.fp32_tflops:g} TFLOP/s fp32"
    if target.bf16_tflops is not None:
        rates += f", {target.bf16_tflops:g} bf16"
    text = Text(f"{target.name}: {target.bandwidth_gb_s:g} GB/s, {rates}")
    text.append(f" ({'; '.join(target.sources)})", theme.QUIET)
    return text
