"""What only a second run shows: dependence on the order of programs, and on masked lanes."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from triton_path.worker.watch.comparing import first_difference
from triton_path.worker.watch.places import place_of
from triton_path.worker.watch.poison import POISONS
from triton_path.worker.watch.wording_kernel import (
    autotuned,
    masked_lanes,
    order_dependence,
    order_stops,
)

if TYPE_CHECKING:
    from triton_path.jobs.watch import Fault, Place
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.comparing import Difference
    from triton_path.worker.watch.launch import Launch
    from triton_path.worker.watch.poison import Poison
    from triton_path.worker.watch.run import Run
    from triton_path.worker.watch.tuning import Tuned

SEED = 20
Memory = dict[int, "Array"]


def run_reruns(launch: Launch, tuned: Tuned | None) -> None:
    """Make the runs that the options and the first run call for; leave memory as it left it."""
    base = launch.base
    assert base is not None
    met = base.races is not None and base.races.ordering.met
    # Programs that did not run may be what orders the others.
    orders = launch.options.order and met and len(launch.order()) > 1 and not launch.partial
    poisons = launch.options.poison and bool(base.unspecified)
    retunes = tuned is not None and tuned.judged and launch.options.order
    if not (orders or poisons or retunes) or launch.waited:
        return
    if base.too_large is not None:
        launch.notes.append(f"not run again, {base.too_large.nbytes / 1e9:.1f} GB are too much")
        return
    after = _content(launch)
    try:
        if orders:
            _try_orders(launch, base, after)
        if poisons:
            _try_poisons(launch, base, after)
        if retunes:
            assert tuned is not None
            _try_again(launch, tuned, after)
    finally:
        _put(launch, after)


def _content(launch: Launch) -> Memory:
    return {key: storage.bytes.copy() for key, (storage, _) in launch.originals.items()}


def _put(launch: Launch, content: Memory | None) -> None:
    """Restore `content`, or what memory held before the launch where that is None or lacks it."""
    for key, (storage, before) in launch.originals.items():
        storage.bytes[:] = before if content is None else content.get(key, before)


def _try_orders(launch: Launch, base: Run, after: Memory) -> None:
    order = launch.order()
    shuffled = list(order)
    random.Random(SEED).shuffle(shuffled)  # noqa: S311  (the same shuffle for everyone)
    for name, programs in (("in reverse", order[::-1]), ("in a shuffled order", shuffled)):
        _put(launch, None)
        fault = launch.run_again(programs, races=True)
        if launch.findings.raced:
            return  # what else differs follows from the race
        if fault is not None:
            _enter_stop(launch, fault, name)
            return
        found = first_difference(launch, after, exact=False)
        if found is not None:
            region, index, values = found
            words = order_dependence(region.name, index, values, name)
            launch.findings.make("order-dependence", words, _writer(base, region))
            return


def _enter_stop(launch: Launch, fault: Fault, order: str) -> None:
    """Enter a fault that only this order shows; waiting is the same fault in any order."""
    findings = launch.findings
    if fault.kind == "waits-for-another-program":
        findings.book.add((fault.kind, launch.kernel.__name__), fault)
        return
    words = order_stops(order, fault.sentence)
    findings.make("order-dependence", words, fault.place, program=fault.program)


def _writer(run: Run, region: Any) -> Place | None:
    """Return the last line that writes to the storage of `region`."""
    sites = list(run.writers.get(id(region.storage), {}))
    return place_of(sites[-1]) if sites else None


def _try_poisons(launch: Launch, base: Run, after: Memory) -> None:
    for poison in POISONS:
        together = _effect(launch, poison, after)
        if together is None:
            continue
        alone = {
            site: effect
            for site in base.unspecified
            if (effect := _effect(launch, replace(poison, only=site), after)) is not None
        }
        # In a product of two loads the zeros of one hide the poison of the other.
        guilty = alone or dict.fromkeys(base.unspecified, together)
        for site, effect in guilty.items():
            words = masked_lanes(base.unspecified[site], effect)
            launch.findings.make("depends-on-masked-lanes", words, place_of(site))
        return


def _effect(launch: Launch, poison: Poison, after: Memory) -> str | None:
    """Return what `poison` in masked lanes changes, in words."""
    _put(launch, None)
    fault = launch.run_again(launch.order(), poison=poison)
    if fault is not None:
        return f"decides whether the kernel runs: with another value there, {_lower(fault)}"
    found: Difference | None = first_difference(launch, after, exact=True)
    if found is None:
        return None
    region, index, (zero, other) = found
    return f"reaches `{region.name}`{index}: {zero} with 0 in that lane, {other} with another value"


def _lower(fault: Fault) -> str:
    sentence = fault.sentence.rstrip(".")
    return sentence[:1].lower() + sentence[1:]


def _try_again(launch: Launch, tuned: Tuned, after: Memory) -> None:
    """Run on the result, as a tuner that tries configurations does."""
    kept = {id(region.storage) for region in launch.space.regions if region.name in tuned.restored}
    _put(launch, {key: bytes_ for key, bytes_ in after.items() if key not in kept})
    if launch.run_again(launch.order()) is not None:
        return
    found = first_difference(launch, after, exact=True)
    if found is not None and launch.base is not None:
        region = found[0]
        words = autotuned(region.name, tuned.configs)
        launch.findings.make("autotune-reruns-in-place", words, _writer(launch.base, region))
        launch.notes.append(f"`{region.name}` changes again when the kernel runs twice.")
