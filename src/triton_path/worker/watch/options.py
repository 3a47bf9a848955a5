"""Which checks a watch makes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WatchOptions:
    """Bounds, block truth, assertions, unwritten elements and endless loops are always checked."""

    races: bool = True
    """Programs and lanes that touch one element without order, and loads of undefined memory."""
    overflow: bool = True
    """int32 offsets that wrapped and reach memory through an active lane."""
    order: bool = True
    """Run a launch again in other orders, where programs share elements; without sharing the
    order cannot matter. Needs `races`."""
    poison: bool = False
    """Run a launch again with other values in masked lanes without `other`, where there are any."""
    sectors: bool = False
    """Count unique bytes and the 32-byte sectors of each line."""
    ownership: bool = False
    """Note which program wrote which element."""
    outputs: tuple[str, ...] = ()
    """Arguments whose every element a kernel must write. Tensors that `torch.empty` and its kin
    made during the watch are found without being named."""
    unstored: bool = False
    """Report tensors that `torch.empty` made and no kernel touched, where the host reads them or
    a launch that was given them stored nothing at all."""
    as_sets: tuple[str, ...] = ()
    """Arguments compared as sets of rows when programs run in another order: work queues."""
    float_tolerance: float | None = None
    """Largest difference between two orders, relative to the tensor's largest magnitude; None
    takes a value from the dtype. Integers are compared exactly."""
    programs: tuple[int, ...] | None = None
    """Linear ids of the programs to run, negative ones counted from the end; None runs all."""
    budget_s: float | None = None
    """Longest that the first run of a launch may be expected to take; of a grid that would take
    longer, the first programs, the last and some between run. None runs all."""
    time_limit_s: float = 10.0
    """Longest one run of a launch may take."""
    self_test: bool = True
    """Prove first, once in a process, that the watch works with this Triton."""

    @classmethod
    def everything(cls, **changes: object) -> WatchOptions:
        """Return options with every check and count on; `changes` are fields set otherwise."""
        fields: dict[str, object] = dict.fromkeys(
            ("poison", "sectors", "ownership", "unstored"), True
        )
        return cls(**{**fields, **changes})  # type: ignore[arg-type]
