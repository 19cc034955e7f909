"""The pages about research: the tutorial runs, the tables are those of the code."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from elcapitan.research import dataset
from elcapitan.research.layout import markdown

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


@pytest.mark.compiled
def test_the_tutorial_runs_and_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    world: dict[str, Any] = {"__name__": "tutorial"}
    printed, told = "", 0
    for kind, content in BLOCK.findall((DOCS / "tutorial.md").read_text(encoding="utf-8")):
        if kind == "text":
            assert printed == content
            told += 1
        else:
            screen = io.StringIO()
            with contextlib.redirect_stdout(screen):
                exec(compile(content, "tutorial.md", "exec"), world)
            printed = screen.getvalue()
    assert told >= 8


def test_the_table_of_the_parts_is_up_to_date() -> None:
    assert markdown() in (DOCS / "research.md").read_text(encoding="utf-8")


def test_the_table_of_the_columns_is_up_to_date() -> None:
    page = (DOCS / "research.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` | {kind} | {about} |" in page for name, kind, about in dataset.COLUMNS)
