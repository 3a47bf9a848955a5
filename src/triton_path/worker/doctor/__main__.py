"""One probe in a cold process: its job is the argument, its answer leaves on the first stdout.

The warm worker imports torch before it takes a job, so a torch that kills its process would take
every other probe along. Here nothing is imported before the probe asks for it.
"""

from __future__ import annotations

import os
import sys
import traceback

from triton_path.jobs.messages import Failure, Message, Result
from triton_path.worker.dispatch import perform
from triton_path.worker.search_path import leave_out_current_folder


def _answer(payload: bytes) -> Message:
    try:
        result, _ = perform(payload, lambda _: None)
    except Exception as fault:
        message = f"{type(fault).__name__}: {fault}"
        return Failure(reason="bug", message=message, detail=traceback.format_exc())
    return Result(value=result.model_dump(mode="json"))


def main() -> None:
    """Do the job; what anything prints meanwhile goes to stderr."""
    leave_out_current_folder()
    answers = os.dup(1)
    os.dup2(2, 1)
    data = _answer(sys.argv[1].encode()).model_dump_json().encode()
    with open(answers, "wb") as stream:  # noqa: PTH123 (a descriptor)
        stream.write(data)
    # A library that crashes while Python winds up must not spoil an answer that was given.
    os._exit(0)


if __name__ == "__main__":
    main()
