"""What a job raises when this machine lacks something it needs."""

from __future__ import annotations


class MissingHere(Exception):
    """A package, device or compiler is not here; `hint` is the command that mends it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
