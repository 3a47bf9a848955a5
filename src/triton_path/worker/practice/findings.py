"""Words what is wrong with one case, in the order of a verdict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.practice import STAGES, Finding
from triton_path.worker.practice import patterns
from triton_path.worker.practice.launches import of_launches
from triton_path.worker.practice.learner import in_words
from triton_path.worker.practice.mismatch import mismatch
from triton_path.worker.practice.running import OUT_OF_TIME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triton_path.jobs.grading import Grading
    from triton_path.jobs.practice import CaseLabel, Stage
    from triton_path.jobs.watch import Fault, Place
    from triton_path.worker.practice.running import Outcome
    from triton_path.worker.practice.torch_work import Operation

UNWRITTEN = frozenset({"never-written", "depends-on-masked-lanes", "uninitialised-read"})
CRASHES = frozenset(
    {"kernel-error", "endless-loop", "waits-for-another-program", "not-modelled", "timing-refused"}
)
SLOW = frozenset({"endless-loop", OUT_OF_TIME})
COPIES = frozenset({"clone", "copy_", "contiguous", "_to_copy"})
"""Operations that move data without computing."""


def stage_of(fault: Fault) -> Stage:
    """Return where a fault of the watch stands in a verdict."""
    if fault.kind in UNWRITTEN:
        return "unwritten"
    if fault.kind in CRASHES:
        return "crash"
    return "order" if fault.kind == "order-dependence" else "memory"


def of_case(
    outcome: Outcome, grading: Grading, earlier: dict[str, list[torch.Tensor]]
) -> list[Finding]:
    """Return what is wrong with a case, the gravest first.

    `earlier` holds what each output should have been in the cases before.
    """
    label = outcome.planned.label
    found = [
        _of_watch(fault, label)
        for fault in outcome.report.faults
        if fault.kind != "never-written" or _has_holes(outcome)
    ]
    if outcome.planned.case.memoryless:
        # One program of a huge grid may loop over billions of elements: it is not judged.
        found = [finding for finding in found if finding.kind not in SLOW]
    if outcome.raised is not None and not (
        outcome.raised.kind == OUT_OF_TIME and outcome.planned.case.memoryless
    ):
        found.append(_of_raised(outcome, label))
    found += _of_rules(outcome, grading)
    found += of_launches(outcome, grading)
    # What a fault of memory leaves behind is its consequence, no second fault.
    stopped = any(finding.stage in ("crash", "memory") for finding in found)
    if not stopped and outcome.launches:
        found += _never_written(outcome, found)
        if not any(finding.stage == "unwritten" for finding in found):
            found += _of_values(outcome, grading, earlier)
    return sorted(found, key=lambda finding: STAGES.index(finding.stage))


def _has_holes(outcome: Outcome) -> bool:
    """Tell whether an output has holes; in a tensor of the file's own they may be meant."""
    return any(untouched.any() for untouched in outcome.untouched.values())


def _of_watch(fault: Fault, label: CaseLabel) -> Finding:
    return Finding(
        kind=fault.kind,
        stage=stage_of(fault),
        sentence=fault.sentence,
        why=fault.why,
        remedy=fault.remedy,
        place=fault.place,
        case=label,
        fault=fault,
    )


def _of_raised(outcome: Outcome, label: CaseLabel) -> Finding:
    raised = outcome.raised
    assert raised is not None
    if raised.kind == OUT_OF_TIME:
        return Finding(
            kind=OUT_OF_TIME,
            stage="crash",
            sentence=f"The function did not end: {raised.text}.",
            remedy="look for a loop whose condition never changes, or a grid with more programs "
            "than are needed",
            place=raised.place,
            case=label,
        )
    said, remedy = in_words(raised.text, raised.place)
    return Finding(
        kind="raised",
        stage="crash",
        sentence=f"The function raised {raised.kind}: {said}",
        remedy=remedy,
        place=raised.place,
        traceback=raised.traceback,
        case=label,
    )


