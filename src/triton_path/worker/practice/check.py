"""The job `check`: all cases in the interpreter, under the memory watch."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.messages import Progress
from triton_path.jobs.practice import DONE, STAGES, CaseResult, CheckAnswer, Finding
from triton_path.worker.missing import MissingHere
from triton_path.worker.practice import advice, patterns
from triton_path.worker.practice.cases import planned
from triton_path.worker.practice.compare import ReferenceBroken, tolerance_in_words
from triton_path.worker.practice.data import dtype_of
from triton_path.worker.practice.diagnosis import diagnose
from triton_path.worker.practice.findings import of_case
from triton_path.worker.practice.integrity import Integrity, tampered
from triton_path.worker.practice.launches import signatures
from triton_path.worker.practice.learner import CannotImport, load, module_from
from triton_path.worker.practice.running import run
from triton_path.worker.trace.printed import noted
from triton_path.worker.watch.selftest import reason_not_to_watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triton_path.jobs.grading import Grading
    from triton_path.jobs.messages import Message
    from triton_path.jobs.practice import CheckJob
    from triton_path.worker.practice.cases import PlannedCase
    from triton_path.worker.practice.running import Outcome

LAUNCH_SECONDS = 12.0
"""Longest for one launch; what takes so long in the interpreter is a loop that does not end."""
STOPS = frozenset({"endless-loop", "waits-for-another-program", "out-of-time"})
"""Faults after which further cases would only take as long again."""


def check(job: CheckJob, send: Callable[[Message], None]) -> CheckAnswer:
    """Run all cases of the exercise; return what is wrong, the gravest first."""
    with noted() as printed:
        answer = Checking(job, send).answer()
    return answer.model_copy(update={"printed": printed.lines})


class Checking:
    """One check, while it runs."""

    def __init__(self, job: CheckJob, send: Callable[[Message], None]) -> None:
        self._job = job
        self._send = send
        self._plan = planned(job.grading, job.seed)
        self._counted = _largest(self._plan)
        self._deadline = time.monotonic() + job.seconds
        self._late: Finding | None = None
        """Where the time was over before all cases were run."""
        self._outcomes: list[Outcome] = []
        self._results: list[CaseResult] = []
        self._found: list[tuple[Finding, Outcome]] = []
        self._known: dict[str, list[torch.Tensor]] = {}
        """What each output should have been, case by case."""

    def answer(self) -> CheckAnswer:
        """Do the job. Raises MissingHere where the exercise itself is broken."""
        reason = reason_not_to_watch()
        reference = reference_module(Path(self._job.reference))
        before = Integrity()
        path = Path(self._job.path)
        sys.path.insert(0, str(path.parent))
        try:
            learner = load(path, self._job.grading)
            for case in self._plan:
                if reason and case.case.memoryless:
                    continue  # the interpreter alone would look into tensors that have no memory
                left = self._deadline - time.monotonic()
                if left <= 0:
                    self._late = _out_of_time(case, job=self._job)
                    break
                if not self._one(case, learner, reference, left):
                    break
        except CannotImport as fault:
            return self._report([fault.finding], reason)
        except ReferenceBroken as fault:
            message = f"The exercise {self._job.exercise} is broken: {fault}."
            raise MissingHere(message, hint="triton-path course check") from fault
        findings = self._findings(reference)
        if self._late is not None and all(finding.advice for finding in findings):
            findings = [self._late]
        tampering = tampered(before)
        return self._report(findings if tampering is None else [tampering, *findings], reason)

    def _one(self, case: PlannedCase, learner: Any, reference: Any, left: float) -> bool:
        """Run a case; return whether to go on."""
        number, of = case.label.number, case.label.of
        self._send(Progress(text="running the kernel", done=number - 1, total=of))
        outcome = run(
            learner,
            self._job.grading,
            case,
            reference,
            seed=self._job.seed,
            seconds=min(left, LAUNCH_SECONDS),
            counted=case is self._counted,
        )
        findings = of_case(outcome, self._job.grading, self._known)
        for name, wanted in zip(outcome.differences, outcome.wanted, strict=True):
            self._known.setdefault(name, []).append(wanted.value)
        self._outcomes.append(outcome)
        self._found += [(finding, outcome) for finding in findings]
        self._results.append(
            CaseResult(
                label=case.label,
                passed=not findings,
                error=_error(outcome),
                launches=signatures(outcome.report),
            )
        )
        self._keep(outcome)
        return not any(finding.kind in STOPS for finding in findings)

    def _findings(self, reference: Any) -> list[Finding]:
        """Return each finding once, in the order of a verdict; the first with its diagnosis."""
        found = sorted(self._found, key=lambda pair: STAGES.index(pair[0].stage))
        distinct: dict[object, tuple[Finding, Outcome]] = {}
        for finding, outcome in found:
            distinct.setdefault(_key(finding), (finding, outcome))
        pairs = list(distinct.values())
        findings = [self._with_pattern(finding) for finding, _ in pairs]
        if findings and self._job.mistakes:
            told = diagnose(
                findings[0],
                pairs[0][1],
                self._job.grading,
                self._job.mistakes,
                reference,
                seed=self._job.seed,
                seconds=2.0,
            )
            findings[0] = findings[0].model_copy(update={"diagnosis": told})
        # Advice to a kernel that is wrong would only distract; part of its counts are missing too.
        return findings or self._advice()

    def _with_pattern(self, finding: Finding) -> Finding:
        """Add what tells the cases with wrong values from the others."""
        picture = finding.mismatch
        if picture is None:
            return finding
        bad = {id(o) for f, o in self._found if f.stage == "values"}
        other = {id(o) for _, o in self._found} - bad
        wrong = [o.planned for o in self._outcomes if id(o) in bad]
        right = [o.planned for o in self._outcomes if id(o) not in bad and id(o) not in other]
        told = (*picture.patterns, *patterns.across_cases(right, wrong))
        return finding.model_copy(
            update={"mismatch": picture.model_copy(update={"patterns": told})}
        )

    def _advice(self) -> list[Finding]:
        given = list(advice.of_masks(self._outcomes))
        for outcome in self._outcomes:
            if outcome.planned is self._counted:
                given += advice.of_counted(outcome)
        distinct = {_key(finding): finding for finding in given}
        return list(distinct.values())

    def _keep(self, outcome: Outcome) -> None:
        """Write the results down for the comparison with a GPU's."""
        if self._job.keep is not None and outcome.differences:
            file = Path(self._job.keep) / f"{outcome.planned.label.number}.pt"
            torch.save([tensor.clone() for tensor in outcome.outputs.values()], file)

    def _report(self, findings: Sequence[Finding], reason: str) -> CheckAnswer:
        if self._job.keep is not None:
            (Path(self._job.keep) / DONE).touch()
        return CheckAnswer(
            findings=tuple(findings),
            cases=tuple(self._results),
            planned=len(self._plan),
            watched=not reason,
            unwatched_reason=reason,
            tolerance=_tolerance(self._job.grading, self._plan[0]),
        )


