"""Where things are kept: the learner's data and the course folder, one override each."""

from __future__ import annotations

import os
from pathlib import Path

HOME_VARIABLE = "TRITON_PATH_HOME"
"""Environment variable that overrides the folder of the learner's data."""

CONTENT_VARIABLE = "TRITON_PATH_CONTENT"
"""Environment variable that overrides the course folder."""


def data_dir() -> Path:
    """Return the folder of the learner's data: progress, and their copies of demos."""
    override = os.environ.get(HOME_VARIABLE)
    if override:
        return Path(override).expanduser()
    from platformdirs import user_data_path

    return user_data_path("triton-path", appauthor=False)


def cache_dir() -> Path:
    """Return the folder of what can be made again; inside the data folder where that is set."""
    override = os.environ.get(HOME_VARIABLE)
    if override:
        return Path(override).expanduser() / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("triton-path", appauthor=False)


def content_dir() -> Path:
    """Return the course folder: the override, the checkout's own, or the one in the package.

    The checkout comes before the package: an editable install must not read a stale copy.
    """
    override = os.environ.get(CONTENT_VARIABLE)
    if override:
        return Path(override).expanduser()
    package = Path(__file__).resolve().parent
    checkout = package.parents[1]
    if (checkout / "pyproject.toml").is_file() and (checkout / "content").is_dir():
        return checkout / "content"
    return package / "content"
