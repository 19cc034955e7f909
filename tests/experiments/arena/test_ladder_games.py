"""The file with the results of a ladder: from it another machine goes on, and what does not fit is refused."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.cli.running import mistake, output, run
from tests.experiments.arena.made_results import decided

from elcapitan.cli import ladder
from elcapitan.cli.command_line import Terminal
from elcapitan.errors import BadRecord
from elcapitan.experiments.arena import games
from elcapitan.experiments.arena.games import Config, Fixture, Played
from elcapitan.experiments.arena.kept_games import plan_of
from elcapitan.experiments.arena.ladder import Entrant, matches
from elcapitan.experiments.arena.ladder_games import LARGEST, Line, key_of, read_games, read_lines, to_line

STRENGTH = {"wanderer": 1, "trader": 3, "champion:sims=1": 20}
WORDS = ["--bots", ",".join(STRENGTH), "--players", "2,3", "--jobs", "1"]
FAULT = "It ended before the game did, with exit code 3, “ä” or {x}.\n"
PLAYED: list[tuple[tuple[str, ...], int]] = []  # every game: who played, and its number
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def by_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are decided by strength and dice, at once; the trader forfeits one in eight."""

    def play_game(config: Config, scheduled: Fixture, *, with_record: bool = False) -> Played:
        PLAYED.append((scheduled.bots, scheduled.number))
        found = decided(STRENGTH, scheduled).result
        faults = [FAULT if bot == "trader" and scheduled.number % 8 == 3 else None for bot in scheduled.bots]
        ranks, wins = games.standing([each.money for each in found.merchants], faults)
        seats = tuple(
            replace(each, rank=ranks[seat], win=wins[seat], fault=faults[seat])
            for seat, each in enumerate(found.merchants)
        )
        return Played(replace(found, seed=scheduled.seed, rotation=scheduled.rotation, merchants=seats), "{}\n")

    PLAYED.clear()
    monkeypatch.setattr(Terminal, "compile_rules", lambda _: 0.0)
    monkeypatch.setattr(games, "play_game", play_game)


def played(folder: Path, *words: str | Path) -> str:
    """The file after a ladder in a folder."""
    output("ladder", folder / "games", *WORDS, "--results", folder / "kept", *words)
    return (folder / "kept").read_text(encoding="utf-8")


