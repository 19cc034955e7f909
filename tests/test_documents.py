"""Code blocks of README and docs run as they are printed; the tutorial has a test of its own."""

import contextlib
import io
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from tests.cli.running import run

from elcapitan.cli.main import app, take_language

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^( *)```(\w*)(.*?)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
PROGRAM = "#!"  # begins a block that is a whole file of examples/
# What a shell block may begin a line with besides `elcapitan`: programs that others have written.
FOREIGN = {"cp", "curl", "dask", "docker", "export", "pg_dump", "pg_restore", "pip", "python", "python3"}
QUICK = {"rules", "games list", "simulate"}  # these are run; of all others the words and options are read


class Block(NamedTuple):
    """A code block and where it stands."""

    page: str
    line: int
    kind: str
    content: str


def blocks(*kinds: str) -> list[Block]:
    """All code blocks of some kinds."""
    found = []
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            indent, kind, rest, content = match.groups()
            assert not rest, f"{path.name}: a block is {kind}{rest}; nothing is left out here"
            lines = [line.removeprefix(indent) for line in content.splitlines(keepends=True)]
            found.append(Block(path.name, text[: match.start()].count("\n") + 1, kind, "".join(lines)))
    return [block for block in found if block.kind in kinds]


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every command line of every shell block: where it stands, and its words."""
    for block in blocks("sh"):
        if block.content.startswith(PROGRAM):
            continue
        for line in re.sub(r"\\\n", " ", block.content).splitlines():
            if block.page == "api.md" and not line.startswith("elcapitan"):
                continue  # requests over several lines; tests/api runs that page
            plain = re.sub(r"\$\([^)]*\)", "TOLD", line)  # what another command tells
            words = shlex.split(re.sub(r" [<>] \S+", "", plain), comments=True)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                del words[0]
            if words:
                yield f"{block.page}:{block.line}: {line}", words


SHELL = list(commands())
OURS = [words[1:] for _, words in SHELL if words[0] == "elcapitan"]


def test_there_are_blocks_everywhere() -> None:
    assert {block.page for block in blocks("python")} >= {"README.md", "arena.md", "bots.md", "research.md"}
    assert len(SHELL) > 40 and len(OURS) > 30


@pytest.mark.compiled
@pytest.mark.parametrize("page", sorted({block.page for block in blocks("python")} - {"tutorial.md"}))
def test_python_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page one after another, in one program that is started in the checkout."""
    monkeypatch.chdir(ROOT)
    world: dict[str, Any] = {"__name__": "page"}
    for block in blocks("python"):
        if block.page == page and not block.content.startswith(PROGRAM):
            code = compile("\n" * block.line + block.content, f"{page} (line of the page)", "exec")
            with contextlib.redirect_stdout(io.StringIO()):
                exec(code, world)


def test_whole_programs_are_those_of_the_examples() -> None:
    programs = [block for block in blocks("python", "sh") if block.content.startswith(PROGRAM)]
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "examples").rglob("*") if path.is_file()]
    assert programs and all(block.content in files for block in programs)


def test_shell_lines_begin_with_a_known_program_and_name_files_that_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for where, words in SHELL:
        assert Path(words[0]).name in FOREIGN | {"elcapitan"}, where
        for word in words:
            if word.startswith(("examples/", "deploy/", "requirements")):
                assert (ROOT / word).exists(), where
            if chosen := re.fullmatch(r"elcapitan\[(.*)\]", word):
                assert set(chosen[1].split(",")) <= set(extras), where


@pytest.mark.parametrize("words", OURS, ids=" ".join)
def test_our_commands_take_these_words(words: list[str]) -> None:
    """The command line is read to its end, with every option and its value; nothing is done."""
    _, words = take_language(words)
    command: Any = typer.main.get_command(app)
    context = command.make_context("elcapitan", list(words))
    while hasattr(command, "resolve_command"):
        name, command, words = command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(name, list(words), parent=context)
    assert not context.args


@pytest.mark.compiled
@pytest.mark.parametrize("words", [words for words in OURS if " ".join(words).startswith(tuple(QUICK))], ids=" ".join)
def test_quick_commands_run(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run(*words, ELCAPITAN_DATA=str(tmp_path), ELCAPITAN_DATABASE="")
    empty = words[0] == "games" and answer.exit_code == 2  # there are no games yet, which it says
    assert answer.exit_code == 0 or empty, answer.output
