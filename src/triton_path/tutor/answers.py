"""A whole quiz answered from a file, for scripts and for teachers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_path.course.source import parse_yaml
from triton_path.course.text import MAX_BYTES, SourceError, read_text
from triton_path.errors import UsageFault, unknown_name
from triton_path.tutor.asking import Verdict, chosen_json, explanation_text, grade, read_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.tutor.reviews import Asked


def grade_file(file: str, asked: Sequence[Asked]) -> tuple[Verdict, ...]:
    """Grade the answers in `file` (`-` is stdin), a mapping of question id to answer.

    A question left out counts as wrong. Raises UsageFault for a file that cannot be read, an
    unknown question or choice, or an answer of the wrong kind.
    """
    given = _read_mapping(file)
    questions = {item.question.id: item.question for item in asked}
    for name in given:
        if name not in questions:
            listing = f"triton-path quiz {asked[0].lesson_id} | cat"
            raise unknown_name("question", name, questions, listing)
    return tuple(
        grade(question, read_answer(question, given[name]) if name in given else None)
        for name, question in questions.items()
    )


def _read_mapping(file: str) -> dict[str, Any]:
    try:
        if file != "-" and not Path(file).is_file():
            raise UsageFault(f"There is no file '{file}'.")
        if file == "-":
            text = sys.stdin.buffer.read(MAX_BYTES + 1).decode("utf-8-sig", errors="replace")
        else:
            text = read_text(Path(file), file)
        data = _parse(text, file)
    except SourceError as error:
        fault = error.faults[0]
        raise UsageFault(f"{fault.file}, line {fault.line}: {fault.message}.") from None
    if not isinstance(data, dict):
        raise UsageFault(f"{file} must hold a mapping of question id to answer.")
    return data


def _parse(text: str, file: str) -> Any:
    """Parse JSON, which is nearly YAML (but not where tabs indent it), or YAML."""
    try:
        return json.loads(text, object_pairs_hook=_no_twins)
    except (ValueError, RecursionError):
        return parse_yaml(text, file).data


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise ValueError("a key appears twice")
    return mapping


def report_json(lesson_id: str, verdicts: Sequence[Verdict]) -> str:
    """Return the result as JSON."""
    report = {
        "lesson": lesson_id,
        "score": sum(verdict.correct for verdict in verdicts),
        "total": len(verdicts),
        "questions": [
            {
                "id": verdict.question.id,
                "chosen": chosen_json(verdict.chosen),
                "correct": verdict.correct,
                "explanation": explanation_text(verdict),
            }
            for verdict in verdicts
        ],
    }
    return json.dumps(report, indent=2, ensure_ascii=False)
