from __future__ import annotations

import contextlib
import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from triton_path.worker.compiler import tools
from triton_path.worker.kernels import cuda_beside_triton as beside
from triton_path.worker.kernels import fused_transformer as chain
from triton_path.worker.kernels import fused_transformer_cuda as by_hand
from triton_path.worker.kernels.fused_transformer_cuda import Layout, layout_for
from triton_path.worker.missing import MissingHere

DTYPES = [torch.bfloat16, torch.float16, torch.float32]
SHAPES = [(1, 1), (5, 100), (3, 257), (2, 1500), (4, 1024), (3, 2047), (3, 5120), (2, 16384)]
WIDTHS = [1, 3, 8, 257, 1000, 1024, 1025, 2048, 3072, 4096, 5120, 8192, 16384, 32768, 65536]
STAND_IN = Path(__file__).with_name("cuda_on_cpu")
NOT_HERE = by_hand.why_missing()
needs_nvrtc = pytest.mark.skipif(NOT_HERE is not None, reason=str(NOT_HERE))


def draw(rows, width, dtype, device, *, gap=0):
    """Draw x, residual and weight; `gap` unused elements lie after each row."""
    generator = torch.Generator(device).manual_seed(rows * width)

    def normal(*size):
        return torch.randn(*size, generator=generator, device=device).to(dtype)

    both = (normal(rows, width + gap)[:, :width] for _ in range(2))
    return (*both, normal(width))


# What needs neither a GPU nor NVRTC.


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_layout_covers_the_row_and_leaves_less_than_a_vector_a_thread_idle(width, size):
    threads, vectors = layout_for(width, size)
    lanes = 16 // size
    assert threads % 32 == 0
    assert 32 <= threads <= 1024
    assert threads * vectors * lanes >= width
    assert threads * (vectors - 1) * lanes < width
    assert vectors <= 4 or threads == 1024


@pytest.mark.parametrize(
    ("width", "layout"),
    [(1024, (128, 1)), (2048, (128, 2)), (4096, (128, 4)), (5120, (160, 4)), (16384, (512, 4))],
)
def test_the_layouts_of_common_widths_have_no_idle_thread(width, layout):
    assert layout_for(width, 2) == layout


def test_an_instance_is_named_as_in_cpp():
    name = by_hand.instance(torch.float16, Layout(64, 2), whole=False, rounds=10, drop=False)
    assert name == "boundary<__half2, 64, 2, false, 10, false>"


