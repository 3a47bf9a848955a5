"""The screen of `practice watch`, with a checker that knows its verdicts beforehand."""

from __future__ import annotations

import contextlib
import io
import select
import sqlite3
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import pytest
from rich.cells import cell_len

from tests import traces, verdicts
from tests.render.painted import PaintedScreen
from triton_path.course.load_exercise import load_exercise
from triton_path.course.loader import load_course
from triton_path.errors import MissingFault
from triton_path.jobs.messages import Progress
from triton_path.paths import own_content_dir
from triton_path.progress import file as file_module
from triton_path.progress.store import open_store
from triton_path.screens import practice_views, practice_watch, practice_watch_plain
from triton_path.screens.practice_watch import PracticeWatch
from triton_path.screens.window import Window
from triton_path.terminal.console import plain_console
from triton_path.tutor import practice_case
from triton_path.tutor.checking import Cancelled
from triton_path.tutor.practice_work import Desk, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from tests.conftest import SmallCourse
    from triton_path.jobs.practice import Verdict

WIDTHS = [80, 60]
PATIENCE_SECONDS = 20.0
Step = Any


class See(str):
    """A step: go on once the screen shows these words."""

    __slots__ = ()

    def holds(self, screen: str) -> bool:
        return self in screen


@dataclass(frozen=True)
class Until:
    """A step: go on once something holds."""

    condition: Callable[[], bool]

    def holds(self, _screen: str) -> bool:
        return self.condition()


WRONG, PASSED = See("✗ Load out of bounds"), See("✓ Right in all 3 cases")


class WatchScreen(PaintedScreen):
    """Takes keys, sights and calls one after another; then the key that leaves."""

    def __init__(self, columns: int, rows: int, steps: Sequence[Step]) -> None:
        super().__init__(columns, rows)
        self.steps = list(steps)
        self.seen: list[str] = []
        """The screen at each sight."""
        self.lent = 0
        self.deadline = 0.0

    def wait(self, others: Sequence[int], seconds: float | None) -> tuple[str | None, bool]:
        now = "\n".join(self.frames[-1])
        while self.steps and isinstance(self.steps[0], See | Until) and self.steps[0].holds(now):
            self.seen.append(now)
            self.deadline = 0.0
            del self.steps[0]
        if self.steps and isinstance(self.steps[0], See | Until):
            self.deadline = self.deadline or time.monotonic() + PATIENCE_SECONDS
            assert time.monotonic() < self.deadline, f"never saw {self.steps[0]!r}:\n{now}"
            return None, bool(select.select(others, [], [], seconds or 1.0)[0])
        step = self.steps.pop(0) if self.steps else "q"
        if callable(step):
            step()
            return None, False
        return step, False

    @contextlib.contextmanager
    def released(self) -> Iterator[None]:
        self.lent += 1
        yield


