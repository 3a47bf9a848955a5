"""The watch itself: everything in place while it is entered, everything back when it is left."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from triton_path.jobs.watch import Fault, WatchReport
from triton_path.worker.triton_private import names
from triton_path.worker.triton_private.patching import Patches, patch_language
from triton_path.worker.watch import rewriting, selftest, warming
from triton_path.worker.watch.binding import bind
from triton_path.worker.watch.builder import WatchBuilder
from triton_path.worker.watch.descriptors import patch_descriptors
from triton_path.worker.watch.findings import Book, Findings
from triton_path.worker.watch.launch import Launch
from triton_path.worker.watch.libdevice import patch_libdevice
from triton_path.worker.watch.loops import patch_loops
from triton_path.worker.watch.numerics import refuse_missing
from triton_path.worker.watch.options import WatchOptions
from triton_path.worker.watch.places import current_site, place_of
from triton_path.worker.watch.reductions import mend_reductions
from triton_path.worker.watch.reruns import run_reruns
from triton_path.worker.watch.stops import KernelStopped
from triton_path.worker.watch.truth import tensor_index, tensor_truth
from triton_path.worker.watch.tuning import patch_tuning
from triton_path.worker.watch.undefined import UndefinedMemory
from triton_path.worker.watch.wording import listed
from triton_path.worker.watch.wording_kernel import halted, never_stored, never_written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.jobs.watch import LaunchReport
    from triton_path.worker.watch.memory import Region
    from triton_path.worker.watch.tuning import Tuned


class Watch:
    """What is known so far; `report` is complete once the `with` block has ended."""

    def __init__(self, options: WatchOptions) -> None:
        """Start with nothing seen."""
        self.options = options
        self.unwatched_reason = ""
        self._book = Book()
        self._launches: list[LaunchReport] = []
        self._undefined = UndefinedMemory(options.outputs)
        self._tuned: Tuned | None = None
        self._partial = False
        self._stopped: Fault | None = None
        self._incomplete: dict[int, str] = {}
        """Addresses of storages that a launch wrote of which few programs ran, and its kernel."""
        self._warmed: set[Any] = set()

    @property
    def report(self) -> WatchReport:
        """Everything found and counted so far."""
        launches = list(self._launches)
        # A time limit of the caller's can end a launch before its counts are there.
        if self._stopped is not None and 0 <= self._stopped.launch < len(launches):
            number = self._stopped.launch
            found = self._book.position(self._stopped)
            launches[number] = launches[number].model_copy(update={"stopped_by": found})
        return WatchReport(
            watched=not self.unwatched_reason,
            unwatched_reason=self.unwatched_reason,
            triton=names.VERSION,
            launches=tuple(launches),
            faults=self._book.faults(),
        )

    def _launch(self, executor: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Do what `kernel[grid](...)` does, watched. Raises KernelStopped."""
        if kwargs.get("warmup"):
            return  # `kernel.run(..., warmup=True)` comes here in Triton 3.4 alone
        tuned, self._tuned = self._tuned, None
        kernel = executor.fn
        host_args, host_kwargs = args, kwargs
        moved = _elsewhere(args) or _elsewhere(tuple(kwargs.values()))
        if moved:
            host_args, host_kwargs = executor._init_args_hst(args, kwargs)
        for hook in getattr(executor, "pre_run_hooks", ()):
            hook(*host_args, **host_kwargs)
        arguments = bind(kernel, host_args, host_kwargs)
        number = len(self._launches)
        launch = Launch(
            kernel, arguments, executor.constexprs, executor.grid, self.options, self._book, number
        )
        undefined = self._undefined
        undefined.findings = launch.findings
        undefined.start_launch(number, launch.space.regions)
        if tuned is not None:
            launch.notes.append(tuned.note)
        if kernel in self._warmed:
            launch.notes.append(warming.NOTE)
        convert = names.interpreter._implicit_cvt
        names.interpreter._implicit_cvt = _converter(launch, convert)
        try:
            launch.run_first(undefined)
            run_reruns(launch, tuned)
        except KernelStopped as stop:
            self._partial = True
            self._stopped = stop.fault
            raise
        finally:
            names.interpreter._implicit_cvt = convert
            self._note_incomplete(launch)
            if launch.partial:
                self._partial = True
                undefined.forget_holes(number)
            self._launches.append(launch.report())
        if moved:
            executor._restore_args_dev(args, host_args, kwargs, host_kwargs)

    def _note_incomplete(self, launch: Launch) -> None:
        """Follow what launches that ran in part leave behind, and who reads it."""
        run = launch.base
        if run is None:
            return
        for region in launch.space.regions:
            storage = region.storage
            if id(storage) in run.was_read and storage.address in self._incomplete:
                kernel = self._incomplete[storage.address]
                launch.notes.append(
                    f"`{region.name}` is what {kernel} left, of which only some programs ran: "
                    "what is found here may follow from that"
                )
            if launch.partial and id(storage) in run.writers and storage.address:
                self._incomplete[storage.address] = launch.kernel.__name__

    def _refuse(self, name: str) -> None:
        """End host code that wants to time a kernel."""
        words = halted("timing-refused", {"name": name})
        findings = Findings(self._book, "", _no_code.__code__, -1)
        fault = findings.make("timing-refused", words, place_of(current_site(2)))
        self._stopped = fault
        raise KernelStopped(fault)

    def _announce(self, tuned: Tuned) -> None:
        self._tuned = tuned

    def _idle(self) -> list[int] | None:
        """Return the launches that stored nothing; None where that is nobody's fault."""
        if not self.options.unstored:
            return None
        return [
            number
            for number, launch in enumerate(self._launches)
            if not any(count.stored_bytes or count.atomic_bytes for count in launch.arguments)
        ]

    def _finish(self) -> None:
        """Report outputs with holes, unless kernels were stopped or only partly run."""
        if self._partial:
            return
        for region, missing, site, launch in self._undefined.unwritten(self._idle()):
            place = place_of(site) if site is not None else None
            kernel = self._launches[launch]
            first = _index(region, int(missing[0]))
            if site is None:
                words = never_stored(region.name, region.shape)
            else:
                words = never_written(region.name, region.shape, len(missing), region.numel, first)
            fault = Fault(
                kind="never-written",
                severity="fault",
                sentence=words.sentence,
                why=words.why,
                remedy=words.remedy,
                place=place or kernel.place,
                kernel=kernel.kernel,
                launch=launch,
            )
            self._book.add(("never-written", region.name, launch), fault)


