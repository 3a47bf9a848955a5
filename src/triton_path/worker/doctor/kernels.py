"""Two self-tests that need no GPU: a kernel interpreted, and the same kernel compiled."""

from __future__ import annotations

import os
import tempfile

from triton_path.jobs.doctor import Tried
from triton_path.worker.doctor.packages import one_line

TARGET = ("cuda", 80, 32)
"""An A100: the backend, its compute capability, and the lanes of a warp."""
ELF = b"\x7fELF"
SIGNATURE = {
    "x_ptr": "*fp32",
    "y_ptr": "*fp32",
    "sum_ptr": "*fp32",
    "stride": "i32",
    "width": "i32",
    "BLOCK": "constexpr",
}


def interpret() -> Tried:
    """Run the kernel in Triton's interpreter and check each value; needs TRITON_INTERPRET=1."""
    try:
        from triton_path.worker.doctor.doubling import ROWS, WIDTH, wrong_result

        fault = wrong_result("cpu")
    except Exception as raised:
        return Tried(fault=one_line(raised))
    return Tried(fault=fault, did=f"a kernel ran, {ROWS * WIDTH} values right")


def compile_alone() -> Tried:
    """Compile the kernel to a cubin with neither GPU nor driver.

    The compiler's cache is led to an empty folder, so that it really compiles. Raises
    RuntimeError in a process where Triton would interpret.
    """
    if os.environ.get("TRITON_INTERPRET") == "1":
        raise RuntimeError("under TRITON_INTERPRET nothing is compiled")
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TRITON_CACHE_DIR"] = folder
            cubin = _cubin()
    except Exception as raised:
        return Tried(fault=one_line(raised))
    if not cubin.startswith(ELF):
        return Tried(fault=f"the compiler gave {len(cubin)} bytes that are no cubin")
    return Tried(did=f"a cubin of {len(cubin):,} bytes for sm_{TARGET[1]}")


def _cubin() -> bytes:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    from triton_path.worker.doctor.doubling import BLOCK, double_rows

    aligned = {(index,): [["tt.divisibility", 16]] for index in range(3)}
    source = ASTSource(
        fn=double_rows, signature=SIGNATURE, constexprs={"BLOCK": BLOCK}, attrs=aligned
    )
    compiled = triton.compile(source, target=GPUTarget(*TARGET), options={"num_warps": 4})
    return bytes(compiled.asm["cubin"])
