"""Makes a kernel's source runnable by Python, keeping its lines and columns.

Triton rewrites kernels too, but loses the columns of indented ones, stumbles over a docstring
line that starts with `def `, cannot see variables of an enclosing function, and fills the
learner's module with its own names.
"""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any

import triton.language as tl

from triton_path.worker.triton_private import names
from triton_path.worker.watch.loops import loop

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.worker.triton_private.names import Array

VALUE, ASSERT, NOT, LOOP = "_watch_value", "_watch_assert", "_watch_not", "_watch_loop"
OUTER = "_watch_scope"
_rewritten: dict[Callable[..., Any], Callable[..., Any]] = {}


def rewrite(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return `kernel` with its operations led to the interpreter; the same object every time."""
    found = _rewritten.get(kernel)
    if found is None:
        found = _rewritten[kernel] = _compile(kernel)
    return found


def _compile(kernel: Callable[..., Any]) -> Callable[..., Any]:
    try:
        lines, start = inspect.getsourcelines(kernel)
    except (OSError, TypeError):
        return kernel  # made by exec: there is no source to rewrite
    text = "".join(lines)
    indented = text[:1].isspace()
    # An `if` around an indented function keeps its columns, which dedenting would not.
    tree = ast.parse("if 1:\n" + text if indented else text)
    body = tree.body[0]
    definition = body.body[0] if isinstance(body, ast.If) else body
    if not isinstance(definition, ast.FunctionDef):
        return kernel
    ast.increment_lineno(tree, start - (2 if indented else 1))
    definition.decorator_list = []
    changed = _Rewriter().visit(definition)
    free = kernel.__code__.co_freevars
    module = ast.Module(body=[_in_scope(changed, free) if free else changed], type_ignores=[])
    ast.fix_missing_locations(module)
    code = compile(module, kernel.__code__.co_filename, "exec", dont_inherit=True)
    space: dict[str, Any] = {}
    surroundings = kernel.__globals__
    surroundings.update({VALUE: _value, ASSERT: _assert, NOT: _not, LOOP: loop})
    exec(code, surroundings, space)  # noqa: S102  (the learner's own kernel)
    if free:
        return _fill(space[OUTER], kernel)
    made: Callable[..., Any] = space[kernel.__name__]
    return made


def _in_scope(definition: ast.FunctionDef, free: tuple[str, ...]) -> ast.FunctionDef:
    """Wrap `definition` in a function whose arguments are the variables it closes over."""
    outer = ast.parse(f"def {OUTER}({', '.join(free)}):\n    return {definition.name}").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body.insert(0, definition)
    return outer


def _fill(outer: Callable[..., Any], kernel: Callable[..., Any]) -> Callable[..., Any]:
    cells = dict(zip(kernel.__code__.co_freevars, kernel.__closure__ or (), strict=True))
    values = {}
    for name, cell in cells.items():
        try:
            values[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            values[name] = None
    made: Callable[..., Any] = outer(**values)
    return made


class _Rewriter(ast.NodeTransformer):
    """Turns values into tensors when they are named, and gives `assert` and `not` lanes."""

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        match node.iter:
            case ast.Call(func=ast.Name(id="range") as name):
                name.id = LOOP
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        node.value = _call(VALUE, [node.value], node.value)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        message = node.msg or ast.Constant(value="")
        call = _call(ASSERT, [node.test, message], node)
        return ast.copy_location(ast.Expr(value=call), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            return _call(NOT, [node.operand], node)
        return node


def _call(name: str, arguments: list[ast.expr], where: ast.AST) -> ast.Call:
    call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=arguments, keywords=[])
    ast.copy_location(call, where)
    ast.copy_location(call.func, where)
    return call


def _value(value: Any) -> Any:
    """Make a number a tensor, as the compiler does when a variable is assigned."""
    if isinstance(value, tl.tensor):
        return value
    return names.semantic.to_tensor(value, False)


def _assert(condition: Any, message: Any) -> None:
    """Do what the compiler makes of `assert`: a device_assert, or a check at compile time."""
    if isinstance(condition, tl.tensor):
        tl.device_assert(condition, str(message))
    elif not condition:
        raise AssertionError(str(message))


def _not(operand: Any) -> Any:
    """Negate each lane of a block, as the compiler does."""
    if isinstance(operand, tl.tensor) and operand.type.is_block():
        data: Array = operand.handle.data
        handle = names.TensorHandle(data == 0, tl.int1)
        return tl.tensor(handle, operand.type.with_element_ty(tl.int1))
    return not operand
