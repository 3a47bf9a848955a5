from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.worker.practice.solutions import LAUNCH, RIGHT, changed, job, mistake
from triton_path.worker.practice.check import check

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.jobs.practice import CheckAnswer


def answer(folder: Path, text: str, **more: object) -> CheckAnswer:
    return check(job(folder, text, **more), lambda _: None)


def kinds(folder: Path, text: str, **more: object) -> list[str]:
    return [finding.kind for finding in answer(folder, text, **more).findings]


def test_a_right_solution_has_no_findings_and_every_case_passes(tmp_path: Path) -> None:
    found = answer(tmp_path, RIGHT)
    assert found.findings == ()
    assert [case.passed for case in found.cases] == [True] * 5
    assert [case.label.why for case in found.cases][-2:] == [
        "the same shape again, with other values",
        "sizes drawn anew for each check",
    ]
    assert found.watched
    assert "2 units in the last place of float32" in found.tolerance


@pytest.mark.parametrize(
    ("replacements", "kind"),
    [
        ([(", mask=inside)\n    tl.store", ")\n    tl.store")], "out-of-bounds-load"),
        ([("x * a, mask=inside", "x * a")], "out-of-bounds-store"),
        ([("triton.cdiv(n, 32)", "n // 32")], "never-written"),
        ([("    tl.store(out_ptr + i, x * a, mask=inside)\n", "")], "never-written"),
        ([("x * a", "x + a")], "wrong-values"),
        ([("x * a", "tl.abs(x)")], "wrong-values"),
        ([("inside = i < n", "inside = i < n and i >= 0")], "block-boolean"),
        ([("    inside = i < n", "    while n > 0:\n        n = n\n    inside = i < n")],
         "endless-loop"),
        ([("x_ptr + i, mask", "x_ptr + nothing, mask")], "kernel-error"),
        ([("tl.store(out_ptr + i, x * a, mask=inside)",
           "tl.store(out_ptr + i, x * a, mask=inside)\n    tl.store(x_ptr + i, x, mask=inside)\n"
           "    tl.store(x_ptr + i, x * 2, mask=inside)")], "input-changed"),
    ],
)  # fmt: skip
def test_a_wrong_kernel_is_failed_for_what_is_wrong(
    tmp_path: Path, replacements: list[tuple[str, str]], kind: str
) -> None:
    assert kinds(tmp_path, changed(*replacements), seconds=3.0)[0] == kind


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("    pass\n", "no-kernel"),
        ("    out.copy_(x * a)\n", "torch-does-the-work"),
        (f"{LAUNCH}    out.mul_(1)\n", "torch-does-the-work"),
        (f"    x = x.double().float()\n{LAUNCH}", "torch-does-the-work"),
        (f"    y = x.clone()\n{LAUNCH.replace('(x, out', '(y, out')}", "torch-does-the-work"),
        (f"{LAUNCH}    sum(x.tolist())\n", "torch-does-the-work"),
        (f"{LAUNCH}    float(x[0])\n", "torch-does-the-work"),
        (f"{LAUNCH}    return x\n", "returned-instead"),
        (f"{LAUNCH}{LAUNCH}", "too-many-launches"),
        (f"{LAUNCH}    raise RuntimeError('no')\n", "raised"),
        ("    while True:\n        pass\n", "out-of-time"),
    ],
)
def test_what_the_host_code_may_not_do_is_told(tmp_path: Path, host: str, kind: str) -> None:
    found = answer(tmp_path, changed((LAUNCH, host)), seconds=2.0)
    assert found.findings[0].kind == kind
    assert found.findings[0].sentence
    assert found.findings[0].remedy or kind in ("raised",)


def test_memory_changed_behind_torch_is_seen(tmp_path: Path) -> None:
    poke = "    import ctypes\n    ctypes.memset(out.data_ptr(), 0, 4)\n"
    assert kinds(tmp_path, changed((LAUNCH, LAUNCH + poke)))[0] == "changed-outside-kernel"


def test_an_output_that_is_returned_is_no_fault(tmp_path: Path) -> None:
    assert kinds(tmp_path, changed((LAUNCH, f"{LAUNCH}    return out\n"))) == []


def test_tensors_of_its_own_are_allowed(tmp_path: Path) -> None:
    host = "    table = torch.zeros(4)\n    table + 1\n    torch.empty_like(x)\n"
    assert kinds(tmp_path, changed((LAUNCH, host + LAUNCH))) == []


