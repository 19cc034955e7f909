"""`elcapitan arena` as people type it."""

import json
import os
import signal
import time
from pathlib import Path

import pytest
from tests.cli.running import flat, mistake, output, run
from tests.experiments.arena.started_commands import running
from tests.experiments.arena.toy_bots import LOWEST, toys

from elcapitan.engine.vocabulary import SEATS
from elcapitan.text.catalogue import LANGUAGES, translator

__all__ = ["toys"]
WORDS = ["arena", "--bots", LOWEST, "--players", "2", "--games", "3", "--seed", "7"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an arena on two cores writes."""
    folder = tmp_path_factory.mktemp("arena") / "results"
    (folder.parent / "page").write_text(output(*WORDS, "--jobs", "2", "--out", folder), encoding="utf-8")
    return folder


def test_what_is_written(folder: Path) -> None:
    names = sorted(path.name for path in folder.iterdir())
    charts = ["money.svg", "positions.svg", "seats.svg", "sources.svg"]
    assert names == sorted([*charts, "arena.json", "games", "games.jsonl", "report.html", "results.json", "run.json"])
    games = sorted(path.name for path in (folder / "games").iterdir())
    assert games == [f"game-00000{number}.json" for number in (1, 2, 3, 4)]
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert results["played"] == 4 and results["config"]["games"] == 3 and results["deals"] == 2
    assert "seconds" not in json.dumps(results), "nothing that depends on the machine"
    ran = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert ran["seconds"] > 0 and ran["complete"] is True and ran["cores"] >= 1
    lines = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()
    tidy = [json.loads(line) for line in lines]
    assert [game["number"] for game in tidy] == [0, 1, 2, 3]
    for name, game in zip(games, tidy, strict=True):
        record = json.loads((folder / "games" / name).read_text(encoding="utf-8"))
        assert record["result"]["money"] == [merchant["money"] for merchant in game["merchants"]]
        assert record["first"] == game["first"] and record["seats"] == [LOWEST, LOWEST]


def test_the_same_seed_gives_the_same_files_with_any_number_of_jobs(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    printed = output(*WORDS, "--jobs", "1", "--out", again, "--json")
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "run.json":
            assert (again / path.relative_to(folder)).read_bytes() == path.read_bytes(), path.name
    assert printed == (folder / "results.json").read_text(encoding="utf-8")


def test_a_game_of_the_arena_can_be_replayed(folder: Path) -> None:
    assert "every action in it is legal" in flat(output("replay", folder / "games" / "game-000001.json"))


def test_the_page_tells_that_games_were_rounded_up(folder: Path) -> None:
    page = flat((folder.parent / "page").read_text(encoding="utf-8"))
    assert page.startswith("Games asked for: 3; scheduled: 4, in whole deals of 2. 4 games, 2 players, seed 7")
    assert "seed 7, deals: 2" in page
    assert "By chance a bot wins 50.0 % of its games." in page
    assert f"Figures, report and games are in {folder}." in page.replace("\n", "")


def test_results_are_not_overwritten(folder: Path, tmp_path: Path) -> None:
    before = (folder / "results.json").read_bytes()
    assert mistake(*WORDS, "--seed", "8", "--out", folder) == (
        f"The games in {folder} were played with --seed 7, not 8; choose another folder."
    )
    assert (folder / "results.json").read_bytes() == before
    (tmp_path / "results.json").write_bytes(before)  # of a version that could not continue
    assert mistake(*WORDS, "--out", tmp_path) == (
        f"{tmp_path} has the results of another arena already; choose another folder."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_fit_into_80_columns(toys: None, language: str) -> None:
    bots = f"debtor,cmd:./toy,{LOWEST}"
    words = ["arena", "--bots", bots, "--players", "3", "--games", "1", "--seed", "2", "--jobs", "1"]
    answer = run(*words, COLUMNS="80", ELCAPITAN_LANGUAGE=language)
    assert answer.exit_code == 3, "a program failed"
    lines = answer.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    bot = translator(language).template("bot")
    heads = [number for number, line in enumerate(lines) if line.startswith(f"{bot} ")]
    strength = [line.split()[0] for line in lines[heads[0] + 1 : heads[0] + 4]]
    assert sorted(strength) == sorted(["debtor", "cmd:./toy", LOWEST])
    assert all(line.count("±") >= 1 and "…" not in line for line in lines[heads[0] + 1 : heads[0] + 4])
    assert len(lines[heads[1]].split()) == 1 + 2 * 3
    stumbled = [line for line in lines if line.startswith("cmd:./toy") and "It stumbled." in line]
    assert len(stumbled) == 1 and "3" in stumbled[0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "BOTS is missing; see elcapitan arena --help."),
        (["--bots", "nobody"], "There is no computer player nobody; there are "),
        (["--bots", "a,,b"], "--bots wants names of computer players with commas between them, not a,,b."),
        (["--bots", ""], "--bots wants names of computer players with commas between them, not ."),
        (["--bots", LOWEST, "--players", "6"], f"--players wants a whole number from 2 to {SEATS}, not 6."),
        (["--bots", LOWEST, "--games", "0"], "--games wants a whole number from 1 to 100000000, not 0."),
        (["--bots", LOWEST, "--jobs", "0"], "--jobs wants a whole number from 1 to 1024, not 0."),
        (["--bots", LOWEST, "--jobs", "2", "--cluster", "tcp://x:1"], "--jobs is for this machine: with --cluster,"),
        (["--bots", LOWEST, "--cluster", "nowhere"], "nowhere is not an address of a cluster; write, for example, tcp://"),
        (["--bots", LOWEST, "--tiles", "Atlantis"], "Atlantis is not a city of the expansion"),
        (["--bots", LOWEST, "--board", "missing.toml"], "There is no file missing.toml."),
    ],
)  # fmt: skip
def test_mistakes(words: list[str], sentence: str) -> None:
    assert mistake("arena", *words).startswith(sentence)


def test_a_folder_in_which_nothing_was_played_can_be_used(tmp_path: Path) -> None:
    words = ["arena", "--bots", LOWEST, "--players", "2", "--games", "2", "--seed", "7", "--out", str(tmp_path)]
    mistake(*words, "--cluster", "nowhere")
    output(*words, "--jobs", "1")
    assert (tmp_path / "results.json").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    assert "cannot be written" in mistake(*WORDS, "--out", tmp_path / "taken" / "x")


def test_a_bot_that_fails_is_a_mistake_of_the_program(toys: None) -> None:
    result = run("arena", "--bots", "quitter", "--jobs", "1")
    assert result.exit_code == 1 and "RuntimeError: no more" in result.stderr


def test_control_c_keeps_and_tells_what_is_finished(tmp_path: Path) -> None:
    words = ["arena", "--bots", LOWEST, "--players", "2", "--games", "4000", "--seed", "7", "--jobs", "2"]
    with running(*words, "--out", str(tmp_path / "out")) as arena:
        until = time.monotonic() + 60
        while len(list((tmp_path / "out").glob("games/game-*"))) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert arena.poll() is None
        os.killpg(arena.pid, signal.SIGINT)  # as a terminal sends it: to every process
        page, errors = arena.communicate(timeout=30)
    assert arena.returncode == 130
    played = len(list((tmp_path / "out").glob("games/game-*")))
    results = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert 2 <= results["played"] <= played < 4000
    told = f"Stopped early; games played: {results['played']} of 4000.\nRun the same command again to continue.\n"
    assert errors == told, "and workers say nothing"
    assert page.startswith(f"{results['played']} games, 2 players, seed 7")
    assert (tmp_path / "out" / "report.html").exists()