def stopped_after(number: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play so many games more, and be stopped."""
    last = len(PLAYED) + number
    with monkeypatch.context() as patch:
        patch.setattr(ladder, "time", SimpleNamespace(monotonic=lambda: 1e9 if len(PLAYED) >= last else 0.0))
        words: list[str | Path] = [*WORDS, "--results", folder / "kept", "--games", "12", "--minutes", "9"]
        assert run("ladder", folder / "games", *words).exit_code == 130


def test_a_ladder_in_several_places_equals_an_unbroken_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("whole", "first", "second"):
        (tmp_path / place).mkdir()
    whole = played(tmp_path / "whole", "--games", "12", "--page", tmp_path / "whole" / "page")
    assert len(PLAYED) == 9 * 12
    PLAYED.clear()
    stopped_after(17, tmp_path / "first", monkeypatch)
    shutil.copy(tmp_path / "first" / "kept", tmp_path / "second")
    stopped_after(40, tmp_path / "second", monkeypatch)
    shutil.copy(tmp_path / "second" / "kept", tmp_path / "first")
    found = played(tmp_path / "first", "--games", "12", "--page", tmp_path / "first" / "page")
    assert len(PLAYED) == 9 * 12, "no game is played twice"
    assert found == whole and FAULT in json.loads(found.splitlines()[0])["faults"]["3"]
    pages = [(tmp_path / place / "page").read_text(encoding="utf-8") for place in ("whole", "first")]
    assert pages[1].replace("first", "whole") == pages[0] and "## Forfeits" in pages[0]
    bare = tmp_path / "bare"
    bare.mkdir()
    shutil.copy(tmp_path / "first" / "kept", bare)
    assert played(bare, "--games", "12", "--page", bare / "page") == whole and len(PLAYED) == 9 * 12
    assert (bare / "page").read_text(encoding="utf-8").replace("bare", "whole") == pages[0]
    assert not (bare / "games").exists(), "nothing was to be played"


def test_a_page_can_be_written_without_playing(tmp_path: Path) -> None:
    every, count = played(tmp_path, "--games", "2"), len(PLAYED)
    words: list[str | Path] = [*WORDS, "--results", tmp_path / "kept", "--games", "60", "--minutes", "0"]
    result = run("ladder", tmp_path / "more", *words)
    assert result.exit_code == 130 and f"{count} games of [the arena]" in result.stdout and len(PLAYED) == count
    assert (tmp_path / "kept").read_text(encoding="utf-8") == every and not (tmp_path / "more").exists()


def test_games_that_are_only_in_the_folder_come_into_the_file(tmp_path: Path) -> None:
    output("ladder", tmp_path / "games", *WORDS, "--games", "6")
    told = played(tmp_path, "--games", "2")
    assert len(PLAYED) == 9 * 6 and told == played(tmp_path, "--games", "6"), "fewer --games lose none"
    assert len(told) < 9 * 700


def test_lines_of_other_matches_stay(tmp_path: Path) -> None:
    every = played(tmp_path, "--games", "2")
    words = ["--bots", "wanderer,trader", "--players", "2", "--games", "8", "--seed", "8"]
    output("ladder", tmp_path / "others", *words, "--jobs", "1", "--results", tmp_path / "kept")
    now = (tmp_path / "kept").read_text(encoding="utf-8").splitlines()
    assert set(every.splitlines()) < set(now) and len(now) == 10
    assert now == sorted(now, key=lambda line: (json.loads(line)["match"], json.loads(line)["plan"]["seed"]))


def test_games_of_a_changed_program_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = played(tmp_path, "--games", "2")
    shutil.rmtree(tmp_path / "games")
    for module in ("ladder", "arena_folder"):
        monkeypatch.setattr(f"elcapitan.cli.{module}.playing_sources", lambda: "others")
    result = run("ladder", tmp_path / "games", *WORDS, "--results", tmp_path / "kept", "--games", "6")
    assert result.stderr.replace("\n", " ").count(f"games in {tmp_path / 'kept'} were played: its") == 1
    lines = [json.loads(line) for line in (tmp_path / "kept").read_text(encoding="utf-8").splitlines()]
    assert {line["sources"] for line in lines} == {json.loads(before.splitlines()[0])["sources"]}


MATCH = matches([Entrant("trader", "trader"), Entrant("wanderer", "wanderer")], [3])[0]
PLAN = plan_of(MATCH.config(1, 7))
LINE: dict[str, Any] = {"match": MATCH.folder, "plan": PLAN, "sources": "some", "games": "132 - 311 333"}
FAULTS = {"2": ["fell", None, None], "3": ["fell", "fell", "fell"]}
GOOD = json.dumps({**LINE, "games": "132"}).encode() + b"\n"


def test_a_line_is_read() -> None:
    found = read_games(Line(1, {**LINE, "faults": FAULTS}), MATCH, 7)
    assert [(game.number, game.deal, game.ranks, game.wins) for game in found.outcomes.values()] == [
        (0, 0, (1, 3, 2), [1, 0, 0]),
        (2, 0, (3, 1, 1), [0, 0.5, 0.5]),
        (3, 1, (3, 3, 3), [0, 0, 0]),
    ]
    assert found.outcomes[0].bots == ("trader", "wanderer", "wanderer") and to_line(MATCH, 7, found)["faults"] == FAULTS


@pytest.mark.parametrize(
    "changes",
    [
        {"games": "132 12"},
        {"games": "132 124"},
        {"games": "132 133"},
        {"games": "132 1\N{SUPERSCRIPT TWO}3"},
        {"games": ["132"]},
        {"games": None},
        {"sources": 3},
        {"faults": []},
        {"faults": {"1": [None, None, None]}},
        {"faults": {**FAULTS, "4": ["fell", None, None]}},
        {"faults": {**FAULTS, "0": ["fell", None, None]}},
        {"faults": {**FAULTS, "0": ["", None, None]}},
        {"faults": {**FAULTS, "0": [None, None]}},
        {"faults": {**FAULTS, "0": 3}},
    ],
)
def test_games_that_cannot_be_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(BadRecord) as caught:
        read_games(Line(3, {**LINE, "faults": FAULTS, **changes}), MATCH, 7)
    assert (caught.value.reason, caught.value.line) == ("not-ladder-games", 3)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rules", "0"),
        ("board", "other@1"),
        ("data", {"worth.toml": "0"}),
        ("bots", ["captain", "wanderer"]),
        ("more", 1),
    ],
)
def test_games_of_other_rules_boards_or_players_are_refused(key: str, value: object) -> None:
    with pytest.raises(BadRecord) as caught:
        read_games(Line(3, {**LINE, "plan": {**PLAN, key: value}}), MATCH, 7)
    assert (caught.value.reason, caught.value.line) == ("other-ladder-games", 3)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"{}\n", 1),
        (b"[]\n", 1),
        (b"<<<<<<< HEAD\n", 1),
        (GOOD + GOOD, 2),
        (GOOD + b"\n", 2),
        (GOOD[:-9], 1),
        (GOOD + json.dumps({**LINE, "match": 3}).encode(), 2),
        (GOOD + json.dumps({**LINE, "plan": {"seed": True}}).encode(), 2),
        (GOOD + b'{"plan": ' + b"[" * 10_000, 2),
        (GOOD + b'{"match": ' + b"9" * 10_000 + b"}", 2),
        (b"\xff", None),
        (b" " * (LARGEST + 1), None),
    ],
)
def test_a_file_of_something_else_is_refused(content: bytes, line: int | None) -> None:
    with pytest.raises(BadRecord) as caught:
        read_lines(content)
    assert (caught.value.reason, caught.value.line) == ("not-ladder-games", line)


def test_a_refused_file_stays_and_nothing_is_played(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    words: list[str | Path] = ["--bots", "trader,wanderer", "--players", "3", "--results", file]
    file.write_bytes(GOOD.replace(b"132", b"134"))
    damaged = "These are not the results of games of a ladder."
    assert mistake("ladder", tmp_path / "games", *words) == f"In {file}: Line 1: {damaged}"
    file.write_bytes(GOOD.replace(b'"rules": "', b'"rules": "9'))
    other = "These games were played by other rules, on another board or by other versions of the computer players."
    assert (
        mistake("ladder", tmp_path / "games", *words)
        == f"In {file}: Line 1: {other} Delete the line to play them again."
    )
    assert file.read_bytes() == GOOD.replace(b'"rules": "', b'"rules": "9') and not PLAYED
    assert mistake("ladder", tmp_path / "games", *words[:-1], tmp_path).endswith("Is a directory.")


def test_our_own_results_are_those_of_our_page() -> None:
    """Every line can be continued by the levels as they are, and `make ladder` continues it."""
    entrants = ladder.read_entrants(None, "champion:sims=1", ROOT / "docs" / "ladder.toml")
    lines = read_lines((ROOT / "docs" / "ladder-games.jsonl").read_bytes())
    planned = {key_of(match, ladder.USUAL_SEED): match for match in matches(entrants, [2, 3, 4, 5])}
    assert lines.keys() <= planned.keys()
    found = sum(len(read_games(line, planned[key], key[1]).outcomes) for key, line in lines.items())
    text = (ROOT / "docs" / "ladder.md").read_text(encoding="utf-8")
    assert f"How strong computer players are: {found:,} games" in text
    assert "--more champion:sims=1" in text
    assert "--more champion:sims=1" in (ROOT / "Makefile").read_text(encoding="utf-8")
