"""The envelope of every job: the base class of jobs, and the three things a worker says."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class Message(BaseModel):
    """A frozen message that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Progress(Message):
    """A step of long work: shown while it runs, never kept."""

    type: Literal["progress"] = "progress"
    text: str
    """What is being done now, in a few words."""
    done: int = 0
    """Steps finished so far."""
    total: int = 0
    """Steps in all; 0 where that is not known."""


class Result(Message):
    """The answer to a job; `value` is the JSON form of the job's own result model."""

    type: Literal["result"] = "result"
    value: dict[str, Any]


class Failure(Message):
    """The job could not be done."""

    type: Literal["failure"] = "failure"
    reason: Literal["missing", "bug"]
    """`missing`: this machine lacks something. `bug`: our own code raised."""
    message: str
    """One sentence for the person."""
    hint: str | None = None
    """The next command to type."""
    detail: str = ""
    """A traceback, for a report."""


Answer = Annotated[Progress | Result | Failure, Field(discriminator="type")]
ANSWER: TypeAdapter[Progress | Result | Failure] = TypeAdapter(Answer)
