"""Starts every probe and gives the rows in their order, each as soon as it is known."""

from __future__ import annotations

import os
import platform
import sys
from typing import TYPE_CHECKING, TypeVar

from triton_path.jobs.doctor import CompilerFound, GpuFound, PackageFound, Tried
from triton_path.sandbox import can_run_jobs
from triton_path.tutor.doctor import folders, here, packages, running
from triton_path.tutor.doctor.cold import ColdProbe, Died
from triton_path.tutor.doctor.mend import mender_here
from triton_path.tutor.doctor.report import Report, by_id, report

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triton_path.jobs.doctor import Package, Probe
    from triton_path.jobs.messages import Message
    from triton_path.tutor.doctor.report import Row

FoundT = TypeVar("FoundT", bound="Message")
PROBES: tuple[Probe, ...] = ("torch", "triton", "numpy", "interpreter", "compile", "gpu", "cxx")
AT_ONCE = 2
"""Probes that run side by side: more would only wait for the same two cores of a small machine,
and the first row would come later."""
SAYS: dict[str, str] = {
    "torch": "importing torch",
    "triton": "importing triton",
    "numpy": "importing numpy",
    "interpreter": "running a kernel in the interpreter",
    "compile": "compiling a kernel",
    "gpu": "looking for a GPU",
    "cxx": "building a C++ library",
}


def examine(on_row: Callable[[Row], None], on_step: Callable[[str], None]) -> Report:
    """Try everything. `on_row` takes each row as it is known, `on_step` what is being tried."""
    rows: list[Row] = []
    mender = mender_here()

    def add(*new: Row) -> None:
        for row in new:
            rows.append(row)
            on_row(row)

    add(_python())
    with _Queue(PROBES, on_step) as queue:
        found = {}
        names: tuple[Package, ...] = ("torch", "triton", "numpy")
        for name in names:
            found[name] = queue.found(name, PackageFound)
            add(packages.package_row(name, found[name], mender))
        add(packages.fit_row(found["torch"], found["triton"], found["numpy"], mender))
        for test in ("interpreter", "compile"):
            tried = queue.found(test, Tried)
            add(running.self_test_row(test, tried, by_id(rows), mender))
        gpu = queue.found("gpu", GpuFound)
        hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
        add(running.gpu_row(gpu, by_id(rows), hidden, mender))
        add(running.cxx_row(queue.found("cxx", CompilerFound), mender))
    add(here.terminal_row(here.terminal_here()), here.editor_row(mender))
    store = folders.store_row(mender)
    add(store, folders.course_row(), folders.workspace_row(folders.workspace_here(store)))
    add(folders.cache_row())
    return report(rows, running.copy_of(gpu))


def _python() -> Row:
    system = f"{platform.system()} {platform.machine()}"
    starts: packages.Starts = "forks" if hasattr(os, "fork") else "afresh"
    if not can_run_jobs():
        starts = "nothing"
    return packages.python_row(tuple(sys.version_info[:3]), system, starts)


class _Queue:
    """Keeps AT_ONCE probes running ahead of the one that is waited for."""

    def __init__(self, probes: Sequence[Probe], on_step: Callable[[str], None]) -> None:
        self._waiting = list(probes)
        self._running: dict[Probe, ColdProbe] = {}
        self._on_step = on_step

    def __enter__(self) -> _Queue:
        self._fill()
        return self

    def __exit__(self, *_: object) -> None:
        for probe in self._running.values():
            probe.close()

    def found(self, probe: Probe, kind: type[FoundT]) -> FoundT | Died:
        """Wait for a probe, in the order in which they were given."""
        self._on_step(SAYS[probe])
        found = self._running[probe].found(kind)
        # Removed only now: Ctrl-C while it runs must find it among those to be ended.
        self._running.pop(probe).close()
        self._fill()
        return found

    def _fill(self) -> None:
        while self._waiting and len(self._running) < AT_ONCE:
            probe = self._waiting.pop(0)
            self._running[probe] = ColdProbe(probe)
