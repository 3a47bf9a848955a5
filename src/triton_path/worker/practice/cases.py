"""Which cases a check runs: the fixed ones, fresh ones, and one shape a second time."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from triton_path.jobs.practice import CaseLabel

if TYPE_CHECKING:
    from triton_path.jobs.grading import Case, Grading

AGAIN = "the same shape again, with other values"


@dataclass(frozen=True)
class PlannedCase:
    """A case with all that was drawn for it."""

    label: CaseLabel
    case: Case
    dtype: str

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes by name."""
        return self.case.sizes


def planned(grading: Grading, seed: int) -> list[PlannedCase]:
    """Return the cases of a check: always the same ones for one `seed`."""
    drawn = random.Random(seed)  # noqa: S311 -- test data, not a secret
    cases = [(case, case.dtype or grading.dtypes[0], False) for case in grading.cases]
    repeated = next((case for case in grading.cases if not case.memoryless), None)
    if repeated is not None:
        again = replace(repeated, why=AGAIN)
        cases.append((again, again.dtype or grading.dtypes[0], False))
    for fresh in grading.fresh:
        for _ in range(fresh.count):
            sizes = {name: drawn.randint(*limits) for name, limits in fresh.sizes.items()}
            case = replace(
                grading.cases[0],
                sizes=sizes,
                layouts=fresh.layouts,
                values={},
                scalars={},
                virtual=False,
                host_only=False,
                why="sizes drawn anew for each check",
            )
            cases.append((case, drawn.choice(grading.dtypes), True))
    return [
        PlannedCase(_label(case, dtype, number, len(cases), fresh=fresh), case, dtype)
        for number, (case, dtype, fresh) in enumerate(cases, start=1)
    ]


def timed(grading: Grading) -> PlannedCase | None:
    """Return the large case that a GPU is timed with."""
    timing = grading.timing
    if timing is None:
        return None
    case = replace(
        grading.cases[0],
        sizes=timing.sizes,
        layouts={},
        values={},
        scalars={},
        virtual=False,
        host_only=False,
        why="the timed case",
    )
    return PlannedCase(_label(case, timing.dtype, 1, 1, fresh=False), case, timing.dtype)


def _label(case: Case, dtype: str, number: int, of: int, *, fresh: bool) -> CaseLabel:
    return CaseLabel(
        number=number,
        of=of,
        sizes=case.sizes,
        dtype=dtype,
        layouts=dict(case.layouts),
        why=case.why,
        fresh=fresh,
    )
