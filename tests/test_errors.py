from __future__ import annotations

import pytest

from triton_path.errors import (
    CourseFault,
    ExitCode,
    MissingFault,
    TutorError,
    UsageFault,
    unknown_name,
)


@pytest.mark.parametrize(
    ("fault", "code"),
    [(UsageFault, ExitCode.USAGE), (MissingFault, ExitCode.MISSING),
     (CourseFault, ExitCode.BROKEN_COURSE)],
)  # fmt: skip
def test_each_fault_has_its_exit_code(fault: type[TutorError], code: ExitCode) -> None:
    made = fault("It is so.", "do that")
    assert (made.exit_code, made.message, made.hint, str(made)) == (
        code, "It is so.", "do that", "It is so.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "offer"),
    [
        ("introducton", " Did you mean 'introduction'?"),
        ("INTRODUCTION", " Did you mean 'introduction'?"),
        ("intro", " Did you mean 'introduction'?"),
        ("fusoin", " Did you mean 'fusion'?"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_the_nearest_name_is_offered(name: str, offer: str) -> None:
    fault = unknown_name("lesson", name, ["introduction", "fusion"], "triton-path course list")
    assert fault.message == f"There is no lesson '{name}'.{offer}"
    assert fault.hint == "triton-path course list"
