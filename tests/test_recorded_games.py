"""Whole games on record: read, checked event by event, and come to the result they had.

`python -m tests.test_recorded_games` looks for games that show every way a phase or game can end, at every table, and
writes them to tests/games anew.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.referee.judge import judge

from elcapitan.engine import play
from elcapitan.engine.actions import FAMILIES
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import DONE, TILE_NAMES
from elcapitan.game.game import Game
from elcapitan.records import capitan
from elcapitan.records import json_record as record

FOLDER = Path(__file__).parent / "games"
GAMES = sorted(FOLDER.glob("*.json"))
TILE_SETS = ((), *((tile,) for tile in TILE_NAMES), tuple(TILE_NAMES))
TABLES = [(players, tiles) for players in (2, 3, 4, 5) for tiles in TILE_SETS]
# Ways in which phases and games end, and what must be in the records: what to look for, what it is called.
ENDS = ("starter-finished", "last-finished", "passes", "shared-victory", "in-debt", "overdue", "bonus", "backward")


def load(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_comes_to_its_result(path: Path) -> None:
    """[END-05, PHASE-01] Reading checks every event and the result; writing gives the same record again."""
    written = load(path)
    game = record.from_json(written)
    assert game.over
    assert record.to_json(game) == written
    assert record.to_json(capitan.from_capitan(capitan.to_capitan(game)).game) == written


@pytest.mark.compiled
@pytest.mark.parametrize("path", GAMES[::3], ids=lambda path: path.stem)
def test_the_referee_accepts_recorded_games(path: Path) -> None:
    traced = record.to_json(record.from_json(load(path)), trace=True)
    judge(traced, sample=0.1, seed=1)


def test_there_is_a_game_for_every_table_and_every_end() -> None:
    assert len(GAMES) >= 24
    tables = {(game["players"], tuple(game["tiles"])) for game in map(load, GAMES)}
    assert tables >= set(TABLES)
    shown = {end for path in GAMES for end in path.stem.split("--")[1].split("+")}
    assert shown >= set(ENDS)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_ends_as_its_name_says(path: Path) -> None:
    shown = list(ends_of(record.from_json(load(path)))) or ["plain"]
    assert path.stem.split("--")[1] == "+".join(shown)


def ends_of(game: Game) -> Iterator[str]:
    """What a game shows."""
    empty = [_has_built_everything(game, seat) for seat in range(game.players)]
    starter = int(game.position.starter)
    if empty[starter]:
        yield "starter-finished"
    if empty[(starter - 1) % game.players]:
        yield "last-finished"
    if not any(empty):
        yield "passes"
    if len(game.winners) > 1:
        yield "shared-victory"
    if min(game.money) < 0:
        yield "in-debt"
    if any(event.get("do") == "extend" for event in record.to_json(game)["events"]):
        yield "overdue"
    if any(game.position.bonus):
        yield "bonus"
    if any(game.position.last == 11):
        yield "backward"


def _has_built_everything(game: Game, seat: int) -> bool:
    s = game.position
    neutral = int(s.stock[seat + 2]) if game.players == 2 else 0
    return int(s.stock[seat]) + int(s.fortresses[seat]) + neutral == 0


def debtor(game: Game, dice: random.Random) -> int:
    """Borrows whenever possible, extends every loan and spends what is left on cards: the way to a stalled phase."""
    order = ("loan", "extend", "pass", "buy", "fortress", "build", "sail", "end")
    legal = game.legal()
    for wish in order:
        if wish == "buy" and game.position.stage != DONE:
            continue
        first, beyond = FAMILIES[wish]
        wanted = [action for action in legal if first <= action < beyond]
        if wanted:
            return wanted[-1] if wish == "loan" else dice.choice(wanted)
    return dice.choice(legal)


def play_debtors(seed: int) -> Game:
    game, dice = Game.new(2, seed=seed), random.Random(seed)
    while not game.over:
        game.play(debtor(game, dice))
    return game


def play_one(players: int, tiles: tuple[str, ...], seed: int, policy: int) -> Game:
    game = Game.new(players, tiles, seed=seed)
    dice, desks = generator(seed + 1), play.desks()
    while not game.over:
        game.play(int(play.choose(game.view_for(0), 0, game.figures.boards, desks, 0, dice, policy)))
    return game


def write() -> None:
    """One light game for every table, then games until every end is shown."""
    missing = set(ENDS)
    for number, (players, tiles) in enumerate(TABLES):
        missing -= set(_keep(play_one(players, tiles, 100 + number, LIGHT)))
    seed = 0
    while missing or len(list(FOLDER.glob("*.json"))) < 24:
        seed += 1
        if "passes" in missing:
            game = play_debtors(seed)
        else:
            game = play_one(2 + seed % 4, (), seed, UNIFORM if seed % 3 == 0 else LIGHT)
        if set(ends_of(game)) & missing or not missing:
            missing -= set(_keep(game))


def _keep(game: Game) -> list[str]:
    """Write a game under a name that says what it shows."""
    shown = list(ends_of(game)) or ["plain"]
    tiles = "-".join(tile.split()[-1].lower() for tile in game.setup.tiles) or "base"
    number = len(list(FOLDER.glob("*.json"))) + 1
    path = FOLDER / f"{number:02d}-{game.players}-{tiles}--{'+'.join(shown)}.json"
    path.write_text(json.dumps(record.to_json(game), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    return shown


if __name__ == "__main__":
    write()
