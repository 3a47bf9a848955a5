"""How an exercise is graded: its tensors, its cases, what it may do, what limits its speed.

Plain dataclasses, so that a list of exercises costs no pydantic. The course reads them from
exercise.yaml, the worker makes tensors of them. A size is a number or a small formula of the
case's sizes, such as `M`, `2*N` or `M*N`.
"""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass, field
from typing import ClassVar, Literal

Formula = int | str
Values = Literal[
    "normal", "uniform", "positive", "large", "wide", "rising", "uneven", "lowest", "special",
    "ones", "zeros", "integers", "booleans", "permutation",
]  # fmt: skip
"""`wide`: magnitudes from a thousandth to tens of thousands; `rising`: each row sorted; `uneven`:
rows some hundreds apart; `lowest`: near the lowest number of the type; `special`: NaN, infinities
and zeros among others."""
Layout = Literal["contiguous", "sliced", "transposed", "padded", "shifted", "expanded"]
"""`expanded`: one row for all, with stride 0; for inputs."""
FloatType = Literal["float32", "float16", "bfloat16"]
TensorType = Literal["data", "float32", "float16", "bfloat16", "int8", "int32", "int64", "bool"]

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def evaluate(formula: Formula, sizes: dict[str, int]) -> int:
    """Return the value of a formula of sizes. Raises ValueError for what is no such formula."""
    if isinstance(formula, int):
        return formula
    try:
        return _value(ast.parse(formula, mode="eval").body, sizes)
    except (SyntaxError, ZeroDivisionError):
        raise ValueError(f"'{formula}' is not a formula of sizes") from None


def _value(node: ast.expr, sizes: dict[str, int]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name):
        if node.id not in sizes:
            raise ValueError(f"there is no size '{node.id}'")
        return sizes[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        value: int = _OPERATORS[type(node.op)](_value(node.left, sizes), _value(node.right, sizes))
        return value
    raise ValueError("only names, whole numbers and + - * // may stand in a formula of sizes")


class _Strict:
    """An unknown field is a fault."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True, kw_only=True)
class TensorSpec(_Strict):
    """A tensor that the learner's function is given, in the order of its parameters."""

    name: str
    shape: tuple[Formula, ...]
    dtype: TensorType = "data"
    """`data`: the floating-point type of the case."""
    role: Literal["input", "output", "in-place"] = "input"
    """An output is filled with NaN (integers: their smallest value) before each run."""
    values: Values = "normal"
    low: Formula = 0
    """Smallest of `integers`."""
    high: Formula = 10
    """One more than the largest of `integers`."""


@dataclass(frozen=True, kw_only=True)
class Case(_Strict):
    """One run of the learner's function."""

    sizes: dict[str, int]
    dtype: FloatType | None = None
    """None: the first of the exercise's types."""
    layouts: dict[str, Layout] = field(default_factory=dict)
    """Tensors that are not contiguous, by name."""
    values: dict[str, Values] = field(default_factory=dict)
    """Tensors with other values than usual, by name."""
    scalars: dict[str, float | int] = field(default_factory=dict)
    """Scalars with other values than usual, by name."""
    virtual: bool = False
    """Tensors without memory, for more than 2^31 elements: accesses are checked, values are not."""
    host_only: bool = False
    """Only the host code is run, on tensors without memory; of its launches the grid and the
    constants are looked at."""
    why: str = ""
    """What this case is there for, in a few words that a learner may read."""

    @property
    def memoryless(self) -> bool:
        """Whether its tensors have no memory, so that there are no values to compare."""
        return self.virtual or self.host_only


@dataclass(frozen=True, kw_only=True)
class Fresh(_Strict):
    """Cases whose sizes are drawn anew for each check."""

    sizes: dict[str, tuple[int, int]]
    """Smallest and largest of each size."""
    layouts: dict[str, Layout] = field(default_factory=dict)
    count: int = 1


@dataclass(frozen=True, kw_only=True)
class Timing(_Strict):
    """The large case that is timed where a GPU is present, and what limits it."""

    sizes: dict[str, int]
    dtype: FloatType = "float16"
    reads: tuple[str, ...] | None = None
    """Tensors that must be read once; None takes every input."""
    writes: tuple[str, ...] | None = None
    """Tensors that must be written once; None takes every output."""
    flops: Formula | None = None
    """Multiply-adds times two, where the matrix rate is the limit and not the memory."""


@dataclass(frozen=True, kw_only=True)
class Grading(_Strict):
    """All that a check needs to know of an exercise."""

    entry: str
    """The function of the learner's file that launches the kernel; it returns None."""
    tensors: tuple[TensorSpec, ...]
    scalars: dict[str, float | int] = field(default_factory=dict)
    """Passed by name, after the tensors."""
    dtypes: tuple[FloatType, ...] = ("float32",)
    cases: tuple[Case, ...]
    fresh: tuple[Fresh, ...] = ()
    accumulates: Formula = 1
    """How many terms are added up for one element of the result: it widens the tolerance."""
    slack: float = 1.0
    """Factor on the tolerance, for a reason that stands beside it in exercise.yaml."""
    may_use: tuple[str, ...] = ()
    """Torch operations beyond views and allocation that the function may call, such as `zero_`."""
    most_launches: int | None = None
    """Kernels that one call may launch; None: any number."""
    most_programs: int | None = None
    """Programs that a launch may have; None: any number."""
    most_constant: int | None = None
    """Largest number that a constexpr may be: a block must not grow with the sizes."""
    timing: Timing | None = None

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """Tensors that the function fills or changes."""
        return tuple(tensor for tensor in self.tensors if tensor.role != "input")

    def __post_init__(self) -> None:
        names = [tensor.name for tensor in self.tensors]
        if len({*names, *self.scalars}) != len(names) + len(self.scalars):
            raise ValueError("two tensors or scalars have the same name")
        if not self.outputs:
            raise ValueError("no tensor has the role 'output' or 'in-place'")
        if not self.cases:
            raise ValueError("there is no case")
        if not self.entry.isidentifier():
            raise ValueError(f"'{self.entry}' is not the name of a function")
        for sizes in (*(case.sizes for case in self.cases), *self._drawn(), *self._timed()):
            for tensor in self.tensors:
                for formula in (tensor.low, tensor.high):
                    evaluate(formula, sizes)
                if any(evaluate(formula, sizes) < 0 for formula in tensor.shape):
                    raise ValueError(f"'{tensor.name}' has a negative size in a case")
            evaluate(self.accumulates, sizes)
        for case in self.cases:
            for name in (*case.layouts, *case.values):
                if name not in names:
                    raise ValueError(f"a case names '{name}', which is no tensor")
            for name in case.scalars:
                if name not in self.scalars:
                    raise ValueError(f"a case names '{name}', which is no scalar")

        for fresh in self.fresh:
            for name, (least, most) in fresh.sizes.items():
                if not 0 < least <= most:
                    raise ValueError(f"fresh sizes of '{name}' must be 1 or more, the least first")
        for name in (
            (*(self.timing.reads or ()), *(self.timing.writes or ())) if self.timing else ()
        ):
            if name not in names:
                raise ValueError(f"timing names '{name}', which is no tensor")

    def _drawn(self) -> list[dict[str, int]]:
        return [{name: low for name, (low, _) in fresh.sizes.items()} for fresh in self.fresh]

    def _timed(self) -> list[dict[str, int]]:
        return [self.timing.sizes] if self.timing else []
