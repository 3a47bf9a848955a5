"""Check the solution of every exercise on a GPU: its cases compiled and run, the large one timed.

Prints a line for each exercise and a count last; exit code 1 if one fails, 3 without a GPU.
It does what `triton-path practice check` does there, without the part in the interpreter.

    scripts/exercises_on_gpu.py [SLUG ...] [--seed N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
os.environ.pop("TRITON_INTERPRET", None)  # before Triton is imported: kernels are compiled
os.environ.setdefault("TRITON_PATH_HOME", str(Path(tempfile.gettempdir()) / "triton-path-on-gpu"))

import torch  # noqa: E402, F401 -- here, so that each process that is forked has it

from triton_path.course.loader import load_course  # noqa: E402
from triton_path.course.read_exercise import read_exercise  # noqa: E402
from triton_path.jobs.bench import BEST_EAGER, COMPILED, EAGER  # noqa: E402
from triton_path.jobs.practice import CompileJob, Finding, GpuResult  # noqa: E402
from triton_path.tutor.stars import stars  # noqa: E402

if TYPE_CHECKING:
    from triton_path.course.exercises import Exercise
    from triton_path.course.faults import Fault

COURSE = ROOT / "content"
SECONDS = 180
"""Longest time for one exercise."""
SEED = 4711
OTHERS = (EAGER, BEST_EAGER, COMPILED)
HEADINGS = ("exercise", "cases", "us", "of limit", "stars", *OTHERS, "s")
ROW = "{:<26} {:>7} {:>9} {:>9} {:>5} {:>7} {:>10} {:>13} {:>6}"


@dataclass
class Outcome:
    """What came of one exercise."""

    slug: str
    seconds: float
    runnable: int = 0
    """Cases that have memory, and so can be run."""
    gpu: GpuResult | None = None
    fault: str = ""

    @property
    def of_limit(self) -> float | None:
        """The share of the limit that the solution reaches."""
        return self.gpu.providers[0].of_limit if self.gpu and self.gpu.providers else None

    @property
    def stars(self) -> int:
        """As a learner would get them."""
        return stars(not self.fault, self.of_limit)

    def line(self) -> str:
        """Return the row of the table, and below it what is to be said."""
        cases = f"{self.gpu.cases if self.gpu else 0}/{self.runnable}"
        times = {p.name: p.time.value for p in self.gpu.providers} if self.gpu else {}
        own = next(iter(times.values()), None)
        ratios = [f"{times[name] / own:.2f}x" if own and name in times else "-" for name in OTHERS]
        share = "-" if self.of_limit is None else f"{100 * self.of_limit:.1f} %"
        micro = "-" if own is None else f"{own:.1f}"
        row = ROW.format(self.slug, cases, micro, share, self.stars, *ratios, f"{self.seconds:.1f}")
        said = [f"  ! {self.fault}"] if self.fault else []
        if self.gpu and self.gpu.untimed:
            said.append(f"    not timed: {self.gpu.untimed}")
        return "\n".join([row, *said])

    def log(self) -> dict[str, Any]:
        """Return all that is known, for --json."""
        return {
            "exercise": self.slug,
            "seconds": round(self.seconds, 2),
            "stars": self.stars,
            "cases": self.runnable,
            "fault": self.fault,
            "gpu": self.gpu.model_dump(mode="json") if self.gpu else None,
        }


def measure_here(exercise: Exercise, seed: int) -> dict[str, Any]:
    """Check the solution in this process, which must not have used CUDA before it was forked."""
    # Ahead of the solution, as in a worker: it measures with torch's functions as they are now.
    from triton_path.worker.practice import gpu
    from triton_path.worker.practice.cases import planned
    from triton_path.worker.practice.learner import load

    grading = exercise.about.grading
    job = CompileJob(
        path=str(exercise.solution.path),
        exercise=exercise.id,
        reference=str(exercise.reference.path),
        grading=grading,
        seed=seed,
    )
    finding, result = gpu.measure(job, load(exercise.solution.path, grading))
    return {
        "runnable": sum(not case.case.memoryless for case in planned(grading, seed)),
        "finding": finding.model_dump(mode="json") if finding else None,
        "gpu": result.model_dump(mode="json") if result else None,
    }


def measure(exercise: Exercise, seed: int) -> Outcome:
    """Check the solution in a process of its own: an illegal access costs this exercise alone."""
    began = time.monotonic()
    read_end, write_end = os.pipe()
    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if child == 0:
            os.close(read_end)
            _become_child(exercise, seed, write_end, printed.fileno())
        os.close(write_end)
        answer = _answer(read_end, child)
        os.waitpid(child, 0)
        os.close(read_end)
        seconds = time.monotonic() - began
        if not answer:
            printed.seek(0)
            lines = printed.read().decode(errors="replace").strip().splitlines()
            return Outcome(exercise.id, seconds, fault="\n    ".join(lines[-6:] or ["it crashed"]))
    told = json.loads(answer)
    result = GpuResult.model_validate(told["gpu"]) if told["gpu"] else None
    outcome = Outcome(exercise.id, seconds, told["runnable"], result)
    if told["finding"]:
        finding = Finding.model_validate(told["finding"])
        place = f" (line {finding.place.line})" if finding.place else ""
        outcome.fault = f"{finding.kind}: {finding.sentence}{place}"
    elif result is None:
        outcome.fault = "Triton can use no GPU here."
    elif result.cases < outcome.runnable:
        outcome.fault = "Not all cases were run."
    elif exercise.about.grading.timing is not None and not result.providers:
        outcome.fault = "The timed case was not timed."
    return outcome


def _become_child(exercise: Exercise, seed: int, write_end: int, printed: int) -> None:
    try:
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        answer = json.dumps(measure_here(exercise, seed)).encode()
        while answer:
            answer = answer[os.write(write_end, answer) :]
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(0)  # what CUDA would clean up may be broken


def _answer(read_end: int, child: int) -> bytes:
    """Return what the child says until it ends; nothing where it takes too long."""
    answer, end = b"", time.monotonic() + SECONDS
    while True:
        ready, _, _ = select.select([read_end], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            os.kill(child, signal.SIGKILL)
            return b""
        part = os.read(read_end, 1 << 16)
        if not part:
            return answer
        answer += part


def exercises(wanted: list[str]) -> list[Exercise]:
    """Return the exercises to check; leaves the program where the course is broken."""
    known = load_course(COURSE).exercises
    unknown = [slug for slug in wanted if slug not in known]
    if unknown:
        raise SystemExit(f"There is no exercise '{unknown[0]}' in course.yaml.")
    faults: list[Fault] = []
    found = [read_exercise(COURSE, slug, faults) for slug in wanted or known]
    broken = [fault for fault, exercise in zip(faults, found, strict=False) if exercise is None]
    if None in found:
        raise SystemExit(f"The course is broken: {(broken or faults)[0]}")
    return [exercise for exercise in found if exercise is not None]


def main() -> int:
    """Check all that were asked for, one after the other: timings share no GPU."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="exercises; all without one")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the data; {SEED} without it")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all that was measured")
    options = parser.parse_args()
    every = exercises(options.slugs)
    if not any(Path(name).exists() for name in ("/dev/nvidiactl", "/dev/kfd")):
        print("No GPU is here: the exercises were not run on one.")
        return 3
    print(ROW.format(*HEADINGS))
    outcomes = []
    for exercise in every:
        outcomes.append(measure(exercise, options.seed))
        print(outcomes[-1].line(), flush=True)
    results = [outcome.gpu for outcome in outcomes if outcome.gpu]
    if results:
        first = results[0]
        print(f"{first.device}, driver {first.driver}, torch {first.torch}, Triton {first.triton}")
    good = sum(not outcome.fault for outcome in outcomes)
    timed = sum(outcome.of_limit is not None for outcome in outcomes)
    print(f"{good} of {len(outcomes)} exercises are right on this GPU, {timed} were timed.")
    if options.json:
        log = {"seed": options.seed, "exercises": [outcome.log() for outcome in outcomes]}
        options.json.write_text(json.dumps(log, indent=2) + "\n")
    return 0 if outcomes and good == len(outcomes) else 1


if __name__ == "__main__":
    raise SystemExit(main())
