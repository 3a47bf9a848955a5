"""Autotune without a GPU: the first configuration runs. Timing functions are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import triton.testing

from triton_path.worker.triton_private.names import Autotuner
from triton_path.worker.watch.standin import patch_driver

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.worker.triton_private.patching import Patches


@dataclass(frozen=True)
class Tuned:
    """How the kernel that is launched next was decorated."""

    configs: int
    """Configurations that a GPU would try."""
    chosen: str
    """The one that runs, as text."""
    restored: frozenset[str]
    """Arguments that the tuner resets or restores between tries."""
    judged: bool
    """Whether a second run on the same memory tells anything: no hook of the learner's runs."""

    @property
    def note(self) -> str:
        """One sentence for the report."""
        return f"autotune: ran the first of {self.configs} configurations ({self.chosen})"


def patch_tuning(
    patches: Patches, announce: Callable[[Tuned], None], refuse: Callable[[str], None]
) -> None:
    """Let autotuned kernels run, and timing end in `refuse`, which raises.

    `announce` gets what is known about a kernel just before its launch.
    """
    started: set[int] = set()

    def run(tuner: Any, *args: Any, **kwargs: Any) -> Any:
        tuner.nargs = dict(zip(tuner.arg_names, args, strict=False))
        configs = tuner.prune_configs(kwargs) if len(tuner.configs) > 1 else tuner.configs
        config = configs[0]
        everything = {**tuner.nargs, **kwargs, **config.all_kwargs()}
        if len(configs) > 1:
            if id(tuner) not in started:
                # A GPU resets once more after the last try.
                started.add(id(tuner))
                tuner.pre_hook(everything, reset_only=True)
            announce(_describe(tuner, len(configs), config))
        if config.pre_hook is not None:
            config.pre_hook(everything)
        tuner.best_config = config
        try:
            return tuner.fn.run(*args, **kwargs, **config.all_kwargs())
        finally:
            tuner.nargs = None

    patches.put(Autotuner, "run", run)
    for name in ("do_bench", "do_bench_cudagraph"):
        patches.put(triton.testing, name, _refusing(name, refuse))
    # A `do_bench` that was imported by name before still asks for a driver.
    patch_driver(patches, refuse)


def _describe(tuner: Any, configs: int, config: Any) -> Tuned:
    hooks = getattr(tuner, "user_defined_pre_hook", False) or config.pre_hook is not None
    return Tuned(
        configs=configs,
        chosen=str(config),
        restored=frozenset([*tuner.reset_to_zero, *tuner.restore_value]),
        judged=not hooks,
    )


def _refusing(name: str, refuse: Callable[[str], None]) -> Callable[..., None]:
    def refused(*_args: Any, **_named: Any) -> None:
        refuse(f"triton.testing.{name}")

    return refused
