"""What Triton's interpreter verified, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from triton_path.jobs.bench import FUSED
from triton_path.render import theme
from triton_path.render.bench_notes import labelled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.bench import BenchReport


def signed(text: Text, *, good: bool) -> Text:
    """Put a sign behind a text."""
    sign, style = (theme.RIGHT_SIGN, theme.RIGHT) if good else (theme.WRONG_SIGN, theme.WRONG)
    return text.append(sign, style)


def verified(report: BenchReport) -> RenderableType:
    """Return what the interpreter found."""
    assert report.verification is not None
    cases = report.verification.cases
    right = sum(not case.check.faults for case in cases)
    sizes = ", ".join(dict.fromkeys(str(case.shape) for case in cases))
    dtypes = " and ".join(dict.fromkeys(case.dtype for case in cases))
    apart = "; rows apart in memory too" if any(case.strided for case in cases) else ""
    names = list(dict.fromkeys(case.name for case in cases))
    who = "the fused kernel agrees with float64 in"
    if names != [FUSED]:
        who = f"{', '.join(names)}: agreement with float64 in"
    text = Text(
        f"{who} {right} of {len(cases)} cases, run by Triton's "
        f"interpreter ({dtypes}{_not_verified(report)}; {sizes}{apart}) "
    )
    return labelled("verified", signed(text, good=right == len(cases)))


def _not_verified(report: BenchReport) -> str:
    """Say so where the dtype asked for is none that the interpreter can check."""
    assert report.verification is not None
    if report.case.dtype in {case.dtype for case in report.verification.cases}:
        return ""
    return f", not {report.case.dtype}: the interpreter computes it wrongly"
