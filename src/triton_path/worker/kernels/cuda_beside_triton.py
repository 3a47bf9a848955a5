"""Sets the CUDA C++ kernel beside Triton's: lines of code, and what the machine code holds."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from triton_path.worker.compiler.instructions import SASS, read_sass
from triton_path.worker.compiler.places import Places
from triton_path.worker.compiler.tools import disassemble, registers_and_stack

FOLDER = Path(__file__).parent
PHILOX_B = re.compile(r"-0x326172a9|0xcd9e8d57")
"""The constant that multiplies the third word of Philox's state, as nvdisasm writes it."""
NO_CODE = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


class Lines(NamedTuple):
    """Lines of code of one part, in both languages."""

    part: str
    triton: int
    cuda: int
    triton_bare: int
    """Those among them that hold brackets and no word."""
    cuda_bare: int


def lines() -> list[Lines]:
    """Count the lines that each side needs for the forward pass.

    A line counts that holds code: not blank, not a comment, not part of a docstring. Lines that
    hold brackets alone count, and are told apart. Both sides are laid out alike: up to 100 wide,
    a signature that does not fit with one parameter a line.

    - kernel: `keep` and `boundary_kernel`; all of fused_transformer.cu.
    - launch: `fused`; `cuda`, and what it calls to check its arguments and to name its stream.
    - layout: that of row_layout.py; `layout_for` here. Tables of what was measured count too.
    - build: nothing, Triton does it; naming, compiling and loading an instance, finding headers.

    Counted on neither side: imports in Python, constants that both share, drawing the seed, and
    telling what is not installed.
    """
    by_triton, rows, by_hand = (
        _Module(FOLDER / name)
        for name in ("fused_transformer.py", "row_layout.py", "fused_transformer_cuda.py")
    )
    cpp = (FOLDER / "fused_transformer.cu").read_text(encoding="utf-8")
    row_layout = ("CHUNKS", "VERY_WIDE", "Layout", "MEASURED", "layout_for", "_by_rule")
    launch = ("cuda", "_check", "_start", "_TorchStream")
    building = ("SOURCE", "PAIRS", "HEADERS", "instance", "build", "_kernel", "header_folder")
    return [
        _lines("kernel", by_triton.code("keep", "boundary_kernel"), _without_comments(cpp)),
        _lines("launch", by_triton.code("fused"), by_hand.code(*launch)),
        _lines(
            "layout",
            rows.code(*row_layout),
            by_hand.code("VECTOR_BYTES", "Layout", "layout_for"),
        ),
        _lines("build", [], by_hand.code(*building, "_cuda_core")),
    ]


def cpp_lines(source: str) -> int:
    """Count the lines of C++ that hold code; `source` has no comment sign inside of a string."""
    return len(_without_comments(source))


def python_lines(source: str) -> int:
    """Count the lines of Python that hold code; a docstring holds none."""
    return len(_without_docstrings(source))


def bare_lines(source: str) -> int:
    """Count the lines that hold brackets and no word."""
    return _bare(source.splitlines())


def _lines(part: str, triton: list[str], cuda: list[str]) -> Lines:
    return Lines(part, len(triton), len(cuda), _bare(triton), _bare(cuda))


def _bare(code: list[str]) -> int:
    return sum(re.fullmatch(r"[\s(){}\[\],;:]+", line) is not None for line in code)


def _without_comments(source: str) -> list[str]:
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
    return [line for line in bare.splitlines() if line.strip()]


def _without_docstrings(source: str) -> list[str]:
    texts = {
        (node.lineno, node.end_lineno)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    documentation = {n for first, last in texts for n in range(first, (last or first) + 1)}
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    return [source.splitlines()[n - 1] for n in sorted(code - documentation)]


class _Module:
    """A module's top-level definitions by name, with their decorators."""

    def __init__(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        self._source: dict[str, str] = {}
        for node in ast.parse(text).body:
            first = node.lineno
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names = [node.name]
                first = min([first, *(each.lineno for each in node.decorator_list)])
            elif isinstance(node, ast.Assign):
                found = (each for target in node.targets for each in ast.walk(target))
                names = [each.id for each in found if isinstance(each, ast.Name)]
            else:
                continue
            own = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
            self._source.update(dict.fromkeys(names, own))

    def code(self, *names: str) -> list[str]:
        """Return the lines of the definitions of these names; KeyError where there is none."""
        return [line for name in names for line in _without_docstrings(self._source[name])]


class Facts(NamedTuple):
    """What the machine code of one kernel holds; each figure is of one thread."""

    instructions: int
    registers: int
    stack: int
    """Bytes in local memory; 0 where nothing spilled."""
    loads: dict[int, int]
    """How many loads of global memory move so many bits."""
    stores: dict[int, int]
    philox_calls: int


def facts(cubin: bytes, rounds: int) -> Facts:
    """Read the SASS of either kernel. Raises NoTool where Triton's programs are not there.

    A call of Philox multiplies by its second constant once in each round but the first, where the
    word that it multiplies is 0. The product's upper half tells: Triton's compiler takes it by an
    instruction of its own (IMAD.HI), NVRTC's gets both halves from one (IMAD.WIDE).
    """
    text = disassemble(cubin, ptx_lines=False)
    found = read_sass(text, Places(()))
    registers, stack = registers_and_stack(cubin)
    products = 0
    for line in text.splitlines():
        matched = SASS.match(line)
        if matched and PHILOX_B.search(line):
            products += matched[1].startswith(("IMAD.HI", "IMAD.WIDE", "UIMAD.HI", "UIMAD.WIDE"))
    accesses = Counter(each.access for each in found if each.access is not None)
    return Facts(
        instructions=len(found),
        registers=registers,
        stack=stack,
        loads={bits: n for (operation, bits), n in accesses.items() if operation == "load"},
        stores={bits: n for (operation, bits), n in accesses.items() if operation == "store"},
        philox_calls=products // (rounds - 1),
    )
