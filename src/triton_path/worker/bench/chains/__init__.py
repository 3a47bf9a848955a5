"""The chains of the benches, a file each; `find` gets one by its name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from triton_path.jobs.benches import BENCHES

if TYPE_CHECKING:
    from triton_path.jobs.bench import Case
    from triton_path.worker.bench.chain import Chain


def find(name: str, case: Case) -> Chain:
    """Return the chain `name` for one case. Raises KeyError for a name that is no bench."""
    bench = BENCHES[name]
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    chain: Chain = module.chain(case, name, bench.about)
    return chain
