"""What to write instead of what the compiler does not take, in plain words.

Messages are those of Triton 3.4 to 3.9; where they differ, one pattern takes both.
"""

from __future__ import annotations

import re

_LISTS = (
    "A kernel has no growing lists: the compiler must know every value's type and number. Keep one "
    "block as an accumulator, or a tuple where the length is fixed."
)

HINTS: tuple[tuple[str, str, str], ...] = (
    # pattern of the message, pattern of the source line, hint
    (r"'?append'?", r"\.append", _LISTS),
    (r"AST node type: Dict|DictComp", "", "A kernel has no dicts. Use separate names, or a tuple."),
    (
        r"sum is not defined",
        "",
        "Python's sum() is not in a kernel: tl.sum(block, axis=0) adds up a block.",
    ),
    (
        r"(\w+) is not defined",
        r"\b(?:max|min|any|all|map|zip|sorted|enumerate|round)\(",
        "Only few of Python's functions exist in a kernel: look for it in triton.language (tl.max, "
        "tl.min, tl.cdiv, ...).",
    ),
    (
        r"Boolean value of Tensor with more than one value",
        "",
        "`if` decides for the whole program, and a block has many lanes. Choose by lane: "
        "tl.where(condition, a, b), or a mask on the load and the store.",
    ),
    (
        r"multiple comparison",
        "",
        "Write a chained comparison as two: (0 < i) & (i < n).",
    ),
    (
        r"`return` statements inside",
        "",
        "A loop in a kernel cannot be left. Put the condition into the loop's bounds or use `while`"
        " with it, or mask what must not happen.",
    ),
    (
        r"AST node type: (?:Break|Continue)",
        "",
        "`break` and `continue` are not in a kernel. Put the condition into the loop's bounds, use "
        "`while`, or skip the work with `if` or a mask.",
    ),
    (
        r"Cannot access global variable",
        "",
        "A kernel is compiled once, so it reads no global that could change. Pass it as an "
        "argument, or make it NAME = tl.constexpr(3).",
    ),
    (
        r"Loop-carried variable|initial type .* re-assigned|Mismatched type for \w+",
        "",
        "A variable keeps its type and shape through a loop. Start it as what it becomes: "
        "acc = tl.zeros([BLOCK], dtype=tl.float32).",
    ),
    (
        r"\w+ is not defined",
        "",
        "The name has no value on every way to this line: one that is set only inside an `if` or a "
        "loop is unknown after it. Set it before.",
    ),
    (
        r"arange's arguments must be of type tl\.constexpr",
        "",
        "The size of a block is fixed when the kernel is compiled. Pass it as BLOCK: tl.constexpr, "
        "and mask the lanes from n on.",
    ),
    (
        r"range must be a power of 2|shape element .* must be a power of 2|power of two",
        "",
        "A block has 2^k lanes: take triton.next_power_of_2(n) and mask the rest.",
    ),
    (
        r"Unsupported function referenced|ufunc|numpy",
        "",
        "A kernel calls only triton.language and other @triton.jit functions. tl and tl.math have "
        "the mathematics; what torch or numpy give, pass as an argument.",
    ),
    (
        r"Expected dtype \['fp32', 'fp64'\]",
        "",
        "This function works in 32 or 64 bits: convert first, x.to(tl.float32), and back after.",
    ),
    (
        r"Input shapes should have M >=",
        "",
        "tl.dot works in tiles of the tensor cores, 16 in each direction is safe everywhere. Use "
        "larger blocks, padded by a mask, or tl.sum(a[:, :, None] * b[None, :, :], 1).",
    ),
    (
        r"AST node type: (?:Try|Raise|With)",
        "",
        "A GPU has no exceptions: check before the launch, or tl.device_assert in the kernel.",
    ),
    (
        r"AST node type: Lambda",
        "",
        "A kernel has no lambda: write a small function with @triton.jit and call it.",
    ),
    (
        r"AST node type: (?:ListComp|SetComp|GeneratorExp)|only tuple comprehensions",
        "",
        "A kernel has no lists: use a loop over tl.static_range with an accumulator, or a block.",
    ),
    (
        r"unsupported tensor index",
        "",
        "A block cannot be indexed: it lies spread over the lanes. Load the element by its address,"
        " or pick it: tl.sum(tl.where(index == k, block, 0), 0).",
    ),
    (
        r"exceeds triton maximum tensor numel",
        "",
        "A block holds at most 1048576 elements. Split the work: more programs, or a loop over "
        "smaller blocks.",
    ),
    (
        r"AST node type: (\w+)",
        "",
        "A kernel is a small part of Python: assignments, for over range, while, if, calls of "
        "triton.language and of @triton.jit functions.",
    ),
    (
        r"Cannot make_shape_compatible|incompatible dimensions|must be broadcastable",
        "",
        "The two blocks' shapes do not fit. Align them with [:, None] and [None, :].",
    ),
    (
        r"out of resource|exceeds .*shared",
        "",
        "The tiles need more than the target has: smaller blocks or fewer num_stages.",
    ),
)


def hint_for(message: str, source: str) -> str:
    """Return the hint for a message of the compiler at a source line; empty if there is none."""
    if "static_assert" in source:
        return (
            "tl.static_assert stopped the compilation: the kernel states what its constants must "
            "be, and these are not. Change the launch, or the statement."
        )
    for pattern, line, hint in HINTS:
        if re.search(pattern, message) and re.search(line, source):
            return hint
    return ""
