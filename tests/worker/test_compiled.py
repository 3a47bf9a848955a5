"""What the compiler makes of the kernel for an H100 or H200; needs no GPU."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys, re, triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton_path.worker.kernels.fused_transformer import boundary_kernel as kernel
from triton_path.worker.kernels.row_layout import layout_for

width, dtype, size = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
layout = layout_for(width, size)
constants = dict(
    CHUNK=layout.chunk, CHUNKS=layout.chunks, ROUNDS=7, DROP=True, seed_ptr=None
)
scalars = dict(seed="i64", threshold="u32", scale="fp32", eps="fp32")
signature = {}
aligned = {}
for index, name in enumerate(kernel.arg_names):
    pointer = name.endswith("_ptr") and name not in constants
    kind = "*" + dtype if pointer else scalars.get(name, "i32")
    signature[name] = "constexpr" if name in constants else kind
    if pointer or kind == "i32" and name not in constants:
        aligned[(index,)] = [["tt.divisibility", 16]]
source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=aligned)
target = GPUTarget("cuda", 90, 32)
ptx = triton.compile(source, target=target, options={"num_warps": layout.warps}).asm["ptx"]
loads = re.findall(r"ld\\.global[.\\w]*", ptx)
print(len(loads), sum(".v4" in load for load in loads), ptx.count("mul.hi.u32"))
"""


@pytest.mark.parametrize(("dtype", "size"), [("bf16", 2), ("fp32", 4)])
@pytest.mark.parametrize("width", [4096, 5120])
def test_every_load_takes_sixteen_bytes(width, dtype, size):
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    command = [sys.executable, "-c", SCRIPT, str(width), dtype, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    loads, wide, _ = map(int, done.stdout.split())
    assert loads == wide > 0
