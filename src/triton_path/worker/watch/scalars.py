"""Arguments of a launch that are no tensors, as they are shown."""

from __future__ import annotations

from typing import Any

MOST_CHARACTERS = 40


def is_scalar(value: Any) -> bool:
    """Tell whether a kernel gets `value` as a number or nothing at all."""
    return value is None or isinstance(value, bool | int | float)


def shown(value: Any) -> str:
    """Return `value` as Python writes it, shortened; a function or a dtype by its name."""
    value = getattr(value, "value", value)
    name = getattr(value, "__name__", None)
    text = str(value) if name is None and not isinstance(value, str) else str(name or repr(value))
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 3]}..."
