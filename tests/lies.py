"""Reports of `bench lies` for tests: figures that a test can choose."""

from __future__ import annotations

from triton_path.course.lies import load_stories
from triton_path.jobs.bench import Device, Figure, Timing
from triton_path.jobs.lies import NAMES, LieReport, LiesReport, Pair
from triton_path.paths import own_content_dir
from triton_path.tutor.lies import with_stories

GPU_ONLY = ("no-sync", "tf32")


def timing(us: float) -> Timing:
    return Timing(value=us, unit="us", kind="measured", p20=us * 0.9, p80=us * 1.2, n=40)


def pair(false_us: float = 28.71, true_us: float = 201.9, **changes: object) -> Pair:
    """Return a pair of times, any field of it changed."""
    ratio = max(false_us, true_us) / min(false_us, true_us)
    factor = Figure(value=ratio, unit="x", kind="measured")
    made = Pair(
        what="spread, p80 - p20 of median",
        false=timing(false_us),
        true=timing(true_us),
        factor=factor,
        shows=True,
    )
    return made.model_copy(update=changes)


def shown(name: str, *pairs: Pair) -> LieReport:
    setting = "x + y of 87381 floats, 1.0 MB in all. " * 3
    return LieReport(name=name, state="shown", setting=setting, pairs=pairs or (pair(), pair()))


def report(*lies: LieReport, gpu: bool = False) -> LiesReport:
    """Return a report of `lies`; without any, of all twelve as a machine shows them."""
    if not lies:
        lies = tuple(
            shown(name)
            if gpu or name not in GPU_ONLY
            else LieReport(name=name, state="needs a GPU")
            for name in NAMES
        )
    device = Device(kind="gpu" if gpu else "cpu", name="NVIDIA H200" if gpu else "x86_64")
    bare = LiesReport(
        date="2026-12-01T12:00:00+00:00",
        seconds=17.2,
        versions={"torch": "2.13.0+cpu"},
        device=device if gpu else device.model_copy(update={"threads": 1}),
        lies=lies,
    )
    return with_stories(bare, load_stories(own_content_dir()))
