"""What the documents show of `triton-path trace` is what it prints."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.usefixtures("children_uncovered")
EXAMPLES = sorted((ROOT / "docs/examples").glob("*.py"))
DOCUMENTS = ("docs/trace.md", "README.md")
SHOWN = re.compile(r"```\w*\n\$ triton-path (trace docs/examples/[^\n]+)\n(.*?)```", re.DOTALL)


def shown_in(document: str) -> list[tuple[str, str]]:
    return SHOWN.findall((ROOT / document).read_text())


def test_every_example_is_shown_in_docs() -> None:
    commands = {command for command, _ in shown_in("docs/trace.md")}
    assert commands >= {f"trace docs/examples/{path.name}" for path in EXAMPLES}


COMMANDS = sorted({command for document in DOCUMENTS for command, _ in shown_in(document)})


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 marks no expressions")
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_shown_is_what_is_printed(
    command: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    done = run(*shlex.split(command))
    if "--arg" not in command:
        assert done.err.startswith("The file asks for CUDA")
    for document in DOCUMENTS:
        for shown, text in shown_in(document):
            if shown == command:
                # A part may stand for the whole, as long as it is printed like that.
                assert text.strip("\n") in done.out, document
