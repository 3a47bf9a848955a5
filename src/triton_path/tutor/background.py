"""One long call in a thread, while a screen goes on answering keys."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Background(Generic[T]):
    """Runs one call at a time; a context manager, which ends the call that runs when it is left.

    `fd` is readable once a call has ended and until its result was taken.
    """

    def __init__(self, patience_s: float = 2.0) -> None:
        """Prepare; on leaving, a call that was asked to end is waited for so long."""
        self._patience_s = patience_s
        self._thread: threading.Thread | None = None
        self._cancel = threading.Event()
        self._ended = threading.Event()
        self._result: T | None = None
        self._error: BaseException | None = None
        self.fd, self._write_fd = os.pipe()

    def __enter__(self) -> Background[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        if self._thread is not None:
            self._thread.join(self._patience_s)
            if self._thread.is_alive():
                return  # it would write to a descriptor that is another file's by then
        os.close(self.fd)
        os.close(self._write_fd)

    @property
    def busy(self) -> bool:
        """Whether a call runs, or its result was not taken yet."""
        return self._thread is not None

    @property
    def ended(self) -> bool:
        """Whether a result waits to be taken."""
        return self.busy and self._ended.is_set()

    def start(self, call: Callable[[Callable[[], bool]], T]) -> None:
        """Begin `call`, which is given a function that says whether it should end early."""
        assert not self.busy
        self._cancel = cancel = threading.Event()
        self._ended.clear()
        self._thread = threading.Thread(
            target=self._run, args=(call, cancel.is_set), name="check", daemon=True
        )
        self._thread.start()

    def cancel(self) -> None:
        """Ask the call that runs to end early; its result still has to be taken."""
        self._cancel.set()

    def take(self) -> T:
        """Return what the call returned, or raise what it raised; waits for its end."""
        assert self._thread is not None
        os.read(self.fd, 1)
        self._thread.join()
        self._thread = None
        error, result = self._error, self._result
        self._error = self._result = None
        if error is not None:
            raise error
        return result  # type: ignore[return-value]

    def _run(self, call: Callable[[Callable[[], bool]], T], cancelled: Callable[[], bool]) -> None:
        try:
            self._result = call(cancelled)
        except BaseException as error:  # it is raised again where the result is taken
            self._error = error
        finally:
            self._ended.set()
            os.write(self._write_fd, b"e")
