"""Words what goes wrong on a GPU alone, as findings in plain words.

The driver tells a fault late and without a place: the launch returns at once, and the next call
that waits raises. So a place is given only where the learner's own host code raised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from triton.compiler.errors import CompilationError
from triton.runtime.errors import OutOfResources

from triton_path.jobs.practice import Finding
from triton_path.worker.own_frames import short_traceback
from triton_path.worker.practice.gpu_machine import first_line
from triton_path.worker.practice.learner import place_in

if TYPE_CHECKING:
    from triton_path.jobs.practice import CaseLabel, Mismatch
    from triton_path.worker.practice.learner import Learner


@dataclass(frozen=True)
class _Told:
    """What a driver's words mean."""

    kind: str
    sentence: str
    why: str
    remedy: str


_OUTSIDE = "with a mask that keeps every lane inside of its tensor, or smaller offsets"
_ILLEGAL = _Told(
    "illegal-access",
    "The kernel accessed memory that is not its own: the GPU stopped it.",
    "A GPU checks pages of memory, not tensors: an access that is a little outside reads another "
    "tensor's values, one that is far outside ends the kernel, and nothing can run after it.",
    f"find the load or store and guard it {_OUTSIDE}: triton-path trace FILE names the line",
)
_MISALIGNED = _Told(
    "illegal-access",
    "The kernel accessed an address that is no multiple of the access's size.",
    "The compiler made one wide access of several, as it was told that the address is aligned: "
    "by tl.multiple_of, tl.max_contiguous, or a pointer that was cast to a wider type.",
    "promise only what holds for every size and stride, or leave the promise out",
)
_ASSERT = _Told(
    "device-assert",
    "An assertion in the kernel failed on the GPU.",
    "tl.device_assert stops the kernel when its condition is false for one lane.",
    "run triton-path trace FILE: it names the lane and its values",
)
_TIMEOUT = _Told(
    "launch-failed",
    "The kernel ran for too long, and the driver stopped it.",
    "A GPU that also drives a screen ends a kernel after some seconds.",
    "look for a loop whose end is never reached, or for programs that wait for one another",
)
_INSTRUCTION = _Told(
    "launch-failed",
    "The GPU stopped the kernel: it did something that this GPU cannot do.",
    "The kernel was compiled, so this is most often a wild address or a stack that ran over.",
    f"guard every load and store {_OUTSIDE}",
)
_REFUSED = _Told(
    "launch-failed",
    "The driver refused the launch.",
    "A launch has limits that the interpreter does not have: at most 2147483647 programs along "
    "the first axis of the grid and 65535 along the others, and no more threads and registers than "
    "the GPU has.",
    "put the long axis first in the grid, or lower num_warps",
)
_BY_WORDS = (
    ("illegal memory access", _ILLEGAL),
    ("misaligned address", _MISALIGNED),
    ("device-side assert", _ASSERT),
    ("launch timed out", _TIMEOUT),
    ("unspecified launch failure", _INSTRUCTION),
    ("illegal instruction", _INSTRUCTION),
    ("invalid program counter", _INSTRUCTION),
    ("hardware stack error", _INSTRUCTION),
    ("address space", _INSTRUCTION),
    ("invalid argument", _REFUSED),
    ("invalid configuration", _REFUSED),
    ("too many resources", _REFUSED),
    ("out of resources", _REFUSED),
    ("invalid value", _REFUSED),
)
"""Words of the driver's messages, from cuda.h and driver_types.h."""
_DRIVER = ("triton error [", "cuda error", "cuda driver error", "hip error", "acceleratorerror")
"""What stands in a message that comes from the driver and not from the learner's code."""


def of_exception(fault: BaseException, learner: Learner, label: CaseLabel) -> Finding:
    """Return the finding for what a run on the GPU raised."""
    told = _told(fault)
    place, trace = place_in(fault, learner.path), short_traceback(fault, learner.path)
    if told is not None:
        return Finding(
            kind=told.kind,
            stage="crash",
            sentence=told.sentence,
            why=told.why,
            remedy=told.remedy,
            place=place,
            case=label,
            traceback=trace,
        )
    if isinstance(fault, CompilationError):
        return Finding(
            kind="does-not-compile",
            stage="compile",
            sentence=f"The compiler rejects the kernel for this GPU: {_last_line(fault)}",
            place=place,
            case=label,
        )
    return Finding(
        kind="raised-on-gpu",
        stage="crash",
        sentence=f"With tensors on the GPU the function raised {first_line(fault)}",
        why="In the interpreter the tensors lie in the CPU's memory; here they do not.",
        remedy="make new tensors where the given ones are: device=x.device",
        place=place,
        case=label,
        traceback=trace,
    )


def _kib(count: int) -> str:
    return f"{int(count) / 1024:.4g} KiB"


