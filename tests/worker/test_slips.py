from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch  # noqa: F401  (looked up in sys.modules)
import triton.language  # noqa: F401

from triton_path.worker.slips import slip_of

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """\
import triton
import triton.language as tl

@triton.jit
def add_kernel(x_ptr, out_ptr, n, sizes, BLOCK: tl.constexpr):
    i = tl.arrange(0, BLOCK) + BLOCK[0]
    x = x_ptr[i]
    out_ptr[i * 2] = x
    out_ptr[
        i < n
    ] += x[0]
    y = tl.load(x_prt + i, masc=i < n)
    out_ptr[i, i] = sizes

def launch(x, out):
    add_kernel[(triton.cdvi(4, 2),)](x, out)
"""
MODULE = "module '{}' has no attribute '{}'"
ITEM = "'tensor' object does not support item assignment"


@pytest.mark.parametrize(
    ("message", "line", "sentence"),
    [
        (MODULE.format("triton.language", "arrange"), 6,
         "`tl` has no `arrange`; did you mean `tl.arange`?"),
        (MODULE.format("triton.language", "program_ID"), 6,
         "`triton.language` has no `program_ID`; did you mean `triton.language.program_id`?"),
        (MODULE.format("triton", "cdvi"), 16,
         "`triton` has no `cdvi`; did you mean `triton.cdiv`?"),
        ("name 'x_prt' is not defined", 12, "`x_prt` is not defined; did you mean `x_ptr`?"),
        ("x_prt is not defined", 12, "`x_prt` is not defined; did you mean `x_ptr`?"),
    ],
)  # fmt: skip
def test_a_misspelt_name_is_told_with_what_was_meant(
    tmp_path: Path, message: str, line: int, sentence: str
) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(KERNEL)
    slip = slip_of(message, str(path), line)
    assert slip is not None
    assert slip.sentence == sentence
    assert slip.remedy == f"Write `{sentence.split('`')[-2]}`."


@pytest.mark.parametrize(
    ("message", "line", "told", "call"),
    [
        ("'int' object is not iterable", 7, "`x_ptr[i]`", "`tl.load(x_ptr + i, mask=...)`"),
        ("Did you forget @triton.jit? (`_semantic` argument must be provided)", 7, "`x_ptr[i]`",
         "`tl.load(x_ptr + i, mask=...)`"),
        (ITEM, 8, "`out_ptr[i * 2]`", "`tl.store(out_ptr + i * 2, value, mask=...)`"),
        ("__setitem__ is not supported in triton", 10, "`out_ptr[i < n]`",
         "`tl.store(out_ptr + (i < n), value, mask=...)`"),
        (ITEM, 13, "`out_ptr[i, i]`",
         "`tl.store(out_ptr + row * stride + column, value, mask=...)`"),
    ],
)  # fmt: skip
def test_a_pointer_that_is_indexed_is_told_as_one(
    tmp_path: Path, message: str, line: int, told: str, call: str
) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(KERNEL)
    slip = slip_of(message, str(path), line)
    assert slip is not None
    assert slip.sentence.startswith(f"{told} indexes a pointer")
    assert call in slip.remedy


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (MODULE.format("triton.language", "nothing_like_it"), 6),
        (MODULE.format("no_such_module", "arange"), 6),
        ("name 'x' is not defined", 12),  # well spelt: it is set in the function
        ("sum is not defined", 12),  # Python's own, which the compiler's hints know
        ("incompatible dimensions", 7),
        (ITEM, 6),  # BLOCK is no pointer
        (ITEM, 1000),
    ],
)
def test_what_is_no_slip_stays_as_it_was_said(tmp_path: Path, message: str, line: int) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(KERNEL)
    assert slip_of(message, str(path), line) is None
    assert slip_of(message, str(tmp_path / "gone.py"), line) is None
