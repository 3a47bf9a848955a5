"""The ledger: what is counted, what could be fused, which kernel belongs to which operation."""

from __future__ import annotations

import pytest
import torch

from triton_path.jobs.bench import EAGER, Figure, ProviderReport, Timing
from triton_path.worker.bench.chain import Provider
from triton_path.worker.bench.counting import Op, count
from triton_path.worker.bench.explaining import bound_of, explained
from triton_path.worker.bench.fusing import parts_of
from triton_path.worker.bench.ledger import Ran, ledger_of, pair
from triton_path.worker.bench.profiling import by_kernel
from triton_path.worker.bench.verdicts import with_speedups

N, M = 64, 32


def counted(function, **shapes):
    tensors = {name: torch.empty(shape, device="meta") for name, shape in shapes.items()}
    return count(Provider("one", function, counted=True), tensors)


def projected(x, w):
    h = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
    return torch.relu(h @ w) + 1


def test_a_matrix_product_stands_alone_between_what_can_be_fused():
    found = counted(projected, x=(N, M), w=(M, M))
    parts = parts_of(found)
    assert [(part.ops, part.fusable) for part in parts] == [(5, True), (1, False), (2, True)]
    assert "matrix product" in parts[1].why
    size = N * M * 4
    assert parts[0].bytes_fused == 2 * size
    assert parts[1].bytes_fused == parts[1].bytes_now == 2 * size + M * M * 4
    assert parts[2].bytes_fused == 2 * size
    assert sum(part.bytes_now for part in parts) == sum(op.read + op.written for op in found.ops)


def test_a_reduction_over_rows_ends_a_part_only_where_it_is_needed():
    used = parts_of(counted(lambda x: x - (2 * x).sum(0), x=(N, M)))
    assert [part.ops for part in used] == [2, 1]
    last = parts_of(counted(lambda x: (2 * x).sum(0), x=(N, M)))
    assert [part.ops for part in last] == [2]


def test_what_a_later_part_needs_has_to_be_written():
    def chain(x, w):
        h = x + 1
        return (h @ w) * h

    first, product, last = parts_of(counted(chain, x=(N, N), w=(N, N)))
    size = N * N * 4
    assert (first.bytes_fused, product.bytes_fused, last.bytes_fused) == (
        2 * size, 3 * size, 3 * size,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (lambda x: torch.softmax(x, -1), "reduction"),
        (lambda x: x.sum(), "whole reduction"),
        (lambda x: x.sum(-1), "reduction"),
        (lambda x: torch.nn.functional.gelu(x), "elementwise"),
        (lambda x: x.to(torch.bfloat16), "elementwise"),
        (lambda x: torch.nn.functional.layer_norm(x, (M,)), "reduction"),
        (lambda x: torch.nn.functional.dropout(x, 0.5), "elementwise"),
        (lambda x: x @ x.t(), "matrix product"),
        (lambda x: torch.cumsum(x, 0), "other"),
    ],
)
def test_kinds_of_operations(function, kind):
    assert [op.kind for op in counted(function, x=(N, M)).ops] == [kind]


def op(name):
    return Op(name, "elementwise", 100, 50, {}, {})


def test_a_kernel_goes_to_the_operation_that_launched_it():
    ops = [op("mul"), op("_to_copy"), op("mul")]
    ran = [
        Ran("k0", ((1, "aten::mul"),)),
        Ran("k1", ((3, "aten::copy_"), (2, "aten::_to_copy"), (9, "aten::to"))),
        Ran("k2", ((4, "aten::mul"),)),
    ]
    assert pair(ops, ran) == ([[0], [1], [2]], [])