def test_what_is_missing_is_told_with_its_command(monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(by_hand, "_cuda_core", lambda: absent("cuda.core"))
    monkeypatch.setattr(torch.version, "hip", None)
    for version, package in ((None, "cu13"), ("12.8", "cu12"), ("13.0", "cu13")):
        monkeypatch.setattr(torch.version, "cuda", version)
        found = by_hand.why_missing()
        assert found.endswith(f"python -m pip install 'cuda-core[{package}]'")
    monkeypatch.setattr(torch.version, "hip", "6.4")
    assert "NVIDIA" in by_hand.why_missing()


def test_what_is_missing_is_raised_where_a_kernel_is_wanted(monkeypatch):
    monkeypatch.setattr(by_hand, "why_missing", lambda: "No compiler: install one.")
    with pytest.raises(MissingHere, match="No compiler"):
        by_hand.build("boundary<float2, 32, 1, true, 3, true>", (9, 0))


@needs_nvrtc
def test_what_nvrtc_cannot_compile_is_told():
    with pytest.raises(MissingHere, match="NVRTC could not compile"):
        by_hand.build("boundary<float2, 32, 1, true, 7, true>", (1, 0))


@needs_nvrtc
def test_missing_headers_and_another_cuda_are_told(monkeypatch):
    monkeypatch.setattr(by_hand, "header_folder", lambda: None)
    assert "CUDA_HOME" in by_hand.why_missing()
    monkeypatch.setattr(torch.version, "cuda", "11.8")
    assert "cuda-core[cu11]" in by_hand.why_missing()


def test_headers_are_found_in_the_toolkit_or_in_triton(monkeypatch, tmp_path):
    for name in by_hand.HEADERS:
        (tmp_path / "include").mkdir(exist_ok=True)
        (tmp_path / "include" / name).touch()
    monkeypatch.setattr(by_hand.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert by_hand.header_folder() == tmp_path / "include"
    (tmp_path / "include" / by_hand.HEADERS[1]).unlink()
    monkeypatch.delenv("CUDA_PATH", raising=False)
    assert by_hand.header_folder() not in (None, tmp_path / "include")


def test_only_lines_that_hold_code_are_counted():
    assert (
        beside.python_lines('def f(\n    a,  # a\n):\n    """Say.\n\n    More."""\n\n    # b\n')
        == 3
    )
    assert beside.python_lines('x = """a\n\nb"""\n') == 3
    assert beside.cpp_lines("// a\nint b;  // b\n\n/* c\n d */\n{\n}\n") == 3
    assert beside.bare_lines("f(\n)\n{\n    return;\n};\n") == 3


def test_both_sides_are_counted_whole():
    counted = {each.part: each for each in beside.lines()}
    assert list(counted) == ["kernel", "launch", "layout", "build"]
    kernel = counted["kernel"]
    assert 50 < kernel.triton < kernel.cuda
    assert kernel.cuda_bare < kernel.cuda / 2
    assert counted["build"].triton == 0


def test_tensors_that_are_not_on_a_gpu_are_refused():
    x, residual, weight = draw(4, 8, torch.float32, "cpu")
    with pytest.raises(ValueError, match=r"cannot take .* on cpu"):
        by_hand.cuda(x, residual, weight, 0.1)
    with pytest.raises(ValueError, match="side by side"):
        by_hand.cuda(x.t(), residual, weight, 0.1)
    with pytest.raises(ValueError, match="cannot take"):
        by_hand.cuda(x, residual, weight[:7], 0.1)
    with pytest.raises(ValueError, match="contiguous"):
        by_hand.cuda(x, residual, weight, 0.1, into=(x, x[:2]))


# The very source, run by a C++ compiler for the CPU beside the Triton kernel in its interpreter.


CASES = [
    pytest.param(3, 256, torch.float32, 0.1, Layout(32, 2), True, 0, id="float32"),
    pytest.param(3, 256, torch.float16, 0.1, Layout(32, 1), True, 0, id="float16"),
    pytest.param(2, 1024, torch.float16, 0.5, Layout(64, 3), True, 8, id="idle-lanes"),
    pytest.param(3, 257, torch.float16, 0.1, Layout(64, 1), False, 0, id="odd-width"),
    pytest.param(5, 101, torch.float32, 0.1, Layout(32, 1), False, 7, id="rows-apart"),
    pytest.param(2, 1, torch.float32, 0.1, Layout(32, 1), False, 0, id="one-column"),
    pytest.param(2, 104, torch.float32, 0.0, Layout(32, 1), True, 0, id="no-dropout"),
]
BF16 = (torch.bfloat16, Layout(64, 1))
SIGNATURE = """(unsigned rows, void* x, void* residual, void* weight, void* h, void* out,
    long long x_stride, long long residual_stride, unsigned width, float scale, float eps,
    unsigned long long seed, const unsigned long long* seed_ptr, unsigned threshold)"""
CALL = """launch({name}, rows, {threads}, (const E*)x, (const E*)residual, (const E*)weight,
    (E*)h, (E*)out, x_stride, residual_stride, width, scale, eps, seed, seed_ptr, threshold);"""
FLAGS = "-std=c++20 -O1 -ffp-contract=off -fno-strict-aliasing -Wno-unknown-pragmas -pthread"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Compile the kernel for the CPU; return a library with a function for each instance."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("runs the CUDA source on the CPU with g++, which is not installed")
    wanted = {}
    for case in CASES:
        _, _, dtype, p, layout, whole, _ = case.values
        name = by_hand.instance(dtype, layout, whole=whole, drop=p > 0)
        wanted[name] = (by_hand.PAIRS[dtype], layout.threads)
    name = by_hand.instance(*BF16, rounds=10)
    wanted[name] = (by_hand.PAIRS[BF16[0]], BF16[1].threads)
    source = tmp_path_factory.mktemp("cuda_on_cpu") / "kernel.cpp"
    functions = "".join(
        f'extern "C" void {function_of(name)}{SIGNATURE} {{\n'
        f"    using E = Vector<{pair}>::Element;\n"
        f"    {CALL.format(name=name, threads=threads)}\n}}\n"
        for name, (pair, threads) in wanted.items()
    )
    source.write_text(f'#include "{by_hand.SOURCE}"\n{functions}')
    target = source.with_suffix(".so")
    command = [compiler, *FLAGS.split(), f"-I{STAND_IN}", "-shared", "-fPIC", source, "-o", target]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(target))


def function_of(name):
    return "run_" + "_".join(re.findall(r"\w+", name))


@pytest.fixture
def on_cpu(library, monkeypatch):
    """Let `cuda` take tensors of the CPU and launch there; return what it launched."""
    launched = []

    def launch(stream, config, kernel, *arguments):
        assert stream.__cuda_stream__() == (0, 77)
        launched.append((kernel, config))
        pointers = [ctypes.c_void_p(each) if type(each) is int else each for each in arguments]
        getattr(library, function_of(kernel))(ctypes.c_uint32(config["grid"]), *pointers)

    core = SimpleNamespace(launch=launch, LaunchConfig=dict)
    monkeypatch.setattr(by_hand, "_cuda_core", lambda: core)
    monkeypatch.setattr(by_hand, "_kernel", lambda name, _: name)
    monkeypatch.setattr(by_hand, "_check", lambda *_: None)
    monkeypatch.setattr(torch.cuda, "device", contextlib.nullcontext)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: SimpleNamespace(cuda_stream=77))
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (9, 0))
    return launched