class KnownChecker:
    """Says of a file what its text says: right, wrong, missing or endless."""

    def __init__(self) -> None:
        self.checked: list[str] = []
        self.begun = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def __enter__(self) -> KnownChecker:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def check(
        self,
        exercise: Any,
        path: Path,
        *,
        seed: int | None = None,
        time_it: bool = True,
        on_progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Verdict:
        del seed
        text = path.read_text()
        self.checked.append(text)
        self.may_go_on.wait(PATIENCE_SECONDS)
        on_progress(Progress(text="running the kernel", done=2, total=6))
        self.begun.set()
        while text == "endless":
            if cancelled():
                raise Cancelled
            time.sleep(0.01)
        if text == "missing":
            raise MissingFault("There is no torch here.", "pip install torch")
        made = verdicts.passed if text == "right" else verdicts.failed
        return made(exercise=exercise.id, file=str(path))


class Bench:
    """The small course, its store, and a file in the workspace."""

    def __init__(self, root: Path, store: Any, file: Path) -> None:
        self.file = file
        self.checker = KnownChecker()
        self.desk = Desk(root, load_course(root), store)
        self.work = Work(load_exercise(root, "copy-tile"), file)

    def watch(self, *steps: Step, columns: int = 80, rows: int = 24) -> list[str]:
        screen = WatchScreen(columns, rows, steps)
        window = Window(cast("Any", screen))
        watching = PracticeWatch(window, self.desk, self.work, cast("Any", self.checker))
        self.watching = watching
        try:
            watching.run()
        finally:
            self.screen, self.slug = screen, watching.slug
        for frame in screen.frames:
            assert len(frame) <= rows
            assert max(map(cell_len, frame)) <= columns
        return screen.seen

    @property
    def saved_again(self) -> bool:
        """Whether the screen knows of a save since the check that runs began."""
        return self.watching._again

    def delete(self) -> None:
        self.file.unlink()

    def tick(self) -> None:
        """Let the time pass after which an old check is ended."""
        time.sleep(practice_watch.PATIENT_SECONDS + 0.1)

    def save(self, text: str) -> Callable[[], object]:
        return lambda: self.file.write_text(text)


@pytest.fixture
def bench(
    exercises: SmallCourse, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(practice_watch, "time_text", lambda: "09:30:00")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "triton-path-exercises"
    folder.mkdir()
    file = folder / "copy_tile.py"
    file.write_text("wrong")
    with open_store(home) as store:
        yield Bench(exercises.root, store, file)


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_screens(bench: Bench, columns: int, snapshot: SnapshotAssertion) -> None:
    bench.checker.may_go_on.clear()
    seen = bench.watch(
        See("starting torch"), bench.checker.may_go_on.set, WRONG,
        "h", See("Hint 1"), "h", See("Hint 2"), "h", See("Hint 3"), "h", See("all hints"),
        "q", "n", See("Press n again"), "q", "?", See("Keys"), "q",
        bench.delete, See("is gone"), bench.save("right"), PASSED, columns=columns,
    )  # fmt: skip
    for number, frame in enumerate(seen):
        assert frame == snapshot(name=f"{columns}-{number:02}")


def test_the_first_check_begins_at_once_and_each_save_is_checked(bench: Bench) -> None:
    bench.checker.may_go_on.clear()
    seen = bench.watch(
        See("copy-tile: copy a tile."), bench.checker.may_go_on.set, WRONG,
        bench.save("right"), PASSED, bench.save("wrong"), WRONG,
    )  # fmt: skip
    assert bench.checker.checked == ["wrong", "right", "wrong"]
    assert "starting torch" in seen[0]
    assert "case 2 of 6" in seen[1]
    assert "✓ passed ★☆☆" in seen[2]
    record = bench.desk.store.exercises.of("copy-tile")
    assert (record.checks, record.passed) == (3, True)


def test_a_starter_as_it_was_given_shows_what_is_asked_for(bench: Bench) -> None:
    starter = bench.work.exercise.starter.text
    bench.file.write_text(starter)
    asked = See("copy-tile: copy a tile.")
    seen = bench.watch(
        See("Save your first change"), asked, "h", See("Hint 1"), "q", asked,
        bench.save("right"), PASSED, bench.save(starter), asked, "r", WRONG,
    )  # fmt: skip
    assert "not changed yet" in seen[0]
    assert bench.checker.checked == ["right", starter]
    assert bench.desk.store.exercises.of("copy-tile").checks == 2


def test_a_starter_saved_during_a_check_is_not_checked(bench: Bench) -> None:
    bench.checker.may_go_on.clear()
    bench.watch(
        Until(lambda: bench.checker.checked == ["wrong"]),
        bench.save(bench.work.exercise.starter.text), "resize",
        Until(lambda: bench.saved_again), bench.checker.may_go_on.set,
        See("Save your first change"),
    )  # fmt: skip
    assert bench.checker.checked == ["wrong"]


def test_the_name_of_the_exercise_is_whole_in_40_columns(bench: Bench) -> None:
    seen = bench.watch(WRONG, columns=40)
    assert seen[0].splitlines()[0].split("  ")[0].strip() == "copy-tile"
    assert "case 2 of 6" in seen[0]


def test_a_verdict_stays_while_the_next_one_is_made(bench: Bench) -> None:
    bench.watch(WRONG, bench.save("endless"), See("running the kernel 3 of 6"), WRONG)


def test_a_save_brings_the_verdict_back_from_a_hint(bench: Bench) -> None:
    bench.watch(WRONG, "h", See("Hint 1 of 3"), bench.save("right"), PASSED)


def test_a_save_during_a_check_is_checked_after_it(bench: Bench) -> None:
    bench.file.write_text("endless")
    bench.watch(
        bench.checker.begun.wait, See("running the kernel 3 of 6"), bench.save("right"), bench.tick,
        PASSED,
    )  # fmt: skip
    assert bench.checker.checked == ["endless", "right"]
    assert bench.desk.store.exercises.of("copy-tile").checks == 1


def test_leaving_ends_a_check_that_runs(bench: Bench) -> None:
    bench.file.write_text("endless")
    start = time.monotonic()
    bench.watch(bench.checker.begun.wait, "q")
    assert time.monotonic() - start < 10


def test_a_file_that_cannot_be_checked_is_named_and_watched_on(bench: Bench) -> None:
    def back() -> None:
        bench.file.rmdir()
        bench.file.write_text("right")

    seen = bench.watch(
        WRONG, bench.delete, See("copy_tile.py is gone"), bench.file.mkdir,
        See("copy_tile.py is a folder"), back, PASSED, bench.save(""), See("copy_tile.py is empty"),
    )  # fmt: skip
    assert "triton-path practice start copy-tile" in seen[1]
    assert bench.checker.checked == ["wrong", "right"]


def test_a_file_that_may_not_be_read(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    bench.watch(See("cannot be read: permission denied"))
    assert bench.checker.checked == []


def test_what_this_machine_lacks_is_said_and_watching_goes_on(bench: Bench) -> None:
    bench.file.write_text("missing")
    seen = bench.watch(See("There is no torch here."), bench.save("right"), PASSED)
    assert "Next: pip install torch" in seen[0]


def test_a_save_during_a_check_that_cannot_be_done_is_checked_after_it(bench: Bench) -> None:
    bench.file.write_text("missing")
    bench.checker.may_go_on.clear()
    bench.watch(
        Until(lambda: bench.checker.checked == ["missing"]), bench.save("right"), "resize",
        Until(lambda: bench.saved_again), bench.checker.may_go_on.set, PASSED,
    )  # fmt: skip
    assert bench.checker.checked == ["missing", "right"]


def test_a_store_that_is_locked_costs_no_verdict_and_no_screen(
    bench: Bench, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sqlite3.connect(home / file_module.FILE_NAME, isolation_level=None)
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.1)
    not_kept = See("Not kept: Progress cannot be kept in")
    with open_store(home) as store:
        bench.desk = Desk(bench.desk.root, bench.desk.course, store)
        seen = bench.watch(
            WRONG, lambda: other.execute("BEGIN EXCLUSIVE"), bench.save("right"), not_kept,
            "h", See("Next: try again"), "q", bench.save("wrong"), WRONG, not_kept,
            lambda: other.execute("ROLLBACK"), bench.save("right"), PASSED,
        )  # fmt: skip
        assert "✓ passed ★☆☆" in seen[1]
        assert store.exercises.of("copy-tile").checks == 2
    other.close()
    assert "Not kept" not in seen[-1]


def test_a_look_that_cannot_be_written_is_said(bench: Bench, home: Path) -> None:
    bench.desk = Desk(own_content_dir(), bench.desk.course, bench.desk.store)
    (home / "cache" / "practice").write_text("no folder")
    seen = bench.watch(WRONG, "i", See("cannot be written"), "q", WRONG, "t", See("cannot be"))
    assert "TRITON_PATH_HOME=FOLDER" in seen[1]


def test_the_next_exercise_needs_a_pass_or_a_second_key(bench: Bench) -> None:
    sight = See("not passed yet. Press n again to go on to fill-tile")
    bench.watch(WRONG, "n", sight, "q", WRONG, "n", sight, "x", "n", sight)
    assert bench.slug == "copy-tile"
    bench.watch(WRONG, "n", sight, "n", See("fill-tile: copy a tile."), "r", WRONG)
    assert bench.slug == "fill-tile"
    assert (bench.file.parent / "fill_tile.py").exists()


def test_the_next_exercise_after_a_pass_and_after_all(bench: Bench) -> None:
    bench.file.write_text("right")
    bench.watch(PASSED, "n", See("fill-tile: copy a tile."))
    assert bench.slug == "fill-tile"
    for name in ("fill-tile", "grow-tile"):
        bench.desk.store.exercises.keep_check(name, passed=True, stars=1, fault="")
    bench.watch(PASSED, "n", See("There is no other exercise left to pass."))


def test_a_workspace_that_cannot_be_written(bench: Bench) -> None:
    (bench.file.parent / "fill_tile.py").mkdir()
    bench.watch(WRONG, "n", "n", See("is a folder, not a file"), "q", WRONG)
    assert bench.slug == "copy-tile"


def test_the_editor_is_lent_the_terminal(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(practice_watch, "open_editor", opened.append)
    bench.watch(WRONG, "e", WRONG)
    assert opened == [bench.file]
    assert bench.screen.lent == 1

    def none(_path: Path) -> None:
        raise MissingFault("No editor was found.", "export EDITOR=nano")

    monkeypatch.setattr(practice_watch, "open_editor", none)
    bench.watch(WRONG, "e", See("export EDITOR=nano"), "q", WRONG)


def test_check_again_without_a_save(bench: Bench) -> None:
    def kept(times: int) -> Until:
        return Until(lambda: bench.desk.store.exercises.of("copy-tile").checks == times)

    bench.watch(kept(1), "r", kept(2), "h", "r", kept(3), WRONG)
    assert bench.checker.checked == ["wrong"] * 3


def test_a_closer_look_opens_when_it_is_done(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []

    def trace(_exercise: Any, _path: Path, verdict: Verdict, table: Any) -> Any:
        looks.append(verdict.faults[0].kind)
        return traces.report(traces.watched(traces.launch()), table)

    def inspect(*_: object) -> Any:
        raise MissingFault("There is no Triton here.")

    # The table of GPUs is not part of the small course.
    bench.desk = Desk(own_content_dir(), bench.desk.course, bench.desk.store)
    monkeypatch.setattr(practice_case, "trace_case", trace)
    monkeypatch.setattr(practice_case, "inspect_case", inspect)
    seen = bench.watch(
        WRONG, "t", See("add  grid"), "n", See("trace · program 0"), "p",
        See("trace · program 3"), "a", See("trace"), "q", WRONG,
        "i", See("There is no Triton here."), "q", WRONG,
    )  # fmt: skip
    assert looks == ["out-of-bounds-load"]
    assert "trace · program" not in seen[4]


def test_a_look_at_an_exercise_that_was_left_is_not_shown(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = threading.Event()

    def inspect(*_: object) -> Any:
        release.wait(PATIENCE_SECONDS)
        raise MissingFault("There is no Triton here.")

    monkeypatch.setattr(practice_case, "inspect_case", inspect)
    seen = bench.watch(
        WRONG, "i", See("compiling"), "n", "n", See("fill-tile: copy"), release.set, "r", WRONG,
        bench.tick,
    )  # fmt: skip
    assert "fill-tile" in seen[-1]
    assert not any("There is no Triton" in "\n".join(frame) for frame in bench.screen.frames)


def test_pages_turn_and_ctrl_c_leaves(bench: Bench) -> None:
    seen = bench.watch(See("✗ Load"), " ", See("· 2/"), "b", See("· 1/"), "b", rows=12)
    assert "· 1/" in seen[0]
    assert seen[0] == seen[2]
    assert ["page before" in frame for frame in seen] == [False, True, False]
    with pytest.raises(KeyboardInterrupt):
        bench.watch(WRONG, "ctrl-c")


def test_the_list_and_the_specification_open_over_the_verdict(bench: Bench) -> None:
    bench.watch(WRONG, "l", See("Grow a tile"), "s", See("copy-tile: copy a tile."), "q", WRONG)


def test_other_keys_do_nothing(bench: Bench) -> None:
    bench.watch(WRONG, "x", "resize", "enter", "0", "up", "backspace")
    assert len({"\n".join(frame) for frame in bench.screen.frames[-6:]}) == 1


def test_printed_below_one_another(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["right", "missing", bench.work.exercise.starter.text, ""]

    def wait(saves: Any) -> Any:
        if not texts:
            raise KeyboardInterrupt
        bench.file.write_text(texts.pop(0))
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (state := saves.take()) is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return state

    monkeypatch.setattr(practice_watch_plain.Saves, "wait", wait)
    console = plain_console()
    console.file = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        practice_watch_plain.watch_plain(
            console, bench.desk, bench.work, cast("Any", bench.checker)
        )
    text = console.file.getvalue()
    order = ["✗ Load out of bounds", "passed ★☆☆", "There is no torch", "is as it was given",
             "Formula", "copy_tile.py is empty"]  # fmt: skip
    assert [text.index(words) for words in order] == sorted(text.index(words) for words in order)
    assert "\x1b" not in text
    assert practice_views.BACK[1] not in text.split("is empty")[1]
