"""Notices a program that waits for another one, which cannot come while this one runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.worker.watch.stops import Halt

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.access import Resolved
    from triton_path.worker.watch.places import Site

MOST_ATOMICS = 1000
"""Atomics at one place in a row, none of which changed anything: a lock is never let go."""
MANY_LOADS = 1000
"""Loads of one unchanged element in a row: a flag is never set. Told apart from patience only
when the time limit passes."""


class Waiting:
    """The last memory operation of the current program and how often it was repeated."""

    def __init__(self) -> None:
        self._site: Site | None = None
        self._seen: tuple[int, bytes] | None = None
        self._times = 0

    def start_program(self) -> None:
        """Forget what another program did."""
        self._site = None
        self._times = 0

    def note_load(self, site: Site, access: Resolved, found: Array) -> None:
        """Note a load of one element."""
        seen = (int(access.parts[0].offsets[0]), found.tobytes())
        if site == self._site and seen == self._seen:
            self._times += 1
        else:
            self._site, self._seen, self._times = site, seen, 1

    def note_progress(self) -> None:
        """Note a store, or a load of many elements: the program gets on."""
        self._site = None
        self._times = 0

    def note_atomic(self, site: Site, *, changed: bool) -> None:
        """Note an atomic; raise Halt where it seems to wait for a lock."""
        if changed or site != self._site:
            self._site = site
            self._times = 0
        self._seen = None
        self._times += 1
        if not changed and self._times > MOST_ATOMICS:
            raise Halt("waits-for-another-program")

    @property
    def for_a_flag(self) -> bool:
        """Whether the program does nothing but read one element again and again."""
        return self._times > MANY_LOADS
