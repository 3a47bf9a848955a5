"""What it means that a block is asked whether it is true, and where that happened."""

from __future__ import annotations

import ast
import linecache
import sys
from typing import TYPE_CHECKING, Any

from triton_path.worker.triton_private import names
from triton_path.worker.watch.places import is_learners
from triton_path.worker.watch.stops import Halt

if TYPE_CHECKING:
    from triton_path.jobs.watch import Kind, Place


def tensor_truth(self: Any) -> bool:
    """Stand in for `tl.tensor.__bool__`: a block has no truth of its own.

    Triton's front end asks `if mask and ...` to find out whether there is a mask; that is
    answered with yes.
    """
    data = self.handle.data
    caller = sys._getframe(1).f_code
    if caller.co_filename == names.SEMANTIC_FILE:
        return True
    if data.size == 1:
        return bool(data.reshape(-1)[0])
    if not is_learners(caller):
        return True
    raise Halt("block-condition", shape=tuple(data.shape))


def tensor_index(self: Any) -> int:
    """Stand in for `tl.tensor.__index__`; NumPy 2.4 refuses what Triton before 3.7 does there."""
    return int(self.handle.data.reshape(-1)[0])


def form_at(place: Place) -> Kind:
    """Tell what asked a block for its truth at `place`.

    `a < b < c` and `a and b` are expressions; otherwise an `if`, `while` or the like asked.
    """
    try:
        tree = ast.parse("".join(linecache.getlines(place.file)))
    except SyntaxError:
        return "block-condition"
    best: tuple[int, Kind] | None = None
    for node in ast.walk(tree):
        kind = _form(node)
        if kind is None or not isinstance(node, ast.expr) or not _covers(node, place):
            continue
        size = (node.end_lineno or node.lineno) - node.lineno
        width = size * 10_000 + (node.end_col_offset or 0) - node.col_offset
        if best is None or width < best[0]:
            best = (width, kind)
    return best[1] if best else "block-condition"


def _form(node: ast.AST) -> Kind | None:
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return "chained-comparison"
    if isinstance(node, ast.BoolOp):
        return "block-boolean"
    return None


def _covers(node: ast.expr, place: Place) -> bool:
    if not node.lineno <= place.line <= (node.end_lineno or node.lineno):
        return False
    if place.column is None or node.lineno != place.line:
        return True
    return node.col_offset <= place.column <= (node.end_col_offset or node.col_offset)
