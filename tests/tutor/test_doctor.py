from __future__ import annotations

import os
import re
import sqlite3
from typing import TYPE_CHECKING

import pytest

from tests.conftest import REPOSITORY, SmallCourse
from triton_path.jobs.bench import Timing
from triton_path.jobs.doctor import CompilerFound, GpuFound, PackageFound, Tried
from triton_path.progress.file import FILE_NAME
from triton_path.progress.store import open_store
from triton_path.tutor.doctor import folders, here, packages, running
from triton_path.tutor.doctor.cold import Died, how_it_ended
from triton_path.tutor.doctor.mend import CPU_WHEELS, Mender
from triton_path.tutor.doctor.report import NEEDED, NEXT, Report, Row, by_id, is_fault, report

if TYPE_CHECKING:
    from pathlib import Path

MENDER = Mender()
PIP = "python -m pip install"
ALL = ("python", "torch", "triton", "numpy", "fit", "interpreter", "compile",
       "gpu", "cxx", "terminal", "editor", "store", "course", "workspace", "cache")  # fmt: skip


def row(name: str, state: str = "works", mend: str | None = None) -> Row:
    return Row.model_validate(
        {"id": name, "state": state, "found": "x", "enables": "y", "mend": mend}
    )


def rows(**states: str) -> list[Row]:
    return [row(name, states.get(name, "works"), f"mend {name}") for name in ALL]


def above(**states: str) -> dict[str, Row]:
    return by_id(rows(**states))


# What the rows add up to


def test_all_is_well():
    found = report(rows())
    assert (found.faults, found.cannot, found.next) == ((), (), NEXT)


def test_a_machine_without_a_gpu_is_fine():
    found = report(rows(gpu="missing"))
    assert (found.faults, found.next) == ((), NEXT)
    assert found.cannot == ("time kernels on a GPU",)


def test_a_gpu_that_is_here_and_fails_is_a_fault():
    found = report(rows(gpu="broken"))
    assert (found.faults, found.next) == (("gpu",), "mend gpu")


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("state", ["missing", "broken"])
def test_what_is_needed_is_a_fault(name, state):
    found = report(rows(**{name: state}))
    assert (found.faults, found.next) == ((name,), f"mend {name}")


@pytest.mark.parametrize("name", sorted(set(ALL) - set(NEEDED) - {"gpu"}))
def test_what_is_good_to_have_is_none(name):
    assert report(rows(**{name: "broken"})).faults == ()


def test_what_is_limited_is_no_fault():
    assert report(rows(fit="limited", python="limited")).faults == ()


def test_the_first_fault_is_mended_first():
    assert report(rows(torch="missing", interpreter="missing")).next == "mend torch"


def test_lessons_need_no_torch_and_kernels_no_store():
    assert "read lessons and answer quizzes" in report(rows(torch="broken")).can
    assert "read lessons and answer quizzes" in report(rows(store="broken")).cannot
    assert "run and check kernels in Triton's interpreter" in report(rows(store="broken")).can


def test_the_document_names_its_schema_first_and_reads_back():
    text = report(rows()).model_dump_json(by_alias=True)
    assert text.startswith('{"schema":"triton-path/doctor/1","rows":[{"id":"python","state":')
    assert Report.model_validate_json(text) == report(rows())


# Packages


def test_the_ranges_are_those_of_the_package():
    text = (REPOSITORY / "pyproject.toml").read_text()
    oldest, below = re.search(r'"triton>=([\d.]+),<([\d.]+);', text).groups()
    assert (packages.version_of(oldest), packages.version_of(below)) == (
        packages.TRITON_FROM,
        packages.TRITON_BELOW,
    )
    assert packages.version_of(re.search(r'"torch>=([\d.]+)"', text)[1]) == packages.TORCH_FROM
    assert packages.version_of(re.search(r'"numpy>=([\d.]+)"', text)[1]) == packages.NUMPY_FROM
    python = packages.version_of(re.search(r'requires-python = ">=([\d.]+)"', text)[1])
    assert python == packages.OLDEST_PYTHON


