"""Where things are kept: the learner's data and the course folder, one override each."""

from __future__ import annotations

import os
from pathlib import Path

from triton_path.errors import UsageFault

HOME_VARIABLE = "TRITON_PATH_HOME"
"""Environment variable that overrides the folder of the learner's data."""

CONTENT_VARIABLE = "TRITON_PATH_CONTENT"
"""Environment variable that overrides the course folder."""

WORKSPACE_VARIABLE = "TRITON_PATH_WORKSPACE"
"""Environment variable that overrides the folder of the learner's kernels."""

WORKSPACE_NAME = "triton-path-exercises"


def _override(variable: str) -> Path | None:
    """Return the folder that an environment variable names, if it is set. Raises UsageFault."""
    value = os.environ.get(variable)
    if not value:
        return None
    try:
        return Path(value).expanduser()
    except RuntimeError:  # ~NAME of nobody
        raise UsageFault(f"{variable} is '{value}', and there is no such user.") from None


def data_dir() -> Path:
    """Return the folder of the learner's data: progress, and their copies of demos."""
    override = _override(HOME_VARIABLE)
    if override:
        return override
    from platformdirs import user_data_path

    return user_data_path("triton-path", appauthor=False)


def cache_dir() -> Path:
    """Return the folder of what can be made again; inside the data folder where that is set."""
    override = _override(HOME_VARIABLE)
    if override:
        return override / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("triton-path", appauthor=False)


def workspace_dir(remembered: str | None) -> Path:
    """Return the folder of the learner's kernels: the override, the remembered one, or one here."""
    override = _override(WORKSPACE_VARIABLE)
    if override:
        return override
    return Path(remembered) if remembered else Path.cwd() / WORKSPACE_NAME


def content_dir() -> Path:
    """Return the course folder: the override, the checkout's own, or the one in the package.

    The checkout comes before the package: an editable install must not read a stale copy.
    """
    override = _override(CONTENT_VARIABLE)
    if override:
        return override
    return own_content_dir()


def own_content_dir() -> Path:
    """Return the course folder of the checkout, or the one in the package.

    The checkout comes first: an editable install must not read a stale copy.
    """
    package = Path(__file__).resolve().parent
    checkout = package.parents[1]
    if (checkout / "pyproject.toml").is_file() and (checkout / "content").is_dir():
        return checkout / "content"
    return package / "content"
