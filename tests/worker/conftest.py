"""Kernels run compiled where a GPU is, else in Triton's interpreter; decided before its import."""

from __future__ import annotations

import os

import pytest
import torch

ON_GPU = torch.cuda.is_available()
if not ON_GPU:
    os.environ["TRITON_INTERPRET"] = "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    no_gpu = pytest.mark.skip(reason="needs a GPU that Triton can compile for; none is here")
    for item in items:
        if not ON_GPU and item.get_closest_marker("gpu"):
            item.add_marker(no_gpu)


@pytest.fixture
def device() -> str:
    return "cuda" if ON_GPU else "cpu"
