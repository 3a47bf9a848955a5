from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from triton_path.course.load_exercise import load_exercise
from triton_path.course.loader import load_course
from triton_path.errors import MissingFault, UsageFault
from triton_path.progress.store import Store, open_store
from triton_path.tutor import beginning
from triton_path.tutor.beginning import begin, begin_anew
from triton_path.tutor.own_files import is_starter, move_to, put_new, read_own, shown, typed
from triton_path.tutor.practice_all import own_exercises
from triton_path.tutor.workspace import find, own_path, which, workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import SmallCourse
    from triton_path.course.exercises import Exercise

LATIN = "# für\nx = 1\n".encode("latin-1")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(home) as opened:
        yield opened


@pytest.fixture
def copy(exercises: SmallCourse) -> Exercise:
    return load_exercise(exercises.root, "copy-tile")


def found(
    course: SmallCourse, store: Store, what: str | None = None, exercise: str | None = None
) -> tuple[str, Path]:
    model, path = find(course.root, load_course(course.root), store, what, exercise=exercise)
    return model.id, path


def refused(course: SmallCourse, store: Store, what: str | None = None) -> UsageFault:
    with pytest.raises(UsageFault) as caught:
        found(course, store, what)
    assert caught.value.hint
    return caught.value


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


# Beginning


def test_the_starter_is_put_into_a_folder_here(copy: Exercise, store: Store, here: Path) -> None:
    begun = begin(store, copy)
    assert begun.path == here / "triton-path-exercises/copy_tile.py"
    assert begun.path.read_text() == copy.starter.text
    assert begun.fresh
    assert store.exercises.of("copy-tile").begun
    assert begun.path == own_path(workspace(store), copy.id)
    assert begun.path.name == copy.file_name


def test_the_folder_is_remembered_elsewhere(
    copy: Exercise, store: Store, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, copy)
    monkeypatch.chdir(tmp_path)
    assert workspace(store) == here / "triton-path-exercises"
    assert not begin(store, copy).fresh


def test_another_folder_is_used_from_then_on(copy: Exercise, store: Store, here: Path) -> None:
    begin(store, copy)
    begun = begin(store, copy, "mine/deep")
    assert begun.path == here / "mine/deep/copy_tile.py"
    assert begun.left == here / "triton-path-exercises"
    assert workspace(store) == here / "mine/deep"
    assert files(here) == ["mine/deep/copy_tile.py", "triton-path-exercises/copy_tile.py"]


def test_a_variable_overrides_the_folder(
    copy: Exercise, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, copy)
    monkeypatch.setenv("TRITON_PATH_WORKSPACE", str(tmp_path / "set"))
    assert begin(store, copy).path == tmp_path / "set/copy_tile.py"


def test_what_a_learner_wrote_is_never_overwritten(copy: Exercise, store: Store) -> None:
    path = begin(store, copy).path
    path.write_text("mine")
    store.exercises.see_hint(copy.id, 1)
    assert not begin(store, copy).fresh
    assert path.read_text() == "mine"
    assert store.exercises.of(copy.id).hints == 1


def test_a_passed_exercise_from_a_fresh_starter_is_begun_anew(copy: Exercise, store: Store) -> None:
    path = begin(store, copy).path
    store.exercises.keep_check(copy.id, passed=True, stars=1, fault="")
    begin(store, copy)
    assert not store.exercises.of(copy.id).anew
    path.unlink()
    begin(store, copy)
    assert store.exercises.of(copy.id).anew


@pytest.mark.parametrize("folder", ["a-file", "a-file/below", "x" * 300, "bad\0name"])
def test_a_folder_that_cannot_be_made_is_refused_and_not_remembered(
    copy: Exercise, store: Store, here: Path, folder: str
) -> None:
    (here / "a-file").write_text("x")
    with pytest.raises((UsageFault, MissingFault)) as caught:
        begin(store, copy, folder)
    assert caught.value.hint == "triton-path practice start --dir FOLDER"
    assert workspace(store) == here / "triton-path-exercises"
    assert not store.exercises.of(copy.id).begun
    assert files(here) == ["a-file"]


