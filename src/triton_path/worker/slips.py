"""Slips that Triton answers in words of its own: a misspelt name, a pointer that is indexed."""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ATTRIBUTE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
KEYWORD = re.compile(r"(\w+)\(\) got an unexpected keyword argument '(\w+)'")
NAME = re.compile(r"^(?:name '(\w+)'|(\w+)) is not defined")
INDEXED = re.compile(
    r"__setitem__|item assignment|__getitem__|tensor index|not iterable|not subscriptable"
    r"|`_(?:semantic|builder)` argument"
)
"""What the compiler and the interpreter say of `pointer[index]`, in several versions."""
ALIKE = 0.7
"""Least likeness of a name to one that was meant, as difflib counts it."""
PLAIN = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.BinOp)
"""Expressions that can be added to a pointer without parentheses."""


@dataclass(frozen=True)
class Slip:
    """What was meant."""

    sentence: str
    remedy: str


def slip_of(message: str, file: str, line: int) -> Slip | None:
    """Return the slip at a line of a file that Python or Triton complains of with `message`."""
    if found := ATTRIBUTE.search(message):
        return _attribute(found[1], found[2], file, line)
    if found := KEYWORD.search(message):
        return _keyword(found[1], found[2])
    if found := NAME.search(message):
        return _name(found[1] or found[2], file, line)
    if INDEXED.search(message):
        return _indexed(file, line)
    return None


def _attribute(module: str, name: str, file: str, line: int) -> Slip | None:
    known = (known for known in dir(sys.modules.get(module)) if not known.startswith("_"))
    meant = _like(name, known)
    if meant is None:
        return None
    called = re.search(rf"([\w.]+)\.{name}\b", _line(file, line))
    owner = called[1] if called else module
    return _meant(f"`{owner}` has no `{name}`", f"{owner}.{meant}")


def _keyword(function: str, name: str) -> Slip | None:
    called = getattr(sys.modules.get("triton.language"), function, None)
    if not callable(called):
        return None
    meant = _like(name, (known for known in inspect.signature(called).parameters))
    return _meant(f"`tl.{function}` has no parameter `{name}`", meant) if meant else None


def _name(name: str, file: str, line: int) -> Slip | None:
    known = set(_names(file, line))
    if name in known or hasattr(builtins, name):
        return None  # it is spelt well, and has no value here
    meant = _like(name, known)
    return _meant(f"`{name}` is not defined", meant) if meant else None


def _meant(trouble: str, meant: str) -> Slip:
    return Slip(f"{trouble}; did you mean `{meant}`?", f"Write `{meant}`.")


def _like(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like `name`; capitals do not count."""
    lower = {other.lower(): other for other in sorted(known)}
    found = difflib.get_close_matches(name.lower(), lower, 1, ALIKE)
    return lower[found[0]] if found else None


def _names(file: str, line: int) -> Iterator[str]:
    """Yield the names that the code at a line may use: the file's own, and its function's."""
    tree = _parsed(file)
    function = _function_at(tree, line)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in statement.names)
        else:
            yield from _set_in(statement)
    if function is not None:
        yield from (argument.arg for argument in _arguments(function))
        yield from _set_in(function)


def _set_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _indexed(file: str, line: int) -> Slip | None:
    """Return the slip where a parameter is indexed, as a pointer cannot be."""
    function = _function_at(_parsed(file), line)
    if function is None:
        return None
    pointers = {argument.arg for argument in _arguments(function) if argument.annotation is None}
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id in pointers
            and node.lineno <= line <= (node.end_lineno or node.lineno)
        ):
            address = f"{node.value.id} + {_offset(node.slice)}"
            if isinstance(node.ctx, ast.Load):
                what, call = "load the block", f"tl.load({address}, mask=...)"
            else:
                what, call = "store the block", f"tl.store({address}, value, mask=...)"
            return Slip(
                f"`{ast.unparse(node)}` indexes a pointer, and a pointer is an address, no array.",
                f"Add the index to the address and {what} that lies there: `{call}`, with a mask "
                "that is true where there is an element.",
            )
    return None


def _offset(index: ast.expr) -> str:
    if isinstance(index, ast.Tuple):
        return "row * stride + column"
    text = ast.unparse(index)
    return text if isinstance(index, PLAIN) else f"({text})"


def _arguments(function: ast.FunctionDef) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _function_at(tree: ast.Module, line: int) -> ast.FunctionDef | None:
    """Return the innermost function around a line."""
    found = None
    for node in ast.walk(tree):  # outer ones come first
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            found = node
    return found


def _parsed(file: str) -> ast.Module:
    try:
        return ast.parse(Path(file).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return ast.Module(body=[], type_ignores=[])


def _line(file: str, line: int) -> str:
    try:
        return Path(file).read_text(encoding="utf-8-sig").splitlines()[line - 1]
    except (OSError, ValueError, IndexError):
        return ""