def test_an_operation_may_take_several_kernels_and_a_kernel_none():
    ops = [op("sum"), op("mul")]
    one_call = ((7, "aten::sum"),)
    ran = [Ran("a", one_call), Ran("b", one_call), Ran("seed"), Ran("c", ((8, "aten::mul"),))]
    assert pair(ops, ran) == ([[0, 1], [3]], [2])
    found = ledger_of(
        type("C", (), {"ops": ops, "results": {}})(),
        ran,
        [[1.0] * 20, [2.0] * 20, [4.0] * 20, [3.0] * 20],
    )
    assert [row.time.value for row in found.rows] == [3.0, 3.0, 4.0]
    assert found.rows[-1].op == "-"
    assert "1 of 4 kernels" in found.note


def test_where_the_profiler_does_not_tell_order_does():
    assert pair([op("a"), op("b")], [Ran("x"), Ran("y")]) == ([[0], [1]], [])


def test_shares_add_up_and_are_of_the_time_where_it_was_measured():
    found = counted(lambda x: torch.exp(x) + x, x=(N, M))
    by_bytes = ledger_of(found)
    assert not by_bytes.measured
    assert [round(row.share, 3) for row in by_bytes.rows] == [0.4, 0.6]
    ran = [Ran("exp"), Ran("add")]
    by_time = ledger_of(found, ran, [[30.0] * 19 + [900.0] * 2, [10.0] * 21])
    assert by_time.measured
    assert by_time.runs == 21
    assert [row.time.value for row in by_time.rows] == [30.0, 10.0]
    assert [row.cumulative for row in by_time.rows] == [0.75, 1.0]
    assert {row.time.kind for row in by_time.rows} == {"measured"}


def test_times_of_profiled_runs_are_sorted_by_kernel_and_the_flush_left_out():
    assert by_kernel([99, 1, 2, 98, 3, 4], 2, 2) == [[1, 3], [2, 4]]
    assert by_kernel([99, 1, 2, 98, 3], 2, 2) is None
    assert by_kernel([99, 98], 0, 2) is None


def report(name, us, graph, moved, *, kernels=None, host=None, refused=None):
    def timing(value):
        return Timing(value=value, unit="us", kind="measured", p20=value, p80=value, n=20)

    return ProviderReport(
        name=name, device="a GPU", rows=1, width=1, kernels=(),
        launches=Figure(value=1, unit="kernels", kind="measured"),
        bytes=Figure(value=moved, unit="B", kind="counted"),
        time=timing(us), graph_time=timing(graph) if graph else None,
        kernel_time=timing(kernels) if kernels else None,
        host_time=Figure(value=host, unit="us", kind="measured") if host else None,
        refused=refused,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("eager", "other"),
    [
        ((1000, 990, 4500), (130, 131, 800)),
        ((90, 30, 450), (12, 6, 80)),
        ((50, 50, 100), (70, 60, 100)),
    ],
)
def test_the_product_of_the_factors_is_the_speedup(eager, other):
    slow, fast = with_speedups([report(EAGER, *eager), report("mine", *other)])
    split = fast.explained
    product = split.traffic.value * split.use.value * split.host.value
    assert product == pytest.approx(fast.speedup[EAGER].value)
    assert split.traffic.value == pytest.approx(eager[2] / other[2])
    assert slow.explained is None


def test_without_a_graph_the_kernels_stand_for_it():
    split = explained(
        report(EAGER, 100, None, 40, kernels=80), report("x", 10, None, 10, kernels=10)
    )
    assert split.traffic.value * split.use.value * split.host.value == pytest.approx(10)
    assert split.host.value == pytest.approx(1.25)


def test_what_failed_is_not_explained():
    _, wrong = with_speedups([report(EAGER, 10, 10, 10), report("x", 1, 1, 1, refused="wrong")])
    assert wrong.explained is None
    assert wrong.speedup == {}


def test_what_bounds_a_size():
    assert bound_of(report("x", 9, 9, 9, kernels=5, host=8), 10, 100) == "launch"
    assert bound_of(report("x", 9, 9, 9, kernels=9, host=8), 10, 100) == "cache"
    assert bound_of(report("x", 9, 9, 9, kernels=9, host=8), 1000, 100) == "memory"
    assert bound_of(report("x", 9, 9, 9), 10, 100) is None
