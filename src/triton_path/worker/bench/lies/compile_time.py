"""The first call compiles; and after enough shapes torch.compile stops, almost unheard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._dynamo import config as dynamo
from torch._dynamo.utils import counters
from torch._inductor import config as inductor

from triton_path.jobs.bench import Figure
from triton_path.worker.bench.lies.showing import Shown, compare
from triton_path.worker.bench.needs import cpp_compiler
from triton_path.worker.missing import MissingHere

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage

CALLS = 20
CPU_ELEMENTS, GPU_ELEMENTS = 1 << 17, 1 << 24
SHIPPED_LIMIT = 8
"""How many times torch.compile compiles one function, unless it is told otherwise."""


def chain(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return six element-wise operations on x and y: six passes in eager, one when fused."""
    return torch.sigmoid(x) * y + torch.tanh(x) - x * 0.5


def compile_time(stage: Stage) -> Shown:
    """Average the compiling call in; then ask for one shape more than the limit allows."""
    if not stage.on_gpu and cpp_compiler() is None:
        raise MissingHere("torch.compile has no C++ compiler here.", "sudo apt install g++")
    inductor.compile_threads = 1  # a pool of processes would only wait: the chains come singly
    n = GPU_ELEMENTS if stage.on_gpu else CPU_ELEMENTS
    whole = [torch.randn(n, device=stage.device) for _ in "xy"]
    half = [tensor[: n // 2].clone() for tensor in whole]
    torch._dynamo.reset()
    compiled = torch.compile(chain, dynamic=False)
    with dynamo.patch(recompile_limit=1):
        first = stage.first_calls(lambda: compiled(*whole), CALLS)
        alone = stage.steady(lambda: compiled(*whole))
        graphs = _graphs()
        beyond = stage.steady(lambda: compiled(*half))
        none = _graphs() - graphs
    torch._dynamo.reset()
    again = torch.compile(chain, dynamic=False)
    graphs = _graphs()
    within = stage.steady(lambda: again(*half))
    one = _graphs() - graphs
    return Shown(
        f"Six element-wise operations on {n} floats, compiled. False: the mean of {CALLS} calls, "
        f"the compiling one among them ({first.value * CALLS / 1e6:.1f} s in all). Then the same "
        "function at half the size, with the limit of recompilations lowered from "
        f"{SHIPPED_LIMIT} to 1: there it runs eager under the name of torch.compile. True: dynamo "
        "reset for that shape.",
        (
            compare(f"compiled, mean of {CALLS} calls", first, alone, lies="above"),
            compare("beyond the recompile limit", beyond, within, lies="above"),
            compare("graphs compiled for that", _count(none), _count(one), lies="below"),
        ),
    )


def _graphs() -> int:
    """Return how many graphs dynamo has compiled in this process."""
    return int(counters["stats"]["unique_graphs"])


def _count(graphs: int) -> Figure:
    return Figure(value=graphs, unit="graphs", kind="counted")
