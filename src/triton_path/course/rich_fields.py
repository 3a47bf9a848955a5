"""Fields that hold Markdown, and the base of every model."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from triton_path.course.blocks import Block, Inline
from triton_path.course.fields import STRICT, Reads


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be text")
    return value


def _inline(value: Any, _context: Any) -> Inline:
    from triton_path.course.markdown import read_inline

    return read_inline(_text(value))


def _blocks(value: Any, _context: Any) -> tuple[Block, ...]:
    from triton_path.course.markdown import read_blocks

    return read_blocks(_text(value))


RichLine = Annotated[Inline, Reads(_inline)]
"""One line of Markdown in the file, what it says in the model."""

RichText = Annotated[tuple[Block, ...], Reads(_blocks)]
"""Markdown in the file, what it says in the model."""


class Model:
    """A part of a course file; unknown fields are faults."""

    __pydantic_config__: ClassVar = STRICT