def test_a_package_that_works():
    found = PackageFound(version="2.13.0+cu128", build="CUDA 12.8")
    made = packages.package_row("torch", found, MENDER)
    assert (made.state, made.found, made.mend) == ("works", "2.13.0+cu128, CUDA 12.8", None)


@pytest.mark.parametrize(
    ("name", "mender", "mend"),
    [
        ("numpy", MENDER, f"{PIP} numpy"),
        ("triton", MENDER, f"{PIP} 'triton>=3.4,<3.10'"),
        ("torch", MENDER, f"{PIP} torch --index-url {CPU_WHEELS}"),
        ("torch", Mender(nvidia=True), f"{PIP} torch"),
        ("torch", Mender(platform="darwin"), f"{PIP} torch"),
        ("triton", Mender(platform="darwin"), None),
        ("triton", Mender(platform="win32"), "wsl --install"),
    ],
)
def test_a_package_that_is_missing(name, mender, mend):
    made = packages.package_row(name, PackageFound(), mender)
    assert (made.state, made.mend) == ("missing", mend)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (PackageFound(fault="OSError: libx.so"), "OSError: libx.so"),
        (Died("ended its process by SIGABRT"), "importing it ended its process by SIGABRT"),
    ],
)
def test_a_package_that_is_broken(found, text):
    made = packages.package_row("numpy", found, MENDER)
    assert (made.state, made.found) == ("broken", text)
    assert made.mend == f"{PIP} --force-reinstall numpy"


def fit(torch: str, triton: str, numpy: str, wants: str | None = None) -> Row:
    return packages.fit_row(
        PackageFound(version=torch, wants_triton=wants),
        PackageFound(version=triton),
        PackageFound(version=numpy),
        MENDER,
    )


@pytest.mark.parametrize(
    ("versions", "state", "said", "mend"),
    [
        (("2.13.0+cpu", "3.7.1", "2.4.6"), "works", "torch 2.13 + Triton 3.7: tested", None),
        (("2.13.0", "3.7.1", "2.4.6", "3.7.1"), "works", "as torch asks: tested", None),
        (("2.12.0", "3.6.0", "2.3.1"), "works", "in range, but this pair is untested", None),
        (("2.13.0", "3.9.0", "2.4.6"), "works", "untested", None),
        (("2.9.0", "3.6.0", "2.4.0"), "broken", "breaks loops", f"{PIP} 'numpy<2.4'"),
        (("2.9.0", "3.6.0", "2.3.9"), "works", "untested", None),
        (("2.13.0", "3.10.0", "2.4.6"), "limited", "untested: the newest tried is 3.9",
         f"{PIP} 'triton>=3.4,<3.10'"),
        (("2.6.0", "3.2.0", "2.1.0", "3.2.0"), "broken", "older than 3.4",
         f"{PIP} 'triton>=3.4,<3.10'"),
        (("2.13.0", "3.6.0", "2.3.0", "3.7.1"), "limited", "asks for Triton 3.7.1, here is 3.6.0",
         f"{PIP} triton==3.7.1"),
        (("2.13.0", "3.7.1", "1.24.0"), "limited", "numpy 1.24.0 is untested",
         f"{PIP} 'numpy>=1.26'"),
        (("2.7.1", "3.7.1", "2.0"), "limited", "torch 2.7.1 is untested",
         f"{PIP} torch --index-url {CPU_WHEELS} --upgrade"),
        (("main", "3.7.1", "2.0"), "limited", "cannot be compared", f"{PIP} torch"),
    ],
)  # fmt: skip
def test_what_fits(versions, state, said, mend):
    made = fit(*versions)
    assert (made.state, made.mend) == (state, mend)
    assert said in made.found


def test_the_worst_finding_counts_and_all_are_said():
    made = fit("2.7.0", "3.6.0", "2.4.0")
    assert (made.state, made.mend) == ("broken", f"{PIP} 'numpy<2.4'")
    assert "torch 2.7.0 is untested" in made.found


def test_without_a_package_nothing_is_compared():
    made = packages.fit_row(PackageFound(), Died("x"), PackageFound(version="2.0"), MENDER)
    assert (made.state, made.found) == ("limited", "not judged without torch and triton")


