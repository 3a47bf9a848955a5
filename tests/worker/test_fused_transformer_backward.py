from __future__ import annotations

from itertools import pairwise

import pytest
import torch
from torch.utils.checkpoint import checkpoint

from triton_path.worker.bench.masks import mask_faults
from triton_path.worker.kernels import backward_layout
from triton_path.worker.kernels import fused_transformer as chain
from triton_path.worker.kernels.backward_layout import Layout, layout_for
from triton_path.worker.kernels.fused_transformer_autograd import boundary
from triton_path.worker.kernels.fused_transformer_backward import (
    backward,
    backward_steps,
    reference,
)
from triton_path.worker.kernels.fused_transformer_op import (
    boundary_backward_op,
    boundary_op,
    sublayer_boundary,
)

SHAPES = [(1, 1), (5, 100), (3, 257), (2, 1500)]
SEED = 2**40 + 5
NAMES = ("dx", "dresidual", "dweight")


def draw(shape, dtype, device, *, strided=False):
    """Return x, residual, weight and the gradients dout and dh.

    Each fourth row is a thousand times smaller: its mean of squares is near eps. `strided` leaves
    seven unused elements after each row.
    """
    rows, width = shape
    torch.manual_seed(3)
    x, residual, dout, dh = torch.randn(4, rows, width + (7 if strided else 0), device=device)
    for each in (x, residual):
        each[3::4] *= 1e-3
    x, residual, dout, dh = (each.to(dtype)[:, :width] for each in (x, residual, dout, dh))
    return x, residual, torch.randn(width, device=device).to(dtype), dout, dh


def mask_of(like, p, seed, rounds=7):
    """Recover the forward's mask: of ones, h shows what was kept."""
    weight = torch.ones(like.shape[1], dtype=like.dtype, device=like.device)
    ones = torch.ones(like.shape, dtype=like.dtype, device=like.device)
    return chain.fused(ones, torch.zeros_like(ones), weight, p, seed=seed, rounds=rounds)[0] != 0


def faults(got, wanted, dtype):
    """Name what is further from float64 than rounding explains, row by row too; NaN is far."""
    found = {}
    for name, one, other in zip(NAMES, got, wanted, strict=True):
        lines = other.shape[0] if other.dim() == 2 else 1
        off = (one.double() - other).view(lines, -1).norm(dim=1)
        size = other.view(lines, -1).norm(dim=1)
        whole = (off.norm() / size.norm()).item()
        # A row whose every element was dropped is nought in both.
        row = (off / size.clamp_min(1e-30)).max().item()
        # A few roundings: the interpreter adds a column up in order, a GPU as a tree.
        eps = torch.finfo(dtype).eps
        if not (whole <= 4 * eps and row <= 16 * eps):
            found[name] = (whole, row)
    return found


def compare(shape, dtype, device, p, *, strided=False, rounds=7, layout=None, with_dh=True):
    """Check the kernels against float64, the outputs filled with NaN before."""
    x, residual, weight, dout, dh = draw(shape, dtype, device, strided=strided)
    h, _ = chain.fused(x, residual, weight, p, seed=SEED, rounds=rounds)
    into = tuple(torch.full_like(like, float("nan")) for like in (h, h, weight))
    got = backward(
        dout,
        dh if with_dh else None,
        h,
        weight,
        p,
        seed=SEED,
        rounds=rounds,
        into=into,
        layout=layout,
    )
    mask = mask_of(h, p, SEED, rounds)
    wide = [each.double() for each in (dout, dh * with_dh, h, weight)]
    return faults(got, reference(*wide, mask, p), dtype)


def under_mask(x, residual, weight, mask, p):
    """The eager chain with a mask put in, in float64: what autograd differentiates."""
    h = residual + x * mask / (1 - p)
    return h, weight * h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + chain.EPS)


def test_the_formulas_are_what_autograd_finds():
    drawn = draw((4, 33), torch.float32, "cpu")
    x, residual, weight = (each.double().requires_grad_() for each in drawn[:3])
    dout, dh = (each.double() for each in drawn[3:])
    mask, p = torch.rand(4, 33) > 0.3, 0.3
    h, out = under_mask(x, residual, weight, mask, p)
    wanted = torch.autograd.grad((h, out), (x, residual, weight), (dh, dout))
    for one, other in zip(reference(dout, dh, h, weight, mask, p), wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)