@pytest.mark.parametrize(("rows", "width", "dtype", "p", "layout", "whole", "gap"), CASES)
def test_the_source_gives_the_triton_kernels_h_bit_for_bit_on_a_cpu(
    on_cpu, rows, width, dtype, p, layout, whole, gap
):
    inputs = draw(rows, width, dtype, "cpu", gap=gap)
    seed = 2**62 + 12345
    into = tuple(torch.full((rows, width), float("nan"), dtype=dtype) for _ in "ho")
    h, out = by_hand.cuda(*inputs, p, seed=seed, layout=layout, into=into)
    name = by_hand.instance(dtype, layout, whole=whole, drop=p > 0)
    assert on_cpu == [(name, {"grid": rows, "block": layout.threads})]
    like_h, like_out = chain.fused(*inputs, p, seed=seed)
    assert torch.equal(h, like_h)
    torch.testing.assert_close(out, like_out)


def test_in_bfloat16_on_a_cpu_the_mask_is_the_triton_kernels(on_cpu):
    inputs = (torch.ones(4, 512), torch.zeros(4, 512), torch.ones(512))
    kept = chain.fused(*inputs, 0.1, seed=9, rounds=10)[0] != 0
    narrow = [each.bfloat16() for each in inputs]
    h, out = by_hand.cuda(*narrow, 0.1, seed=torch.tensor(9), rounds=10, layout=BF16[1])
    assert torch.equal(h, kept * torch.tensor(1 / 0.9).bfloat16())
    assert bool(out.isfinite().all())
    assert on_cpu == [(by_hand.instance(*BF16, rounds=10), {"grid": 4, "block": 64})]


@pytest.mark.usefixtures("on_cpu")
def test_a_seed_of_another_kind_is_refused_and_no_rows_are_no_launch():
    x, residual, weight = draw(4, 8, torch.float32, "cpu")
    for wrong in (torch.zeros(()), torch.zeros(2, dtype=torch.int64)):
        with pytest.raises(ValueError, match="int64"):
            by_hand.cuda(x, residual, weight, 0.1, seed=wrong)
    assert by_hand.cuda(x[:0], residual[:0], weight, 0.1, seed=1)[0].shape == (0, 8)


# NVRTC compiles for a GPU that need not be here.


@needs_nvrtc
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("width", "whole"), [(5120, True), (16384, True), (257, False)])
def test_nvrtc_compiles_every_kind_without_a_spill(width, dtype, whole):
    name = by_hand.instance(dtype, layout_for(width, dtype.itemsize), whole=whole)
    cubin = bytes(by_hand.build(name, (9, 0)).code)
    try:
        facts = beside.facts(cubin, rounds=7)
    except tools.NoTool as fault:
        pytest.skip(str(fault))
    vectors = layout_for(width, dtype.itemsize).vectors
    assert facts.stack == 0
    assert facts.philox_calls == vectors * 4 // dtype.itemsize
    if whole:
        # x, residual and weight are loaded, h and out stored; 64 bits are the seed.
        assert facts.loads == {128: 3 * vectors, 64: 1}
        assert facts.stores == {128: 2 * vectors}


