"""Datasheet figures of GPUs, from gpus.yaml: what predictions on other machines start from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, model_validator

from triton_path.course.faults import raise_for
from triton_path.course.fields import Line, Slug
from triton_path.course.source import CourseModel, parse_yaml
from triton_path.course.text import SourceError, read_text
from triton_path.errors import unknown_name
from triton_path.paths import own_content_dir

if TYPE_CHECKING:
    from pathlib import Path

    from typing_extensions import Self

FILE = "gpus.yaml"


class Source(CourseModel):
    """Where figures were taken from."""

    title: Line
    url: Line | None


class SpecFigure(CourseModel):
    """One figure of a datasheet."""

    value: Annotated[float, Field(gt=0)]
    source: Slug
    """A key of `sources`."""
    note: Line | None = None
    """What another source says, or what the figure does not cover."""


class Gpu(CourseModel):
    """One GPU."""

    id: Slug
    name: Line
    capability: Line
    """Compute capability, or AMD's architecture name."""
    multiprocessors: SpecFigure
    """Streaming multiprocessors, or compute units."""
    bandwidth_gb_s: SpecFigure
    """Memory bandwidth in GB/s (1e9 bytes)."""
    fp32_tflops: SpecFigure
    bf16_tflops: SpecFigure | None
    """None where the chip has no matrix units for bfloat16."""
    l2_mb: SpecFigure
    shared_kb: SpecFigure
    """Shared memory of a multiprocessor, KiB."""

    def figures(self) -> list[SpecFigure]:
        """Return all figures that this GPU has."""
        values = (getattr(self, name) for name in type(self).model_fields)
        return [value for value in values if isinstance(value, SpecFigure)]


class GpuTable(CourseModel):
    """All GPUs that a prediction can be made for."""

    sources: dict[Slug, Source]
    gpus: Annotated[list[Gpu], Field(min_length=1)]

    @model_validator(mode="after")
    def _sound(self) -> Self:
        names = [gpu.id for gpu in self.gpus]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"listed twice: {', '.join(twice)}")
        used = {figure.source for gpu in self.gpus for figure in gpu.figures()}
        unknown = sorted(used - set(self.sources))
        if unknown:
            raise ValueError(f"no such source: {', '.join(unknown)}")
        return self

    def find(self, name: str) -> Gpu:
        """Return the GPU `name`, in any case. Raises UsageFault with the nearest name."""
        by_id = {gpu.id: gpu for gpu in self.gpus}
        found = by_id.get(name.lower().replace(" ", "-").replace("_", "-"))
        if found is None:
            raise unknown_name("GPU", name, by_id, "triton-path bench list")
        return found


def load_gpus(content: Path) -> GpuTable:
    """Read gpus.yaml of the course folder `content`, or our own where it has none.

    Raises CourseFault with every fault.
    """
    if not (content / FILE).is_file():
        content = own_content_dir()  # a course of somebody else need not know any GPU
    try:
        source = parse_yaml(read_text(content / FILE, FILE), FILE)
        return source.validate(GpuTable)
    except SourceError as error:
        raise_for(error.faults)
        raise
