from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import REPOSITORY, Run
from triton_path import paths
from triton_path.errors import UsageFault
from triton_path.paths import CONTENT_VARIABLE, HOME_VARIABLE, cache_dir, content_dir, data_dir

if TYPE_CHECKING:
    from pathlib import Path


def test_the_learners_folder_can_be_chosen(home: Path) -> None:
    assert data_dir() == home
    assert cache_dir().parent == home


@pytest.mark.parametrize("value", [None, ""])
def test_without_a_choice_it_is_the_users_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if value is None:
        monkeypatch.delenv(HOME_VARIABLE)
    else:
        monkeypatch.setenv(HOME_VARIABLE, value)
    assert data_dir().is_relative_to(tmp_path)
    assert data_dir().name == "triton-path"


@pytest.mark.parametrize(
    ("variable", "folder"), [(HOME_VARIABLE, data_dir), (CONTENT_VARIABLE, content_dir)]
)
def test_a_tilde_is_the_users_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, folder: object
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(variable, "~/there")
    assert folder() == tmp_path / "there"  # type: ignore[operator]


def test_the_home_of_nobody_is_a_usage_fault(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv(HOME_VARIABLE, "~nobody-of-this-name/x")
    with pytest.raises(UsageFault, match="no such user"):
        data_dir()
    assert run("progress").code == 2


def test_the_course_is_the_override_then_the_checkout_then_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(CONTENT_VARIABLE, str(tmp_path))
    assert content_dir() == tmp_path
    monkeypatch.delenv(CONTENT_VARIABLE)
    assert content_dir() == REPOSITORY / "content"
    installed = tmp_path / "lib" / "site-packages" / "triton_path" / "paths.py"
    monkeypatch.setattr(paths, "__file__", str(installed))
    assert content_dir() == installed.parent / "content"
