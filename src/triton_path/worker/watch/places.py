"""Finds the learner's line: the innermost frame that is neither Triton's nor the watch's."""

from __future__ import annotations

import linecache
import os
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from triton_path.jobs.watch import Place
from triton_path.worker.triton_private import names

if TYPE_CHECKING:
    from types import CodeType, FrameType, TracebackType

Site = tuple["CodeType", int]
"""A code object and the offset of an instruction in it: one expression of a kernel."""


def _folder(file: str) -> str:
    return str(Path(file).resolve().parent) + os.sep


_WATCH = _folder(__file__)
_WORKER = str(Path(_WATCH).parent) + os.sep
_FOREIGN = (
    names.FOLDER,
    _WATCH,
    # What runs a file and leads it to the CPU; the worker's own kernels are none of these.
    _WORKER + "trace" + os.sep,
    _WORKER + "compiler" + os.sep,
    _WORKER + "practice" + os.sep,
    _folder(names.__file__),
    _folder(np.__file__),
    _folder(torch.__file__),
)
_STANDARD = _folder(os.__file__)
_PACKAGES = ("site-packages", "dist-packages")
"""Folders inside of the standard library's that hold what was installed."""
_SELF_TEST = _WATCH + "selftest.py"
"""Its kernel stands for a learner's."""
_own: dict[CodeType, bool] = {}


def is_learners(code: CodeType) -> bool:
    """Tell whether `code` is from a file outside Triton, NumPy, torch, Python and the watch."""
    known = _own.get(code)
    if known is None:
        known = _own[code] = _is_learners(code)
    return known


def _is_learners(code: CodeType) -> bool:
    name = code.co_filename
    if name.startswith(("<frozen", "<__array_function__", "<string>")):
        return False  # the last is what dataclasses and named tuples are made of
    real = os.path.realpath(name)
    if real.startswith(_STANDARD):
        return any(folder in real for folder in _PACKAGES) and not real.startswith(_FOREIGN)
    return real == _SELF_TEST or not real.startswith(_FOREIGN)


def learner_frame(frame: FrameType | None) -> FrameType | None:
    """Return the innermost learner's frame at or above `frame`."""
    while frame is not None and not is_learners(frame.f_code):
        frame = frame.f_back
    return frame


def current_site(depth: int) -> Site:
    """Return the learner's expression that runs now, looked for from `depth` frames up."""
    frame = learner_frame(sys._getframe(depth))
    if frame is None:
        frame = sys._getframe(depth)
    return frame.f_code, frame.f_lasti


def place_of(site: Site) -> Place:
    """Turn a site into a place with its source line and, from Python 3.11, its columns."""
    code, offset = site
    line, end_line, column, end_column = _position(code, offset)
    source = linecache.getline(code.co_filename, line).rstrip()
    if column is not None and not source.isascii():
        # The compiler counts columns in bytes of UTF-8.
        column = len(source.encode()[:column].decode(errors="ignore"))
        if end_column is not None and end_line == line:
            end_column = len(source.encode()[:end_column].decode(errors="ignore"))
    return Place(
        file=code.co_filename,
        line=line,
        end_line=end_line,
        column=column,
        end_column=end_column,
        function=code.co_name,
        source=source,
    )


def _position(code: CodeType, offset: int) -> tuple[int, int, int | None, int | None]:
    if hasattr(code, "co_positions"):
        found = next(islice(code.co_positions(), offset // 2, None), None)
        if found is not None and found[0] is not None:
            return found[0], found[1] or found[0], found[2], found[3]
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= offset < end and number is not None:
            line = number
    return line, line, None, None


def definition_of(code: CodeType) -> Place:
    """Return the place of a function's `def` line."""
    line = code.co_firstlineno
    source = linecache.getline(code.co_filename, line).rstrip()
    return Place(
        file=code.co_filename,
        line=line,
        end_line=line,
        column=None,
        end_column=None,
        function=code.co_name,
        source=source,
    )


def calls_above(frame: FrameType | None, stop: CodeType) -> tuple[Place, ...]:
    """Return the learner's calls between the kernel `stop` and `frame`, outermost first."""
    found: list[Place] = []
    inner = learner_frame(frame)
    frame = inner
    while frame is not None and frame.f_code is not stop:
        frame = frame.f_back
        if frame is not None and is_learners(frame.f_code):
            found.append(place_of((frame.f_code, frame.f_lasti)))
    return tuple(reversed(found)) if frame is not None else ()


def learner_sites(trace: TracebackType | None) -> list[Site]:
    """Return the learner's frames of a traceback, outermost first."""
    sites = []
    while trace is not None:
        if is_learners(trace.tb_frame.f_code):
            sites.append((trace.tb_frame.f_code, trace.tb_lasti))
        trace = trace.tb_next
    return sites