def test_a_folder_with_the_name_of_the_file_is_refused(
    copy: Exercise, store: Store, here: Path
) -> None:
    (here / "triton-path-exercises/copy_tile.py").mkdir(parents=True)
    with pytest.raises(UsageFault, match="is a folder, not a file"):
        begin(store, copy)
    with pytest.raises(UsageFault, match="is no file"):
        begin_anew(store, copy)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("gone")])
def test_what_is_there_and_no_file_is_named_by_every_command(
    exercises: SmallCourse,
    copy: Exercise,
    store: Store,
    here: Path,
    make: Callable[[Path], None],
) -> None:
    path = here / "my kernels/copy_tile.py"
    path.parent.mkdir()
    make(path)
    for ask in (
        lambda: begin(store, copy, "my kernels"),
        lambda: found(exercises, store, "copy-tile"),
        lambda: begin_anew(store, copy),
    ):
        with pytest.raises(UsageFault) as caught:
            ask()
        assert caught.value.message == "my kernels/copy_tile.py is no file that can be read."
        assert caught.value.hint == "ls -ld 'my kernels/copy_tile.py'"
        store.keep_setting("workspace", str(path.parent))
    assert path.is_symlink() or path.is_fifo()


def test_a_path_to_type_is_quoted_and_its_home_is_not(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert typed(here / "my kernels/x.py") == "'my kernels/x.py'"
    monkeypatch.setenv("HOME", str(here.parent))
    assert typed(here.parent / "a b/x.py") == "~/'a b/x.py'"
    assert typed(here.parent / "ab/x.py") == "~/ab/x.py"


def test_an_unknown_user_is_refused(copy: Exercise, store: Store) -> None:
    with pytest.raises(UsageFault, match="no user nobody-of-that-name"):
        begin(store, copy, "~nobody-of-that-name/x")


def test_a_write_that_fails_leaves_no_half_file(
    copy: Exercise, store: Store, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(MissingFault, match="No space left"):
        begin(store, copy)
    assert files(here) == []


def test_a_name_that_is_no_text_is_refused_before_anything_is_written(
    exercises: SmallCourse,
    copy: Exercise,
    store: Store,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    odd = os.fsdecode(b"\xff")
    (here / odd).mkdir()
    (here / odd / "copy_tile.py").write_text("x")
    with pytest.raises(UsageFault, match="not UTF-8"):
        begin(store, copy, odd)
    assert "not UTF-8" in refused(exercises, store, f"{odd}/copy_tile.py").message
    monkeypatch.chdir(here / odd)
    for ask in (begin, begin_anew):
        with pytest.raises(UsageFault, match="not UTF-8"):
            ask(store, copy)
    assert refused(exercises, store, "copy-tile").message.isprintable()
    with pytest.raises(UsageFault, match="not UTF-8"):
        own_exercises(exercises.root, load_course(exercises.root), store)
    assert not store.exercises.of(copy.id).begun
    assert shown(here / odd).isprintable()


# Beginning anew


def test_beginning_anew_keeps_the_learners_file(copy: Exercise, store: Store) -> None:
    path = begin(store, copy).path
    for text in ("mine", "mine again"):
        path.write_text(text)
        anew = begin_anew(store, copy)
        assert path.read_text() == copy.starter.text
        assert anew.backup is not None
        assert anew.backup.read_text() == text
        assert anew.backup.parent == path.parent / "backups"
    assert len(files(path.parent)) == 3


def test_a_starter_that_was_not_changed_needs_no_backup(copy: Exercise, store: Store) -> None:
    path = begin(store, copy).path
    assert begin_anew(store, copy).backup is None
    path.unlink()
    assert begin_anew(store, copy).backup is None
    assert files(path.parent) == ["copy_tile.py"]


def test_beginning_anew_that_fails_puts_the_file_back(
    copy: Exercise, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begin(store, copy).path
    path.write_text("mine")

    def fail(*_: object) -> bool:
        raise MissingFault("no space")

    monkeypatch.setattr("triton_path.tutor.beginning.put_new", fail)
    with pytest.raises(MissingFault):
        begin_anew(store, copy)
    assert path.read_text() == "mine"


def test_a_save_while_it_is_begun_anew_is_neither_lost_nor_called_the_starter(
    copy: Exercise, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begin(store, copy).path
    path.write_text("mine")

    def put_after_an_editor(at: Path, text: str) -> bool:
        at.write_text("saved meanwhile")
        return put_new(at, text)

    monkeypatch.setattr(beginning, "put_new", put_after_an_editor)
    with pytest.raises(UsageFault, match="saved meanwhile; yours of before is in") as caught:
        begin_anew(store, copy)
    assert caught.value.hint == "triton-path practice reset copy-tile"
    (backup,) = (path.parent / "backups").iterdir()
    assert (path.read_text(), backup.read_text()) == ("saved meanwhile", "mine")
    assert backup.name in caught.value.message


def test_a_save_before_the_starter_fails_is_not_overwritten_by_the_undo(
    copy: Exercise, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begin(store, copy).path
    path.write_text("mine")

    def fail_after_an_editor(at: Path, _text: str) -> bool:
        at.write_text("saved meanwhile")
        raise MissingFault("no space")

    monkeypatch.setattr(beginning, "put_new", fail_after_an_editor)
    with pytest.raises(MissingFault):
        begin_anew(store, copy)
    (backup,) = (path.parent / "backups").iterdir()
    assert (path.read_text(), backup.read_text()) == ("saved meanwhile", "mine")


def test_the_starter_is_known_by_its_text(copy: Exercise, tmp_path: Path) -> None:
    path = tmp_path / "copy_tile.py"
    assert not is_starter(copy, path)
    path.write_text(copy.starter.text)
    assert is_starter(copy, path)
    path.write_bytes(LATIN)
    assert not is_starter(copy, path)


def test_a_name_for_a_backup_is_taken_by_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What another process made since a look at the folder is not seen by that look.
    monkeypatch.setattr(Path, "exists", lambda _: False)
    together = threading.Barrier(8)
    texts = {str(number) for number in range(8)}

    def move(text: str) -> None:
        path = tmp_path / text
        path.write_text(text)
        together.wait()
        move_to(path, tmp_path / "backups", "copy.py")

    threads = [threading.Thread(target=move, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.read_text() for path in (tmp_path / "backups").iterdir()} == texts


def test_a_move_that_fails_leaves_no_empty_backup(tmp_path: Path) -> None:
    with pytest.raises(MissingFault, match="cannot be written"):
        move_to(tmp_path / "gone.py", tmp_path / "backups", "copy.py")
    assert files(tmp_path / "backups") == []


# Which file, which exercise


@pytest.mark.parametrize(
    "what",
    [None, "copy-tile", "copy_tile", "copy_tile.py", "triton-path-exercises/copy_tile.py",
     "./triton-path-exercises/../triton-path-exercises/copy_tile.py"],
)  # fmt: skip
def test_a_name_or_a_file_finds_both(
    exercises: SmallCourse, copy: Exercise, store: Store, what: str | None
) -> None:
    path = begin(store, copy).path
    assert found(exercises, store, what) == ("copy-tile", path)


def test_a_file_here_comes_before_the_one_in_the_workspace(
    exercises: SmallCourse, copy: Exercise, store: Store, here: Path
) -> None:
    begin(store, copy)
    (here / "copy_tile.py").write_text("x")
    assert found(exercises, store, "copy_tile.py")[1] == here / "copy_tile.py"
    assert found(exercises, store, "copy-tile")[1].parent == workspace(store)


def test_a_file_is_known_by_its_folder_or_by_a_name_that_is_given(
    exercises: SmallCourse, store: Store, here: Path
) -> None:
    for folder in ("fill-tile", "other"):
        (here / folder).mkdir()
        (here / folder / "try1.py").write_text("x")
    assert found(exercises, store, "fill-tile/try1.py")[0] == "fill-tile"
    assert found(exercises, store, "other/try1.py", "grow_tile")[0] == "grow-tile"
    fault = refused(exercises, store, "other/try1.py")
    assert fault.hint == "triton-path practice check other/try1.py --exercise NAME"


def test_a_folder_of_the_same_name_does_not_hide_an_exercise(
    exercises: SmallCourse, copy: Exercise, store: Store, here: Path
) -> None:
    (here / "copy-tile").mkdir()
    path = begin(store, copy).path
    assert found(exercises, store, "copy-tile") == ("copy-tile", path)


def test_without_a_name_it_is_the_exercise_worked_on_last(
    exercises: SmallCourse, copy: Exercise, store: Store
) -> None:
    begin(store, load_exercise(exercises.root, "fill-tile"))
    begin(store, copy)
    assert found(exercises, store)[0] == "copy-tile"
    store.exercises.see_hint("fill-tile", 1)
    assert found(exercises, store)[0] == "fill-tile"


def test_nothing_begun_yet(exercises: SmallCourse, store: Store) -> None:
    fault = refused(exercises, store)
    assert "not begun an exercise" in fault.message
    assert fault.hint == "triton-path practice start"
    course = load_course(exercises.root)
    assert which(course, store, None, or_next=True) == "copy-tile"


def test_there_is_no_workspace_yet(exercises: SmallCourse, store: Store) -> None:
    fault = refused(exercises, store, "copy-tile")
    assert fault.message == (
        "There is no folder triton-path-exercises yet, where exercises are put."
    )
    assert fault.hint == "triton-path practice start copy-tile"


def test_an_exercise_that_was_not_put_there(
    exercises: SmallCourse, copy: Exercise, store: Store
) -> None:
    begin(store, copy)
    fault = refused(exercises, store, "fill-tile")
    assert fault.message == "There is no fill_tile.py in triton-path-exercises."
    assert fault.hint == "triton-path practice start fill-tile"


@pytest.mark.parametrize(
    ("what", "said", "hint"),
    [
        ("nowhere/copy_tile.py", "There is no file nowhere/copy_tile.py.", "start copy-tile"),
        ("nowhere.py", "There is no file nowhere.py.", "practice list"),
        ("triton-path-exercises/copy_tail.py", "Did you mean 'copy_tile.py'?", "practice list"),
        ("copy_tile.py/below.py", "There is no file", "practice list"),
        ("x" * 300 + ".py", "There is no file", "practice list"),
        ("a\0b.py", "There is no file", "practice list"),
        ("triton-path-exercises", "is a folder", "check triton-path-exercises/copy_tile.py"),
        (".", "is a folder", "practice list"),
        ("copytile", "Did you mean 'copy-tile'?", "practice list"),
        ("", "There is no exercise ''", "practice list"),
        ("/dev/null", "is a pipe or a device, not a file", "practice list"),
        ("~nobody-of-that-name/x.py", "no user nobody-of-that-name", "start --dir FOLDER"),
    ],
)
def test_what_cannot_be_found(
    exercises: SmallCourse, copy: Exercise, store: Store, what: str, said: str, hint: str
) -> None:
    begin(store, copy)
    fault = refused(exercises, store, what)
    assert said in fault.message
    assert hint in (fault.hint or "")


def test_a_file_that_is_not_utf8(exercises: SmallCourse, copy: Exercise, store: Store) -> None:
    path = begin(store, copy).path
    path.write_bytes(b"# first\n" + LATIN)
    fault = refused(exercises, store, "copy-tile")
    assert "triton-path-exercises/copy_tile.py is not UTF-8 (line 2)" in fault.message
    assert fault.hint == "triton-path practice check copy-tile"


def test_a_file_that_is_far_too_large(copy: Exercise, store: Store) -> None:
    path = begin(store, copy).path
    path.write_bytes(b"#" * (1 << 21))
    with pytest.raises(UsageFault, match="larger than 1 MiB"):
        read_own(path)


def test_a_folder_that_was_deleted_under_us(
    exercises: SmallCourse, copy: Exercise, store: Store, here: Path
) -> None:
    here.rmdir()
    with pytest.raises(MissingFault, match="was deleted"):
        begin(store, copy)
    with pytest.raises(MissingFault, match="was deleted"):
        begin(store, copy, "relative")
    with pytest.raises(MissingFault, match="was deleted") as caught:
        found(exercises, store, "copy_tile.py")
    assert caught.value.hint == "cd"