def test_a_result_kept_from_an_earlier_case_is_recognised(tmp_path: Path) -> None:
    remembers = changed(
        ("def scale", "kept = {}\n\n\ndef scale"),
        (
            LAUNCH,
            "    if n not in kept:\n"
            "        kept[n] = torch.empty_like(out)\n"
            "        kernel[(triton.cdiv(n, 32),)](x, kept[n], a, n, BLOCK=32)\n"
            "    kernel[(triton.cdiv(n, 32),)](kept[n], out, 1.0, n, BLOCK=32)\n",
        ),
    )
    found = kinds(tmp_path, remembers)
    assert found[0] == "too-many-launches"
    assert "remembers" in found


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("def scale(:\n", "does-not-import", "not valid Python"),
        ("import nothing_of_this_name\n", "does-not-import", "ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "does-not-import", "SystemExit"),
        ("import triton\ntriton.jitt\n", "does-not-import", "did you mean `triton.jit`?"),
        ("x = 1\n", "no-entry", "`scale`"),
        ("def scale(x):\n    pass\n", "wrong-signature", "scale(x, out, a)"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_why(
    tmp_path: Path, text: str, kind: str, words: str
) -> None:
    found = answer(tmp_path, text).findings
    assert [finding.kind for finding in found] == [kind]
    assert words in found[0].sentence + found[0].remedy


def test_a_misspelt_name_in_host_code_is_told_with_what_was_meant(tmp_path: Path) -> None:
    (finding,) = answer(tmp_path, changed(("triton.cdiv", "triton.cdvi"))).findings
    assert finding.kind == "raised"
    assert "`triton` has no `cdvi`; did you mean `triton.cdiv`?" in finding.sentence
    assert finding.remedy == "Write `triton.cdiv`."


def test_a_pointer_that_is_indexed_is_told_as_one(tmp_path: Path) -> None:
    load = next(line for line in RIGHT.splitlines() if "tl.load" in line)
    text = changed((load, "    x = x_ptr[i]"))
    (finding,) = answer(tmp_path, text).findings
    assert finding.kind == "kernel-error"
    assert finding.sentence.startswith("`x_ptr[i]` indexes a pointer")
    assert "tl.load(x_ptr + i, mask=...)" in finding.remedy


def test_a_file_that_is_no_text_or_too_large_is_told(tmp_path: Path) -> None:
    asked = job(tmp_path, RIGHT)
    path = tmp_path / "scale.py"
    path.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in check(asked, lambda _: None).findings[0].sentence
    path.write_bytes(b"#" * (2 << 20))
    assert "larger" in check(asked, lambda _: None).findings[0].sentence
    path.unlink()
    assert "cannot be read" in check(asked, lambda _: None).findings[0].sentence


def test_replaced_clocks_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setattr(time, "perf_counter", time.perf_counter)
    text = f"import time\ntime.perf_counter = lambda: 0.0\n{RIGHT}"
    found = answer(tmp_path, text).findings
    assert [finding.kind for finding in found] == ["tampering"]
    assert "time.perf_counter" in found[0].sentence


def test_the_reference_called_is_the_work_done_elsewhere(tmp_path: Path) -> None:
    text = changed((LAUNCH, f"{LAUNCH}    from reference import reference\n"
                            "    out.copy_(reference(x, a))\n"))  # fmt: skip
    assert kinds(tmp_path, text)[0] == "torch-does-the-work"


def test_one_seed_gives_one_set_of_cases(tmp_path: Path) -> None:
    def labels(seed: int) -> str:
        asked = job(tmp_path, RIGHT).model_copy(update={"seed": seed})
        cases = check(asked, lambda _: None).cases
        return json.dumps([case.label.model_dump() for case in cases])

    assert labels(1) == labels(1)
    assert len({labels(seed) for seed in range(6)}) > 1


def test_what_fails_and_what_passes_gives_a_pattern(tmp_path: Path) -> None:
    text = changed(("x * a, mask", "tl.where(i < n // 32 * 32, x * a, x), mask"))
    found = answer(tmp_path, text).findings[0]
    assert found.kind == "wrong-values"
    picture = found.mismatch
    assert picture is not None
    assert "wrong from element 32 on, right before" in picture.patterns
    assert "only where n is no multiple of 32" in picture.patterns
    assert picture.first == (32,)
    assert [cell.wrong for cell in picture.cells[0]] == [False, True, True, True, True]


def test_a_known_mistake_is_told_by_its_name(tmp_path: Path) -> None:
    no_mask = changed((", mask=inside", ""))
    known = (
        mistake(tmp_path, "no_mask", "out-of-bounds-load", no_mask),
        mistake(tmp_path, "off_by_one", "out-of-bounds-load", changed(("i < n", "i <= n"))),
        mistake(tmp_path, "adds", "wrong-values", changed(("x * a", "x + a"))),
    )
    own = no_mask.replace("32", "16").replace("x_ptr", "first")
    found = answer(tmp_path, own, mistakes=known).findings[0]
    assert found.diagnosis is not None
    assert (found.diagnosis.file, found.diagnosis.read) == ("no_mask.py", "somewhere")
    other = answer(tmp_path, changed(("x * a", "a + x")), mistakes=known).findings[0]
    assert other.diagnosis is not None
    assert other.diagnosis.file == "adds.py"
    unknown = answer(tmp_path, changed(("x * a", "x - a")), mistakes=known).findings[0]
    assert unknown.diagnosis is None


def test_advice_does_not_fail_a_solution(tmp_path: Path) -> None:
    from dataclasses import replace

    from tests.worker.practice.solutions import GRADING
    from triton_path.jobs.grading import Case

    large = replace(GRADING, cases=(Case(sizes={"n": 2048}),), fresh=())
    spread = changed(
        ("+ tl.arange(0, BLOCK)", "* 0 + tl.arange(0, BLOCK) * 64 + tl.program_id(0) - "
                                  "tl.program_id(0) // 64 * 64")
    )  # fmt: skip
    found = answer(tmp_path, spread, grading=large).findings
    assert {finding.kind for finding in found} >= {"uncoalesced", "idle-mask"}
    assert all(finding.advice for finding in found)


def test_results_are_kept_for_the_comparison_with_a_gpu(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    answer(tmp_path, RIGHT, keep=str(kept))
    assert {path.name for path in kept.iterdir()} == {"done", *(f"{n}.pt" for n in range(1, 6))}


def test_cases_that_were_not_run_are_no_pass(tmp_path: Path) -> None:
    slow = changed((LAUNCH, f"    import time\n    time.sleep(0.3)\n{LAUNCH}"))
    found = answer(tmp_path, slow, seconds=0.5)
    assert [finding.kind for finding in found.findings] == ["out-of-time"]
    assert len(found.cases) < found.planned


def test_without_the_watch_a_right_solution_passes_and_wrong_values_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triton_path.worker.practice import check as module
    from triton_path.worker.watch import selftest

    for owner in (module, selftest):
        monkeypatch.setattr(owner, "reason_not_to_watch", lambda: "another Triton")
    found = answer(tmp_path, RIGHT)
    assert (found.findings, found.watched, found.unwatched_reason) == ((), False, "another Triton")
    assert kinds(tmp_path, changed(("x * a", "x + a")))[0] == "wrong-values"
    assert kinds(tmp_path, changed(("    tl.store(out_ptr + i, x * a, mask=inside)\n", "")))[0] == (
        "never-written"
    )


@pytest.mark.parametrize("statement", ["out.resize_(3)", "out.data = torch.empty_like(out)"])
def test_an_output_that_is_given_another_shape_or_memory_is_told(
    tmp_path: Path, statement: str
) -> None:
    told = kinds(tmp_path, changed((LAUNCH, f"{LAUNCH}    {statement}\n")))
    assert "changed-outside-kernel" in told


def test_a_default_device_of_the_files_own_does_no_harm(tmp_path: Path) -> None:
    import torch

    try:
        assert kinds(tmp_path, f"import torch\ntorch.set_default_device('cuda')\n{RIGHT}") == []
    finally:
        torch.set_default_device(None)


def test_a_grid_that_no_gpu_takes_is_told(tmp_path: Path) -> None:
    from dataclasses import replace

    from tests.worker.practice.solutions import GRADING
    from triton_path.jobs.grading import Case

    many = replace(GRADING, cases=(*GRADING.cases, Case(sizes={"n": 1 << 24}, host_only=True)))
    text = changed(("(triton.cdiv(n, 32),)", "(1, triton.cdiv(n, 32))"),
                   ("tl.program_id(0)", "tl.program_id(1)"))  # fmt: skip
    assert kinds(tmp_path, text, grading=many) == ["grid-too-large"]
    growing = replace(many, most_constant=1024)
    block = "BLOCK=triton.next_power_of_2(n)"
    assert kinds(tmp_path, changed(("BLOCK=32", block)), grading=growing)[0] == "block-too-large"


def test_more_programs_than_an_exercise_wants_are_told(tmp_path: Path) -> None:
    from dataclasses import replace

    from tests.worker.practice.solutions import GRADING

    one = replace(GRADING, most_programs=1)
    block = changed(("BLOCK=32", "BLOCK=triton.next_power_of_2(n)"),
                    ("(triton.cdiv(n, 32),)", "(1,)"))  # fmt: skip
    assert kinds(tmp_path, block, grading=one) == []
    (finding,) = answer(tmp_path, RIGHT, grading=one).findings
    assert finding.kind == "too-many-programs"
    assert finding.sentence.endswith("programs; this exercise wants one.")


def test_a_grid_that_ends_too_early_shows_at_sizes_without_memory(tmp_path: Path) -> None:
    from dataclasses import replace

    from tests.worker.practice.solutions import GRADING
    from triton_path.jobs.grading import Case

    large = replace(GRADING, cases=(*GRADING.cases, Case(sizes={"n": 1 << 26}, virtual=True)))
    capped = changed(("triton.cdiv(n, 32)", "min(triton.cdiv(n, 32), 64)"))
    assert kinds(tmp_path, RIGHT, grading=large) == []
    assert kinds(tmp_path, capped, grading=large) == ["never-written"]
