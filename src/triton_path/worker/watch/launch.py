"""One launch of a kernel: binds arguments, runs the grid, and turns what stops it into a fault."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING, Any

import numpy as np

from triton_path.jobs.watch import LaunchReport, Value
from triton_path.worker.slips import slip_of
from triton_path.worker.triton_private import names
from triton_path.worker.watch.access import BadAccess
from triton_path.worker.watch.annotations import scalar_types, typed
from triton_path.worker.watch.binding import grid_of
from triton_path.worker.watch.counting import Counter
from triton_path.worker.watch.extrapolating import Ledger
from triton_path.worker.watch.findings import Findings
from triton_path.worker.watch.limits import time_limit
from triton_path.worker.watch.memory import AddressSpace
from triton_path.worker.watch.places import definition_of, learner_sites, place_of
from triton_path.worker.watch.races import RaceWatch
from triton_path.worker.watch.run import Run
from triton_path.worker.watch.scalars import is_scalar, shown
from triton_path.worker.watch.schedule import Schedule
from triton_path.worker.watch.stops import Halt, KernelStopped, OutOfTime
from triton_path.worker.watch.tables import AddressTable
from triton_path.worker.watch.truth import form_at
from triton_path.worker.watch.wording_kernel import halted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from triton_path.jobs.watch import Fault, Place, Triple
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.findings import Book
    from triton_path.worker.watch.memory import Storage
    from triton_path.worker.watch.options import WatchOptions
    from triton_path.worker.watch.poison import Poison
    from triton_path.worker.watch.undefined import UndefinedMemory


WAITED = "program {} waits for another one, which was not run: given up there"
VIRTUAL = "{}: shape alone, no storage; what is loaded of it is 0, races for it are not seen"
NOT_INTERPRETED = " not supported in interpreter mode"
"""How Triton's interpreter words what it lacks."""


