"""What the interpreter runs and the compiler does not take: a message, its line, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
import triton

from tests.worker.compiling import HEAD, ask, job
from triton_path.jobs.inspect import Argument, Compiled
from triton_path.sandbox import Worker

ARGUMENTS = (Argument(name="x", dtype="fp32", shape=(64,)), Argument(name="n", value=4))
VERSION = tuple(map(int, triton.__version__.split(".")[:2]))


@dataclass(frozen=True)
class Case:
    name: str
    body: str
    """Lines of the kernel; `#!` marks the one to be named."""
    hint: str
    """Words of the hint."""
    accepted: bool = False
    """Whether this Triton takes it after all."""


CASES = (
    Case("a growing list", "v = []\nfor j in range(n):\n    v.append(j)  #!", "no growing lists"),
    Case("a dict", "d = {'a': 1}  #!\ntl.store(x, d['a'])", "no dicts"),
    Case("Python's sum", "s = sum([1, 2])  #!\ntl.store(x, s)", "tl.sum(block"),
    Case("Python's sorted", "s = sorted((2, 1))  #!\ntl.store(x, s[0])", "Python's functions"),
    Case("if on a block", "v = tl.load(x + tl.arange(0, B))\nif v > 0:  #!\n    v = v * 2",
         "tl.where(condition"),
    Case("a chained comparison", "i = tl.arange(0, B)\ntl.store(x + i, 1.0, mask=0 < i < 4)  #!",
         "(0 < i) & (i < n)", accepted=VERSION >= (3, 9)),
    Case("return in a loop", "for j in range(n):\n    if j == 2:  #!\n        return",
         "cannot be left"),
    Case("continue", "for j in range(n):\n    if j == 1:\n        continue  #!", "loop's bounds"),
    Case("break", "for j in range(n):\n    if j == 1:\n        break  #!", "loop's bounds"),
    Case("a plain global", "tl.store(x, GLOBAL)  #!", "tl.constexpr(3)"),
    Case("a loop that changes a type",
         "acc = 0\nfor j in range(n):  #!\n    acc = acc + tl.load(x + tl.arange(0, B))",
         "tl.zeros([BLOCK]"),
    Case("a name set in one branch", "if n > 3:\n    q = 1.0\ntl.store(x, q)  #!", "Set it before"),
    Case("arange of a value", "tl.store(x + tl.arange(0, n), 1.0)  #!", "tl.constexpr, and mask"),
    Case("arange of 100", "tl.store(x + tl.arange(0, 100), 1.0)  #!", "next_power_of_2"),
    Case("numpy", "tl.store(x, np.sqrt(2.0))  #!", "only triton.language"),
    Case("torch", "tl.store(x, torch.ones(1).item())  #!", "only triton.language",
         accepted=VERSION < (3, 5)),
    Case("exp in 16 bits",
         "i = tl.arange(0, B)\nv = tl.load(x + i).to(tl.float16)\ntl.store(x + i, tl.exp(v))  #!",
         "x.to(tl.float32)"),
    Case("a small dot",
         "i = tl.arange(0, 4)\np = x + i[:, None] * 4 + i[None, :]\na = tl.load(p)\n"
         "tl.store(p, tl.dot(a, a))  #!", "Use larger blocks"),
    Case("a pointer that is stored to by index", "x[n] = 1.0  #!", "tl.store(x + n, value, mask="),
    Case("a pointer that is read by index", "tl.store(x, x[n])  #!", "tl.load(x + n, mask="),
    Case("a misspelt function", "tl.store(x + tl.arrange(0, B), 1.0)  #!", "Write `tl.arange`"),
    Case("a misspelt parameter", "tl.store(x, 1.0, masc=n > 1)  #!", "Write `mask`"),
    Case("static_assert", "tl.static_assert(B == 3, 'B must be 3')  #!", "what its constants"),
    Case("try", "try:  #!\n    tl.store(x, 1.0)\nexcept Exception:\n    pass", "no exceptions"),
    Case("a lambda", "twice = lambda a: a * 2  #!\ntl.store(x, twice(1.0))", "@triton.jit and"),
    Case("a list comprehension", "q = [tl.load(x + j) for j in tl.static_range(2)]  #!",
         "tl.static_range with an accumulator"),
    Case("an indexed block", "v = tl.load(x + tl.arange(0, B))\ntl.store(x, v[0])  #!",
         "cannot be indexed"),
    Case("a huge block", "i = tl.arange(0, 2097152)  #!\ntl.store(x + i, 1.0)", "1048576"),
)  # fmt: skip


NESTED = """
@triton.jit
def helper(v):
    if v > 0:
        v = v + 1
    return v


class Holder:
    @triton.jit
    def k(x, n, B: tl.constexpr):
        v = tl.load(x + tl.arange(0, B))
        tl.store(x, helper(v))


k = Holder.k
"""


@pytest.fixture(scope="module")
def worker():
    with Worker(interpret=False) as started:
        yield started


def write(path: Path, body: str) -> int:
    """Write a file with the kernel `k`; return the line marked in `body`, 0 without a mark."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    path.write_text(f"{HEAD}GLOBAL = 3\n\n\n@triton.jit\ndef k(x, n, B: tl.constexpr):\n{lines}\n")
    marked = [n for n, line in enumerate(path.read_text().splitlines(), 1) if "#!" in line]
    return marked[0] if marked else 0


def compile_one(worker: Worker, path: Path) -> Compiled:
    answer = ask(worker, job(path, "k", arguments=ARGUMENTS, constants={"B": 8}))
    assert answer.report is not None, answer.trouble
    return answer.report.builds[0]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_rejected_construct_is_told_at_its_line_with_what_to_write(case, worker, tmp_path):
    line = write(tmp_path / "wrong.py", case.body)
    built = compile_one(worker, tmp_path / "wrong.py")
    if case.accepted:
        assert built.rejection is None
        return
    rejection = built.rejection
    assert rejection is not None
    assert built.facts is None
    assert rejection.place is not None
    assert (Path(rejection.place.file).name, rejection.place.line) == ("wrong.py", line)
    assert case.hint in rejection.hint
    assert "\n" not in rejection.message


def test_there_is_a_case_for_every_hint_with_a_construct_of_its_own():
    assert len({case.hint for case in CASES}) >= 21
    assert len(CASES) == 28


def test_and_on_blocks_is_taken_with_a_word_of_advice(worker, tmp_path):
    path = tmp_path / "advised.py"
    line = write(path, "i = tl.arange(0, B)\ntl.store(x + i, 1.0, mask=(i > 0) and (i < 4))  #!")
    built = compile_one(worker, path)
    assert built.rejection is None
    assert any(f"line {line}" in text and "'&'" in text for text in built.advice)


def test_a_right_kernel_is_not_rejected(worker, tmp_path):
    write(tmp_path / "right.py", "i = tl.arange(0, B)\ntl.store(x + i, 1.0)")
    built = compile_one(worker, tmp_path / "right.py")
    assert built.rejection is None
    assert built.facts is not None


def test_a_fault_in_a_helper_names_the_helpers_line_and_the_call(worker, tmp_path):
    path = tmp_path / "nested.py"
    path.write_text(f"{HEAD}{NESTED}")
    rejection = compile_one(worker, path).rejection
    assert rejection is not None
    assert rejection.place is not None
    assert rejection.place.source.strip() == "if v > 0:"
    assert rejection.function == "helper"
    assert [call.source.strip() for call in rejection.called_from] == ["tl.store(x, helper(v))"]
    assert rejection.column == 4
