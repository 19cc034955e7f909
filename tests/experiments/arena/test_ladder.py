"""The ladder of levels: matches take turns, an interrupted measurement continues, and figures are printed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.experiments.arena.made_results import decided

import ladder
from elcapitan.experiments.arena import games, play_arena, summarise
from elcapitan.experiments.arena.games import Config, Fixture, Played

PLAYED: list[tuple[Sequence[str], int]] = []  # every game: who played, and its number
WORDS = ["--levels", "a,b:sims=1,c", "--players", "2,3", "--jobs", "1"]


@pytest.fixture(autouse=True)
def by_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are decided by strength and dice, at once."""

    def play_game(config: Config, scheduled: Fixture, *, with_record: bool = False) -> Played:
        PLAYED.append((scheduled.bots, scheduled.number))
        found = decided({"a": 1, "b:sims=1": 2, "c": 20}, scheduled).result
        return Played(replace(found, seed=scheduled.seed, rotation=scheduled.rotation), "{}\n")

    PLAYED.clear()
    monkeypatch.setattr(ladder, "compile_rules", lambda: None)
    monkeypatch.setattr(games, "play_game", play_game)
    monkeypatch.setattr("elcapitan.players.seats.check", lambda spec: None)


def test_every_match_is_an_arena_with_a_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ladder.main([str(tmp_path), *WORDS, "--games", "40"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "With the base board:",
        "",
        "| | two players | games | three players | games |",
        "|---|---:|---:|---:|---:|",
    ]
    assert lines[7] == "With Porto, Lisboa, Islas Canarias:" and len(lines) == 13
    assert [line.split(" |")[0] for line in lines[4:6]] == ["| `b:sims=1` against `a`", "| `c` against `b:sims=1`"]
    share = summarise(play_arena(Config(("c", "b:sims=1"), 3, games=40, seed=7), jobs=1)).bots[0].share
    assert share.low and share.high
    told = f" {100 * share.mean:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f}) | 42 |"
    assert lines[5].endswith(told)
    assert {path.name for path in tmp_path.iterdir()} == {
        *("b_sims=1-a-2", "b_sims=1-a-3", "b_sims=1-a-2-all", "b_sims=1-a-3-all"),
        *("c-b_sims=1-2", "c-b_sims=1-3", "c-b_sims=1-2-all", "c-b_sims=1-3-all"),
    }


def test_matches_take_turns(tmp_path: Path) -> None:
    ladder.main([str(tmp_path), *WORDS, "--games", "40"])
    of_two = [number for bots, number in PLAYED if sorted(bots) == ["a", "b:sims=1"]]
    assert of_two[:20] == [*range(10)] * 2, "on both boards ten games first"
    assert of_two[20:40] == [*range(10, 20)] * 2 and of_two[40:] == [*range(20, 40)] * 2
    first = PLAYED[: 4 * (10 + 12)]
    assert max(number for _, number in first) == 11, "nobody has a second turn before all had their first"


def test_an_interrupted_ladder_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WORDS, "--games", "12", "--seed", "3"]
    assert ladder.main([str(tmp_path / "parts"), *words, "--minutes", "1e-9"]) == 130
    assert not PLAYED, "there was no time for any"
    for _ in range(3):
        assert ladder.main([str(tmp_path / "parts"), *words, "--minutes", "0.0005"]) in {0, 130}
    ladder.main([str(tmp_path / "parts"), *words])
    assert len(PLAYED) == 8 * 12, "no game is played twice"
    told = capsys.readouterr().out
    ladder.main([str(tmp_path / "whole"), *words])
    assert told.endswith(capsys.readouterr().out)


def test_a_match_without_games_has_empty_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ladder.main([str(tmp_path), *WORDS, "--minutes", "0"]) == 130
    assert "| `c` against `b:sims=1` | | | | |" in capsys.readouterr().out


def test_other_matches_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ladder.main([str(tmp_path), *WORDS, "--games", "2"])
    assert ladder.main([str(tmp_path), *WORDS, "--games", "2", "--seed", "8"]) == 2
    assert capsys.readouterr().err.endswith("were played with --seed 7, not 8; choose another folder.\n")
