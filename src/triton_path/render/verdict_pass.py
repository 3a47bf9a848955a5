"""What is shown once a kernel has passed: what was checked, what was learned, how fast it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from triton_path.render import theme
from triton_path.render.blocks import inline
from triton_path.render.pages import Part
from triton_path.render.verdict_finding import in_short
from triton_path.render.verdict_gpu import gpu_parts, labelled
from triton_path.render.verdict_words import stars_text, where
from triton_path.terminal.safe_text import harmless
from triton_path.tutor.stars import THREE_STARS, TWO_STARS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from triton_path.jobs.practice import Finding, GpuResult, Verdict
    from triton_path.tutor.practice_after import After

STARS = {
    1: "right in every case",
    2: "right, and near the limit of this GPU",
    3: "right, and at the limit of this GPU",
}


def passed_parts(verdict: Verdict, after: After, width: int) -> list[Part]:
    """Return a verdict that passed, in parts that a page should not cut."""
    count = len(verdict.cases)
    title = Text(f"{theme.RIGHT_SIGN} Right in all {count} cases", f"bold {theme.RIGHT}")
    # Percentages as text: the longer one is the larger one.
    errors = (case.error for case in verdict.cases)
    error = max(errors, key=lambda text: (len(text), text), default="")
    if error:
        title.append(f", largest error {error} of the tolerance", theme.QUIET)
    parts = [
        Part(Group(Padding(title, (0, 1, 0, 1)), _indented(Text(_cases(verdict), theme.QUIET))))
    ]
    if after.learned:
        parts.append(Part(_indented(inline(after.learned))))
    told = [_stars(verdict)]
    if after.remark:
        told.append(_indented(Text(after.remark)))
    parts.append(Part(Group(*told)))
    if verdict.gpu is not None:
        parts += [Part(part) for part in gpu_parts(verdict.gpu, width)]
    parts += [Part(_advice(findings)) for findings in _alike(verdict.advice)]
    parts.append(Part(how_checked(verdict), splits=True))
    return parts


def how_checked(verdict: Verdict) -> RenderableType:
    """Return what was checked how, and what was not and why."""
    lines = [("" if number else "checked", text) for number, text in enumerate(verdict.checked)]
    if verdict.tolerance:
        lines.append(("tolerance", verdict.tolerance))
    return labelled(lines)


def _alike(advice: Sequence[Finding]) -> list[list[Finding]]:
    """Return the findings of each kind together, in the order in which kinds were found."""
    kinds = dict.fromkeys(finding.kind for finding in advice)
    return [[finding for finding in advice if finding.kind == kind] for kind in kinds]


def _advice(findings: Sequence[Finding]) -> RenderableType:
    """Return advice of one kind: the first in full, the lines of the others."""
    first, *others = findings
    parts: list[RenderableType] = [in_short(first)]
    if others:
        places = dict.fromkeys(where(finding) for finding in others)
        parts.append(_indented(Text(f"Also {', '.join(filter(None, places))}.", theme.QUIET)))
    if first.remedy:
        parts.append(_indented(Text.assemble(("Try: ", theme.KEY), harmless(first.remedy))))
    return Group(*parts)


def _cases(verdict: Verdict) -> str:
    """Return the sizes of all cases, a line for each dtype, and one for what was drawn anew."""
    groups: dict[str, list[str]] = {}
    for case in verdict.cases:
        label = case.label
        names = " x ".join(label.sizes)
        head = f"{label.dtype}{', drawn for this check' * label.fresh}: {names} ="
        groups.setdefault(head, []).append(" x ".join(map(str, label.sizes.values())))
    return "\n".join(f"{head} {_counted(sizes)}" for head, sizes in groups.items())


def _counted(sizes: Sequence[str]) -> str:
    """Return sizes, each once, with the number of cases that have them where there are several."""
    count = Counter(sizes)
    return ", ".join(f"{size} ({n} cases)" if n > 1 else size for size, n in count.items())


def _stars(verdict: Verdict) -> RenderableType:
    text = Text.assemble((stars_text(verdict.stars), theme.NOTE), f"  {STARS[verdict.stars]}")
    if verdict.stars == 1:
        text.append(f"; {_more_stars(verdict.gpu)}", theme.QUIET)
    return _indented(text)


def _more_stars(gpu: GpuResult | None) -> str:
    """Return what the other stars are for."""
    if gpu is None:
        return "two more for its speed, on a machine with a GPU"
    if not gpu.providers:
        return "two more for its speed, which was not measured"
    return f"two from {100 * TWO_STARS:.0f} % of the limit on, three from {100 * THREE_STARS:.0f} %"


def _indented(text: Text) -> RenderableType:
    return Padding(text, (0, 1, 0, 3))
