"""Measures jobs on a GPU that is pretended: compiled for real, loaded and timed in name only.

Run as a program, without TRITON_INTERPRET: takes jobs as JSON in its arguments, prints a line each.
"""

from __future__ import annotations

import sys

from triton_path.jobs.bench import Device, Timing
from triton_path.jobs.inspect import InspectJob
from triton_path.worker.compiler import measure
from triton_path.worker.compiler.build import cache, use_target
from triton_path.worker.compiler.standins import cuda_on_cpu

DEVICE = Device(kind="gpu", name="pretended", driver="580.1", l2_bytes=1 << 20)


def timed(runs, _l2_bytes):
    for run in runs.values():
        run()
    return {
        name: Timing(value=9.0, unit="us", kind="measured", p20=8, p80=10, n=20) for name in runs
    }


measure.gpu_facts = lambda: DEVICE
measure.gpu_here = lambda: True
measure.read_clocks = lambda _: None
measure.time_on_gpu = timed

if __name__ == "__main__":
    target = use_target("sm_90")
    with cache(), cuda_on_cpu(target):
        for text in sys.argv[1:]:
            answer = measure.measure(InspectJob.model_validate_json(text), lambda _: None)
            sys.stdout.write(answer.model_dump_json() + "\n")