def test_python():
    assert packages.python_row((3, 11, 7), "Linux x86_64", "forks").state == "works"
    assert packages.python_row((3, 9, 1), "Linux x86_64", "forks").state == "broken"
    windows = packages.python_row((3, 12, 0), "Windows AMD64", "nothing")
    assert (windows.state, windows.mend) == ("limited", "wsl --install")
    slow = packages.python_row((3, 12, 0), "Linux x86_64", "afresh")
    assert (slow.state, slow.mend) == ("limited", None)
    assert "waits for the import of torch" in slow.found


# What runs


def test_a_self_test_that_passed():
    made = running.self_test_row("interpreter", Tried(did="ran"), above(), MENDER)
    assert (made.state, made.found, made.mend) == ("works", "ran", None)


@pytest.mark.parametrize("found", [Tried(fault="bad"), Died("bad")])
def test_a_self_test_that_failed_is_mended_by_versions_that_fit(found):
    made = running.self_test_row("compile", found, above(fit="broken"), MENDER)
    assert (made.state, made.mend) == ("broken", "mend fit")
    fine = {**above(), "fit": row("fit"), "triton": Row(id="triton", state="works", found="3.7.1",
                                                       enables="")}  # fmt: skip
    made = running.self_test_row("compile", found, fine, MENDER)
    assert made.mend == f"{PIP} --force-reinstall triton==3.7.1"


def test_a_self_test_needs_its_packages_and_the_compiler_no_torch():
    before = above(torch="broken")
    made = running.self_test_row("interpreter", Tried(fault="x"), before, MENDER)
    assert (made.state, made.found) == ("missing", "not tried: torch is broken")
    assert made.mend == "mend torch"
    assert running.self_test_row("compile", Tried(), before, MENDER).state == "works"


COPY = Timing(value=500.0, unit="us", kind="measured", p20=490, p80=520, n=80)
H200 = GpuFound(
    name="NVIDIA H200",
    driver="570.1",
    capability="9.0",
    torch_build="CUDA 12.8",
    usable=True,
    copy_time=COPY,
    copy_bytes=2 << 30,
)
UNSEEN = GpuFound(name="NVIDIA A100", driver="535.1", torch_build="CUDA 13.0", fault="too old")


def gpu(found: GpuFound | Died, hidden: str | None = None, **states: str) -> Row:
    return running.gpu_row(found, above(**states), hidden, Mender(nvidia=True))


def test_a_gpu_that_works_says_what_was_measured():
    made = gpu(H200)
    assert made.state == "works"
    assert "NVIDIA H200, compute capability 9.0, driver 570.1" in made.found
    assert "4295 GB/s (measured, cold, median of 80, 490 .. 520 us)" in made.found
    copy = running.copy_of(H200)
    assert (copy.device, copy.bandwidth.unit, copy.bandwidth.kind) == (
        "NVIDIA H200", "GB/s", "measured")  # fmt: skip


def test_without_memory_there_is_no_figure():
    made = gpu(H200.model_copy(update={"copy_time": None}))
    assert made.state == "works"
    assert "GB/s" not in made.found
    assert running.copy_of(Died("x")) is None


def test_no_gpu():
    made = gpu(GpuFound())
    assert (made.state, made.mend) == ("missing", None)


@pytest.mark.parametrize(
    ("found", "hidden", "state", "said", "mend"),
    [
        (H200.model_copy(update={"usable": False, "capability": "6.1"}), None, "limited",
         "7.0 and newer", ""),
        (H200.model_copy(update={"fault": "wrote wrong values"}), None, "broken",
         "wrote wrong values", "--upgrade torch triton"),
        (H200.model_copy(update={"fault": "Failed to find C compiler"}), None, "broken",
         "C compiler", "apt-get install gcc"),
        (H200.model_copy(update={"fault": "fatal error: Python.h"}), None, "broken",
         "Python.h", "apt-get install python3-dev"),
        (UNSEEN, None, "broken", "cannot use it: too old", "cu126"),
        (UNSEEN, "", "limited", "hidden", "unset CUDA_VISIBLE_DEVICES"),
        (UNSEEN, "-1", "limited", "hidden", "unset CUDA_VISIBLE_DEVICES"),
        (UNSEEN.model_copy(update={"torch_build": "CPU build"}), None, "limited", "CPU build",
         f"{PIP} --force-reinstall torch"),
        (GpuFound(device_file=True), None, "limited", "container", "--gpus all"),
        (Died("ended its process by SIGSEGV"), None, "broken", "SIGSEGV", "torch"),
    ],
)  # fmt: skip
def test_a_gpu_that_does_not_work(found, hidden, state, said, mend):
    made = gpu(found, hidden)
    assert made.state == state
    assert said in made.found
    assert mend in (made.mend or "")