def _out_of_time(case: PlannedCase, *, job: CheckJob) -> Finding:
    label = case.label
    return Finding(
        kind="out-of-time",
        stage="crash",
        sentence=f"Only {label.number - 1} of {label.of} cases were run in {job.seconds:.0f} s.",
        why="A case takes milliseconds as a rule.",
        remedy="look for host code that is slow, or a grid with far more programs than are needed",
        case=label,
    )


def reference_module(path: Path) -> Any:
    """Import reference.py. Raises MissingHere where it cannot be."""
    try:
        return module_from(path, path.read_text(encoding="utf-8"))
    except (CannotImport, OSError) as fault:
        message = f"The exercise's {path.name} cannot be used: {fault}"
        raise MissingHere(message, hint="triton-path course check") from fault


def _key(finding: Finding) -> object:
    line = finding.place.line if finding.place else 0
    output = finding.mismatch.output if finding.mismatch else ""
    argument = finding.fault.lanes.argument if finding.fault and finding.fault.lanes else ""
    return finding.kind, line, output, argument


def _largest(plan: Sequence[PlannedCase]) -> PlannedCase | None:
    """Return the fixed case with the most elements: where bytes and sectors are counted."""
    real = [case for case in plan if not case.case.memoryless and not case.label.fresh]
    return max(real, key=_size, default=None)


def _size(case: PlannedCase) -> int:
    size = 1
    for value in case.sizes.values():
        size *= value
    return size


def _error(outcome: Outcome) -> str:
    if not outcome.differences:
        return ""
    worst = max(difference.worst for difference in outcome.differences.values())
    return f"{100 * worst:.0f} %" if worst < 100 else "far off"


def _tolerance(grading: Grading, case: PlannedCase) -> str:
    words = [tolerance_in_words(grading, case, dtype_of(spec, case)) for spec in grading.outputs]
    return "; ".join(dict.fromkeys(words))
