"""Simulated games, and records of them."""

import json
from pathlib import Path

import pytest
from tests.cli.running import flat, mistake, output
from tests.referee.judge import judge

from elcapitan.experiments import simulation


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    words = ["simulate", "--players", "3", "--games", "2", "--seed", "5", "--out", str(folder), "--trace", "--json"]
    (folder / "summary").write_text(output(*words), encoding="utf-8")
    return folder


def test_records_are_accepted_by_the_referee(folder: Path) -> None:
    names = sorted(path.name for path in folder.glob("*.json"))
    assert names == ["game-000001.json", "game-000002.json"]
    for name in names:
        record = json.loads((folder / name).read_text(encoding="utf-8"))
        assert record["result"]
        judge(record, sample=0.1)


def test_summary_for_programs(folder: Path) -> None:
    summary = json.loads((folder / "summary").read_text(encoding="utf-8"))
    assert summary["games"] == summary["watched"] == 2
    assert summary["players"] == len(summary["money"]) == 3 and sum(summary["wins"]) >= 2
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    loans = [sum(event.get("do") == "loan" for event in record["events"]) for record in records]
    assert (summary["loans"]["min"], summary["loans"]["max"]) == (min(loans), max(loans))
    richest = [record["result"]["money"][0] for record in records]
    assert summary["money"][0]["max"] == max(richest)


def test_watched_or_not_the_games_are_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "WATCHED", 1)
    summary = json.loads((folder / "summary").read_text(encoding="utf-8"))
    again = json.loads(output("simulate", "--players", "3", "--games", "2", "--seed", "5", "--json"))
    assert again["watched"] == 1
    assert (again["money"], again["wins"], again["actions"]) == (summary["money"], summary["wins"], summary["actions"])


def test_a_record_is_replayed(folder: Path) -> None:
    file = folder / "game-000001.json"
    page = flat(output("replay", file))
    assert "every action in it is legal" in page and "wins the game!" in page
    told = output("replay", file, "--moves", "--language", "fr")
    assert "navigue vers" in told and "Jour de paie 3" in told and "gagne la partie" in told
    assert output("replay", file, "--at", "0").startswith("3 players, phase 1, round 1")
    assert mistake("replay", file, "--at", "99999").startswith("There is no event 99999: they are numbered from 0 to ")
    assert mistake("replay", file, "--at", "x").startswith("--at wants a whole number from 0 to ")


def test_a_record_that_was_tampered_with(folder: Path, tmp_path: Path) -> None:
    record = json.loads((folder / "game-000001.json").read_text(encoding="utf-8"))
    record["result"]["money"][0] += 1
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(record), encoding="utf-8")
    assert mistake("replay", bad).startswith(f"In {bad}: The result is ")


def test_records_for_people(tmp_path: Path) -> None:
    words = ["simulate", "--players", "2", "--games", "1", "--seed", "1", "--format", "capitan"]
    page = output(*words, "--out", tmp_path)
    assert "1 game, seed 1" in page and "Games a second" in page
    assert "every action in it is legal" in flat(output("replay", tmp_path / "game-000001.capitan"))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    assert "cannot be written" in mistake("simulate", "--games", "1", "--out", tmp_path / "taken" / "x")


def test_seeds_of_games_differ() -> None:
    seeds = {simulation.game_seed(seed, number) for seed in range(50) for number in range(50)}
    assert len(seeds) == 2500 and all(0 <= seed < 2**64 for seed in seeds)