def test_a_gpu_waits_for_torch_and_triton():
    assert gpu(Died("x"), torch="broken").found == "not tried: torch is broken"
    assert gpu(H200, triton="missing").mend == "mend triton"
    unseen = UNSEEN.model_copy(update={"torch_build": None})
    assert gpu(unseen, torch="missing").mend == "mend torch"


@pytest.mark.parametrize(
    ("found", "mender", "state", "mend"),
    [
        (CompilerFound(command="g++"), MENDER, "works", None),
        (CompilerFound(), MENDER, "missing", "sudo apt-get install g++"),
        (CompilerFound(), Mender(root=True), "missing", "apt-get install g++"),
        (CompilerFound(), Mender(manager="dnf"), "missing", "sudo dnf install gcc-c++"),
        (CompilerFound(command="g++", fault="x"), MENDER, "broken", "sudo apt-get install g++"),
        (CompilerFound(command="g++", lacks=("Python.h",)), Mender(manager="dnf"), "limited",
         "sudo dnf install python3-devel"),
        (CompilerFound(command="g++", lacks=("OpenMP",)), Mender(manager="brew"), "limited",
         "brew install libomp"),
        (Died("x"), MENDER, "broken", "sudo apt-get install g++"),
    ],
)  # fmt: skip
def test_the_cxx_compiler(found, mender, state, mend):
    made = running.cxx_row(found, mender)
    assert (made.state, made.mend) == (state, mend)


def test_how_a_process_ended():
    assert how_it_ended(-6, "a\n what(): b \n\n") == "ended its process by SIGABRT: what(): b"
    assert how_it_ended(3, "") == "ended its process with exit code 3"


# Here


@pytest.mark.parametrize(
    ("change", "state", "said", "mend"),
    [
        ({}, "works", "80x24, colour, Unicode", None),
        ({"colour": False}, "works", "no colour", None),
        ({"manner": "none"}, "limited", "pipe", "triton-path doctor   (in a terminal, not piped)"),
        ({"manner": "lines", "term": "dumb"}, "limited", "line by line",
         "export TERM=xterm-256color"),
        ({"encoding": "ascii"}, "limited", "ascii", "export LANG=C.UTF-8"),
        ({"columns": 40}, "limited", "60 columns", "resize -s 24 80   (or make the window larger)"),
    ],
)  # fmt: skip
def test_the_terminal(change, state, said, mend, monkeypatch):
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    fine = {"manner": "screen", "columns": 80, "rows": 24, "colour": True,
            "encoding": "utf-8", "term": "xterm"}  # fmt: skip
    made = here.terminal_row(here.Terminal(**{**fine, **change}))
    assert (made.state, made.mend) == (state, mend)
    assert said in made.found


def test_the_editor_is_the_one_that_demos_open(monkeypatch, tmp_path):
    for variable in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = here.editor_row(MENDER)
    assert (missing.state, missing.mend) == ("missing", "sudo apt-get install nano")
    (tmp_path / "vim").write_text("")
    (tmp_path / "vim").chmod(0o755)
    assert here.editor_row(MENDER).found.startswith("vim")
    monkeypatch.setenv("EDITOR", "vim -u NONE")
    assert here.editor_row(MENDER).found == "vim, from EDITOR"
    monkeypatch.setenv("VISUAL", "nowhere")
    broken = here.editor_row(MENDER)
    assert (broken.state, broken.mend) == ("broken", "unset VISUAL")


def test_a_store_that_is_not_there_yet_leaves_no_trace(home: Path):
    assert folders.store_row(MENDER).state == "works"
    assert not home.exists()


