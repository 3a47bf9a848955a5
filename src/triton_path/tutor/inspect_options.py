"""The options of `triton-path inspect`, read from the words of a command line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.errors import MissingFault, UsageFault, unknown_name
from triton_path.jobs.inspect import LISTINGS, TARGETS, Argument, Build, InspectJob

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.jobs.inspect import Scalar

HELP = "triton-path inspect --help"
EXAMPLE = "triton-path inspect add.py:add_kernel"
TENSOR = re.compile(r"\*?([a-z]+\d*\w*)\[([\d\s,x]*)\]", re.IGNORECASE)
NAME_AND_VALUE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(.*\S)\s*")
MOST_WARPS = 32


@dataclass(frozen=True)
class Options:
    """The options of the command, as they were typed."""

    target: str
    arguments: Sequence[str] = ()
    constants: Sequence[str] = ()
    num_warps: str | None = None
    num_stages: str | None = None
    launch: str = "1"
    against: Sequence[str] = ()
    show: str | None = None


def parse_job(where: str, options: Options) -> InspectJob:
    """Read a whole command line. Raises UsageFault, or MissingFault where there is no file."""
    path, kernel = parse_where(where)
    constants = dict(map(parse_constant, options.constants))
    first = Build(
        label="",
        target=parse_target(options.target),
        num_warps=parse_warps(options.num_warps) if options.num_warps else None,
        num_stages=parse_count(options.num_stages, "--num-stages") if options.num_stages else None,
    )
    others = [parse_against(text, first) for text in options.against]
    if len({build.target for build in (first, *others)}) > 1:
        first = first.model_copy(update={"label": first.target})
    else:
        first = first.model_copy(update={"label": "as launched" if others else first.target})
    show = None
    if options.show is not None:
        show = parse_show(options.show, [first, *others])
    return InspectJob(
        path=str(path),
        kernel=kernel,
        launch=parse_count(options.launch, "--launch"),
        arguments=tuple(map(parse_argument, options.arguments)),
        constants=constants,
        builds=(first, *others),
        show=show,
    )


def parse_where(text: str) -> tuple[Path, str | None]:
    """Read FILE or FILE:KERNEL. Raises MissingFault unless the file exists."""
    path, kernel = Path(text), None
    if not path.exists() and ":" in text:
        before, _, after = text.rpartition(":")
        path, kernel = Path(before), after or None
    if path.is_dir():
        raise UsageFault(f"'{path}' is a folder; name a Python file.", hint=EXAMPLE)
    if not path.is_file():
        near = (
            sorted(item.name for item in path.parent.glob("*.py")) if path.parent.is_dir() else []
        )
        fault = unknown_name("file", str(path), near, EXAMPLE)
        raise MissingFault(fault.message, hint=fault.hint)
    return path.resolve(), kernel


def parse_target(text: str) -> str:
    """Read an architecture, or a GPU of gpus.yaml such as h200. Raises UsageFault."""
    plain = text.strip().lower().replace("-", "_")
    number = re.fullmatch(r"(?:sm_?|cc_?)?(\d+)\.?(\d*)[af]?", plain)
    name = f"sm_{number[1]}{number[2]}" if number else plain
    if name in TARGETS:
        return name
    capability = _capability(plain.replace("_", "-"))
    if capability is None:
        raise unknown_name("target", text, TARGETS, f"{HELP}   (targets: {', '.join(TARGETS)})")
    if capability not in TARGETS:
        raise UsageFault(
            f"{text} is {capability}, which is none of {', '.join(TARGETS)}.", hint=HELP
        )
    return capability


def _capability(gpu_id: str) -> str | None:
    """Return the architecture of a GPU of gpus.yaml, None where there is none of that name."""
    from triton_path.course.gpus import load_gpus
    from triton_path.paths import content_dir

    for gpu in load_gpus(content_dir()).gpus:
        if gpu.id == gpu_id:
            major, _, minor = gpu.capability.partition(".")
            return f"sm_{major}{minor}" if minor else gpu.capability
    return None


def parse_warps(text: str) -> int:
    """Read a number of warps: a power of two. Raises UsageFault."""
    number = int(text) if text.isdecimal() else 0
    if not 0 < number <= MOST_WARPS or number & (number - 1):
        raise UsageFault(
            f"'{text}' is no number of warps: 1, 2, 4, 8, 16 or 32.", hint="--num-warps 8"
        )
    return number


def parse_count(text: str, option: str) -> int:
    """Read a number from 1 on. Raises UsageFault."""
    if not text.isdecimal() or not 0 < int(text) < 1000:
        raise UsageFault(f"'{text}' is no number for {option}; write one from 1 on.", hint=HELP)
    return int(text)


def parse_argument(text: str) -> Argument:
    """Read NAME=fp32[1024,64], or NAME=1024. Raises UsageFault."""
    name, value = _split(text, "--arg", "x_ptr=fp32[1024,64] or n=1024")
    if tensor := TENSOR.fullmatch(value):
        sizes = [size for size in re.split(r"[\s,x]+", tensor[2]) if size]
        return Argument(name=name, dtype=tensor[1].lower(), shape=tuple(map(int, sizes)))
    found = scalar(value)
    if isinstance(found, str):
        raise UsageFault(
            f"'{value}' is neither a number nor a tensor.",
            hint=f"--arg {name}=fp32[1024,64]   or   --arg {name}=1024",
        )
    return Argument(name=name, value=found)


def parse_constant(text: str) -> tuple[str, Scalar]:
    """Read NAME=VALUE, a constexpr. Raises UsageFault."""
    name, value = _split(text, "--set", "BLOCK=128")
    return name, scalar(value)


def _split(text: str, option: str, example: str) -> tuple[str, str]:
    found = NAME_AND_VALUE.fullmatch(text)
    if found is None:
        raise UsageFault(f"'{text}' is not NAME=VALUE.", hint=f"{option} {example}")
    return found[1], found[2]


def scalar(text: str) -> Scalar:
    """Read a number, a truth value, or else a word."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip("'\"")


def parse_against(text: str, first: Build) -> Build:
    """Read what another build changes: parts joined by commas, such as target=sm_90,num_warps=8.

    Raises UsageFault.
    """
    changed: dict[str, object] = {"label": text.replace(",", ", ")}
    constants: dict[str, Scalar] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        if part == "unaligned":
            changed["unaligned"] = True
            continue
        name, value = _split(part, "--against", "num_warps=8, target=sm_90, unaligned, launch=2")
        name = name.replace("-", "_") if name.lower() == name else name
        if name == "target":
            changed["target"] = parse_target(value)
        elif name == "num_warps":
            changed[name] = parse_warps(value)
        elif name in ("num_stages", "launch"):
            changed[name] = parse_count(value, name)
        else:
            constants[name] = scalar(value)
    if len(changed) == 1 and not constants:
        raise UsageFault("--against needs something that changes.", hint="--against num_warps=8")
    return first.model_copy(update={**changed, "constants": constants})


def parse_show(text: str, builds: Sequence[Build]) -> str:
    """Read the name of a listing that every build has. Raises UsageFault."""
    if text not in LISTINGS:
        raise unknown_name("listing", text, LISTINGS, f"{HELP}   (one of {', '.join(LISTINGS)})")
    for build in builds:
        amd = build.target.startswith("gfx")
        if (text in ("ptx", "sass") and amd) or (text == "amdgcn" and not amd):
            instead = "amdgcn" if amd else "ptx or sass"
            raise UsageFault(
                f"{build.target} has no {text}: its assembly is {instead}.",
                hint=f"--show {instead.split()[0]}",
            )
    return text
