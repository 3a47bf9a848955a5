"""Every chain of the registry: its file, its inputs, its providers, its gradients."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from triton_path.jobs.bench import COMPILED, EAGER, Case, Shape
from triton_path.jobs.benches import BENCHES
from triton_path.worker.bench import chains
from triton_path.worker.bench.backward import gradients_of
from triton_path.worker.bench.chain import as_tuple
from triton_path.worker.bench.checking import expected_of, judge, observe
from triton_path.worker.bench.counting import count
from triton_path.worker.bench.ledger import ledger_of
from triton_path.worker.bench.preparing import least_of, providers_of, steps_of

SHAPE = Shape(rows=48, width=160)
BACKWARD = [name for name, bench in BENCHES.items() if bench.backward]


def test_a_bench_is_an_entry_and_a_file_of_its_name():
    files = {path.stem for path in Path(chains.__file__).parent.glob("[a-z]*.py")} - {"building"}
    assert files == {name.replace("-", "_") for name in BENCHES}


def chain_of(name, *, backward=False, **case):
    found = chains.find(name, Case(**case))
    return gradients_of(found) if backward else found


@pytest.mark.parametrize("name", BENCHES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_eager_and_best_eager_pass_the_check(name, dtype):
    chain = chain_of(name, dtype=str(dtype).removeprefix("torch."))
    tensors = chain.inputs(SHAPE, dtype, "cpu", 1)
    expected = expected_of(chain, tensors)
    eager = observe(chain.eager, chain, tensors, expected, seed=2)
    assert judge(eager, eager).faults == ()
    best = chain.provider("best eager")
    assert judge(observe(best, chain, tensors, expected, seed=2), eager, best.held_to).faults == ()


@pytest.mark.parametrize("name", BENCHES)
def test_a_size_of_any_kind_is_counted_without_memory(name):
    chain = chain_of(name)
    tensors = chain.inputs(Shape(rows=1 << 18, width=8192), torch.bfloat16, "meta", 1)
    least = least_of(chain, tensors)
    fused = next(provider for provider in chain.others if provider.name == "Triton fused")
    steps = steps_of(fused, tensors, least)
    moved = sum(step.read + step.written for step in steps)
    # What cross-entropy writes and reads again is a few bytes for each row.
    assert least.moved <= moved <= least.moved + 24 * (1 << 18)
    ledger = ledger_of(count(chain.eager, tensors))
    assert ledger.rows
    assert ledger.bytes_fused <= least.moved * 1.001
    assert ledger.rows[-1].cumulative == pytest.approx(1)


@pytest.mark.parametrize("name", BENCHES)
def test_providers_stand_in_the_order_of_the_table(name):
    chain = chain_of(name)
    names = [provider.name for provider in providers_of(chain, ())]
    assert names[:3] == [EAGER, "best eager", COMPILED]
    assert [p.name for p in providers_of(chain, (COMPILED,))] == [EAGER, COMPILED]


@pytest.mark.parametrize("name", BACKWARD)
def test_gradients_of_eager_and_best_eager_pass_the_check(name):
    chain = chain_of(name, backward=True)
    tensors = chain.inputs(SHAPE, torch.float32, "cpu", 1)
    expected = expected_of(chain, tensors)
    eager = observe(chain.eager, chain, tensors, expected, seed=2)
    assert judge(eager, eager, slack=chain.slack).faults == ()
    best = chain.provider("best eager")
    assert judge(observe(best, chain, tensors, expected, seed=2), eager, slack=1e-6).faults == ()


def test_a_backward_with_another_mask_is_rejected():
    chain = chain_of("fused-transformer", backward=True)
    tensors = chain.inputs(Shape(rows=64, width=512), torch.float32, "cpu", 1)
    expected = expected_of(chain, tensors)
    eager = observe(chain.eager, chain, tensors, expected, seed=2)

    def another_mask(given):
        call = chain.eager.bind(given)

        def run():
            d_x, *rest = call()
            return torch.roll(d_x, 1, 0), *rest

        return run

    wrong = type(chain.eager)("wrong", chain.eager.function, prepare=another_mask)
    assert judge(observe(wrong, chain, tensors, expected, seed=2), eager).faults


def test_the_backward_of_fused_transformer_has_to_move_five_tensors():
    chain = chain_of("fused-transformer", backward=True)
    tensors = chain.inputs(Shape(rows=16384, width=4096), torch.bfloat16, "meta", 1)
    elements = 16384 * 4096
    assert least_of(chain, tensors).moved == 10 * elements + 2 * 4096 * 2
    counted = count(chain.eager, tensors)
    assert len(counted.ops) == 19
    assert sum(op.read + op.written for op in counted.ops) == pytest.approx(
        102 * elements, rel=0.01
    )


def test_without_a_backward_there_are_no_gradients():
    with pytest.raises(ValueError, match="no backward"):
        gradients_of(chain_of("vector-add"))


def test_a_result_that_is_remembered_is_rejected_without_a_mask_too():
    chain = chain_of("softmax")
    tensors = chain.inputs(SHAPE, torch.float32, "cpu", 1)
    kept = []

    def remembers(x):
        kept.append(torch.softmax(x, -1))
        return kept[0]

    expected = expected_of(chain, tensors)
    eager = observe(chain.eager, chain, tensors, expected, seed=2)
    seen = observe(type(chain.eager)("stale", remembers), chain, tensors, expected, seed=2)
    assert judge(seen, eager).faults


def test_one_wrong_number_of_a_vector_is_found():
    from triton_path.worker.bench.chain import Chain, Provider

    def row_sums(x):
        return x.sum(-1)

    def one_off(x):
        sums = x.sum(-1)
        sums[7] *= 1.001
        return sums

    chain = Chain(
        name="sums", about="", inputs=lambda *_: {}, outputs=("out",), reference=row_sums,
        eager=Provider(EAGER, row_sums, counted=True), others=(), by_row=("x",),
    )  # fmt: skip
    tensors = {"x": torch.randn(4096, 64, generator=torch.Generator().manual_seed(1))}
    expected = expected_of(chain, tensors)
    eager = observe(chain.eager, chain, tensors, expected, seed=2)
    assert judge(eager, eager).faults == ()
    wrong = judge(observe(Provider("x", one_off), chain, tensors, expected, seed=2), eager)
    assert wrong.faults
    assert as_tuple((torch.ones(1), None))[0].item() == 1
