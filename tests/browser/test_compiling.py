"""The first start: the page is there before the rules are compiled, says how far they are, and goes on by itself."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit, Watch
from tests.browser.running_server import RunningServer
from tests.browser.test_accessible import check
from tests.web.slow_compiler import NAMES, SlowCompiler

from elcapitan.engine import warm_up
from elcapitan.engine.code_folder import FOLDER

pytestmark = pytest.mark.compiled
START = """
import sys
from pathlib import Path
from elcapitan.cli.main import main
from elcapitan.engine import warm_up
from elcapitan.service import compiled_rules
from tests.web.slow_compiler import SlowCompiler

compiled_rules.COMPILER = SlowCompiler(Path({folder!r})).command
warm_up.is_ready = lambda: False
main()
"""
WORDS = "The rules are being compiled, only this once: {done} of {total}"


@pytest.fixture
def compiler(tmp_path: Path) -> SlowCompiler:
    return SlowCompiler(tmp_path)


@pytest.fixture
def compiling_server(tmp_path: Path, compiler: SlowCompiler) -> Iterator[RunningServer]:
    """A server whose rules are compiled when the compiler is told to."""
    del compiler
    script = tmp_path / "start.py"
    script.write_text(START.format(folder=str(tmp_path)))
    server = RunningServer(tmp_path, program=[str(script)]).open()
    yield server
    server.close()
    assert "Traceback" not in server.said, server.said


def words(done: int) -> str:
    return WORDS.format(done=done, total=len(warm_up.kernels()))


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_play_now_while_the_rules_are_compiled(
    compiling_server: RunningServer, compiler: SlowCompiler, visit: Visit, watches: list[Watch], scripts: bool
) -> None:
    page = visit(base_url=compiling_server.address, java_script_enabled=scripts)
    watches[0].expect("503", ": csp")  # the answer while it waits; scripts that are switched off
    page.goto("/")
    expect(page.get_by_role("status")).to_contain_text(words(0))
    if scripts:
        check(page)
    compiler.allow(NAMES[0])
    expect(page.get_by_role("status")).to_contain_text(words(1))
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("heading", name="One moment")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text(words(1))
    if scripts:
        check(page)
    compiler.finish()
    page.wait_for_url("**/games/*")
    expect(page.locator("#table")).to_be_visible()


def test_words_disappear_when_the_rules_are_ready(
    compiling_server: RunningServer, compiler: SlowCompiler, page: Page
) -> None:
    page.goto(compiling_server.address)
    page.get_by_text("or paste its text").click()
    page.get_by_label("Text of the game").fill("half a game")
    compiler.finish()
    expect(page.get_by_role("status")).to_have_count(0)
    expect(page.get_by_label("Text of the game")).to_have_value("half a game")


def test_a_real_compiler_behind_a_real_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, visit: Visit, watches: list[Watch]
) -> None:
    """All but one small kernel are at hand already, so that it takes seconds and not a minute."""
    assert FOLDER is not None
    rules = tmp_path / "cache" / FOLDER.name
    shutil.copytree(FOLDER, rules)
    (rules / "complete").unlink()
    missing = list(rules.rglob("*next_card*"))
    assert missing
    for file in missing:
        file.unlink()
    monkeypatch.setenv("ELCAPITAN_CACHE", str(rules.parent))
    server = RunningServer(tmp_path).open()
    try:
        page = visit(base_url=server.address)
        watches[0].expect("503")  # the answer while it waits
        page.goto("/")
        page.get_by_role("button", name="Play now").click()  # its answer waits for the rules
        expect(page.locator("#table")).to_be_visible()
    finally:
        server.close()
    assert (rules / "complete").exists() and list(rules.rglob("*next_card*"))
