"""Runs that are kept and compared, tables, sweeps, and the options of the command."""

from __future__ import annotations

import csv
import io

import pytest

from tests.reports import BAD, on_h200, without_gpu
from triton_path.course.gpus import load_gpus
from triton_path.errors import UsageFault
from triton_path.jobs.bench import Figure, Shape
from triton_path.jobs.benches import BENCHES
from triton_path.paths import content_dir
from triton_path.tutor import bench_history as history
from triton_path.tutor.bench_commit import own_commit
from triton_path.tutor.bench_compare import compare
from triton_path.tutor.bench_csv import COLUMNS, as_csv, parse_csv
from triton_path.tutor.bench_file import is_file, write_starter
from triton_path.tutor.bench_options import parse_providers, parse_request, sizes_of
from triton_path.tutor.bench_sweep import borders
from triton_path.tutor.bench_verdict import main_of, verdict


@pytest.fixture(scope="module")
def table():
    return load_gpus(content_dir())


def changed(report, **device):
    return report.model_copy(update={"device": report.device.model_copy(update=device)})


def scaled(report, factor):
    def slower(provider):
        time = provider.time
        update = {key: getattr(time, key) * factor for key in ("value", "p20", "p80")}
        return provider.model_copy(update={"time": time.model_copy(update=update)})

    return report.model_copy(update={"providers": tuple(map(slower, report.providers))})


def kept(*reports):
    for report in reports:
        assert history.keep(report) is not None
    return history.runs()[0]


def test_runs_are_numbered_from_the_oldest_and_found_again():
    first, second = kept(on_h200(), on_h200())
    assert (first.number, second.number) == (1, 2)
    assert history.find("2").path == second.path
    assert history.find("last").path == second.path
    assert history.find(str(first.path)).report == on_h200()


def test_a_run_that_is_not_there_is_told_what_is():
    with pytest.raises(UsageFault, match="none yet"):
        history.find("1")
    kept(on_h200())
    with pytest.raises(UsageFault, match="runs: 1 to 1"):
        history.find("7")


def test_a_file_of_another_version_is_counted_and_not_shown():
    (run,) = kept(on_h200())
    (run.path.parent / "2020-old.json").write_text('{"schema": "triton-path/bench/1"}')
    found, unread = history.runs()
    assert [item.report.bench for item in found] == ["fused-transformer"]
    assert unread == 1


def test_old_runs_make_room(monkeypatch):
    monkeypatch.setattr(history, "MOST", 2)
    assert len(kept(on_h200(), on_h200(), on_h200())) == 2


def test_a_folder_that_cannot_be_written_stops_no_bench(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRITON_PATH_HOME", str(tmp_path / "file"))
    assert history.keep(on_h200()) is None


def test_two_runs_side_by_side_tell_what_is_faster_and_what_is_noise():
    before, after = kept(on_h200(), scaled(on_h200(), 0.5))
    found = compare(before, after)
    assert len(found.rows) == len(on_h200().providers)
    assert all(row.ratio == pytest.approx(2) for row in found.rows)
    assert any(row.apart for row in found.rows)
    same = compare(before, before)
    assert not any(row.apart for row in same.rows)
    assert same.differences == ()


def test_what_else_changed_is_listed():
    other = on_h200().model_copy(update={"versions": {"torch": "2.13.0"}, "commit": "a" * 40})
    found = compare(*kept(on_h200(), changed(other, driver="600.1")))
    text = "; ".join(found.differences)
    assert "torch 2.11.0 -> 2.13.0" in text
    assert "driver 580.159.04 -> 600.1" in text
    assert "commit - -> aaaaaaaa" in text


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (changed(on_h200(), name="NVIDIA A100"), "unlike devices, NVIDIA H200 and NVIDIA A100"),
        (without_gpu(), "unlike devices"),
        (on_h200().model_copy(update={"bench": "softmax"}), "unlike benches"),
        (
            on_h200().model_copy(
                update={"case": on_h200().case.model_copy(update={"backward": True})}
            ),
            "unlike directions",
        ),
    ],
)
def test_unlike_runs_are_refused(other, said):
    with pytest.raises(UsageFault, match=said) as caught:
        compare(*kept(on_h200(), other))
    assert caught.value.hint == "triton-path bench history"


def test_a_table_has_a_line_for_each_provider_and_size():
    rows = list(csv.DictReader(io.StringIO(as_csv(on_h200()))))
    assert len(rows) == len(on_h200().providers)
    assert set(rows[0]) == set(COLUMNS)
    fused = next(row for row in rows if row["provider"] == "Triton fused")
    product = float(fused["traffic"]) * float(fused["use"]) * float(fused["host"])
    assert product == pytest.approx(float(fused["x_eager"]))
    assert fused["time_kind"] == "measured"
    with pytest.raises(UsageFault):
        parse_csv("/no/such/folder/bench.csv")


