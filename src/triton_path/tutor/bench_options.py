"""The options of `triton-path bench`, read from their words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from triton_path.errors import UsageFault, unknown_name
from triton_path.jobs.bench import (
    BEST_EAGER,
    COMPILED,
    CUDA,
    EAGER,
    FUSED,
    LIGER,
    MAX_WIDTH,
    TEN_ROUNDS,
    Case,
    DType,
    Shape,
)
from triton_path.jobs.benches import BENCHES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.course.gpus import Gpu, GpuTable
    from triton_path.jobs.benches import Bench

SHORT_DTYPES: dict[str, DType] = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}
MOST_ROWS = 2**31 - 1
"""Programs that one launch can have."""
LEAST_ROUNDS, MOST_ROUNDS = 7, 16
DROPOUT, ROUNDS = "0.1", "7"
"""Where none is given."""
PROVIDERS = {
    "eager": EAGER,
    "best-eager": BEST_EAGER,
    "torch.compile": COMPILED,
    "triton": FUSED,
    "ten-rounds": TEN_ROUNDS,
    "cuda": CUDA,
    "liger": LIGER,
}
"""What is typed after --providers, and who is meant."""
EXAMPLE = "triton-path bench fused-transformer --shape 16384x4096"
HELP = "triton-path bench --help"


@dataclass(frozen=True)
class Request:
    """What was asked for, checked."""

    bench: str
    case: Case
    shapes: tuple[Shape, ...]
    """Empty for the bench's own."""
    target: Gpu | None
    """GPU to predict for; None where the machine's own GPU would do."""
    providers: tuple[str, ...] = ()
    """Those to run beside eager; empty for all."""


def check_name(name: str) -> None:
    """Raise UsageFault unless `name` is a bench."""
    if name not in BENCHES:
        raise unknown_name("bench", name, BENCHES, "triton-path bench list")


def parse_shape(text: str, most_width: int = MAX_WIDTH) -> Shape:
    """Read ROWSxWIDTH. Raises UsageFault."""
    match = re.fullmatch(r"\s*(\d{1,12})\s*[xX×*,]\s*(\d{1,12})\s*", text)
    if match is None or "0" in (match[1].lstrip("0") or "0", match[2].lstrip("0") or "0"):
        raise UsageFault(f"'{text}' is not a shape; write ROWSxWIDTH.", hint=EXAMPLE)
    shape = Shape(rows=int(match[1]), width=int(match[2]))
    if shape.width > most_width or shape.rows > MOST_ROWS:
        held = " (a program holds a whole row in registers)" if most_width == MAX_WIDTH else ""
        raise UsageFault(
            f"{shape} is too large: at most {most_width} columns{held} and {MOST_ROWS} rows.",
            hint=EXAMPLE,
        )
    return shape


def parse_dtype(text: str) -> DType:
    """Read a dtype by its name in torch or its short name. Raises UsageFault."""
    names: dict[str, DType] = {name: name for name in get_args(DType)} | SHORT_DTYPES
    found = names.get(text.strip().lower().removeprefix("torch."))
    if found is None:
        raise unknown_name("dtype", text, names, HELP)
    return found


def parse_dropout(text: str) -> float:
    """Read a probability, 0 <= P < 1. Raises UsageFault."""
    try:
        p = float(text)
    except ValueError:
        p = -1.0
    if not 0 <= p < 1:
        raise UsageFault(
            f"'{text}' is no dropout probability; write a number from 0 up to, not including, 1.",
            hint="triton-path bench fused-transformer --dropout 0.1",
        )
    return p


def parse_rounds(text: str) -> int:
    """Read a number of Philox rounds. Raises UsageFault."""
    if not text.isdecimal() or not LEAST_ROUNDS <= int(text) <= MOST_ROUNDS:
        raise UsageFault(
            f"'{text}' is no number of Philox rounds from {LEAST_ROUNDS} (fewer fail statistical "
            f"tests) to {MOST_ROUNDS}.",
            hint="triton-path bench fused-transformer --rounds 10",
        )
    return int(text)


def parse_providers(text: str) -> tuple[str, ...]:
    """Read names of providers, such as eager,triton. Raises UsageFault."""
    names = [name.strip().lower().replace(" ", "-") for name in text.split(",") if name.strip()]
    for name in names:
        if name not in PROVIDERS:
            raise unknown_name("provider", name, PROVIDERS, f"--providers {','.join(PROVIDERS)}")
    return tuple(dict.fromkeys(PROVIDERS[name] for name in names))


def sizes_of(bench: Bench, shapes: Sequence[str], *, sweep: bool) -> tuple[Shape, ...]:
    """Return the sizes that were asked for: those named, and with `sweep` the bench's own."""
    named = [parse_shape(text, bench.max_width) for text in shapes]
    return tuple(dict.fromkeys([*named, *(bench.sizes if sweep else ())]))


def parse_request(
    name: str,
    shapes: Sequence[str],
    *,
    dtype: str,
    dropout: str | None,
    rounds: str | None,
    target: str | None,
    table: GpuTable,
    sweep: bool = False,
    providers: str | None = None,
    backward: bool = False,
) -> Request:
    """Read a whole command line; `dropout` and `rounds` are None where none was given.

    Raises UsageFault.
    """
    check_name(name)
    bench = BENCHES[name]
    for option, given in (("--dropout", dropout), ("--rounds", rounds)):
        if given is not None and not bench.dropout:
            raise UsageFault(
                f"{name} draws no dropout mask: {option} says nothing.",
                hint=f"triton-path bench {name}",
            )
    if backward and not bench.backward:
        able = next(other for other, about in BENCHES.items() if about.backward)
        raise UsageFault(
            f"{name} has no backward to bench.", hint=f"triton-path bench {able} --backward"
        )
    case = Case(
        dtype=parse_dtype(dtype),
        dropout=parse_dropout(DROPOUT if dropout is None else dropout),
        rounds=parse_rounds(ROUNDS if rounds is None else rounds),
        backward=backward,
    )
    return Request(
        bench=name,
        case=case,
        shapes=sizes_of(bench, shapes, sweep=sweep),
        target=table.find(target) if target else None,
        providers=parse_providers(providers) if providers else (),
    )
