"""Changes to Triton's objects that are undone in reverse order."""

from __future__ import annotations

import types
from typing import Any

import triton.language as tl

from triton_path.worker.triton_private.names import interpreter

_ABSENT = object()


class Patches:
    """A stack of changed attributes."""

    def __init__(self) -> None:
        self._changes: list[tuple[Any, str, Any]] = []

    def put(self, owner: Any, name: str, value: Any) -> None:
        """Set `owner.name` to `value` and remember what was there."""
        # From the dictionary: getattr would turn a static method of a class into a function.
        before = vars(owner).get(name, _ABSENT) if hasattr(owner, "__dict__") else _ABSENT
        self._changes.append((owner, name, before))
        setattr(owner, name, value)

    def undo(self) -> None:
        """Put everything back."""
        while self._changes:
            owner, name, before = self._changes.pop()
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)


class _Nothing:
    """A patch scope with nothing to restore."""

    def restore(self) -> None:
        """Do nothing."""


def patch_language(patches: Patches) -> Any:
    """Let `tl.*` run in the interpreter until the result's `restore` is called.

    Triton does this for each launch and again for each call of a helper, `tl.sum` and `tl.max`
    included: half a millisecond a call. Here it is done once, and while `patches` hold, the calls
    do nothing. Triton 3.4 never restores.
    """
    scope = interpreter._patch_lang(_sees_triton()) or _Nothing()
    patches.put(interpreter, "_patch_lang", lambda fn: _Nothing())
    return scope


def _sees_triton() -> types.FunctionType:
    """Return a function whose globals hold the modules that Triton looks for."""
    code = (lambda: None).__code__
    return types.FunctionType(code, {"tl": tl, "core": tl.core})
