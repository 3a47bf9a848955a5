from __future__ import annotations

import pytest
from pydantic import ValidationError

from triton_path.jobs.demo import DemoEnd, DemoJob
from triton_path.jobs.messages import ANSWER, Failure, Progress, Result

MESSAGES = [
    Progress(text="importing torch", done=1, total=3),
    Result(value={"exit_code": 0, "nested": [1, {"a": None}]}),
    Failure(reason="missing", message="torch is not installed.", hint="pip install torch"),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.type)
def test_an_answer_is_the_same_after_the_wire(message: Progress | Result | Failure) -> None:
    assert ANSWER.validate_json(message.model_dump_json()) == message


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b'{"type": "other"}', b'{"type": "result"}', b'{"type": "progress", "x": 1}',
     b'{"type": "failure", "reason": "other", "message": "m"}', b"\xff"],
)  # fmt: skip
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValidationError):
        ANSWER.validate_json(data)


def test_a_job_names_its_kind_on_the_wire() -> None:
    job = DemoJob(path="a.py", columns=78, lines=20)
    assert DemoJob.model_validate_json(job.model_dump_json()) == job
    assert '"kind":"demo"' in job.model_dump_json()


def test_messages_are_frozen() -> None:
    with pytest.raises(ValidationError):
        DemoEnd(exit_code=0).exit_code = 1  # type: ignore[misc]
