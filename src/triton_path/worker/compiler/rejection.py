"""Turns what the compiler raised into one message at the person's own line."""

from __future__ import annotations

import ast
import linecache
import re
from typing import TYPE_CHECKING, Any

from triton_path.jobs.inspect import Place, Rejection
from triton_path.worker.compiler import private
from triton_path.worker.compiler.hints import hint_for
from triton_path.worker.slips import slip_of

if TYPE_CHECKING:
    from triton_path.worker.compiler.build import Refused

NAMED = re.compile(r"^(?:\w+(?:Error|Exception|Construct))\((['\"])(.*)\1\)$", re.DOTALL)
"""Triton puts the repr of an exception into a message: AttributeError("...")."""
DIAGNOSTIC = re.compile(r'^(?:loc\()?"?([^"\n]+?\.py)"?:(\d+):(\d+)\)?: error: (.*)$', re.MULTILINE)
"""A diagnostic of the C++ part."""
LONGEST_MESSAGE = 400
"""ptxas and LLVM can say pages."""
UNSUPPORTED = re.compile(r"Unsupported function referenced: (.*)")
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""In the repr of a function; it says nothing to a person."""


def place_of(file: str, line: int) -> Place:
    """Return the place with its text."""
    return Place(file=file, line=line, source=linecache.getline(file, line).rstrip())


def rejection(refused: Refused, kernel: Any) -> Rejection:
    """Tell what was wrong, where, and what to write instead."""
    chain = _chain(refused.fault)
    located = [part for part in chain if isinstance(part, private.CompilationError)]
    places = [found for part in located if (found := _locate(part)) is not None]
    own = [found for found in places if not found[0].file.startswith(private.LIBRARY)]
    message = _message(chain, refused.printed)
    place = column = function = None
    if own:
        place, column, function = own[-1]
    elif told := DIAGNOSTIC.search(refused.printed):
        place, column = place_of(told[1], int(told[2])), int(told[3])
    elif unsupported := UNSUPPORTED.search(message):
        place = _reference(kernel, unsupported[1])
    slip = slip_of(message, place.file, place.line) if place is not None else None
    if slip is not None:
        message, hint = slip.sentence, slip.remedy
    else:
        hint = hint_for(message, place.source if place else "")
    calls = tuple(dict.fromkeys(found[0] for found in own[:-1]))
    return Rejection(
        message=message,
        hint=hint,
        place=place,
        column=column,
        function=function or kernel.__name__,
        called_from=tuple(call for call in calls if call != place),
    )


def _chain(fault: BaseException) -> list[BaseException]:
    """Return the fault and its causes, the cause of all last."""
    chain = [fault]
    while (cause := chain[-1].__cause__) is not None:
        chain.append(cause)
    return chain


def _locate(part: Any) -> tuple[Place, int, str] | None:
    function = private.function_of(part.src)
    line = getattr(part.node, "lineno", None)
    if function is None or line is None:
        return None
    file = private.source_file(function)
    place = place_of(file, private.def_line(function) + line - 1)
    indent = len(place.source) - len(place.source.lstrip())
    dedented = part.src.split("\n")[line - 1]
    shift = indent - (len(dedented) - len(dedented.lstrip()))
    return place, part.node.col_offset + shift, function.__name__


def _message(chain: list[BaseException], printed: str) -> str:
    """Return the innermost words that say something, in one line."""
    for part in reversed(chain):
        # A CompilationError's own text repeats the source; its message may be empty.
        text = str(getattr(part, "error_message", part) or "")
        if text.strip():
            break
    else:
        text = type(chain[0]).__name__
    if found := DIAGNOSTIC.search(printed):
        text = found[4]
    if named := NAMED.match(text.strip()):
        text = named[2]
    line = ADDRESS.sub("", " ".join(text.split()))
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]} ..."


def _reference(kernel: Any, shown: str) -> Place | None:
    """Return the line of the kernel that mentions the object whose repr is `shown`."""
    source, first = private.source_text(kernel), private.def_line(kernel)
    scope = kernel.fn.__globals__
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Attribute | ast.Name):
            continue
        if ADDRESS.sub("", repr(_value(node, scope))) == shown:
            return place_of(private.source_file(kernel), first + node.lineno - 1)
    return None


def _value(node: ast.expr, scope: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return scope.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_value(node.value, scope), node.attr, None)
    return None
