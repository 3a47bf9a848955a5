"""Rows for Python and the packages, and whether their versions fit. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from triton_path.jobs.doctor import PackageFound
from triton_path.jobs.machine import has_triton_wheels
from triton_path.tutor.doctor.cold import Died
from triton_path.tutor.doctor.report import Row

if TYPE_CHECKING:
    from triton_path.jobs.doctor import Package
    from triton_path.tutor.doctor.mend import Mender
    from triton_path.tutor.doctor.report import State

Version = tuple[int, ...]
Starts = Literal["forks", "afresh", "nothing"]
"""How a job gets its process: forked from a warm one, as a Python of its own, or not at all."""

OLDEST_PYTHON = (3, 10)
TRITON_FROM, TRITON_BELOW = (3, 4), (3, 10)
TORCH_FROM = (2, 8)
NUMPY_FROM = (1, 26)
NUMPY_WITH_NEW_LOOPS, TRITON_WITH_NEW_LOOPS = (2, 4), (3, 7)
"""numpy from 2.4 breaks `range(0, n, BLOCK)` with a run-time n in the interpreter of Triton
before 3.7 (triton-lang/triton #9171)."""
TESTED = (((2, 13), (3, 7)), ((2, 11), (3, 6)))
"""torch and Triton that the course was tried with, as the README has it."""

ENABLES: dict[str, str] = {
    "python": "all of it",
    "torch": "demos, checks and benches",
    "triton": "writing kernels",
    "numpy": "Triton's interpreter",
    "fit": "right results",
}


def version_of(text: str) -> Version:
    """Return the leading numbers of a version: (2, 13, 0) of "2.13.0+cpu", () of none."""
    match = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def dotted(version: Version) -> str:
    """Return a version as it is written."""
    return ".".join(map(str, version))


def python_row(version: Version, system: str, starts: Starts) -> Row:
    """Judge the Python that runs this program, and how it `starts` the process of a job."""
    found = f"{dotted(version)} on {system}"
    if version < OLDEST_PYTHON:
        return Row(
            id="python",
            state="broken",
            found=f"{found}; the oldest that will do is {dotted(OLDEST_PYTHON)}",
            enables=ENABLES["python"],
            mend=f"uv tool install --python {dotted(OLDEST_PYTHON)} triton-path",
        )
    if starts == "nothing":
        return Row(
            id="python",
            state="limited",
            found=f"{found}, where no demo runs",
            enables=ENABLES["python"],
            mend="wsl --install",
        )
    if starts == "afresh":
        return Row(
            id="python",
            state="limited",
            found=f"{found}, which cannot fork: each demo waits for the import of torch",
            enables=ENABLES["python"],
        )
    return Row(id="python", state="works", found=found, enables=ENABLES["python"])


def package_row(name: Package, found: PackageFound | Died, mender: Mender) -> Row:
    """Judge one package by what its import did."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id=name, state=state, found=text, enables=ENABLES[name], mend=mend)

    if isinstance(found, Died):
        return row("broken", f"importing it {found.how}", _install(name, mender, again=True))
    if found.fault:
        return row("broken", found.fault, _install(name, mender, again=True))
    if found.version is None:
        if name == "triton" and not has_triton_wheels(mender.platform):
            mend = "wsl --install" if mender.platform == "win32" else None
            return row("missing", "has packages for Linux only; use a Linux machine", mend)
        return row("missing", "not installed", _install(name, mender))
    return row("works", ", ".join(filter(None, (found.version, found.build))))


def _install(name: Package, mender: Mender, *, again: bool = False) -> str:
    if name == "torch":
        return mender.torch(again=again)
    wanted = f"triton>={dotted(TRITON_FROM)},<{dotted(TRITON_BELOW)}" if name == "triton" else name
    return mender.install(*(["--force-reinstall"] if again else []), wanted)


def fit_row(
    torch: PackageFound | Died,
    triton: PackageFound | Died,
    numpy: PackageFound | Died,
    mender: Mender,
) -> Row:
    """Judge whether the versions go together: the worst finding gives the state and the mend."""
    found = {"torch": torch, "triton": triton, "numpy": numpy}
    have = {
        name: package.version
        for name, package in found.items()
        if isinstance(package, PackageFound) and package.version
    }
    wanted = torch.wants_triton if isinstance(torch, PackageFound) else None
    findings = _findings(have, wanted, mender)
    if not findings:
        absent = [name for name in found if name not in have]
        if absent:
            text = f"not judged without {' and '.join(absent)}"
            return Row(id="fit", state="limited", found=text, enables=ENABLES["fit"])
        text = _in_range(have, wanted)
        return Row(id="fit", state="works", found=text, enables=ENABLES["fit"])
    findings.sort(key=lambda finding: finding[0] != "broken")
    state, _, mend = findings[0]
    text = "; ".join(finding[1] for finding in findings)
    return Row(id="fit", state=state, found=text, enables=ENABLES["fit"], mend=mend)


def _findings(
    have: dict[str, str], wanted: str | None, mender: Mender
) -> list[tuple[State, str, str]]:
    """Return what does not fit: how bad, what, and the command that mends it."""
    findings: list[tuple[State, str, str]] = []
    torch, triton, numpy = (version_of(have.get(n, "")) for n in ("torch", "triton", "numpy"))
    in_range = mender.install(wanted_triton(wanted))
    if triton and triton < TRITON_FROM:
        text = f"Triton {have['triton']} is older than {dotted(TRITON_FROM)}"
        findings.append(("broken", f"{text}, the oldest that the course knows", in_range))
    if triton >= TRITON_BELOW:
        newest = f"{TRITON_BELOW[0]}.{TRITON_BELOW[1] - 1}"
        text = f"Triton {have['triton']} is untested: the newest tried is {newest}"
        findings.append(("limited", text, in_range))
    if triton and numpy >= NUMPY_WITH_NEW_LOOPS and triton < TRITON_WITH_NEW_LOOPS:
        text = f"numpy {have['numpy']} breaks loops in the interpreter of Triton {have['triton']}"
        findings.append(("broken", text, mender.install(f"numpy<{dotted(NUMPY_WITH_NEW_LOOPS)}")))
    if numpy and numpy < NUMPY_FROM:
        text = f"numpy {have['numpy']} is untested: the oldest tried is {dotted(NUMPY_FROM)}"
        findings.append(("limited", text, mender.install(f"numpy>={dotted(NUMPY_FROM)}")))
    if torch and torch < TORCH_FROM:
        text = f"torch {have['torch']} is untested: the oldest tried is {dotted(TORCH_FROM)}"
        findings.append(("limited", text, f"{mender.torch()} --upgrade"))
    if triton and wanted and version_of(wanted)[:3] != triton[:3]:
        text = f"torch {have['torch']} asks for Triton {wanted}, here is {have['triton']}"
        findings.append(("limited", text, in_range))
    for name, version in (("torch", torch), ("triton", triton), ("numpy", numpy)):
        if name in have and not version:
            text = f"{name} calls itself {have[name]!r}, which cannot be compared"
            findings.append(("limited", text, mender.install(name)))
    return findings


def wanted_triton(wanted: str | None) -> str:
    """Return the requirement for Triton: what torch was published with, else the range."""
    if wanted is not None and TRITON_FROM <= version_of(wanted) < TRITON_BELOW:
        return f"triton=={wanted}"
    return f"triton>={dotted(TRITON_FROM)},<{dotted(TRITON_BELOW)}"


def _in_range(have: dict[str, str], wanted: str | None) -> str:
    pair = (version_of(have["torch"])[:2], version_of(have["triton"])[:2])
    names = f"torch {dotted(pair[0])} + Triton {dotted(pair[1])}"
    asked = ", as torch asks" if wanted else ""
    if pair in TESTED:
        return f"{names}{asked}: tested"
    return f"{names}{asked}: in range, but this pair is untested; see the rows below"
