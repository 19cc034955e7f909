"""The books of a game against its record, which is read here in another way."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.playing import CANARIAS, random_game
from tests.standing import TABLES as SET_UPS

from elcapitan.engine import play
from elcapitan.engine.jit import COMPILED
from elcapitan.game.game import Act, Game
from elcapitan.position.facts import DecodedPosition
from elcapitan.position.ledger import (
    BONUS,
    CARDS,
    FORTRESSES,
    INCOME,
    LISBOA,
    LOAN_COSTS,
    MAJORITIES,
    PIRATE,
    PROLIFERATION,
    SOURCES,
    START,
    ledger_of,
    purses,
)
from elcapitan.records import json_record as record

FOLDER = Path(__file__).parents[1] / "games"
TABLES = ("2-base", "2-canarias", "3-lisboa", "4-porto-lisboa-canarias")
GAMES = {path for table in TABLES for path in FOLDER.glob(f"??-{table}--*.json")} | set(FOLDER.glob("*+bonus.json"))
AFTER_PAYDAY = ("repay", "extend", "starter")


@pytest.fixture(scope="module", params=sorted(GAMES), ids=lambda path: path.stem)
def read(request: pytest.FixtureRequest) -> tuple[Game, list[dict[str, Any]]]:
    """A game, and its record with all paydays and with all money after each action."""
    game = record.from_json(json.loads(request.param.read_text(encoding="utf-8")))
    events = []
    for moment in game.history():
        events.append(record.event_to_json(moment.event, game.figures))
        if isinstance(moment.event, Act):
            events[-1]["money"] = play.scores(moment.after, 0)
        if moment.payday:
            events.append(record.payday_to_json(moment.payday))
    return game, events


def test_everything_adds_up_to_the_money_at_the_end(read: tuple[Game, list[dict[str, Any]]]) -> None:
    game, _ = read
    ledger = ledger_of(game)
    assert [sum(sources.values()) for sources in ledger.sources] == game.money
    assert all(list(sources) == list(SOURCES) for sources in ledger.sources)


def test_paydays_pay_what_the_record_says(read: tuple[Game, list[dict[str, Any]]]) -> None:
    game, events = read
    ledger = ledger_of(game)
    paydays = [event["paid"] for event in events if "payday" in event]
    for seat in range(game.players):
        lines = [paid[seat] for paid in paydays]
        assert ledger.paid[seat] == [line["total"] for line in lines] and len(lines) == 3
        sources = ledger.sources[seat]
        assert sources[PROLIFERATION] == sum(line["proliferation"] for line in lines)
        assert sources[MAJORITIES] == sum(sum(line["majority"].values()) for line in lines)
        assert sources[FORTRESSES] == sum(sum(line["fortress"].values()) for line in lines)
        assert sources[BONUS] == sum(line["bonus"] for line in lines)


def test_money_after_paydays_is_what_is_left_when_loans_are_settled(read: tuple[Game, list[dict[str, Any]]]) -> None:
    game, events = read
    found: list[list[int]] = []
    money: list[int] = []
    settling = False
    for event in events:
        if settling and event.get("do") not in AFTER_PAYDAY:
            found.append(money)
            settling = False
        money = event.get("money", money)
        settling = settling or "payday" in event
    assert [list(each) for each in zip(*ledger_of(game).settled, strict=True)] == [*found, game.money]


def test_what_is_bought_and_borrowed(read: tuple[Game, list[dict[str, Any]]]) -> None:
    game, events = read
    ledger = ledger_of(game)
    prices = dict(zip(game.figures.cards, game.figures.board.card_price.tolist(), strict=True))
    for seat in range(game.players):
        own = [event for event in events if event.get("seat") == seat]
        assert ledger.loans[seat] == sum(event["do"] == "loan" for event in own)
        assert ledger.sources[seat][CARDS] == -sum(prices[event["card"]] for event in own if event["do"] == "buy")
        assert ledger.sources[seat][START] == game.figures.board.start_cash
        assert (ledger.sources[seat][LOAN_COSTS] < 0) == (ledger.loans[seat] > 0), "a loan costs something"
    assert ledger.actions == sum("do" in event for event in events)
    assert all(0 < rounds < 60 for rounds in ledger.rounds)


def test_lisboa_and_the_pirate_only_where_they_are(read: tuple[Game, list[dict[str, Any]]]) -> None:
    game, _ = read
    ledger = ledger_of(game)
    by_lisboa = [sources[LISBOA] for sources in ledger.sources]
    assert min(by_lisboa) >= 0
    if "Lisboa" not in game.setup.tiles:
        assert max(by_lisboa) == 0
    if len(game.setup.tiles) == 3:  # in the other game with Lisboa nobody builds there at the right time
        assert max(by_lisboa) > 0
    if CANARIAS not in game.setup.tiles:
        assert not any(sources[PIRATE] for sources in ledger.sources)
    assert sum(sources[PIRATE] for sources in ledger.sources) <= 0, "charges go from purse to purse, moves cost money"
    assert all(sources[source] >= 0 for sources in ledger.sources for source in INCOME)


@pytest.mark.parametrize(("players", "tiles"), SET_UPS)
def test_purses_are_those_of_the_positions(players: int, tiles: tuple[str, ...]) -> None:
    game = random_game(players, tiles, seed=players, most=150 if COMPILED else 30)
    moments = list(game.history())
    kept = {moment.number: moment for moment in purses(game)}
    assert 0 in kept and len(moments) - 1 in kept and list(kept) == sorted(kept)
    known = kept[0]
    for number, moment in enumerate(moments):
        known = kept.get(number, known)
        merchants = DecodedPosition(moment.after, game.figures).merchants
        assert known.money == tuple(merchant.cash for merchant in merchants)
        assert known.debts == tuple(merchant.debt for merchant in merchants)
        assert number not in kept or known.phase == int(moment.after[0].phase)
    assert len(kept) < len(moments)


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), SET_UPS)
def test_sources_add_up(players: int, tiles: tuple[str, ...]) -> None:
    for most in (0, 7, 150):
        game = random_game(players, tiles, seed=players, most=most)
        assert [sum(sources.values()) for sources in ledger_of(game).sources] == game.money


def test_before_the_deal_there_is_nothing_to_show() -> None:
    game = Game.bare(3, first=0)
    assert purses(game) == []