def memory_is_full(fault: BaseException) -> bool:
    """Tell whether the GPU's memory did not suffice, which is not the learner's fault."""
    return isinstance(fault, torch.OutOfMemoryError) or (
        is_drivers(fault) and "out of memory" in str(fault).lower()
    )


def is_drivers(fault: BaseException) -> bool:
    """Tell whether the driver told this fault, and not Python code."""
    text = f"{type(fault).__name__}: {fault}".lower()
    return any(begin in text for begin in _DRIVER)


def _told(fault: BaseException) -> _Told | None:
    if isinstance(fault, OutOfResources):
        return _out_of(fault)
    if not is_drivers(fault):
        return None
    text = str(fault).lower()
    return next((told for words, told in _BY_WORDS if words in text), _unknown(fault))


def _last_line(fault: BaseException) -> str:
    return str(fault).strip().splitlines()[-1].strip()


def _unknown(fault: BaseException) -> _Told:
    return _Told(
        "launch-failed",
        f"The kernel could not be run: {first_line(fault)}",
        "",
        "triton-path doctor shows what this GPU and its driver can do",
    )


def _out_of(fault: OutOfResources) -> _Told:
    what = str(fault.name)
    if what == "shared memory":
        required, limit = _kib(fault.required), _kib(fault.limit)
        return _Told(
            "launch-failed",
            f"The kernel needs {required} of shared memory; a program has at most {limit} here.",
            "Blocks that tl.dot, a reduction or a pipelined loop works on lie in shared memory, "
            "once for each stage of the pipeline.",
            "make the blocks smaller, or lower num_stages",
        )
    return _Told(
        "launch-failed",
        f"The kernel needs {fault.required} of {what}; at most {fault.limit} are there.",
        "The blocks of a program are spread over the registers of its threads.",
        "make the blocks smaller, or change num_warps",
    )


def wrong_values(name: str, picture: Mismatch, device: str, label: CaseLabel) -> Finding:
    """Return the finding for an output that differs from the reference on the GPU."""
    share = f"{picture.wrong} of {picture.total} elements" if picture.total > 1 else "its element"
    where = f"{name}[{', '.join(map(str, picture.first))}]" if picture.first else name
    return Finding(
        kind="wrong-on-gpu",
        stage="values",
        sentence=f"Compiled and run on {device}, `{name}` is wrong in {share}: {where} is "
        f"{picture.got}, expected {picture.expected}.",
        why="On a GPU programs run at the same time and in any order, masked lanes hold whatever "
        "was there, and tl.dot may round float32 to TF32.",
        remedy="look for elements that two programs write, for masked lanes that are used (give "
        "tl.load an `other`), and for memory that is read before it is written",
        case=label,
        mismatch=picture,
    )


def torch_did_it(name: str, label: CaseLabel) -> Finding:
    """Return the finding for a function that works with torch on a GPU only."""
    return Finding(
        kind="torch-does-the-work",
        stage="rules",
        sentence=f"With tensors on the GPU, PyTorch does a part of the work: `{name}`.",
        why="Only what your kernels do is checked and timed.",
        remedy="compute this in your kernel, on every device",
        case=label,
    )


def hidden_work(lag_us: float | None, label: CaseLabel) -> Finding:
    """Return the finding for work that goes on where the timer does not look."""
    where = (
        "The function leaves another stream current."
        if lag_us is None
        else f"Work goes on for {lag_us:.0f} us after the stream of the call has ended."
    )
    return Finding(
        kind="hidden-work",
        stage="crash",
        sentence=where,
        why="Whoever reads the result after the call would read it before it is there, and a "
        "timer would not see the work.",
        remedy="launch on the current stream, or let it wait: "
        "torch.cuda.current_stream().wait_stream(other)",
        case=label,
    )


def impossibly_fast(time_us: float, floor_us: float, limit: str, label: CaseLabel) -> Finding:
    """Return the finding for a time that cannot be."""
    return Finding(
        kind="impossibly-fast",
        stage="crash",
        sentence=f"{time_us:.1f} us is less than its bytes or its arithmetic can take here, which "
        f"is {floor_us:.1f} us.",
        why=f"Measured against {limit}. So not all of the work was done while it was timed.",
        remedy="do all the work in each call, whatever earlier calls did",
        case=label,
    )


def remembers(name: str, label: CaseLabel) -> Finding:
    """Return the finding for a function that gives an earlier result."""
    return Finding(
        kind="remembers",
        stage="values",
        sentence=f"Called again with the same tensors, it does not compute all of `{name}` anew.",
        why="The first call was right; when the tensors held other values, or the output was "
        "filled with NaN again, the result was not.",
        remedy="keep no results and no locks between calls: set what a kernel counts in to zero "
        "in each call",
        case=label,
    )