def test_autograd_in_turn_agrees_with_differences():
    x, residual = (torch.randn(2, 5, dtype=torch.float64, requires_grad=True) for _ in "xr")
    weight = torch.randn(5, dtype=torch.float64, requires_grad=True)
    mask = torch.tensor([[1, 0, 1, 1, 1], [0, 1, 1, 0, 1]])
    assert torch.autograd.gradcheck(
        lambda *given: under_mask(*given, mask, 0.4), (x, residual, weight)
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_kernels_agree_with_float64_at_odd_shapes(shape, dtype, device):
    assert compare(shape, dtype, device, 0.1) == {}


def test_without_dropout_too(device):
    assert compare((5, 100), torch.float32, device, 0.0) == {}


@pytest.mark.parametrize("shape", [(5, 130), (3, 257)])
def test_rows_may_lie_apart_in_memory(shape, device):
    assert compare(shape, torch.float32, device, 0.1, strided=True) == {}


def test_ten_rounds_a_high_rate_and_no_gradient_of_h_are_right_too(device):
    assert compare((4, 300), torch.float32, device, 0.5, rounds=10) == {}
    assert compare((4, 300), torch.float32, device, 0.9) == {}
    assert compare((4, 300), torch.float32, device, 0.1, with_dh=False) == {}


SHARED = [Layout(64, 2, 2, 1, 2, 1), Layout(32, 3, 3, 1, 3, 2)]


@pytest.mark.parametrize("layout", SHARED)
def test_programs_may_share_a_row(layout, device):
    assert compare((5, 250), torch.float32, device, 0.1, layout=layout) == {}


@pytest.mark.parametrize("programs", [1, 3, 1000])
def test_any_number_of_programs_gives_the_same(programs, device):
    layout = layout_for(100, 4, torch.device(device))._replace(programs=programs)
    assert compare((9, 100), torch.float32, device, 0.1, layout=layout) == {}


@pytest.mark.parametrize("seed", [0, 2**62 + 5])
@pytest.mark.parametrize("layout", [None, SHARED[0]])
def test_the_backward_draws_the_mask_of_the_forward(seed, layout, device):
    h, weight = torch.ones(3, 190, device=device), torch.ones(190, device=device)
    nothing = torch.zeros_like(h)
    for given in (seed, torch.tensor(seed, device=device)):
        dx, dresidual, dweight = backward(nothing, h, h, weight, 0.25, seed=given, layout=layout)
        mask = mask_of(h, 0.25, seed)
        assert torch.equal(dx, mask / 0.75)
        assert torch.equal(dresidual, h)
        assert not dweight.any()
        assert 0.65 < mask.double().mean() < 0.85


def test_masks_of_rows_and_launches_are_independent(device):
    h, weight = torch.ones(16, 512, device=device), torch.ones(512, device=device)
    nothing = torch.zeros_like(h)
    one, two = (backward(nothing, h, h, weight, 0.1, seed=seed)[0] != 0 for seed in (7, 8))
    assert mask_faults(one, two, 0.1) == []


def test_the_same_bits_each_time(device):
    x, residual, weight, dout, dh = draw((9, 130), torch.float32, device)
    h, _ = chain.fused(x, residual, weight, 0.1, seed=SEED)
    first, again = (backward(dout, dh, h, weight, 0.1, seed=SEED) for _ in "ab")
    for one, other in zip(first, again, strict=True):
        assert torch.equal(one, other)


def test_what_the_kernels_cannot_take_is_refused(device):
    h, weight = torch.ones(4, 8, device=device), torch.ones(8, device=device)
    with pytest.raises(ValueError, match="side by side"):
        backward(torch.ones(8, 4, device=device).t(), None, h, weight, 0.1, seed=1)
    with pytest.raises(ValueError, match="cannot take"):
        backward(h, torch.ones(5, 8, device=device), h, weight, 0.1, seed=1)


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("width", [1, 3, 257, 1000, 1024, 1025, 5120, 10241, 12288, 16384, 65536])
@pytest.mark.parametrize("shared", [48 << 10, 232448])
def test_a_layout_covers_the_row_and_fits(width, size, shared, monkeypatch):
    monkeypatch.setattr(backward_layout, "shared_bytes", lambda device: shared)
    layout = layout_for(width, size, torch.device("cpu"))
    assert layout.chunk & (layout.chunk - 1) == 0
    assert layout.chunk >= 4
    assert layout.chunk * layout.chunks * layout.parts >= width
    assert layout.chunk * layout.chunks * (layout.parts - 1) < width
    assert layout.chunk * layout.chunks <= 40 * 32 * layout.warps
    assert layout.warps * layout.programs == 8
    stage = 3 * size * layout.chunk * layout.chunks * layout.parts
    assert (layout.stages - 1) * stage * layout.programs <= shared
    assert 1 <= layout.stages <= 3


# As an autograd Function and as an operator of torch.


def leaves(device, *shape):
    torch.manual_seed(1)
    x, residual = (torch.randn(shape, device=device, requires_grad=True) for _ in "xr")
    return x, residual, torch.randn(shape[-1], device=device, requires_grad=True)


@pytest.mark.parametrize("by_pointer", [False, True])
def test_the_function_and_the_operator_give_the_gradients(by_pointer, device):
    x, residual, weight = leaves(device, 5, 40)
    dout, dh = torch.randn_like(x), torch.randn_like(x)
    seed = torch.tensor(SEED, device=device)
    h, out = under_mask(x, residual, weight, mask_of(x, 0.2, SEED), 0.2)
    wanted = torch.autograd.grad((h, out), (x, residual, weight), (dh, dout))
    given = seed if by_pointer else SEED
    for run in (
        lambda: boundary(x, residual, weight, 0.2, seed=given),
        lambda: sublayer_boundary(x, residual, weight, 0.2, seed=seed),
    ):
        got = torch.autograd.grad(run(), (x, residual, weight), (dh, dout))
        for one, other in zip(got, wanted, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("run", [boundary, sublayer_boundary])
def test_either_output_may_go_unused(run, device):
    x, residual, weight = leaves(device, 5, 40)
    seed = torch.tensor(SEED, device=device)
    mask = mask_of(x, 0.2, SEED)
    # Of a sum, the gradient is one number, expanded over the tensor.
    dx, dresidual = torch.autograd.grad(
        run(x, residual, weight, 0.2, seed=seed)[0].sum(), (x, residual)
    )
    torch.testing.assert_close(dx, mask / 0.8)
    assert torch.equal(dresidual, torch.ones_like(x))
    _, out = under_mask(x, residual, weight, mask, 0.2)
    wanted = torch.autograd.grad(out.sum(), (x, residual, weight))
    got = torch.autograd.grad(
        run(x, residual, weight, 0.2, seed=seed)[1].sum(), (x, residual, weight)
    )
    for one, other in zip(got, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)


def test_nothing_is_saved_but_the_residual_stream_the_weight_and_the_seed(device):
    x, residual, weight = leaves(device, 5, 40)
    seed = torch.tensor(SEED, device=device)
    for run in (boundary, sublayer_boundary):
        saved = []
        with torch.autograd.graph.saved_tensors_hooks(
            lambda each, kept=saved: kept.append(each) or each, lambda each: each
        ):
            h, _ = run(x, residual, weight, 0.2, seed=seed)
        assert sorted(each.numel() for each in saved) == [1, 40, 200]
        assert h.data_ptr() in {each.data_ptr() for each in saved}


def test_leading_dimensions_are_rows(device):
    x, residual, weight = leaves(device, 2, 3, 20)
    seed = torch.tensor(SEED, device=device)
    flat = sublayer_boundary(x.view(6, 20), residual.view(6, 20), weight, 0.1, seed=seed)
    whole = sublayer_boundary(x, residual, weight, 0.1, seed=seed)
    turned = sublayer_boundary(
        x.mT.contiguous().mT, residual.mT.contiguous().mT, weight, 0.1, seed=seed
    )
    for one, other, third in zip(flat, whole, turned, strict=True):
        assert other.shape == (2, 3, 20)
        assert torch.equal(one.view(2, 3, 20), other)
        assert torch.equal(other, third)


def test_the_operators_pass_the_checks_of_torch(device):
    x, residual, weight = leaves(device, 2, 20)
    seed = torch.tensor(SEED, device=device)
    torch.library.opcheck(boundary_op, (x, residual, weight, seed, 0.1, 7))
    given = (x.detach(), None, residual.detach(), weight.detach(), seed, 0.1, 7)
    torch.library.opcheck(boundary_backward_op, given)


def drop(x, residual, weight):
    return sublayer_boundary(x, residual, weight, 0.2)


def checkpointed(x, residual, weight):
    return checkpoint(drop, x, residual, weight, use_reentrant=False)


def assert_one_mask(run, device, x, residual, weight):
    """Compare the mask that h shows with the one that its gradient shows."""
    ones, nothing = torch.ones_like(x).requires_grad_(), torch.zeros_like(residual)
    h, _ = run(ones, nothing, weight)
    (dx,) = torch.autograd.grad(h, ones, torch.ones_like(h))
    torch.testing.assert_close(dx, h.detach())
    assert 0.6 < (h != 0).double().mean() < 0.95


def backends():
    return [
        "aot_eager",
        # On a CPU it would call a C++ compiler, for half a minute.
        pytest.param("inductor", marks=pytest.mark.gpu),
    ]


@pytest.mark.parametrize("backend", backends())
def test_it_works_compiled_and_checkpointed(backend, device):
    given = leaves(device, 4, 50)
    torch._dynamo.reset()
    compiled = torch.compile(drop, fullgraph=True, backend=backend)
    assert_one_mask(compiled, device, *given)
    assert_one_mask(checkpointed, device, *given)
    assert_one_mask(lambda *args: checkpoint(compiled, *args, use_reentrant=False), device, *given)
    within = torch.compile(checkpointed, fullgraph=True, backend=backend)
    assert_one_mask(within, device, *given)
    with torch.no_grad():
        first, second = (drop(*given)[0] for _ in "ab")
    assert not torch.equal(first, second)  # a seed of its own for every call


@pytest.mark.gpu
@pytest.mark.parametrize("shape", [*SHAPES, (64, 4096), (300, 16384), (40, 12288), (7, 65536)])
def test_bfloat16_agrees_on_a_gpu(shape, device):
    assert compare(shape, torch.bfloat16, device, 0.1) == {}


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("width", [1024, 2048, 3072, 4096, 5120, 8192, 16384])
def test_many_rows_a_program_agree_on_a_gpu(width, dtype, device):
    assert compare((3001, width), dtype, device, 0.1) == {}


@pytest.mark.gpu
def test_each_replay_of_a_graph_draws_a_new_mask(device):
    weight = torch.ones(512, device=device)
    x = torch.ones(64, 512, device=device, requires_grad=True)
    nothing = torch.zeros(64, 512, device=device)

    def step():
        h, _ = sublayer_boundary(x, nothing, weight, 0.1)
        return h.detach(), *torch.autograd.grad(h, x, torch.ones_like(h))

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        h, dx = step()
    masks = []
    for _ in range(3):
        graph.replay()
        torch.cuda.synchronize()
        torch.testing.assert_close(dx, h)
        masks.append((h != 0).clone())
    for one, other in pairwise(masks):
        assert mask_faults(one, other, 0.1) == []


@pytest.mark.gpu
def test_more_than_two_to_the_31_elements(device):
    rows, width = 2**19 + 3, 4096
    dh = torch.ones(rows, width, dtype=torch.bfloat16, device=device)
    weight = torch.ones(width, dtype=torch.bfloat16, device=device)
    dout = torch.zeros_like(dh)
    dout[-1], dout[0] = 1, 1
    h, _ = chain.fused(dh, torch.zeros_like(dh), weight, 0.1, seed=1)
    dx, dresidual, dweight = backward(dout, dh, h, weight, 0.1, seed=1)
    for part in (slice(0, 64), slice(-64, None)):
        wide = [each[part].double() for each in (dout, dh, h)]
        mask = h[part] != 0
        wanted = reference(*wide, weight.double(), mask, 0.1)
        torch.testing.assert_close(dx[part].double(), wanted[0], rtol=1e-2, atol=1e-2)
        torch.testing.assert_close(dresidual[part].double(), wanted[1], rtol=1e-2, atol=1e-2)
    ends = h[[0, -1]].double()
    wanted = (ends * torch.rsqrt(ends.pow(2).mean(-1, keepdim=True) + chain.EPS)).sum(0)
    torch.testing.assert_close(dweight.double(), wanted, rtol=1e-2, atol=1e-2)


@pytest.mark.gpu
def test_two_kernels_are_launched(device):
    x, residual, weight, dout, dh = draw((64, 1024), torch.bfloat16, device)
    h, _ = chain.fused(x, residual, weight, 0.1, seed=SEED)
    backward(dout, dh, h, weight, 0.1, seed=SEED)
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiled:
        backward(dout, dh, h, weight, 0.1, seed=SEED)
        torch.cuda.synchronize()
    on_gpu = [each.name for each in profiled.events() if each.device_type.name == "CUDA"]
    assert on_gpu == [step.op for step in backward_steps(h)]