def bound(report, *bounds):
    shapes = [(shape.rows, shape.width) for shape in report.shapes]
    by_shape = dict(zip(shapes, bounds, strict=True))
    providers = tuple(
        provider.model_copy(update={"bound": by_shape[provider.rows, provider.width]})
        for provider in report.providers
    )
    return report.model_copy(update={"providers": providers})


def test_borders_are_where_they_were_measured():
    (text, memory) = borders(bound(on_h200(), "memory", "launch"), "Triton fused")
    assert text == "4.2 MB: bound by launches: the host takes longer than the kernels"
    assert memory.startswith("537 MB: bound by the memory")


def test_a_sweep_adds_the_sizes_of_the_bench():
    bench = BENCHES["softmax"]
    assert sizes_of(bench, ["8x16"], sweep=True) == (Shape(rows=8, width=16), *bench.sizes)
    assert sizes_of(bench, [], sweep=False) == ()


def test_providers_are_named_in_words_that_can_be_typed():
    assert parse_providers("triton, Torch.compile") == ("Triton fused", "torch.compile")
    with pytest.raises(UsageFault, match="Did you mean 'best-eager'"):
        parse_providers("best-eagr")


def test_a_bench_without_a_backward_names_one_that_has(table):
    options = {"dtype": "bf16", "dropout": None, "rounds": None, "target": None, "table": table}
    with pytest.raises(UsageFault, match="no backward") as caught:
        parse_request("softmax", (), backward=True, **options)
    assert caught.value.hint == "triton-path bench fused-transformer --backward"
    assert parse_request("fused-transformer", (), backward=True, **options).case.backward


@pytest.mark.parametrize("option", ["dropout", "rounds"])
def test_an_option_for_masks_is_refused_where_there_is_none(table, option):
    options = {"dtype": "bf16", "dropout": None, "rounds": None, "target": None, "table": table}
    options[option] = "10" if option == "rounds" else "0.5"
    with pytest.raises(UsageFault, match=f"no dropout mask: --{option}"):
        parse_request("softmax", (), **options)
    case = parse_request("dropout", (), **options).case
    assert (case.dropout, case.rounds) == ((0.5, 7) if option == "dropout" else (0.1, 10))


@pytest.mark.parametrize("name", BENCHES)
def test_every_size_of_a_bench_can_be_asked_for(name):
    bench = BENCHES[name]
    assert all(shape.width <= bench.max_width for shape in (*bench.sizes, bench.default))
    assert len(set(bench.sizes)) == len(bench.sizes)


def test_a_starter_is_written_once(tmp_path):
    path = write_starter(str(tmp_path / "mine.py"))
    compile(path.read_text(), str(path), "exec")
    with pytest.raises(UsageFault, match="not overwritten"):
        write_starter(str(path))
    with pytest.raises(UsageFault, match="no name of a Python file"):
        write_starter(str(tmp_path / "mine.txt"))


def test_a_word_is_a_file_by_its_looks(tmp_path):
    assert is_file("mine.py")
    assert is_file("folder/mine")
    assert not is_file("softmax")


def test_the_commit_is_read_without_git(tmp_path):
    git = tmp_path / ".git"
    (git / "refs/heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    assert own_commit(tmp_path) is None
    (git / "packed-refs").write_text("# pack\n" + "b" * 40 + " refs/heads/main\n")
    assert own_commit(tmp_path) == "b" * 40
    (git / "refs/heads/main").write_text("c" * 40 + "\n")
    assert own_commit(tmp_path) == "c" * 40
    (git / "HEAD").write_text("d" * 40)
    assert own_commit(tmp_path) == "d" * 40


def own_report(*candidates):
    """Return a report on a person's chain at one size, with times in microseconds."""
    report = on_h200()
    first = report.shapes[0]
    here = [p for p in report.providers if (p.rows, p.width) == (first.rows, first.width)]
    eager, model = here[0], next(p for p in here if p.name == "Triton fused")
    made = [
        model.model_copy(
            update={
                "name": name,
                "time": model.time.model_copy(update={"value": us}),
                "speedup": {"eager": Figure(value=1000 / us, unit="x", kind="measured")},
                "explained": None,
            }
        )
        for name, us in candidates
    ]
    return report.model_copy(
        update={"own_file": "mine.py", "shapes": (first,), "providers": (eager, *made)}
    )


def test_of_several_candidates_the_fastest_is_told():
    report = own_report(("slow", 500.0), ("quick", 100.0))
    assert main_of(report, 16384, 4096).name == "quick"
    assert verdict(report).startswith("quick is 10.0x as fast as the 10 eager kernels")


def test_a_candidate_that_is_slower_than_eager_is_said_to_be():
    assert verdict(own_report(("mine", 2000.0))) == "mine is slower than eager here: 0.50x."


def test_a_wrong_candidate_ends_in_no_claim():
    report = own_report(("mine", 100.0)).model_copy(update={"faults": BAD.faults})
    assert verdict(report).startswith("A check failed, so nothing is claimed")
