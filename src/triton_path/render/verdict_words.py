"""The parts of a verdict in words: kinds of faults, cases, stars."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.render import theme
from triton_path.render.trace_faults import ADVICE_SIGN, WORDS
from triton_path.tutor.practice_standing import LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.jobs.practice import CaseLabel, Finding

NAMES = {
    **WORDS,
    "does-not-import": "The file does not import",
    "no-entry": "The function is missing",
    "wrong-signature": "The function takes other parameters",
    "compiler-rejects": "The compiler rejects this kernel",
    "tampering": "A function of torch, time or Triton was replaced",
    "no-kernel": "No kernel was launched",
    "too-many-launches": "Too many launches",
    "torch-does-the-work": "PyTorch does the work",
    "changed-outside-kernel": "Changed outside of a kernel",
    "returned-instead": "Returned, not stored",
    "input-changed": "An input was changed",
    "never-written": "Never written",
    "wrong-values": "Wrong values",
    "remembers": "The result of an earlier case",
    "order-dependence": "The result depends on the order of programs",
    "raised": "Your function raised",
    "out-of-time": "Out of time",
    "crashed": "The process ended",
    "does-not-compile": "The compiler rejects this kernel",
    "raised-on-gpu": "Your function raised on the GPU",
    "wrong-on-gpu": "Wrong values on the GPU",
    "hidden-work": "Work that is not waited for",
    "impossibly-fast": "Faster than is possible",
    "uncoalesced": "Uncoalesced",
    "redundant-bytes": "Loaded more than once",
    "two-faced": "Other kernels when compiled",
    "grid-too-large": "Grid too large for a GPU",
    "block-too-large": "A block that grows",
    "idle-mask": "A mask that masks nothing",
}
"""Kinds whose name alone says too little; the others are shown as they are named."""


def name_of(finding: Finding) -> str:
    """Return the kind of a finding in words, behind its sign."""
    if finding.advice:
        return f"{ADVICE_SIGN} {words_of(finding)} (advice)"
    return f"{theme.WRONG_SIGN} {words_of(finding)}"


def words_of(finding: Finding) -> str:
    """Return the kind of a finding in words."""
    return NAMES.get(finding.kind) or finding.kind.replace("-", " ").capitalize()


def where(finding: Finding) -> str:
    """Return the file and line of a finding; empty where it has none."""
    place = finding.place
    if place is not None:
        return f"{Path(place.file).name}:{place.line}"
    rejected = finding.rejection
    if rejected is not None and rejected.place is not None:
        return f"{Path(rejected.place.file).name}:{rejected.place.line}"
    return ""


def number_text(case: CaseLabel) -> str:
    """Return which case it is of how many."""
    return f"case {case.number} of {case.of}"


def sizes_text(case: CaseLabel) -> str:
    """Return the sizes of a case by name: `M = 5, N = 100`."""
    return ", ".join(f"{name} = {size}" for name, size in case.sizes.items())


def case_text(case: CaseLabel) -> str:
    """Return what a case is, and what it is there for."""
    words = [sizes_text(case), case.dtype]
    words += [f"{name} {layout}" for name, layout in case.layouts.items()]
    text = ", ".join(words)
    return f"{text}: {case.why}" if case.why else text


def patterns_text(patterns: Sequence[str]) -> str:
    """Return what wrong elements have in common, as one sentence."""
    text = "; ".join(pattern.rstrip(".") for pattern in patterns)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def stars_text(stars: int) -> str:
    """Return the stars, those that are missing hollow."""
    return "★" * stars + "☆" * (LEVELS - stars)
