"""One job from start to result, for commands that wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from triton_path.errors import ExitCode, MissingFault, TutorError
from triton_path.sandbox.events import Ended, Output
from triton_path.sandbox.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.messages import Failure, Message, Progress, Result

ResultT = TypeVar("ResultT", bound="Message")

PRINTED_KEPT = 65536
"""Bytes of a job's own output that are kept, to be shown if it ends without an answer."""


class WorkerFault(TutorError):
    """A job ended without an answer: the child crashed or ran out of time."""

    exit_code = ExitCode.WRONG


class BugFault(Exception):
    """A worker raised where it should not have; the error boundary reports it as our bug."""


def run_job(
    job: Message,
    result_type: type[ResultT],
    *,
    interpret: bool,
    time_limit_s: float,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> ResultT:
    """Run one job to its end in a worker of its own and return its result.

    Raises MissingFault where the machine lacks something, WorkerFault where the job crashed or
    ran longer than `time_limit_s` seconds, BugFault where the worker's own code raised.
    """
    from triton_path.jobs.messages import Progress

    answer: Result | Failure | None = None
    printed = b""
    ended: Ended | None = None
    with Worker(interpret=interpret) as worker:
        running = worker.submit(job, time_limit_s=time_limit_s)
        while ended is None:
            for event in running.events(wait_s=1.0):
                if isinstance(event, Output):
                    printed = (printed + event.data)[-PRINTED_KEPT:]
                elif isinstance(event, Ended):
                    ended = event
                elif isinstance(event.message, Progress):
                    on_progress(event.message)
                else:
                    answer = event.message
    result = taken(answer, result_type)
    if result is not None:
        return result
    raise WorkerFault(_no_answer(ended, time_limit_s, printed))


def taken(answer: Result | Failure | None, result_type: type[ResultT]) -> ResultT | None:
    """Return what a job answered, None without an answer. Raises MissingFault or BugFault."""
    if answer is None:
        return None
    if answer.type == "result":
        return result_type.model_validate(answer.value)
    if answer.reason == "missing":
        raise MissingFault(answer.message, answer.hint)
    raise BugFault(f"{answer.message}\n{answer.detail}")


def _no_answer(ended: Ended, time_limit_s: float, printed: bytes) -> str:
    if ended.ending == "time limit":
        text = f"The worker was stopped after its time limit of {time_limit_s:.0f} s."
    elif ended.signal_name:
        why = "; the system does that where memory runs out" * (ended.signal_name == "SIGKILL")
        text = f"The worker process was ended by {ended.signal_name}{why}."
    else:
        text = "The worker process ended before it gave an answer."
    tail = printed.decode(errors="replace").strip().splitlines()[-5:]
    return "\n".join([text, *tail])
