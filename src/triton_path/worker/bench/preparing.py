"""Compiles, counts and checks every provider at one size, before any is timed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.bench import EAGER, Check, Figure
from triton_path.worker.bench.chain import Traffic, as_tuple, compiled
from triton_path.worker.bench.checking import Observed, expected_of, judge, observe
from triton_path.worker.bench.counting import bytes_of, count, stored_bytes
from triton_path.worker.bench.needs import mend
from triton_path.worker.kernels.step import Step
from triton_path.worker.missing import MissingHere

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.worker.bench.chain import Chain, Provider, Tensors
    from triton_path.worker.bench.checking import Expected
    from triton_path.worker.bench.ledger import Ran
    from triton_path.worker.bench.machine import Gpu

CHECK_SEED = 1234
SPLIT_BYTES = 2**31
"""Beyond 2 GiB an operand PyTorch splits its kernels."""
LEAST = "the least"
UNCHECKED = Check(errors={}, allowed={}, keep_rate=None, faults=("It was not checked.",))


@dataclass
class Prepared:
    """A provider that was compiled, counted and checked."""

    provider: Provider
    call: Callable[[], Any]
    kernels: list[Ran]
    steps: list[Step]
    """The kernels that it should take, with their bytes."""
    at_least: bool
    """Whether the bytes of `steps` are the least, and not counted."""
    seen: Observed
    check: Check = UNCHECKED
    compile_time: Figure | None = None

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.provider.name

    @property
    def moved(self) -> Traffic:
        """Bytes of `steps`."""
        read = sum(step.read for step in self.steps)
        return Traffic(read, sum(step.written for step in self.steps))

    @property
    def faults(self) -> list[str]:
        """What keeps it from being timed: a failed check, or kernels that are too few or many."""
        expected, found = len(self.steps), len(self.kernels)
        faults = list(self.check.faults)
        if found == 0 and not faults:
            faults.append("It launched no kernel.")
        elif found and self.provider.exact and expected != found and not self._split():
            faults.append(f"It ran {found} kernels where {expected} were expected.")
        return faults

    def _split(self) -> bool:
        return self.provider.counted and max(s.written for s in self.steps) >= SPLIT_BYTES


def least_of(chain: Chain, tensors: Tensors) -> Traffic:
    """Return the least bytes: the chain's own formula, or inputs and outputs once each."""
    if chain.least is not None:
        return chain.least(tensors)
    with torch.no_grad():
        outputs = as_tuple(chain.eager.bind(tensors)())
    return Traffic(bytes_of(tensors), sum(stored_bytes(output) for output in outputs))


def steps_of(provider: Provider, tensors: Tensors, least: Traffic) -> list[Step]:
    """Return the kernels that a provider should take, with their bytes."""
    if provider.steps is not None:
        return provider.steps(tensors)
    if provider.counted:
        return count(provider, tensors).steps
    return [Step(LEAST, least.read, least.written)]


def known(provider: Provider) -> bool:
    """Tell whether it is known without running it what kernels it takes and what they move."""
    return provider.steps is not None or provider.counted or provider.exact


def providers_of(chain: Chain, wanted: tuple[str, ...]) -> list[Provider]:
    """Return all providers, torch.compile ahead of those that are kernels, or those wanted.

    Eager comes first: its error is the measure of all others.
    """
    first = next((n for n, p in enumerate(chain.others) if p.compiles or p.own), None)
    place = len(chain.others) if first is None else first
    every = [chain.eager, *chain.others[:place], compiled(chain), *chain.others[place:]]
    return [p for p in every if not wanted or p.name in wanted or p.name == EAGER]


def prepare(
    chain: Chain, tensors: Tensors, gpu: Gpu, wanted: tuple[str, ...]
) -> tuple[list[Prepared], list[str], Traffic]:
    """Return every provider that runs here, notes on those that do not, and the least bytes.

    Raises MissingHere where one that has to run does not, torch.OutOfMemoryError.
    """
    expected = expected_of(chain, tensors)
    least = least_of(chain, tensors)
    prepared: list[Prepared] = []
    notes: list[str] = []
    eager_seen = None
    for provider in providers_of(chain, wanted):
        try:
            ready = _one(provider, chain, tensors, gpu, expected, least)
        except torch.OutOfMemoryError:
            raise
        except Exception as fault:
            if provider.own:
                prepared.append(_raised(provider, least, fault))
            else:
                notes.append(_does_not_run(provider, fault))
            continue
        eager_seen = eager_seen or ready.seen
        ready.check = judge(ready.seen, eager_seen, provider.held_to, chain.slack)
        prepared.append(ready)
    return prepared, notes, least


def _one(
    provider: Provider,
    chain: Chain,
    tensors: Tensors,
    gpu: Gpu,
    expected: Expected,
    least: Traffic,
) -> Prepared:
    start = time.perf_counter()
    call = provider.bind(tensors)
    call()
    gpu.wait()
    first_s = time.perf_counter() - start
    seen = observe(provider, chain, tensors, expected, seed=CHECK_SEED)
    return Prepared(
        provider,
        call,
        gpu.kernels(call),
        steps_of(provider, tensors, least),
        at_least=not known(provider),
        seen=seen,
        compile_time=Figure(value=first_s, unit="s", kind="measured")
        if provider.compiles
        else None,
    )


def _raised(provider: Provider, least: Traffic, fault: Exception) -> Prepared:
    line = (str(fault).splitlines() or [""])[0]
    seen = Observed(faults=[f"It raised {type(fault).__name__}: {line}"])
    steps = [Step(LEAST, least.read, least.written)]
    ready = Prepared(provider, lambda: None, [], steps, at_least=True, seen=seen)
    ready.check = judge(seen, Observed())
    return ready


def _does_not_run(provider: Provider, fault: Exception) -> str:
    """Return a note on a provider that may fail. Raises MissingHere for any other."""
    line = (str(fault).splitlines() or [""])[0]
    if isinstance(fault, MissingHere) and provider.optional:
        hint = f" ({fault.hint})" if fault.hint else ""
        return f"{provider.name} is not in the table: {line}{hint}"
    text = f"{provider.name} does not run here: {type(fault).__name__}: {line}"
    if not provider.optional:
        raise MissingHere(text, hint=mend(line)) from fault
    return text
