"""What a person sees while a worker works."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triton_path.jobs.messages import Progress


@contextlib.contextmanager
def progress_shown() -> Iterator[Callable[[Progress], None]]:
    """Show on stderr what is being done, where that is a terminal; give what takes the news."""
    from triton_path.terminal.console import plain_console

    console = plain_console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("starting torch") as status:
        yield lambda step: status.update(_text(step))


def _text(step: Progress) -> str:
    return f"{step.text} ({step.done + 1} of {step.total})" if step.total else step.text
