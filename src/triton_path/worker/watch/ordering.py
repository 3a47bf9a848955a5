"""Which earlier accesses a program is ordered after: happens-before through atomics.

Programs run here one after another, on a GPU at the same time. So the order of this run means
nothing, unless a program released (an atomic with release semantics) what another then acquired
at the same address. Time is cut into segments: a program starts one, and each release ends it;
so does an access at another place of the kernel, which a race is told with.
Segments are numbered from 1 through the run, hence those of one program are neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.places import Site


class Ordering:
    """The segments of one run of a launch."""

    def __init__(self, programs: int) -> None:
        """Prepare for `programs` programs."""
        self._programs = programs
        self.segment = 0
        """The current segment."""
        self.first = 1
        """The first segment of the current program: lower ones belong to other programs."""
        self.met = False
        """Whether any program touched what another one wrote, or the reverse: only then can the
        order of programs matter."""
        self._ordinals = [-1]
        self._sites: list[Site | None] = [None]
        self._ordinal = -1
        self.seen: Array | None = None
        """For each program, by its place in this run, the last segment of it that the current
        program is ordered after; None where there is none."""
        self._shared = False
        self._released: dict[int, Array | None] = {}

    def start_program(self) -> None:
        """Begin the next program, which is ordered after nothing."""
        self._ordinal += 1
        self.seen = None
        self._shared = False
        self._next_segment()
        self.first = self.segment

    def start_access(self, site: Site) -> None:
        """Begin an access at `site` of the kernel."""
        if self._sites[-1] is not site and self._sites[-1] != site:
            self._next_segment(site)

    def _next_segment(self, site: Site | None = None) -> None:
        self.segment += 1
        self._ordinals.append(self._ordinal)
        self._sites.append(site)

    def site(self, segment: int) -> Site | None:
        """Return where in the kernel the accesses of `segment` are."""
        return self._sites[segment]

    def ordinal(self, segment: int) -> int:
        """Return which program of this run, counted from 0, had `segment`."""
        return self._ordinals[segment]

    def foreign(self, segments: Array) -> Array:
        """Tell for each segment (0: no access) whether another program had it."""
        return (segments > 0) & (segments < self.first)

    def unordered(self, segments: Array) -> Array:
        """Tell for each segment whether another program had it and nothing orders the two."""
        foreign = self.foreign(segments)
        if not foreign.any():
            return foreign
        self.met = True
        if self.seen is None:
            return foreign
        foreign[foreign] = [
            segment > self.seen[self._ordinals[segment]] for segment in segments[foreign].tolist()
        ]
        return foreign

    def acquire(self, released: Array) -> None:
        """Order the current program after what the segments `released` ended with."""
        others = np.unique(released[self.foreign(released)])
        # The latest release has mostly seen the ones before: then they cost nothing.
        for segment in others[::-1].tolist():
            self._join(segment)

    def release(self, before: Array) -> int:
        """End the segment with a release and return it.

        `before` are the segments whose releases stood at the same addresses; an acquire of this
        release acquires those too, since they head the same release sequence.
        """
        segment = self.segment
        seen = self.seen
        carried = np.unique(before[self.foreign(before)])
        if any(self._misses(int(other)) for other in carried):
            kept, kept_shared = self.seen, self._shared
            self._shared = True
            self.acquire(before)
            seen, self.seen, self._shared = self.seen, kept, kept_shared
        self._released[segment] = seen
        self._shared = True
        self._next_segment()
        return segment

    def _misses(self, segment: int) -> bool:
        return self.seen is None or self.seen[self._ordinals[segment]] < segment

    def _join(self, segment: int) -> None:
        if not self._misses(segment):
            return
        if self.seen is None:
            self.seen = np.zeros(self._programs, dtype=np.int32)
        elif self._shared:
            self.seen = self.seen.copy()
        self._shared = False
        theirs = self._released.get(segment)
        if theirs is not None:
            np.maximum(self.seen, theirs, out=self.seen)
        ordinal = self._ordinals[segment]
        self.seen[ordinal] = max(int(self.seen[ordinal]), segment)
