"""What a field of a course file may hold, stated beside the field in plain dataclasses.

pydantic reads these statements when it validates a file. The models themselves do not import it:
a lesson that was read before comes from a cache, and pydantic would be most of its start-up time.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

T = TypeVar("T")

STRICT = {"extra": "forbid"}
"""The `__pydantic_config__` of every model: an unknown field is a fault."""


@dataclass(frozen=True)
class Check:
    """The value, once it has the field's type, passes `function`; a ValueError is a fault."""

    function: Callable[[Any], Any]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(self.function, handler(source))


@dataclass(frozen=True)
class Reads:
    """The value is what `function` makes of the file's value and the validation's context."""

    function: Callable[[Any, Any], Any]

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.with_info_plain_validator_function(
            lambda value, info: self.function(value, info.context)
        )


def _slug(text: str) -> str:
    if len(text) > 60 or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", text):
        raise ValueError("must be lower-case words joined by hyphens, 60 characters at most")
    return text


def _line(text: str) -> str:
    if not text.strip() or "\n" in text.strip():
        raise ValueError("must be one line of text")
    return text.strip()


def unique_ids(items: tuple[T, ...]) -> tuple[T, ...]:
    """Return `items`, which have an `id` each. Raises ValueError where there are none, or twins."""
    if not items:
        raise ValueError("must not be empty")
    ids = [getattr(item, "id", None) for item in items]
    twice = [name for name in ids if ids.count(name) > 1]
    if twice:
        raise ValueError(f"the id '{twice[0]}' appears twice")
    return items


def between(least: float, most: float = math.inf) -> Check:
    """State that a number lies from `least` to `most`, both allowed."""

    def check(number: float) -> float:
        if not least <= number <= most or math.isinf(number):
            limits = f"{least:g} or more" if most == math.inf else f"from {least:g} to {most:g}"
            raise ValueError(f"must be {limits}")
        return number

    return Check(check)


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError("must be a number that somebody can give")
    return number


Number = Annotated[float, Check(_finite)]
"""A number, neither infinite nor NaN."""

Slug = Annotated[str, Check(_slug)]
"""A stable id. Once published it never changes: the store keeps progress by it."""

Line = Annotated[str, Check(_line)]
"""Text on one line."""