class Launch:
    """A kernel with its arguments and grid, to be run once or several times."""

    def __init__(
        self,
        kernel: Callable[..., Any],
        arguments: dict[str, Any],
        constants: Iterable[str],
        grid: Any,
        options: WatchOptions,
        book: Book,
        number: int,
    ) -> None:
        """`arguments` are bound by name; those named in `constants` stay Python values."""
        self.kernel = kernel
        self.options = options
        self.space = AddressSpace()
        self.table = AddressTable(self.space)
        self.findings = Findings(book, kernel.__name__, kernel.__code__, number)
        self.grid = grid_of(grid(arguments) if callable(grid) else grid)
        constants = frozenset(constants)
        for name, value in arguments.items():
            if name not in constants:
                self._place(name, value)
        self._keep = arguments
        self.originals: dict[int, tuple[Storage, Array]] = {}
        """Storages that a run wrote to, with the content before the launch."""
        self.runs = 0
        self.notes: list[str] = []
        self.base: Run | None = None
        self._counter = Counter(sectors=options.sectors, ownership=options.ownership)
        self._constants = constants
        self._schedule = Schedule(self.grid, options)
        self._ledger = Ledger()
        self._ran: list[Triple] = []
        self.waited = False
        """Whether a program was given up since it waited for one that was not run."""

    def _place(self, name: str, value: Any) -> None:
        """Give every tensor in the argument `value` a region."""
        if names.is_tensor(value):
            self.space.add(name, value)
        elif isinstance(value, tuple):
            for place, part in enumerate(value):
                self._place(f"{name}[{place}]", part)
        elif names.is_descriptor(value):
            self._place(name, value.base)

    def _converted(self) -> dict[str, Any]:
        convert = names.interpreter._implicit_cvt
        types = scalar_types(self.kernel)

        def converted(name: str, value: Any) -> Any:
            if name in self._constants:
                return value
            if name in types and type(value) in (int, float):
                return typed(value, types[name])
            return convert(value)

        return {name: converted(name, value) for name, value in self._keep.items()}

    def order(self) -> list[Triple]:
        """Return the programs that ran, in their order."""
        return list(self._ran)

    @property
    def partial(self) -> bool:
        """Whether some programs of the grid were not run, by choice."""
        return bool(self._schedule.cut) and len(self._ran) < self._schedule.total

    def run_first(self, undefined: UndefinedMemory) -> None:
        """Run the launch with every check that one run allows.

        Raises KernelStopped with the fault that stopped it.
        """
        keeps = self.options.order or self.options.poison
        run = self._new_run(self._schedule.most, undefined=undefined, keeps=keeps, counts=True)
        self.base = run
        fault = self._execute(run, self._first_programs(run, undefined), self._ran)
        if fault is not None:
            raise KernelStopped(fault)

    def _first_programs(self, run: Run, undefined: UndefinedMemory) -> Iterator[Triple]:
        """Yield the programs of the first run, keeping account for an extrapolation."""
        schedule, counter = self._schedule, self._counter
        for program in schedule:
            counter.by_pieces = bool(schedule.cut) or schedule.on_trial
            # What another program would have written first is no fault where that did not run.
            undefined.judges = not schedule.cut
            if schedule.may_cut:
                self._ledger.start_program(program, counter.sums(), run.dot_flops)
            self._ran.append(program)
            yield program

    def run_again(
        self, order: list[Triple], *, races: bool = False, poison: Poison | None = None
    ) -> Fault | None:
        """Run the launch another time, on what memory holds now, and return what stopped it.

        That fault is not entered into the book, races are. Nothing is printed.
        """
        run = self._new_run(len(order), races=races, poison=poison)
        names.builder.quiet = True
        entering, self.findings.entering = self.findings.entering, False
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return self._execute(run, order, order)
        finally:
            names.builder.quiet = False
            self.findings.entering = entering

    def _new_run(
        self,
        programs: int,
        *,
        races: bool = True,
        undefined: UndefinedMemory | None = None,
        poison: Poison | None = None,
        keeps: bool = True,
        counts: bool = False,
    ) -> Run:
        self.runs += 1
        run = Run(
            self.space,
            self.table,
            races=RaceWatch(programs, self.findings) if races and self.options.races else None,
            counter=self._counter if counts else None,
            undefined=undefined,
            poison=poison,
            originals=self.originals if keeps else None,
        )
        run.grid = self.grid
        self.findings.run = run
        return run

    def _execute(self, run: Run, programs: Iterable[Triple], order: list[Triple]) -> Fault | None:
        """Run `programs`; return the fault that stopped them. `order` has those begun so far."""
        builder, kernel = names.builder, self.kernel
        builder.run = run
        builder.set_grid_dim(*self.grid)
        self.findings.order = order
        try:
            arguments = self._converted()
            with np.errstate(all="ignore"), time_limit(self.options.time_limit_s):
                for program in programs:
                    builder.grid_idx = program
                    run.start_program(program)
                    kernel(**arguments)
        except MemoryError:
            raise  # of the watch, or of this machine: no fault of the kernel
        except (Exception, OutOfTime) as stop:
            if self.partial and _waits(stop, run):
                self.waited = True
                self.notes.append(WAITED.format(self.findings.program.linear))
                return None
            return self._fault(stop, run)
        return None

    def _fault(self, stop: BaseException, run: Run) -> Fault:
        """Word what a kernel stopped with."""
        sites = learner_sites(stop.__traceback__)
        place = place_of(sites[-1]) if sites else definition_of(self.kernel.__code__)
        calls = tuple(place_of(site) for site in sites[:-1])
        findings = self.findings
        if isinstance(stop, BadAccess) and sites:
            return findings.bad_access(stop, sites[-1], calls)
        if isinstance(stop, Halt):
            if stop.kind == "offset-overflow" and sites:
                bad = stop.facts["access"]
                assert isinstance(bad, BadAccess)
                return findings.bad_access(bad, sites[-1], calls, wrapped=True)
            kind = form_at(place) if stop.kind == "block-condition" else stop.kind
            return self._stopped(kind, stop.facts, place, calls)
        if isinstance(stop, OutOfTime):
            if run.waiting.for_a_flag:
                return self._stopped("waits-for-another-program", {}, place, calls)
            seconds = {"seconds": self.options.time_limit_s}
            return self._stopped("endless-loop", seconds, place, calls)
        if isinstance(stop, NotImplementedError) and str(stop).endswith(NOT_INTERPRETED):
            what = {"what": f"`{str(stop).removesuffix(NOT_INTERPRETED)}`"}
            return self._stopped("not-modelled", what, place, calls)
        message = f"{type(stop).__name__}: {stop}" if str(stop) else type(stop).__name__
        facts = {"message": message, "slip": slip_of(str(stop), place.file, place.line)}
        return self._stopped("kernel-error", facts, place, calls)

    def _stopped(
        self, kind: Any, facts: dict[str, Any], place: Place, calls: tuple[Place, ...]
    ) -> Fault:
        words = halted(kind, facts)
        program = self.findings.program
        return self.findings.make(kind, words, place, program=program, calls=calls)

    def report(self) -> LaunchReport:
        """Return the counts of the first run."""
        base = self.base
        without = [region.name for region in self.space.regions if region.storage.virtual]
        notes = [VIRTUAL.format(", ".join(without))] if without else []
        return LaunchReport(
            kernel=self.kernel.__name__,
            place=definition_of(self.kernel.__code__),
            grid=self.grid,
            programs=base.started if base else 0,
            runs=self.runs,
            dot_flops=base.dot_flops if base else 0,
            arguments=self._counter.arguments(self.space),
            lines=self._counter.lines(self.space),
            ownership=self._counter.pictures(by_pieces=self.partial),
            values=tuple(
                Value(name=name, text=shown(value), constant=name in self._constants)
                for name, value in self._keep.items()
                if name in self._constants or is_scalar(value)
            ),
            extrapolated=self._ledger.extrapolation(
                self._schedule, self._counter, self.space, base.dot_flops if base else 0
            ),
            notes=(*notes, *self.notes),
        )


def _waits(stop: BaseException, run: Run) -> bool:
    """Tell whether a program was stopped since what it waits for does not come."""
    if isinstance(stop, Halt):
        return stop.kind == "waits-for-another-program"
    return isinstance(stop, OutOfTime) and run.waiting.for_a_flag
