"""The functions of libdevice in NumPy and torch, found by the symbol that CUDA links."""

from __future__ import annotations

import functools
import importlib
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from triton_path.worker.triton_private import names
from triton_path.worker.watch.stops import Halt

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.triton_private.patching import Patches


def _torch(name: str) -> Callable[..., Array]:
    function = getattr(torch.special, name, None) or getattr(torch, name)

    def apply(*arguments: Array) -> Array:
        tensors = (torch.from_numpy(np.array(argument)) for argument in arguments)
        result: Array = function(*tensors).numpy()
        return result

    return apply


def _away_from_zero(x: Array) -> Array:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _bits_set(x: Array) -> Array:
    unsigned = np.ascontiguousarray(x).view(f"u{x.itemsize}")
    total = np.zeros(x.shape, dtype=np.int32)
    for place in range(x.itemsize * 8):
        total += ((unsigned >> np.array(place, dtype=unsigned.dtype)) & 1).astype(np.int32)
    return total


def _leading_zeros(x: Array) -> Array:
    unsigned = np.ascontiguousarray(x).view(f"u{x.itemsize}")
    width = np.zeros(x.shape, dtype=np.int32)
    for place in range(x.itemsize * 8):
        width[(unsigned >> np.array(place, dtype=unsigned.dtype)) != 0] = place + 1
    return x.itemsize * 8 - width


_NUMPY = [
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "cbrt",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "fmod",
    "hypot",
    "copysign",
    "nextafter",
    "ldexp",
    "fmax",
    "fmin",
    "maximum",
    "minimum",
    "isnan",
    "isinf",
    "isfinite",
]
_TORCH = ["erf", "erfc", "erfinv", "lgamma", "digamma", "erfcx", "i0", "i1", "j0", "j1", "y0", "y1"]
_TORCH_NAMES = {"j0": "bessel_j0", "j1": "bessel_j1", "y0": "bessel_y0", "y1": "bessel_y1"}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in _NUMPY},
    **{name: _torch(_TORCH_NAMES.get(name, name)) for name in _TORCH},
    "acos": np.arccos,
    "asin": np.arcsin,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "acosh": np.arccosh,
    "asinh": np.arcsinh,
    "atanh": np.arctanh,
    "cyl_bessel_i0": _torch("i0"),
    "cyl_bessel_i1": _torch("i1"),
    "tgamma": lambda x: np.exp(_torch("lgamma")(x)) * _gamma_sign(x),
    "normcdf": _torch("ndtr"),
    "normcdfinv": _torch("ndtri"),
    "erfcinv": lambda x: _torch("erfinv")(1 - x),
    "exp10": lambda x: np.power(np.array(10, dtype=x.dtype), x),
    "pow": np.power,
    "powi": np.power,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "rcbrt": lambda x: 1 / np.cbrt(x),
    "rhypot": lambda x, y: 1 / np.hypot(x, y),
    "round": _away_from_zero,
    "nearbyint": np.rint,
    "llrint": np.rint,
    "llround": _away_from_zero,
    "remainder": lambda x, y: x - np.rint(x / y) * y,
    "fdim": lambda x, y: np.where(x > y, x - y, np.zeros_like(x)),
    "fma": lambda x, y, z: np.multiply(x, y, dtype=np.float64) + z,
    "fabs": np.abs,
    "abs": np.abs,
    "llabs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "sinpi": lambda x: np.sin(np.pi * x),
    "cospi": lambda x: np.cos(np.pi * x),
    "saturate": lambda x: np.clip(x, 0, 1),
    "logb": lambda x: np.floor(np.log2(np.abs(x))),
    "ilogb": lambda x: np.floor(np.log2(np.abs(x))),
    "signbit": np.signbit,
    "popc": _bits_set,
    "clz": _leading_zeros,
    "ffs": lambda x: np.where(x == 0, 0, _bits_set((x & -x) - 1) + 1),
    "dadd": np.add,
    "fadd": np.add,
    "fsub": np.subtract,
    "dmul": np.multiply,
    "fmul": np.multiply,
    "fdiv": np.divide,
    "ddiv": np.divide,
    "drcp": np.reciprocal,
    "frcp": np.reciprocal,
    "dsqrt": np.sqrt,
    "fsqrt": np.sqrt,
    "frsqrt": lambda x: 1 / np.sqrt(x),
    "float_as_int": lambda x: x.view(np.int32),
    "int_as_float": lambda x: x.view(np.float32),
}
_ALIASES = {"isnand": "isnan", "isinfd": "isinf", "isfinited": "isfinite", "finite": "isfinite"}


def _gamma_sign(x: Array) -> Array:
    return np.where((x < 0) & (np.floor(x) % 2 != 0), -1.0, 1.0)


def compute(symbol: str, arguments: list[Array]) -> Array:
    """Return what the libdevice function `symbol`, such as `__nv_tanhf`, gives for `arguments`.

    Raises Halt for the few that have no counterpart here.
    """
    base = re.sub(r"^__nv_(fast_)?", "", symbol)
    base = re.sub(r"_(rn|rz|ru|rd)$", "", base)
    for name in (base, _ALIASES.get(base, ""), base.removesuffix("f"), base.removesuffix("ll")):
        function = _FUNCTIONS.get(_ALIASES.get(name, name))
        if function is not None:
            result: Array = function(*arguments)
            return result
    raise Halt("not-modelled", what=f"libdevice's `{base}`")


def patch_libdevice(patches: Patches) -> None:
    """Let kernels call `libdevice.*`, under either of the names it is imported by.

    The general module's functions are empty: the compiler exchanges them for CUDA's.
    """
    general = importlib.import_module("triton.language.extra.libdevice")
    cuda = importlib.import_module("triton.language.extra.cuda.libdevice")
    for name, wrapped in _functions(cuda):
        patches.put(cuda, name, wrapped)
        patches.put(general, name, wrapped)


@functools.cache
def _functions(module: ModuleType) -> list[tuple[str, Any]]:
    """Return the functions of a module, each callable in the interpreter; there are hundreds."""
    builtin = names.interpreter.tl.core.is_builtin
    return [(name, _with_semantic(it)) for name, it in vars(module).items() if builtin(it)]


def _with_semantic(member: Any) -> Any:
    def call(*args: Any, **named: Any) -> Any:
        named.pop("_semantic", None)
        return member(*args, **named, _semantic=names.semantic)

    return call