@needs_nvrtc
def test_more_rounds_are_no_more_calls_and_no_dropout_is_none():
    layout = layout_for(1024, 2)
    for rounds, drop, calls in ((10, True, 2), (7, False, 0)):
        name = by_hand.instance(torch.bfloat16, layout, rounds=rounds, drop=drop)
        assert beside.facts(bytes(by_hand.build(name, (8, 0)).code), rounds).philox_calls == calls


# On a GPU.


GPU_CASES = [
    *((shape, dtype, 0.1, 0) for shape in [*SHAPES, (2, 65536)] for dtype in DTYPES),
    *(((6, 1024), dtype, 0.1, gap) for gap in (7, 8) for dtype in DTYPES),
    *(((6, 1000), dtype, 0.0, 0) for dtype in DTYPES),
]


@pytest.mark.gpu
@needs_nvrtc
@pytest.mark.parametrize(("shape", "dtype", "p", "gap"), GPU_CASES)
def test_h_is_the_triton_kernels_bit_for_bit(shape, dtype, p, gap, device):
    inputs = draw(*shape, dtype, device, gap=gap)
    into = tuple(torch.full(shape, float("nan"), dtype=dtype, device=device) for _ in "ho")
    h, out = by_hand.cuda(*inputs, p, seed=2**62 + 7, into=into)
    like_h, like_out = chain.fused(*inputs, p, seed=2**62 + 7)
    assert torch.equal(h, like_h)
    torch.testing.assert_close(out, like_out)


@pytest.mark.gpu
@needs_nvrtc
@pytest.mark.parametrize("rounds", [7, 10])
@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 + 1, 2**63 - 1])
def test_masks_are_the_triton_kernels_for_every_seed_and_by_pointer(seed, rounds, device):
    x, weight = torch.ones(64, 640, device=device), torch.ones(640, device=device)
    zeros = torch.zeros_like(x)
    like = chain.fused(x, zeros, weight, 0.1, seed=seed, rounds=rounds)[0]
    for given in (seed, torch.tensor(seed, device=device)):
        assert torch.equal(by_hand.cuda(x, zeros, weight, 0.1, seed=given, rounds=rounds)[0], like)


@pytest.mark.gpu
@needs_nvrtc
def test_tensors_that_start_off_16_bytes_and_other_layouts_are_right(device):
    x, residual, weight = draw(6, 1025, torch.bfloat16, device)
    shifted = [each[..., 1:] for each in (x, residual, weight)]
    like_h, like_out = chain.fused(*shifted, 0.1, seed=3)
    for layout in (None, Layout(32, 4), Layout(256, 1), Layout(1024, 2)):
        h, out = by_hand.cuda(*shifted, 0.1, seed=3, layout=layout)
        assert torch.equal(h, like_h)
        torch.testing.assert_close(out, like_out)


@pytest.mark.gpu
@needs_nvrtc
def test_it_runs_on_the_current_stream_and_in_a_graph(device):
    x, residual, weight = draw(64, 1024, torch.bfloat16, device)
    seed = torch.tensor(5, device=device)
    by_hand.cuda(x, residual, weight, 0.1, seed=seed)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        h, out = by_hand.cuda(x, residual, weight, 0.1, seed=seed)
    for number in (5, 6):
        seed.fill_(number)
        graph.replay()
        like_h, like_out = chain.fused(x, residual, weight, 0.1, seed=number)
        assert torch.equal(h, like_h)
        torch.testing.assert_close(out, like_out)


@pytest.mark.gpu
@needs_nvrtc
def test_more_than_two_to_the_31_elements(device):
    rows, width = 2**19 + 3, 4096
    x = torch.ones(rows, width, dtype=torch.bfloat16, device=device)
    weight = torch.ones(width, dtype=torch.bfloat16, device=device)
    zeros = torch.zeros_like(x)
    h, out = by_hand.cuda(x, zeros, weight, 0.1, seed=1)
    like_h, _ = chain.fused(x, zeros, weight, 0.1, seed=1)
    assert torch.equal(h[-64:], like_h[-64:])
    assert bool(out[-64:].isfinite().all())
