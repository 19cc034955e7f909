"""`elcapitan study economy` as people type it."""

import json
import os
import pty
import re
import select
import signal
import time
from importlib import resources
from pathlib import Path

import pytest
from tests.cli.running import flat, mistake, output
from tests.experiments.arena.started_commands import running
from tests.experiments.arena.toy_bots import LOWEST
from tests.experiments.study.made_games import BOT, game, table

from elcapitan.cli.command_line import Terminal
from elcapitan.cli.study import show
from elcapitan.experiments.study.economy import measure
from elcapitan.experiments.study.games import Study
from elcapitan.text.catalogue import LANGUAGES

WORDS = ["study", "economy", "--bot", LOWEST, "--players", "3,2", "--games", "2", "--seed", "7"]
PLAN = Study(BOT, (2, 3, 4, 5), 1, 7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a study on one core writes."""
    folder = tmp_path_factory.mktemp("study") / "results"
    (folder.parent / "page").write_text(output(*WORDS, "--jobs", "1", "--out", folder), encoding="utf-8")
    return folder


def test_what_is_written(folder: Path) -> None:
    charts = {f"{chart}-{players}.svg" for chart in ("money", "sources", "positions") for players in (2, 3)}
    charts |= {"money-all.svg", "sources-all.svg"}
    assert {path.name for path in folder.iterdir()} == charts | {"economy.html", "economy.json", "run.json"}
    figures = json.loads((folder / "economy.json").read_text(encoding="utf-8"))
    assert figures["format"] == "elcapitan-economy/1" and figures["played"] == figures["scheduled"] == 4
    assert [found["players"] for found in figures["tables"]] == [2, 3], "in order, however they are named"
    assert "seconds" not in json.dumps(figures), "nothing that depends on the machine"
    for found in figures["tables"]:
        assert sum(share["wins"] for share in found["by_position"]) == pytest.approx(found["played"])
        assert sum(found["sources"].values()) == pytest.approx(found["money"]["mean"], abs=1e-4)
        last = [place["worth"][-1]["mean"] for place in found["places"]]
        assert last == sorted(last, reverse=True)
    ran = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert ran["seconds"] > 0 and ran["complete"] is True


def test_the_same_seed_gives_the_same_figures_with_any_number_of_jobs(folder: Path) -> None:
    printed = output(*WORDS, "--jobs", "2", "--json")
    assert printed == (folder / "economy.json").read_text(encoding="utf-8")


def test_every_game_has_cards_of_its_own(folder: Path) -> None:
    figures = json.loads((folder / "economy.json").read_text(encoding="utf-8"))
    assert figures["tables"][0]["money"]["least"] < figures["tables"][0]["money"]["most"]
    page = flat((folder.parent / "page").read_text(encoding="utf-8"))
    assert page.startswith(f"4 games of {LOWEST} against itself, seed 7, board mediterranean 2 players, 2 games")
    assert f"Figures and report are in {folder}." in page.replace("\n", "")


def test_figures_are_not_overwritten(folder: Path) -> None:
    before = (folder / "economy.json").read_bytes()
    said = mistake(*WORDS, "--out", folder)
    assert said == f"{folder} has the figures of another study already; choose another folder."
    assert (folder / "economy.json").read_bytes() == before


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    assert "cannot be written" in mistake(*WORDS, "--out", tmp_path / "taken" / "x")


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_fit_into_80_columns(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    tables = [table(game(0, (-111, 345, 200, 190, 150)[:players])) for players in (2, 3, 4, 5)]
    show(Terminal(language), PLAN, [measure(each) for each in tables], seconds=1.0, out=None)
    page = capsys.readouterr().out
    assert max(map(len, page.splitlines())) <= 80 and "…" not in page
    for scores in ("224 / 219 / 211", "162 / 134 / 128 / 124", "169 / 152 / 129 / 72 / 72"):
        assert scores in flat(page)


def test_another_board(tmp_path: Path) -> None:
    packaged = (resources.files("elcapitan") / "data" / "mediterranean.toml").read_text(encoding="utf-8")
    other = tmp_path / "rich.toml"
    rich = packaged.replace('name = "mediterranean"', 'name = "rich"').replace("start = { is = 20", "start = { is = 90")
    other.write_text(rich, encoding="utf-8")
    words = ["study", "economy", "--bot", LOWEST, "--players", "2", "--games", "1", "--seed", "2", "--jobs", "1"]
    figures = json.loads(output(*words, "--board", other, "--json"))
    assert figures["config"]["board"].startswith("rich") and figures["tables"][0]["sources"]["start"] == 90


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["economy", "--bot", "nobody"], "There is no computer player nobody; there are "),
        (["economy", "--players", "6"], "--players wants numbers from 2 to 5 with commas between them, not 6."),
        (["economy", "--players", "2;3"], "--players wants numbers from 2 to 5 with commas between them, not 2;3."),
        (["economy", "--players", "2,,3"], "--players wants numbers from 2 to 5 with commas between them, not 2,,3."),
        (["economy", "--players", ""], "--players wants numbers from 2 to 5 with commas between them, not ."),
        (["economy", "--games", "0"], "--games wants a whole number from 1 to 1000000, not 0."),
        (["economy", "--jobs", "x"], "--jobs wants a whole number from 1 to 1024, not x."),
        (["economy", "--seed", "-1"], "--seed wants a whole number from 0 to "),
        (["economy", "--board", "missing.toml"], "There is no file missing.toml."),
        (["economy", "--bots", LOWEST], "There is no option --bots; the nearest is --bot."),
        (["economy", "more"], "more is more than this command can use; see elcapitan study economy --help."),
        (["ecology"], "There is no command ecology; the nearest is economy."),
    ],
)
def test_mistakes(words: list[str], sentence: str) -> None:
    assert mistake("study", *words).startswith(sentence)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_in_every_language(language: str) -> None:
    page = output("study", "economy", "--help", "--language", language)
    assert {"en": "Usage:", "de": "Aufruf:", "fr": "Usage\N{NO-BREAK SPACE}:"}[language] in page
    assert ("Options:" in page) == (language == "en")
    for word in ("--bot BOT", "--players N,N", "--games K", "--board FILE", "--out FOLDER", "navigator", "24"):
        assert word in page


def test_no_command_shows_the_help() -> None:
    page = output("study")
    assert page == output("study", "--help")
    line = next(line for line in page.splitlines() if line.startswith("  economy "))
    assert line.endswith(".")


def read_until(file: int, pattern: str) -> str:
    """Read from a terminal until its text matches, at most for two minutes; returns all that was read."""
    text, until = "", time.monotonic() + 120
    while not re.search(pattern, text):
        readable, _, _ = select.select([file], [], [], max(0.0, until - time.monotonic()))
        assert readable, f"no {pattern} in {text}"
        text += os.read(file, 4096).decode()
    return text


def test_control_c_keeps_and_tells_what_is_finished(tmp_path: Path) -> None:
    words = ["study", "economy", "--bot", LOWEST, "--players", "2,3", "--games", "1000", "--seed", "7", "--jobs", "1"]
    screen, stderr = pty.openpty()  # a terminal, so that progress is shown
    with running(*words, "--out", str(tmp_path / "out"), stderr=stderr) as study:
        read_until(screen, r"\b[1-9]\d*/2000\b")
        assert study.poll() is None
        os.killpg(study.pid, signal.SIGINT)  # as a terminal sends it: to every process
        page, _ = study.communicate(timeout=60)
    assert study.returncode == 130
    figures = json.loads((tmp_path / "out" / "economy.json").read_text(encoding="utf-8"))
    assert 1 <= figures["played"] < 2000 == figures["scheduled"]
    read_until(screen, rf"Stopped early; games played: {figures['played']} of 2000\.")
    assert f"of {LOWEST} against itself, seed 7" in flat(page)
    os.close(screen)
    os.close(stderr)
