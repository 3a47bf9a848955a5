from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.reports import BAD, on_h200, verification, without_gpu
from triton_path.cli import main
from triton_path.errors import ExitCode
from triton_path.tutor import bench as tutor


@pytest.fixture
def answer(monkeypatch):
    """Let the worker's part be done by a canned report; return what was asked for."""
    asked = []

    def use(report):
        def run(request, table, on_progress):
            asked.append(request)
            return report

        monkeypatch.setattr(tutor, "run_bench", run)
        return asked

    return use


@pytest.mark.parametrize("arguments", [["bench"], ["bench", "list"]])
def test_without_a_name_the_benches_are_listed(arguments, capsys):
    assert main(arguments) == ExitCode.OK
    assert "fused-transformer" in capsys.readouterr().out


def test_json_stands_alone_on_stdout_and_has_its_schema(answer, capsys):
    answer(on_h200())
    assert main(["bench", "fused-transformer", "--json"]) == ExitCode.OK
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "triton-path/bench/2"
    assert document["bench"] == "fused-transformer"
    assert {"device", "versions", "date", "providers", "verdict"} <= set(document)
    for provider in document["providers"]:
        assert {"name", "rows", "width", "launches", "bytes", "time"} <= set(provider)
        assert {"value", "unit", "kind", "p20", "p80", "n"} <= set(provider["time"])
        assert provider["launches"]["kind"] in {"measured", "counted", "predicted"}


def test_options_reach_the_request(answer, capsys):
    asked = answer(on_h200())
    words = "bench fused-transformer --shape 8x16 --shape 5x100 --shape 8x16 --dtype fp16"
    assert main([*words.split(), "--dropout", "0.2", "--target", "T4", "--rounds", "10"]) == 0
    (request,) = asked
    assert [str(shape) for shape in request.shapes] == ["8x16", "5x100"]
    assert (request.case.dtype, request.case.dropout, request.case.rounds) == ("float16", 0.2, 10)
    assert request.target.id == "t4"


def test_a_failed_check_is_exit_code_1(answer, capsys):
    answer(tutor.with_verification(without_gpu(), verification(BAD)))
    assert main(["bench", "fused-transformer", "--json"]) == ExitCode.WRONG
    assert json.loads(capsys.readouterr().out)["faults"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["fused-transformr"], "Did you mean 'fused-transformer'?"),
        (["fused-transformer", "--target", "h2000"], "Did you mean 'h200'?"),
        (["fused-transformer", "--shape", "4096"], "ROWSxWIDTH"),
        (["fused-transformer", "--dtype", "bfloat"], "Did you mean 'bfloat16'?"),
        (["fused-transformer", "--dropout", "1"], "dropout"),
        (["fused-transformer", "--rounds", "3"], "rounds"),
    ],
)
def test_a_wrong_option_is_a_sentence_and_the_next_command(options, said, capsys):
    assert main(["bench", *options]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "Next: triton-path bench" in err


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ModuleNotFoundError('No module named torch', name='torch')", "not installed"),
        ("raise OSError('libcudart.so.12: cannot open shared object file')", "does not import"),
    ],
)
def test_a_missing_or_broken_torch_is_exit_code_3(body, said, tmp_path, monkeypatch, capsys):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text(body)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert main(["bench", "fused-transformer", "--shape", "4x4"]) == ExitCode.MISSING
    _, err = capsys.readouterr()
    assert said in err
    assert "Next: python -m pip install" in err
    assert "Traceback" not in err


def test_the_whole_command_on_this_machine():
    command = [sys.executable, "-m", "triton_path", "bench", "fused-transformer"]
    options = ["--shape", "300x96", "--dtype", "float32", "--json"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    report = json.loads(done.stdout)
    fused = [p for p in report["providers"] if p["name"] == "Triton fused"]
    if report["device"]["kind"] == "cpu":
        assert [p["time"]["kind"] for p in fused] == ["predicted"]
        assert len(report["verification"]["cases"]) == 14
    assert report["faults"] == []


def test_a_run_is_kept_listed_and_compared(answer, capsys, tmp_path):
    answer(on_h200())
    table, figure = tmp_path / "t.csv", tmp_path / "t.svg"
    words = ["bench", "fused-transformer", "--csv", str(table), "--plot", str(figure)]
    assert main(words) == main(["bench", "fused-transformer"]) == ExitCode.OK
    assert table.read_text().startswith("bench,")
    assert figure.stat().st_size > 5000
    capsys.readouterr()
    assert main(["bench", "history"]) == ExitCode.OK
    assert "triton-path bench compare 1 2" in capsys.readouterr().out
    assert main(["bench", "compare", "1", "last"]) == ExitCode.OK
    assert "the same" in capsys.readouterr().out
    assert main(["bench", "history", "--json"]) == ExitCode.OK
    assert [run["number"] for run in json.loads(capsys.readouterr().out)] == [1, 2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["softmax", "rms-norm"], "'rms-norm' is one name too many"),
        (["compare", "1"], "takes two runs"),
        (["compare", "1", "2"], "There is no run '1'"),
        (["list", "all"], "'all' is one name too many"),
        (["nosuch.py"], "There is no file"),
        (["new", "chain"], "no name of a Python file"),
        (["softmax", "--providers", "tritn"], "Did you mean 'triton'?"),
        (["softmax", "--backward"], "no backward"),
        (["softmax", "--plot", "x.pdf"], "neither PNG nor SVG"),
        (["softmax", "--csv", "/no/such/x.csv"], "no file in a folder"),
    ],
)
def test_wrong_words_bring_the_next_command(words, said, capsys):
    assert main(["bench", *words]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "Next: " in err


def test_a_starter_is_written_and_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "new", "mine.py"]) == ExitCode.OK
    assert "Next: triton-path bench mine.py" in capsys.readouterr().out
    assert main(["bench", "mine.py", "--json"]) == ExitCode.OK
    document = json.loads(capsys.readouterr().out)
    assert document["own_file"] == str(tmp_path / "mine.py")
    assert document["faults"] == []
    assert document["shapes"][0]["ledger"]["parts"][0]["ops"] == 5


def test_a_broken_chain_is_exit_code_1_with_its_own_lines(tmp_path, capsys):
    path = tmp_path / "mine.py"
    path.write_text("def inputs():\n    return 1 / 0\n\ndef eager(x):\n    return x\n")
    assert main(["bench", str(path)]) == ExitCode.WRONG
    _, err = capsys.readouterr()
    assert "line 2, in inputs" in err
    assert "triton_path/" not in err
