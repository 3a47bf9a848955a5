"""Starts a worker process and keeps it on a leash: time limit, process group, result channel.

The worker is a server that imports torch once and then forks one child for each job, so that a
job starts within milliseconds; where no fork is possible it starts Python afresh for each, and the
job is seconds slower and otherwise the same. Each child gets two pipes: what it prints, and its
answers. What a job started ends with it, also what left its process group (on Linux). This
protects against accidents (a crash, an endless loop, a flood of output); it is no security
boundary.
"""

from triton_path.sandbox.events import Answered, Ended, Event, Output
from triton_path.sandbox.job import Job
from triton_path.sandbox.running import BugFault, Running, WorkerFault, run_all, run_job
from triton_path.sandbox.worker import Worker, can_run_jobs, worker_environment

__all__ = [
    "Answered",
    "BugFault",
    "Ended",
    "Event",
    "Job",
    "Output",
    "Running",
    "Worker",
    "WorkerFault",
    "can_run_jobs",
    "run_all",
    "run_job",
    "worker_environment",
]
