"""Figures that a lesson quotes from a bench are those of the report that the bench wrote."""

from __future__ import annotations

from tests.reports import on_h200
from triton_path.paths import content_dir

LESSON = content_dir() / "lessons" / "01-introduction"


def microseconds() -> dict[str, float]:
    return {
        provider.name: provider.time.value
        for provider in on_h200().providers
        if (provider.rows, provider.width) == (16384, 4096) and provider.time is not None
    }


def test_the_introduction_quotes_the_measured_times() -> None:
    us = microseconds()
    text = " ".join((LESSON / "lesson.md").read_text().split())
    assert f"one H200 takes {us['eager']:.0f} us for the ten kernels" in text
    assert f"{us['best eager']:.0f} us for the three" in text
    assert f"{us['Triton fused']:.0f} us for one fused Triton kernel" in text
    assert f"is {us['eager'] / us['Triton fused']:.1f} times" in text


def test_the_case_study_quotes_the_measured_times() -> None:
    us = microseconds()
    text = " ".join((LESSON / "case_study.yaml").read_text().split())
    assert f"On her H200 the ten take {us['eager']:.0f} us" in text
    assert f"measured {us['Triton fused']:.0f} us on one H200" in text
    assert f"{us['eager'] / us['Triton fused']:.1f} times less than {us['eager']:.0f}" in text
    assert f"took {us['best eager']:.0f} us, `torch.compile` {us['torch.compile']:.0f}" in text
