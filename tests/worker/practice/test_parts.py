from __future__ import annotations

import math

import pytest
import torch

from tests.worker.practice.solutions import GRADING
from triton_path.jobs.grading import Case, Grading, TensorSpec, evaluate
from triton_path.worker.practice import data, patterns
from triton_path.worker.practice.cases import planned, timed
from triton_path.worker.practice.compare import Expected, compare, tolerance_in_words
from triton_path.worker.practice.mismatch import mismatch

GRID = Grading(
    entry="f",
    tensors=(
        TensorSpec(name="x", shape=("M", "N")),
        TensorSpec(name="idx", shape=("M",), dtype="int64", values="integers", high="N"),
        TensorSpec(name="out", shape=("M", "N"), role="output"),
    ),
    cases=(Case(sizes={"M": 4, "N": 6}),),
    accumulates="N",
)


@pytest.mark.parametrize("layout", ["contiguous", "sliced", "transposed", "padded", "shifted"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_layout_changes_where_elements_lie_and_not_what_they_are(layout: str, dtype: str) -> None:
    case = Case(sizes={"M": 4, "N": 6}, dtype=dtype, layouts={"x": layout, "out": layout})
    there = Grading(entry="f", tensors=GRID.tensors, cases=(case,))
    (plain,), (laid,) = (planned(grading, 1)[:1] for grading in (GRID, there))
    plain_case = Grading(
        entry="f", tensors=GRID.tensors, cases=(Case(sizes=case.sizes, dtype=dtype),)
    )
    usual = data.make(plain_case, planned(plain_case, 1)[0], 5)
    odd = data.make(there, laid, 5)
    assert torch.equal(usual.tensors["x"], odd.tensors["x"])
    contiguous = layout in ("contiguous", "shifted")
    assert odd.tensors["x"].is_contiguous() is contiguous
    assert data.untouched(odd.tensors["out"]).all()
    assert odd.tensors["out"].isnan().all()
    moved = odd.to("cpu")
    assert moved.tensors["x"].stride() == odd.tensors["x"].stride()
    assert moved.tensors["x"].storage_offset() == odd.tensors["x"].storage_offset()
    assert torch.equal(moved.tensors["x"], odd.tensors["x"])
    del plain


def test_values_are_those_of_the_seed_and_within_their_limits() -> None:
    (case,) = planned(GRID, 1)[:1]
    one, two, other = (data.make(GRID, case, seed) for seed in (3, 3, 4))
    assert torch.equal(one.tensors["x"], two.tensors["x"])
    assert not torch.equal(one.tensors["x"], other.tensors["x"])
    assert 0 <= int(one.tensors["idx"].min()) <= int(one.tensors["idx"].max()) < 6


def test_a_written_nan_is_told_from_an_unwritten_element() -> None:
    out = data.make(GRID, planned(GRID, 1)[0], 1).tensors["out"]
    out[0] = float("nan")
    assert not data.untouched(out)[0].any()
    assert data.untouched(out)[1:].all()


def test_virtual_tensors_have_no_memory() -> None:
    case = Case(sizes={"M": 1 << 20, "N": 1 << 14}, virtual=True)
    grading = Grading(entry="f", tensors=GRID.tensors, cases=(case,))
    assert data.make(grading, planned(grading, 1)[0], 1).tensors["x"].device.type == "meta"


def test_fixed_cases_come_first_then_one_again_then_fresh_ones() -> None:
    labels = [case.label for case in planned(GRADING, 3)]
    assert [label.number for label in labels] == [1, 2, 3, 4, 5]
    assert [label.sizes["n"] for label in labels[:4]] == [64, 50, 33, 64]
    assert [label.fresh for label in labels] == [False] * 4 + [True]
    assert timed(GRADING) is None


@pytest.mark.parametrize(("formula", "value"), [(3, 3), ("M", 4), ("2*M + N//3 - 1", 9)])
def test_formulas_of_sizes(formula: int | str, value: int) -> None:
    assert evaluate(formula, {"M": 4, "N": 6}) == value


@pytest.mark.parametrize("formula", ["K", "M ** 9", "f(M)", "M //", "M // 0", "'a'", "1.5"])
def test_what_is_no_formula_is_refused(formula: str) -> None:
    with pytest.raises(ValueError, match=r"formula|size"):
        evaluate(formula, {"M": 4})


def difference(got: list[float], want: list[float], dtype: torch.dtype, scale: float = 1.0):  # type: ignore[no-untyped-def]
    wanted = torch.tensor(want, dtype=torch.float64)
    expected = Expected(wanted, wanted.abs() * scale)
    return compare(torch.tensor(got, dtype=dtype), expected, GRID, planned(GRID, 1)[0])


def test_a_rounded_result_is_right_and_one_further_off_is_wrong() -> None:
    third = 1 / 3
    assert difference([third], [third], torch.float16).ok
    step = 2.0**-12  # the unit in the last place of a float16 between 0.25 and 0.5
    assert difference([third + step], [third], torch.float16).ok
    assert not difference([third + 8 * step], [third], torch.float16).ok
    assert not difference([third + 1e-5], [third], torch.float32).ok
    assert difference([third + 1e-5], [third], torch.float32, scale=100.0).ok


def test_nan_infinity_and_overflow() -> None:
    assert not difference([math.nan], [1.0], torch.float32).ok
    assert difference([math.nan], [math.nan], torch.float32).ok
    assert difference([math.inf], [1e6], torch.float16).ok  # 1e6 is infinite in float16
    assert not difference([math.inf], [1e6], torch.float32).ok
    assert not difference([-math.inf], [1e6], torch.float16).ok


def test_integers_are_compared_exactly() -> None:
    wanted = Expected(torch.tensor([1, 2]), torch.zeros(2))
    case = planned(GRID, 1)[0]
    assert compare(torch.tensor([1, 2], dtype=torch.int32), wanted, GRID, case).ok
    assert not compare(torch.tensor([1, 3], dtype=torch.int32), wanted, GRID, case).ok


def test_the_tolerance_is_stated_with_its_numbers() -> None:
    words = tolerance_in_words(GRID, planned(GRID, 1)[0], torch.float32)
    assert words == "2 units in the last place of float32 + 8.2e-07 x magnitude (6 terms)"


WANT = torch.arange(12.0).reshape(3, 4) + 1


@pytest.mark.parametrize(
    ("got", "pattern"),
    [
        (torch.zeros(3, 4), "every wrong element is zero"),
        (torch.full((3, 4), math.nan), "every wrong element is NaN"),
        (WANT * 2, "every wrong element is about 2 times what is expected"),
        (WANT + 5, "every wrong element is off by about 5"),
        (WANT.roll(1), "every element stands one element late"),
        (WANT.T.reshape(3, 4), "it is transposed"),
        (torch.cat([WANT[:, :3], WANT[:, 3:] * 7], 1), "only the last column is wrong"),
        (torch.cat([WANT[:1], WANT[1:] * -7]), "wrong from row 1 on, right before"),
        (torch.where(torch.arange(4) % 2 == 1, -WANT, WANT)[:, :],
         "every wrong element is about -1 times what is expected"),
        (torch.full((3, 4), 0.25), "it is x itself"),
    ],
)  # fmt: skip
def test_patterns_of_one_output(got: torch.Tensor, pattern: str) -> None:
    wrong = got.isnan() | ((got - WANT).abs() > 1e-3)
    expected = Expected(WANT.double(), WANT.double())
    told = patterns.in_values(got, expected, wrong, {"x": torch.full((3, 4), 0.25)}, [])
    assert pattern in told


def test_the_result_of_an_earlier_case_is_recognised() -> None:
    got = WANT * 3
    expected = Expected(WANT.double(), WANT.double())
    told = patterns.in_values(got, expected, got != WANT, {}, [WANT.double(), got.double()])
    assert told[0] == "it is the result of an earlier case of this shape"


def test_a_picture_shows_the_first_wrong_element_with_its_neighbours() -> None:
    got = WANT.clone()
    got[1, 2] = 99
    expected = Expected(WANT.double(), WANT.double())
    case = planned(GRID, 1)[0]
    seen = mismatch("out", got, expected, compare(got, expected, GRID, case), GRID, case, [])
    assert (seen.wrong, seen.total, seen.first) == (1, 12, (1, 2))
    assert (seen.rows, seen.columns) == ((0, 1, 2), (0, 1, 2, 3))
    assert [[cell.wrong for cell in row] for row in seen.cells][1] == [False, False, True, False]
    assert (seen.cells[1][2].expected, seen.cells[1][2].got) == ("7", "99")
