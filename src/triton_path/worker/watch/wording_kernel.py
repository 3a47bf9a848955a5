"""The sentences of faults that stop a kernel, or that only a second run shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triton_path.worker.watch.wording import Words, listed

if TYPE_CHECKING:
    from triton_path.jobs.watch import Kind


def halted(kind: Kind, facts: dict[str, Any]) -> Words:
    """Word a kernel that stopped; `facts` are those of `stops.Halt`."""
    return _WORDS[kind](facts)


def _shape(facts: dict[str, Any]) -> str:
    return f"a block of shape {listed(tuple(facts['shape']))}"


def _boolean(facts: dict[str, Any]) -> Words:
    return Words(
        f"`and` and `or` ask {_shape(facts)} for one truth value, but it has one for each lane.",
        "Compiled Triton takes `and` for `&` and calls it deprecated; Triton's interpreter "
        "silently returns one side whole.",
        "Write `&`, `|` and `~` with parentheses around each comparison: "
        "`(rows < m) & (columns < n)`.",
    )


def _chained(facts: dict[str, Any]) -> Words:
    return Words(
        f"`a < b < c` is `(a < b) and (b < c)`, and `and` asks {_shape(facts)} for one truth "
        "value.",
        "Most versions of Triton refuse to compile it; the interpreter silently drops the first "
        "comparison.",
        "Write `(a < b) & (b < c)`.",
    )


def _condition(facts: dict[str, Any]) -> Words:
    return Words(
        f"This condition is {_shape(facts)}: some lanes may be true and others false, but a "
        "branch goes one way for the whole program.",
        "The compiler refuses it; the interpreter silently takes the branch for every lane.",
        "Choose by lane with `tl.where(condition, a, b)` or a mask; or reduce it first, as in "
        "`if tl.max(condition.to(tl.int32), axis=0) > 0`.",
    )


def _assert(facts: dict[str, Any]) -> Words:
    text = f": {facts['message']}" if facts["message"] else ""
    share = f" in {facts['failing']} of {facts['lanes']} lanes" if facts["lanes"] > 1 else ""
    return Words(
        f"A device assertion fails{share}{text}.",
        "A GPU checks it only when TRITON_DEBUG=1 is set; without it the kernel goes on with "
        "values that you ruled out.",
        "Find out which assumption is wrong: print the values with `tl.device_print`.",
    )


def _assumption(facts: dict[str, Any]) -> Words:
    return Words(
        "`tl.assume` states something that is false here.",
        "The compiler builds on it: with a false assumption the code may do anything.",
        "Assume only what every launch keeps, or remove it.",
    )


def _waits(_facts: dict[str, Any]) -> Words:
    return Words(
        "This program waits for another one: it repeats an access whose value never changes. "
        "The kernel cannot be judged one program at a time.",
        "Programs run one by one here, so the other one never gets on. A GPU runs many at a time, "
        "but promises neither their order nor that all of them are there at once.",
        "Split the kernel into two launches where the wait is. If you must wait, use a lock that "
        "each program lets go of, as the LayerNorm tutorial does.",
    )


def _endless(facts: dict[str, Any]) -> Words:
    return Words(
        f"The kernel is still running after {facts['seconds']:g} seconds; it was stopped here.",
        "On a GPU a loop without end takes the device along until the driver ends your process.",
        "Check that the loop's variable changes and that the condition can become false.",
    )


def _error(facts: dict[str, Any]) -> Words:
    slip = facts["slip"]
    if slip is not None:
        return Words(slip.sentence, "The compiler refuses the line, too.", slip.remedy)
    return Words(
        f"The kernel raised {facts['message']}.",
        "The compiler would most likely refuse the line, too.",
        "Check shapes and types on this line: blocks broadcast as NumPy arrays do.",
    )


def _not_modelled(facts: dict[str, Any]) -> Words:
    return Words(
        f"{facts['what']} cannot be run without a GPU, so this kernel cannot be judged here.",
        "It may be right: nothing was found out about it.",
        "Run it on a GPU, or replace the call by operations of `tl` while you check the rest.",
    )


def _misaligned(facts: dict[str, Any]) -> Words:
    return Words(
        f"A tensor descriptor needs {facts['needs']}, but {facts['has']}.",
        "The hardware that copies blocks for a descriptor counts in 16 bytes.",
        "Pad rows to a multiple of 16 bytes, or load through pointers with a mask.",
    )


def _timing(facts: dict[str, Any]) -> Words:
    return Words(
        f"`{facts['name']}` needs a GPU, and here kernels are interpreted.",
        "A time that an interpreter takes says nothing about a GPU's.",
        "Leave the timing out of what is checked, or run `triton-path bench` on a GPU.",
    )


_WORDS = {
    "block-boolean": _boolean,
    "chained-comparison": _chained,
    "block-condition": _condition,
    "device-assert": _assert,
    "false-assumption": _assumption,
    "waits-for-another-program": _waits,
    "endless-loop": _endless,
    "kernel-error": _error,
    "not-modelled": _not_modelled,
    "descriptor-misaligned": _misaligned,
    "timing-refused": _timing,
}


def never_written(argument: str, shape: tuple[int, ...], count: int, of: int, first: str) -> Words:
    """Word an output with holes."""
    return Words(
        f"{count} of {of} elements of `{argument}` {listed(shape)} were never written; the first "
        f"is {first}.",
        "They keep what the memory held before: here often zeros, on a GPU anything.",
        "Count the programs: the grid is `triton.cdiv(n, BLOCK)`, rounded up, for each axis. Then "
        "look at the mask of the store.",
    )


def never_stored(argument: str, shape: tuple[int, ...]) -> Words:
    """Word an output that no program stored to."""
    return Words(
        f"Nothing was stored to `{argument}` {listed(shape)}.",
        "It keeps what the memory held before: here often zeros, on a GPU anything.",
        "A block is a value and lives in registers: `tl.store` writes it to memory.",
    )


def order_dependence(argument: str, index: str, values: tuple[str, str], order: str) -> Words:
    """Word a result that another order of programs changes."""
    return Words(
        f"The result depends on the order of programs: `{argument}`{index} is {values[0]}, and "
        f"{values[1]} when programs run {order}.",
        "A GPU starts programs in an order of its own and runs many at a time, so the result "
        "changes from run to run.",
        "Let programs write to elements of their own, or combine with an operation whose order "
        "does not matter.",
    )


def order_stops(order: str, sentence: str) -> Words:
    """Word a fault that only another order of programs shows."""
    return Words(
        f"It fails when programs run {order}: {sentence}",
        "A GPU starts programs in an order of its own and runs many at a time.",
        "Let no program rely on another one of the same launch having run before it.",
    )


def masked_lanes(argument: str, effect: str) -> Words:
    """Word a result that depends on lanes whose content the language leaves open."""
    return Words(
        f"A masked lane of this load of `{argument}` has no `other`, and its value {effect}.",
        "Triton does not say what such a lane holds. Today's backends give 0, which is luck, and "
        "wrong for a maximum, a minimum or a product.",
        "Name the neutral element: `other=0.0` for a sum, `other=-float('inf')` for a maximum.",
    )


def autotuned(argument: str, configs: int) -> Words:
    """Word an in-place kernel under autotune."""
    return Words(
        f"`{argument}` is changed in place, and `@triton.autotune` has {configs} configurations "
        "to try.",
        "On a GPU the first call runs the kernel many times, each time on what the last run left. "
        "Here only the first configuration runs, once.",
        f"Add `restore_value=['{argument}']` to `@triton.autotune`, or "
        f"`reset_to_zero=['{argument}']` for an accumulator.",
    )
