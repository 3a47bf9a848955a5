"""What a launch would count in its whole grid, from the programs that ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.watch import ArgumentEstimate, Extrapolation, LineEstimate
from triton_path.worker.watch.sampling import linear, weights

if TYPE_CHECKING:
    from triton_path.jobs.watch import Triple
    from triton_path.worker.watch.counting import Counter, Key
    from triton_path.worker.watch.memory import AddressSpace
    from triton_path.worker.watch.schedule import Schedule

Sums = dict["Key", tuple[int, int]]
"""Bytes and sectors of each line."""


class Ledger:
    """What was counted before each program, so that each one's own part is known."""

    def __init__(self) -> None:
        self._programs: list[Triple] = []
        self._sums: list[tuple[Sums, int]] = []

    def start_program(self, program: Triple, sums: Sums, dot_flops: int) -> None:
        """Note the counts up to here."""
        self._programs.append(program)
        self._sums.append((sums, dot_flops))

    def extrapolation(
        self, schedule: Schedule, counter: Counter, space: AddressSpace, dot_flops: int
    ) -> Extrapolation | None:
        """Return the estimate; None where every program ran. `dot_flops` is of all that ran."""
        if not schedule.cut or not self._programs or len(self._programs) == schedule.total:
            return None
        flops, lines = self._whole_grid(schedule.grid, counter.sums(), dot_flops)
        arguments = {region.number: [0.0, 0.0, 0.0] for region in space.regions}
        for (_, number, access), (moved, _) in lines.items():
            arguments[number][("load", "store", "atomic").index(access)] += moved
        return Extrapolation(
            programs=len(self._programs),
            grid_programs=schedule.total,
            ids=tuple(sorted(linear(program, schedule.grid) for program in self._programs)),
            chosen=schedule.cut,
            dot_flops=round(flops),
            arguments=tuple(
                ArgumentEstimate(
                    name=region.name,
                    loaded_bytes=round(arguments[region.number][0]),
                    stored_bytes=round(arguments[region.number][1]),
                    atomic_bytes=round(arguments[region.number][2]),
                )
                for region in space.regions
            ),
            lines=tuple(
                LineEstimate(
                    bytes_used=round(sum(lines[key][0] for key in keys)),
                    sectors=round(sum(lines[key][1] for key in keys)) if counter.sectors else None,
                )
                for _, _, _, keys in counter.joined()
            ),
        )

    def _whole_grid(
        self, grid: Triple, sums: Sums, dot_flops: int
    ) -> tuple[float, dict[Key, tuple[float, float]]]:
        """Weigh each program's own part by how many programs it stands for."""
        after = [*self._sums[1:], (sums, dot_flops)]
        flops = 0.0
        lines: dict[Key, tuple[float, float]] = {}
        for weight, (old, old_flops), (new, new_flops) in zip(
            weights(self._programs, grid), self._sums, after, strict=True
        ):
            flops += weight * (new_flops - old_flops)
            for key, (moved, sectors) in new.items():
                moved_before, sectors_before = old.get(key, (0, 0))
                all_moved, all_sectors = lines.get(key, (0.0, 0.0))
                lines[key] = (
                    all_moved + weight * (moved - moved_before),
                    all_sectors + weight * (sectors - sectors_before),
                )
        return flops, lines
