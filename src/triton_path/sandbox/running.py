"""Jobs from start to result, one or several at the same time."""

from __future__ import annotations

import selectors
from typing import TYPE_CHECKING, TypeVar

from triton_path.errors import ExitCode, MissingFault, TutorError
from triton_path.sandbox.events import Ended, Output
from triton_path.sandbox.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triton_path.jobs.messages import Failure, Message, Progress, Result
    from triton_path.sandbox.job import Job

ResultT = TypeVar("ResultT", bound="Message")

PRINTED_KEPT = 65536
"""Bytes of a job's own output that are kept, to be shown if it ends without an answer."""
LOOK_SECONDS = 0.05
"""Between two looks at whether a person wants to wait any longer."""
IDLE_SECONDS = 0.5
"""Between two looks at the time limits."""


class WorkerFault(TutorError):
    """A job ended without an answer: the child crashed or ran out of time."""

    exit_code = ExitCode.WRONG


class BugFault(Exception):
    """A worker raised where it should not have; the error boundary reports it as our bug."""


class Running:
    """A job on its way, and what came of it; `run_all` takes it to its end."""

    def __init__(self, job: Job, on_progress: Callable[[Progress], None] = lambda _: None) -> None:
        """Follow `job`; `on_progress` is given what it says on the way."""
        self.job = job
        self._on_progress = on_progress
        self._answer: Result | Failure | None = None
        self._printed = b""
        self._ended: Ended | None = None

    def take(self) -> None:
        """Take what has come, without waiting."""
        for event in self.job.events(wait_s=0):
            if isinstance(event, Output):
                self._printed = (self._printed + event.data)[-PRINTED_KEPT:]
            elif isinstance(event, Ended):
                self._ended = event
            elif event.message.type == "progress":
                self._on_progress(event.message)
            else:
                self._answer = event.message

    @property
    def ended(self) -> Ended:
        """How it ended."""
        assert self._ended is not None
        return self._ended

    @property
    def tail(self) -> list[str]:
        """The last lines that it printed."""
        return self._printed.decode(errors="replace").strip().splitlines()[-5:]

    def result(self, result_type: type[ResultT]) -> ResultT | None:
        """Return the answer; None where it ended without. Raises MissingFault or BugFault."""
        answer = self._answer
        if answer is None:
            return None
        if answer.type == "result":
            return result_type.model_validate(answer.value)
        if answer.reason == "missing":
            raise MissingFault(answer.message, answer.hint)
        raise BugFault(f"{answer.message}\n{answer.detail}")


def run_all(running: Sequence[Running], cancelled: Callable[[], bool] | None = None) -> None:
    """Run jobs to their ends, all at the same time; end them early once `cancelled` is true."""
    wait = IDLE_SECONDS if cancelled is None else LOOK_SECONDS
    while any(not one.job.ended for one in running):
        if cancelled is not None and cancelled():
            for one in running:
                one.job.cancel()
        with selectors.DefaultSelector() as selector:
            for one in running:
                for fd in () if one.job.ended else one.job.waitables():
                    selector.register(fd, selectors.EVENT_READ)
            selector.select(wait)
        for one in running:
            one.take()


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
    with Worker(interpret=interpret) as worker:
        running = Running(worker.submit(job, time_limit_s=time_limit_s), on_progress)
        run_all([running])
    result = running.result(result_type)
    if result is None:
        raise WorkerFault(_no_answer(running, time_limit_s))
    return result


def _no_answer(running: Running, time_limit_s: float) -> str:
    ended = running.ended
    if ended.ending == "time limit":
        text = f"The worker was stopped after its time limit of {time_limit_s:.0f} s."
    elif ended.signal_name:
        why = "; the system does that where memory runs out" * (ended.signal_name == "SIGKILL")
        text = f"The worker process was ended by {ended.signal_name}{why}."
    else:
        text = "The worker process ended before it gave an answer."
    return "\n".join([text, *running.tail])
