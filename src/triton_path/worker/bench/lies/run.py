"""The whole job: every lie that was asked for, one that fails not taking the others along."""

from __future__ import annotations

import platform
import time
from datetime import datetime
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import Device
from triton_path.jobs.lies import NAMES, LieReport, LiesReport
from triton_path.jobs.messages import Progress
from triton_path.worker.bench.device import gpu_facts, gpu_here, read_clocks
from triton_path.worker.bench.lies.registry import LIES
from triton_path.worker.bench.lies.stage import this_stage
from triton_path.worker.bench.needs import versions
from triton_path.worker.missing import MissingHere

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.lies import LieName, LiesJob
    from triton_path.jobs.messages import Message
    from triton_path.worker.bench.lies.stage import Stage

BEFORE_OTHERS: LieName = "no-warm-up"
"""Told first: its first call must be the first of this process."""
NOT_SHOWN = (
    "On this machine, in this run, the false figure is within 5 % of the true one, inside its "
    "spread, or on its other side: the lie is not shown here, and nothing is made up for it."
)


def tell(job: LiesJob, send: Callable[[Message], None]) -> LiesReport:
    """Make each lie of `job` happen; its title and story are the tutor's to add."""
    date, start = datetime.now().astimezone().isoformat(timespec="seconds"), time.perf_counter()
    on_gpu = gpu_here()
    stage = this_stage(on_gpu=on_gpu)
    device = gpu_facts() if on_gpu else _cpu()
    before = read_clocks("before") if on_gpu else None
    told: dict[LieName, LieReport] = {}
    for name in sorted(job.names, key=lambda name: name != BEFORE_OTHERS):
        send(Progress(text=name, done=len(told), total=len(job.names)))
        with torch.no_grad():
            told[name] = tell_one(name, stage)
        if on_gpu:
            torch.cuda.empty_cache()
    clocks = (before, read_clocks("after") if on_gpu else None)
    device = device.model_copy(update={"clocks": tuple(state for state in clocks if state)})
    return LiesReport(
        date=date,
        seconds=time.perf_counter() - start,
        versions=versions(),
        device=device,
        lies=tuple(told[name] for name in NAMES if name in told),
    )


def tell_one(name: LieName, stage: Stage) -> LieReport:
    """Return the figures of one lie, or why there are none."""
    lie = LIES[name]
    if lie.needs_gpu and not stage.on_gpu:
        return LieReport(name=name, state="needs a GPU")
    try:
        shown = lie.tell(stage)
    except MissingHere as fault:
        hint = f" Next: {fault.hint}" if fault.hint else ""
        return LieReport(name=name, state="missing", why_not=f"{fault}{hint}")
    except Exception as fault:
        line = (str(fault).strip().splitlines() or [""])[0]
        return LieReport(name=name, state="failed", why_not=f"{type(fault).__name__}: {line}")
    seen = any(pair.shows for pair in shown.pairs)
    return LieReport(
        name=name,
        state="shown" if seen else "not shown",
        setting=shown.setting,
        pairs=shown.pairs,
        why_not="" if seen else NOT_SHOWN,
    )


def _cpu() -> Device:
    return Device(
        kind="cpu",
        name=platform.processor() or platform.machine(),
        threads=torch.get_num_threads(),
    )
