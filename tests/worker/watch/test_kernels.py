"""Every kernel of `kernels` gets the verdict that it is marked with."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch

from tests.worker.watch.cases import FOLDER, MARKER, Case, collect
from triton_path.worker.watch import watch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.jobs.watch import WatchReport

WRITE = os.environ.get("WRITE_SENTENCES") == "1"
CASES = collect()
SENTENCES = Path(__file__).with_name("sentences.txt")
"""What the watch says of each case: the same with every version of Triton. To write it anew, run
this test with WRITE_SENTENCES=1 and read the difference."""
AT_LEAST = 60


@pytest.fixture(scope="module")
def sentences() -> Iterator[dict[str, str]]:
    known: dict[str, str] = {}
    if WRITE:
        yield known
        text = "\n".join(f"{name}\n{said}" for name, said in known.items())
        SENTENCES.write_text(text + "\n")
    else:
        for part in SENTENCES.read_text().split("\n\n"):
            name, _, said = part.strip("\n").partition("\n")
            known[name] = said + "\n"
        yield known


def said_by(report: WatchReport) -> str:
    """Return kinds and sentences; an error of Python is worded by Triton, which changes."""
    return "".join(
        f"  {fault.kind}: {'...' if fault.kind == 'kernel-error' else fault.sentence}\n"
        for fault in report.faults
    )


def test_there_are_cases_right_and_wrong() -> None:
    wrong = sum(bool(case.expected) for case in CASES)
    assert len(CASES) >= AT_LEAST
    assert AT_LEAST // 3 <= wrong <= len(CASES) - AT_LEAST // 3


def test_every_marker_belongs_to_a_case() -> None:
    marked = sum(len(MARKER.findall(path.read_text())) for path in FOLDER.rglob("*.py"))
    assert sum(len(case.expected) for case in CASES) == marked


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdict(case: Case, sentences: dict[str, str]) -> None:
    torch.manual_seed(0)
    pairs = None
    with watch(case.options) as watched:
        pairs = case.run()
    report = watched.report
    assert report.watched, report.unwatched_reason
    found = {
        (Path(fault.place.file).name, fault.kind, fault.place.line)
        for fault in report.faults
        if fault.place is not None
    }
    assert len(found) == len(report.faults)
    assert found == case.expected, "\n".join(fault.sentence for fault in report.faults)
    if report.faults and WRITE:
        sentences[case.name] = said_by(report)
    elif report.faults:
        assert said_by(report) == sentences[case.name]
    for got, wanted in pairs or []:
        torch.testing.assert_close(got, wanted)
    assert case.expected or pairs or report.launches