def _of_rules(outcome: Outcome, grading: Grading) -> Iterator[Finding]:
    label, host, outputs = outcome.planned.label, outcome.host, outcome.inputs.outputs
    listed = " and ".join(f"`{name}`" for name in outputs)

    def finding(kind: str, sentence: str, why: str, remedy: str) -> Finding:
        return Finding(
            kind=kind, stage="rules", sentence=sentence, why=why, remedy=remedy, case=label
        )

    if host.operations:
        yield torch_did_it(host.operations, label)
    if not outcome.launches and outcome.raised is None:
        yield finding(
            "no-kernel",
            f"`{grading.entry}` launched no kernel.",
            "The exercise is about the kernel; a result from anywhere else is not counted.",
            "launch it as `kernel[grid](...)` inside of the function",
        )
    if isinstance(outcome.returned, torch.Tensor) and not _is_one_of(outcome.returned, outcome):
        yield finding(
            "returned-instead",
            f"`{grading.entry}` returned a tensor; its result belongs in {listed}.",
            "The check looks at the tensors that the function was given to fill.",
            f"let the kernel store to {listed} and return nothing",
        )
    if host.reshaped:
        name = min(host.reshaped)
        yield finding(
            "changed-outside-kernel",
            f"`{name}` was given another shape or other memory.",
            "Whoever calls the function holds the tensor as it was, and looks there.",
            f"leave `{name}` as it is and let the kernel store to it",
        )
    changed = sorted(host.changed - host.reshaped)
    if changed and not host.operations:
        yield finding(
            "changed-outside-kernel",
            f"`{changed[0]}` was changed outside of a kernel.",
            "Only what kernels store is counted.",
            "do that work in the kernel",
        )
    inputs = [name for name in outcome.changed_inputs if name not in changed]
    if inputs:
        yield finding(
            "input-changed",
            f"The kernel wrote to `{inputs[0]}`, which is only to be read.",
            "Whoever calls this function still needs the values that it gave.",
            f"store to {listed} instead",
        )
    most = grading.most_launches
    if most is not None and outcome.launches > most:
        count = "one kernel" if most == 1 else f"{most} kernels"
        yield finding(
            "too-many-launches",
            f"`{grading.entry}` launched {outcome.launches} kernels; this exercise wants {count}.",
            "Each further kernel reads and writes the intermediate results once more.",
            "do all the work in one launch",
        )


def torch_did_it(operations: Sequence[Operation], label: CaseLabel) -> Finding:
    """Tell of torch operations on the exercise's tensors, the first of them by its name."""
    first = operations[0]
    name = first.name.rstrip("_") or first.name
    others = f", and {len(operations) - 1} more" if len(operations) > 1 else ""
    if first.name in COPIES:
        sentence = f"PyTorch copied a tensor of the exercise (`{name}`{others})."
        why = "A copy reads and writes the whole tensor once more, in a kernel of its own."
        remedy = "hand the kernel the tensor as it is, and its strides"
    else:
        sentence = f"PyTorch did a part of the work: the operation `{name}`{others}."
        why = "On a GPU it is a kernel of its own, with its own trip through memory."
        remedy = "compute this in your kernel"
    return Finding(
        kind="torch-does-the-work",
        stage="rules",
        sentence=sentence,
        why=why,
        remedy=remedy,
        place=first.place,
        case=label,
    )


def _kernel_of(outcome: Outcome) -> Place | None:
    """Return the `def` line of the last kernel; None where the watch does not work."""
    launches = outcome.report.launches
    return launches[-1].place if launches else None


def _is_one_of(returned: torch.Tensor, outcome: Outcome) -> bool:
    return any(returned.data_ptr() == tensor.data_ptr() for tensor in outcome.outputs.values())


def _never_written(outcome: Outcome, found: Sequence[Finding]) -> Iterator[Finding]:
    """Report outputs that no program stored to, which the watch leaves to the host's intention."""
    if any(finding.kind == "never-written" for finding in found):
        return
    for name, untouched in outcome.untouched.items():
        if untouched.size and untouched.all():
            yield Finding(
                kind="never-written",
                stage="unwritten",
                sentence=f"Nothing was stored to `{name}`: all {untouched.size} elements are as "
                "they were.",
                why="Before each case the outputs are filled with NaN, or the smallest integer.",
                remedy="store the result with tl.store",
                place=_kernel_of(outcome),
                case=outcome.planned.label,
            )


def _of_values(
    outcome: Outcome, grading: Grading, earlier: dict[str, list[torch.Tensor]]
) -> Iterator[Finding]:
    given = {
        name: tensor
        for name, tensor in outcome.inputs.tensors.items()
        if name not in outcome.inputs.outputs
    }
    for (name, difference), wanted in zip(outcome.differences.items(), outcome.wanted, strict=True):
        if difference.ok:
            continue
        got = outcome.inputs.tensors[name]
        told = patterns.in_values(got, wanted, difference.wrong, given, earlier.get(name, []))
        picture = mismatch(name, got, wanted, difference, grading, outcome.planned, told)
        remembers = any("earlier case" in pattern for pattern in told)
        share = f"{picture.wrong} of {picture.total}" if picture.total > 1 else "the only"
        plural = "s are" if picture.total > 1 else " is"
        where = f"[{', '.join(map(str, picture.first))}]" if picture.first else ""
        yield Finding(
            kind="remembers" if remembers else "wrong-values",
            stage="values",
            sentence=f"`{name}` is wrong: {share} element{plural} outside of the tolerance; "
            f"{name}{where} is {picture.got}, expected {picture.expected}.",
            why=f"Tolerated: {picture.tolerance}." if math.isfinite(difference.worst) else "",
            case=outcome.planned.label,
            mismatch=picture,
        )
