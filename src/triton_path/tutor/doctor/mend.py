"""The commands that mend, for the Python that runs this program and not another one."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from dataclasses import dataclass

CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
PACKAGE_MANAGERS = {
    "apt-get": "sudo apt-get install",
    "dnf": "sudo dnf install",
    "pacman": "sudo pacman -S",
    "zypper": "sudo zypper install",
    "apk": "sudo apk add",
    "brew": "brew install",
}
NAMES = {
    "g++": {"dnf": "gcc-c++", "pacman": "gcc", "zypper": "gcc-c++", "brew": "gcc"},
    "python3-dev": {"dnf": "python3-devel", "pacman": "python", "zypper": "python3-devel"},
}
"""A package's name where it differs from Debian's."""


@dataclass(frozen=True)
class Mender:
    """Knows how packages are installed here."""

    pip: str = "python -m pip install"
    manager: str = "apt-get"
    """One of PACKAGE_MANAGERS."""
    platform: str = "linux"
    """As `sys.platform` has it."""
    root: bool = False
    """Whether this is root, who needs no sudo and in a container has none."""
    nvidia: bool = False
    """Whether the driver's tools are here: then torch should come with CUDA."""

    def install(self, *requirements: str) -> str:
        """Return the command that installs these requirements."""
        return " ".join([self.pip, *map(shlex.quote, requirements)])

    def torch(self, *, again: bool = False) -> str:
        """Return the command that installs torch, or installs it `again` over a broken one."""
        words = [self.pip, *(["--force-reinstall"] if again else []), "torch"]
        if self.platform.startswith("linux") and not self.nvidia:
            # The default wheels for Linux carry gigabytes of CUDA that this machine cannot use.
            words += ["--index-url", CPU_WHEELS]
        return " ".join(words)

    def system(self, debian_name: str) -> str:
        """Return the command that installs a package of the operating system."""
        name = NAMES.get(debian_name, {}).get(self.manager, debian_name)
        command = f"{PACKAGE_MANAGERS[self.manager]} {name}"
        return command.removeprefix("sudo ") if self.root else command


def mender_here() -> Mender:
    """Look at this machine."""
    manager = next((name for name in PACKAGE_MANAGERS if shutil.which(name)), "apt-get")
    return Mender(
        pip=_pip(),
        manager=manager,
        platform=sys.platform,
        root=hasattr(os, "geteuid") and os.geteuid() == 0,
        nvidia=shutil.which("nvidia-smi") is not None,
    )


def _pip() -> str:
    """Return how this very Python gets packages; `python` alone may well be another one."""
    own = shlex.quote(sys.executable)
    if importlib.util.find_spec("pip") is None and shutil.which("uv"):
        return f"uv pip install --python {own}"
    on_path = shutil.which("python")
    # Not resolved: in a virtual environment both are links to one and the same base Python.
    same = on_path is not None and os.path.abspath(on_path) == os.path.abspath(sys.executable)  # noqa: PTH100
    if importlib.util.find_spec("pip") is None:
        return f"{own} -m ensurepip && {own} -m pip install"
    return "python -m pip install" if same else f"{own} -m pip install"
