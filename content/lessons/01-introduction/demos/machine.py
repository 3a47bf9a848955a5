"""What this machine has, found by importing the packages and running one real Triton kernel."""

import importlib
import os
import platform
import subprocess
import sys

AGAIN = "--again"  # this file restarts itself with it, see below
if AGAIN not in sys.argv:
    print("What this machine has\n", flush=True)  # at once: importing torch takes a while


def look_for(package):
    """Import `package`; give the module, or None, and what to show as its version."""
    try:
        module = importlib.import_module(package)
    except ModuleNotFoundError as fault:
        return None, "missing" if fault.name == package else f"broken, needs {fault.name}"
    except (ImportError, OSError) as fault:  # a shared library is missing or does not fit
        return None, "broken: " + str(fault).splitlines()[0][:40]
    return module, module.__version__


torch, torch_version = look_for("torch")
gpu = torch is not None and torch.cuda.is_available()
if not gpu:
    os.environ["TRITON_INTERPRET"] = "1"  # before Triton is imported
elif os.environ.pop("TRITON_INTERPRET", "0") == "1":
    # Triton may have been imported with the variable set: only a new process compiles for the GPU.
    sys.exit(subprocess.run([sys.executable, __file__, AGAIN], check=False).returncode)
triton, triton_version = look_for("triton")
numpy, numpy_version = look_for("numpy")

print(f"  Python   {platform.python_version()} on {platform.system()} {platform.machine()}")
print(f"  torch    {torch_version}\n  triton   {triton_version}\n  numpy    {numpy_version}")
if gpu:
    device = torch.cuda.get_device_properties(0)
    print(f"  GPU      {device.name}, {device.total_memory / 2**30:.0f} GiB")
    if torch.version.cuda:
        capability = f"{device.major}.{device.minor}"
        print(f"           {device.multi_processor_count} SMs, compute capability {capability}")
else:
    print("  GPU      none that torch can use")

if torch is None or triton is None or numpy is None:
    print("\nSome demos cannot run here. Lessons and quizzes can.")
    if triton is None and platform.system() != "Linux":
        print("Triton has wheels for Linux only: use a Linux machine.")
    else:
        print("Install:  pip install torch triton numpy")
    sys.exit(3)

import triton.language as tl  # noqa: E402  not before it is known to be there


@triton.jit
def double(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, 2 * x, mask=mask)


x = torch.arange(1000, dtype=torch.float32, device="cuda" if gpu else "cpu")
y = torch.zeros_like(x)
try:
    double[(triton.cdiv(1000, 256),)](x, y, 1000, BLOCK=256)
except Exception as fault:  # a driver, a C compiler, a GPU that is too old: show it, do not crash
    print(f"\n  kernel   failed: {type(fault).__name__}\n  {str(fault).strip()[:200]}")
    sys.exit(3)
right = torch.equal(y, 2 * x)
print(f"  kernel   4 programs doubled 1,000 numbers: {'right' if right else 'WRONG'}")
print(f"           {'compiled, on the GPU' if gpu else 'run by the interpreter, on the CPU'}")

print("\nHere you can")
print("  yes      read, answer, edit and run every demo")
print("  yes      count bytes, check what a kernel computes")
print(f"  {'yes' if gpu else 'no '}      time a Triton kernel{'' if gpu else ': that takes a GPU'}")
sys.exit(0 if right else 1)
