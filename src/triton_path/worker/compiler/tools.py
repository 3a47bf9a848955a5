"""The programs that come with Triton: ptxas, cuobjdump and nvdisasm. Each may be missing."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from triton_path.worker.compiler import private

SECONDS = 120


class NoTool(Exception):
    """A program is not here or failed; the message says which, and what cannot be told."""


def _run(tool: str, *arguments: str) -> tuple[str, str]:
    """Return what the program wrote to stdout and to stderr. Raises NoTool."""
    path = private.TOOLS / tool
    if not path.is_file():
        raise NoTool(f"{tool} is not among Triton's programs here")
    try:
        done = subprocess.run(
            [str(path), *arguments], capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise NoTool(f"{tool} did not run: {fault}") from fault
    if done.returncode != 0:
        raise NoTool(f"{tool} failed: {' '.join(done.stderr.split())[:200]}")
    return done.stdout, done.stderr


def disassemble(cubin: bytes, *, ptx_lines: bool) -> str:
    """Return the machine code as text; with `ptx_lines`, each group under its line of the PTX.

    Raises NoTool.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.cubin")
        path.write_bytes(cubin)
        text, _ = _run("nvdisasm", *(["-gp"] if ptx_lines else []), "-c", str(path))
    return text


def registers_and_stack(cubin: bytes) -> tuple[int, int]:
    """Return registers and bytes of stack of a thread. Raises NoTool."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.cubin")
        path.write_bytes(cubin)
        text, _ = _run("cuobjdump", "--dump-resource-usage", str(path))
    found = re.search(r"REG:(\d+) STACK:(\d+)", text)
    if found is None:
        raise NoTool("cuobjdump gave no registers")
    return int(found[1]), int(found[2])


def spilled_bytes(ptx: str) -> tuple[int, int]:
    """Return the bytes that a thread spills and loads back, as ptxas tells. Raises NoTool."""
    target = re.search(r"^\.target (sm_(\d+)\w*)", ptx, re.MULTILINE)
    assert target is not None, "PTX names its target"
    newest = int(target[2]) >= 100 and (private.TOOLS / "ptxas-blackwell").is_file()
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(ptx, encoding="utf-8")
        tool = "ptxas-blackwell" if newest else "ptxas"
        _, text = _run(tool, "-v", f"--gpu-name={target[1]}", str(source), "-o", str(out))
    found = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", text)
    if found is None:
        raise NoTool(f"{tool} told no spills")
    return int(found[1]), int(found[2])