def _no_code() -> None:
    """Stand for the kernel where there is none."""


def _index(region: Region, position: int) -> str:
    index = np.unravel_index(position, region.shape) if region.shape else ()
    return listed(tuple(int(part) for part in index))


def _elsewhere(values: tuple[Any, ...]) -> bool:
    """Tell whether a tensor among `values` lies on a device whose memory cannot be seen."""
    for value in values:
        if isinstance(value, tuple) and _elsewhere(value):
            return True
        inner = value.base if names.is_descriptor(value) else value
        if names.is_tensor(inner) and names.unwrap(inner).device.type not in ("cpu", "meta"):
            return True
    return False


def _converter(launch: Launch, stock: Any) -> Any:
    """Return what makes arguments into kernel values, with tensors at their virtual addresses."""

    def convert(value: Any) -> Any:
        if isinstance(value, bool):
            return names.true_or_false(value)
        if isinstance(value, float):
            return names.single_float(value)
        if names.is_tensor(value):
            region = launch.space.of_tensor(value)
            assert region is not None
            return names.pointer_to(value, region.base)
        return stock(value)

    return convert


@contextmanager
def watch(options: WatchOptions | None = None) -> Iterator[Watch]:
    """Watch every kernel that is launched inside of the `with` block.

    The first fault that makes going on pointless ends the block, with no exception outside of
    it. Where the self-test fails, kernels run as Triton runs them and the report says so.
    """
    options = options or WatchOptions()
    state = Watch(options)
    if options.self_test:
        state.unwatched_reason = selftest.reason_not_to_watch()
    if state.unwatched_reason:
        yield state
        return
    with watching(state):
        try:
            with state._undefined:
                yield state
        except KernelStopped:
            pass  # it is in the report
    state._finish()


@contextmanager
def watching(state: Watch) -> Iterator[None]:
    """Lead Triton's interpreter through `state` for a while."""
    patches = Patches()
    scope = patch_language(patches)
    builder = names.builder
    stock_class = builder.__class__
    try:
        builder.__class__ = WatchBuilder
        patches.put(builder, "follows_overflow", state.options.overflow)
        options = names.InterpreterOptions(debug=True, sanitize_overflow=False)
        patches.put(builder, "options", options)
        patches.put(names.InterpretedFunction, "rewrite", lambda it: rewriting.rewrite(it.fn))
        patches.put(names.InterpretedFunction, "__call__", _call_helper)
        patches.put(
            names.GridExecutor,
            "__call__",
            lambda it, *args, **kwargs: state._launch(it, args, kwargs),
        )
        tensor = names.interpreter.tl.tensor
        patches.put(tensor, "__bool__", tensor_truth)
        patches.put(tensor, "__index__", tensor_index)
        mend_reductions(patches)
        patch_libdevice(patches)
        patch_descriptors(patches)
        patch_loops(patches)
        refuse_missing(patches)
        warming.patch_warmup(patches, lambda fn: state._warmed.add(rewriting.rewrite(fn)))
        patch_tuning(patches, state._announce, state._refuse)
        yield
    finally:
        patches.undo()
        builder.__class__ = stock_class
        for name in ("run", "quiet"):  # a run holds on to tensors
            vars(builder).pop(name, None)
        scope.restore()


def _call_helper(helper: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a `@triton.jit` function from inside a kernel."""
    return rewriting.rewrite(helper.fn)(*args, **kwargs)
