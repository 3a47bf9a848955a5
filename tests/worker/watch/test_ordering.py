"""Happens-before between programs that run one after another."""

from __future__ import annotations

import numpy as np

from triton_path.worker.watch.ordering import Ordering

NOTHING = np.zeros(1, dtype=np.int32)


def at(segment: int) -> np.ndarray:  # type: ignore[type-arg]
    return np.array([segment], dtype=np.int32)


def start(ordering: Ordering) -> int:
    ordering.start_program()
    return ordering.segment


def ordered(ordering: Ordering, segment: int) -> bool:
    return not ordering.unordered(at(segment)).any()


def test_a_program_is_ordered_with_itself() -> None:
    ordering = Ordering(2)
    first = start(ordering)
    ordering.release(NOTHING)
    assert ordered(ordering, first)
    assert not ordering.met
    start(ordering)
    assert not ordered(ordering, first)
    assert ordering.met


def test_what_comes_before_a_release_is_seen_by_an_acquire() -> None:
    ordering = Ordering(2)
    start(ordering)
    released = ordering.release(NOTHING)
    after = ordering.segment
    start(ordering)
    ordering.acquire(at(released))
    assert ordered(ordering, released)
    assert not ordered(ordering, after)


def test_order_is_handed_on() -> None:
    ordering = Ordering(3)
    start(ordering)
    first = ordering.release(NOTHING)
    start(ordering)
    ordering.acquire(at(first))
    second = ordering.release(at(first))
    start(ordering)
    ordering.acquire(at(second))
    assert ordered(ordering, first)
    assert ordered(ordering, second)


def test_a_release_alone_continues_the_sequence_at_its_address() -> None:
    ordering = Ordering(3)
    start(ordering)
    first = ordering.release(NOTHING)
    middle = start(ordering)
    second = ordering.release(at(first))
    assert not ordered(ordering, first)  # it released, but did not acquire
    start(ordering)
    ordering.acquire(at(second))
    assert ordered(ordering, first)
    assert ordered(ordering, middle)


def test_another_address_orders_nothing() -> None:
    ordering = Ordering(3)
    start(ordering)
    first = ordering.release(NOTHING)
    start(ordering)
    second = ordering.release(NOTHING)
    start(ordering)
    ordering.acquire(at(second))
    assert not ordered(ordering, first)


def test_a_later_acquire_does_not_reach_what_was_released_before() -> None:
    ordering = Ordering(3)
    start(ordering)
    first = ordering.release(NOTHING)
    start(ordering)
    early = ordering.release(NOTHING)
    ordering.acquire(at(first))
    start(ordering)
    ordering.acquire(at(early))
    assert not ordered(ordering, first)