def test_a_store_is_written_and_stays_as_it_was(home: Path):
    with open_store(home) as store:
        store.mark_read("a", "b")
        before = store.dump()
    assert folders.store_row(MENDER).state == "works"
    assert sorted(path.name for path in home.iterdir()) == [FILE_NAME]
    with open_store(home) as store:
        assert store.dump() == before
    with sqlite3.connect(home / FILE_NAME) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    assert "doctor" not in names


def test_a_broken_store_is_told_and_left(home: Path):
    home.mkdir()
    (home / FILE_NAME).write_bytes(b"no database at all, but long enough to have a header" * 9)
    made = folders.store_row(MENDER)
    assert (made.state, made.mend) == ("broken", "triton-path progress")
    assert (home / FILE_NAME).read_bytes().startswith(b"no database")


def test_a_newer_store(home: Path):
    home.mkdir()
    with sqlite3.connect(home / FILE_NAME) as db:
        db.execute("PRAGMA user_version = 99")
    assert folders.store_row(MENDER).mend == f"{PIP} --upgrade triton-path"


def test_a_store_that_is_locked(home: Path):
    with open_store(home):
        pass
    db = sqlite3.connect(home / FILE_NAME, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    made = folders.store_row(MENDER)
    db.close()
    assert (made.state, "is writing" in made.found) == ("limited", True)


def test_folders_that_cannot_be_made(tmp_path: Path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TRITON_PATH_HOME", str(tmp_path / "file" / "home"))
    made = folders.store_row(MENDER)
    assert (made.state, made.mend) == ("broken", "unset TRITON_PATH_HOME")
    assert folders.cache_row().mend == "unset TRITON_PATH_HOME"
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert folders.cache_row().mend == "unset TRITON_CACHE_DIR"


def test_where_progress_is_kept_instead(tmp_path: Path, monkeypatch):
    monkeypatch.delenv("TRITON_PATH_HOME")
    other = 'export TRITON_PATH_HOME="$PWD/triton-path-data"'
    assert folders._elsewhere(tmp_path / "not there") == other
    assert folders._elsewhere(tmp_path) == other
    # Root may write anywhere, so the permission itself cannot be taken away in every test run.
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert folders._elsewhere(tmp_path) == f"chmod u+rwx {tmp_path}"


def test_the_cache_leaves_no_trace(home: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "triton"))
    assert folders.cache_row().state == "works"
    assert not home.exists()
    assert not (tmp_path / "triton").exists()


def test_a_folder_of_exercises_that_was_not_begun(tmp_path: Path):
    for folder in (None, tmp_path / "not there"):
        made = folders.workspace_row(folder)
        assert (made.state, made.found) == ("missing", "none yet")
        assert made.mend == "triton-path practice start"
        assert not is_fault(made)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_exercises_is_written_and_stays_as_it_was(tmp_path: Path):
    (tmp_path / "add.py").write_text("")
    made = folders.workspace_row(tmp_path)
    assert (made.state, made.found) == ("works", f"{tmp_path} is writable, tried")
    assert [path.name for path in tmp_path.iterdir()] == ["add.py"]


def test_a_folder_of_exercises_that_is_none(tmp_path: Path, monkeypatch):
    file, link = tmp_path / "my file", tmp_path / "link"
    file.touch()
    link.symlink_to(tmp_path / "gone")
    made = folders.workspace_row(file)
    assert (made.state, made.mend) == ("broken", f"mv '{file}' '{file}'.old")
    assert folders.workspace_row(link).found == f"{link} leads nowhere"

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(folders.tempfile, "TemporaryDirectory", refuse)
    made = folders.workspace_row(tmp_path)
    assert (made.state, made.mend) == ("broken", f"chmod u+rwx {tmp_path}")
    assert "Permission denied" in made.found


def test_the_course(in_use: SmallCourse, monkeypatch):
    assert folders.course_row().found == "1 lesson loaded, 2 planned"
    in_use.replace(SmallCourse.LESSON, "minutes: 5", "minutes: soon")
    made = folders.course_row()
    assert (made.state, made.mend) == ("broken", "unset TRITON_PATH_CONTENT")
    assert "lesson.md" in made.found
