"""Code blocks of README and docs run as they are printed, links lead somewhere, and the pages stay short.

The tutorial has a test of its own.
"""

import contextlib
import io
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from benchmarks.peers_page import page as benchmark_page
from tests.cli.running import run

import bench_table
import count_words
from elcapitan.cli import engine
from elcapitan.cli.main import app, take_language

ROOT = Path(__file__).parents[1]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]
LINKED = [*PAGES, ROOT / "SECURITY.md", ROOT / "CHANGELOG.md"]
BLOCK = re.compile(r"^( *)```(\w*)(.*?)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
PROGRAM = "#!"  # begins a block that is a whole file of examples/
# What a shell block may begin a line with besides `elcapitan`: programs that others have written.
FOREIGN = {"cp", "curl", "dask", "docker", "export", "pg_dump", "pg_restore", "pip", "python", "python3", "source"}
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


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
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
    files = [
        path.read_text(encoding="utf-8") for path in (ROOT / "examples").rglob("*") if path.suffix in (".py", ".sh")
    ]
    assert programs and all(block.content in files for block in programs)


def test_shell_lines_begin_with_a_known_program_and_name_files_that_exist() -> None:
    extras = PROJECT["optional-dependencies"]
    for where, words in SHELL:
        assert Path(words[0]).name in FOREIGN | {"elcapitan", "make"}, where
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", MAKEFILE, re.MULTILINE), where
        for word in words:
            if word.startswith(("examples/", "deploy/", "requirements", "tests/")):
                assert (ROOT / word).exists(), where
        if words[1:2] == ["-m"] and words[2].startswith("elcapitan"):
            assert find_spec(words[2]), where
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


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as public forges make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, _, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(#([^)]*))?\)", page.read_text(encoding="utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.name)
def test_paths_that_are_named_exist(page: Path) -> None:
    for path in re.findall(
        r"`((?:src|tests|tools|examples|deploy|benchmarks|docs)/[^`* {<]*)`", page.read_text("utf-8")
    ):
        assert (ROOT / path).exists(), path


def test_every_page_is_linked_from_the_front_page() -> None:
    assert all(f"(docs/{page.name})" in PAGES[0].read_text(encoding="utf-8") for page in DOCS)


def test_the_pages_are_short() -> None:
    assert count_words.too_long(count_words.pages()) == []


def test_words_are_counted_by_hand_written_ones() -> None:
    copy = (ROOT / "examples" / "bots" / "cheapest.py").read_text(encoding="utf-8")
    generated = "<!-- generated: limits -->\n| a | b |\n<!-- end -->"
    text = f"Two words | 3\n{generated}\n<!-- bench:start -->x<!-- bench:end -->\n```python\n{copy}```\n"
    assert count_words.words(text) == 3
    assert count_words.words("```python\n#! other\n```\n") == 2
    assert len(count_words.too_long({"README.md": 14_201, "architecture.md": 9_000})) == 2


def test_the_benchmark_page_shows_what_was_measured() -> None:
    measured = json.loads((ROOT / "docs" / "benchmarks.json").read_text(encoding="utf-8"))
    assert benchmark_page(measured) == (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")


def test_the_front_page_shows_what_the_bench_measures() -> None:
    numbers = {"games_per_second": 1.0, "actions_per_second": 1.0}
    batch = {"steps_per_second": 1.0, "with_the_choice_per_second": 1.0}
    measured = {
        **dict.fromkeys(bench_table.FACTS, "x"),
        "games": {
            f"{players} players, {'all' if tiles else 'no'} tiles": numbers for players, tiles in engine.SETTINGS
        },
        "nanoseconds": {"legal_mask": 1.0, "step": 1.0, "forecast": 1.0},
        "batch": {"games": engine.BATCH, "light": batch, "uniform": batch},
        "search": dict.fromkeys(engine.STYLES, 1.0),
        "bytes_per_state": 1,
    }
    found = bench_table.PLACE.search(bench_table.PAGE.read_text(encoding="utf-8"))
    assert found, "the marks of the table are gone"
    names = [
        [line.split("|")[1] for line in text.splitlines() if line] for text in (found[2], bench_table.table(measured))
    ]
    assert names[0] == names[1]


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [PROJECT["version"]]
    assert metadata.version("elcapitan") == PROJECT["version"]


def test_the_map_of_the_code_names_what_there_is() -> None:
    """Every line is a folder, inside the package if it is indented."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = re.findall(r"^( *)(\S+)/ ", text.partition("```text\n")[2].partition("```")[0], re.MULTILINE)
    assert len(folders) > 15
    for indent, name in folders:
        assert (ROOT / ("src/elcapitan" if indent else "") / name).is_dir(), name


def test_every_target_that_is_listed_belongs_to_a_group() -> None:
    listed = re.findall(r"^[a-z]+:.*?## (.*)$", MAKEFILE, re.MULTILINE)
    assert len(listed) > 10
    assert all(text.startswith(("play: ", "develop: ", "measure: ", "release: ")) for text in listed)
