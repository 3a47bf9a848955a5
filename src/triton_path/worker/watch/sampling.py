"""Which programs stand for a grid that is too large to run, and for how many each of them stands.

Blocks at an end of the grid are often masked. So programs are put into classes by the axes along
which they are the last: a grid of two axes has its corner, two edges, and the rest. Each class is
sampled and extrapolated by itself.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise, product, zip_longest
from math import gcd, prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triton_path.jobs.watch import Triple

EDGE = 8
"""Programs taken of each class but the largest."""
Class = tuple[bool, bool, bool]
"""For each axis, whether a program is its last; never for an axis of length 1."""


def class_of(program: Triple, grid: Triple) -> Class:
    """Return the class of `program`."""
    ends = [size > 1 and place == size - 1 for place, size in zip(program, grid, strict=True)]
    return ends[0], ends[1], ends[2]


def sample(grid: Triple, most: int) -> list[Triple]:
    """Return about `most` programs, the first and the last among them, the most telling first.

    Those of each class are spread evenly along every axis; each prefix of them nearly so.
    """
    ends = [(False, True) if size > 1 else (False,) for size in grid]
    inside, *edges = sorted(product(*ends), key=sum)
    x, y, z = grid
    chosen = [(0, 0, 0), (x - 1, y - 1, z - 1)]
    members = _spread(inside, grid, most)
    others = [_spread(edge, grid, min(EDGE, most)) for edge in edges]
    # In turns, so that a sample that is cut short has some of everything.
    for turn in zip_longest(members[::2], members[1::2], *others):
        chosen += [program for program in turn if program is not None]
    return list(dict.fromkeys(chosen))


def _spread(where: Iterable[bool], grid: Triple, most: int) -> list[Triple]:
    """Return at most `most` programs of one class: every one, or a Latin square of them."""
    lengths = [1 if end or size == 1 else size - 1 for end, size in zip(where, grid, strict=True)]
    starts = [size - 1 if end else 0 for end, size in zip(where, grid, strict=True)]
    members = prod(lengths)
    if members <= most:
        found = [tuple(reversed(place)) for place in product(*map(range, reversed(lengths)))]
    else:
        factors = _factors(most)
        found = [
            tuple(
                _scaled(number * factor % most, most, length)
                for factor, length in zip(factors, lengths, strict=True)
            )
            for number in range(most)
        ]
    placed = [tuple(s + p for s, p in zip(starts, place, strict=True)) for place in found]
    bits = max(1, (len(placed) - 1).bit_length())
    order = sorted(range(len(placed)), key=lambda number: int(f"{number:0{bits}b}"[::-1], 2))
    return [(placed[n][0], placed[n][1], placed[n][2]) for n in order]


def _scaled(number: int, count: int, length: int) -> int:
    """Return position `number` of `count` along an axis, from its first place to its last."""
    return round(number * (length - 1) / max(1, count - 1))


def _factors(count: int) -> tuple[int, int, int]:
    """Return three factors prime to `count`: they visit each axis in another order."""
    found = []
    for share in (0, 0.618, 0.382):  # the golden section spreads most evenly
        factor = max(1, round(share * count))
        while gcd(factor, count) > 1:
            factor += 1
        found.append(factor)
    # The slowest axis goes straight through: neighbours in the grid then differ most along it.
    return found[1], found[2], found[0]


def linear(program: Triple, grid: Triple) -> int:
    """Return a program's position in the grid, the first axis fastest."""
    return program[0] + grid[0] * (program[1] + grid[1] * program[2])


def weights(programs: list[Triple], grid: Triple) -> list[float]:
    """Return for how many programs of the grid each of `programs` stands; all add up to the grid.

    Within a class each stands for those that are nearer to it than to the next, in the order of
    the grid. A class of which none ran is given to the others in proportion.
    """
    members: dict[Class, list[int]] = defaultdict(list)
    for number, program in enumerate(programs):
        members[class_of(program, grid)].append(number)
    result = [0.0] * len(programs)
    covered = 0
    for where, numbers in members.items():
        size = prod(
            1 if end or length == 1 else length - 1 for end, length in zip(where, grid, strict=True)
        )
        covered += size
        for number, share in zip(numbers, _shares(numbers, programs, where, grid), strict=True):
            result[number] = share * size
    total = prod(grid)
    return [value * total / covered for value in result] if covered else result


def _shares(numbers: list[int], programs: list[Triple], where: Class, grid: Triple) -> list[float]:
    """Return the share of its class that each of its members `numbers` stands for."""
    first = [size - 1 if end else 0 for end, size in zip(where, grid, strict=True)]
    last = [
        size - 1 if end or size == 1 else size - 2 for end, size in zip(where, grid, strict=True)
    ]
    low = linear((first[0], first[1], first[2]), grid) - 0.5
    high = linear((last[0], last[1], last[2]), grid) + 0.5
    order = sorted(range(len(numbers)), key=lambda n: linear(programs[numbers[n]], grid))
    places = [linear(programs[numbers[n]], grid) for n in order]
    edges = [low, *((a + b) / 2 for a, b in pairwise(places)), high]
    shares = [0.0] * len(numbers)
    for place, n in enumerate(order):
        shares[n] = (edges[place + 1] - edges[place]) / (high - low)
    return shares
