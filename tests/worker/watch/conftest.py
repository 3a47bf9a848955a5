"""The watch works on interpreted kernels; where a GPU compiles them there is nothing to test."""

from __future__ import annotations

from pathlib import Path

import pytest

from triton_path.worker.triton_private import names

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if names.INTERPRETED:
        return
    compiled = pytest.mark.skip(reason="needs TRITON_INTERPRET=1; kernels are compiled here")
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(compiled)
