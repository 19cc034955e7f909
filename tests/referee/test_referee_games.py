"""The referee against itself in random games, and its judgement of records."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from .acting import apply, deal
from .figures import CARDS, FORTRESSES_PER_COLOUR, HOUSES_PER_COLOUR, LOAN_CARDS, TILES
from .flow import end_turn
from .judge import Disagreement, judge
from .legal import can_still_build, canonical, offered
from .payday import hold_payday
from .reach import card_moves, main_actions
from .selfplay import random_record
from .setting import (
    DESTINATIONS,
    LINKS,
)
from .table import Action, Table


def literally_can_build(table: Table, seen: set[tuple[object, ...]]) -> bool:
    """The search word by word: every order of purchases, legs and the free move, really carried out."""
    seat, turn = table.turn.seat, table.turn
    player = table.players[seat]
    shown = frozenset(table.display["destination"] | table.display["link"])
    key = (player.place, player.harbour, player.money, frozenset(player.hand), shown, turn.free_due, turn.free_moved)
    if key in seen:
        return False
    seen.add(key)
    if main_actions(table, seat, player.place, player.harbour, player.money):
        return True
    steps: list[Action] = [{"do": "buy", "card": card} for card in shown if CARDS[card].price <= player.money]
    if not turn.free_moved:
        for card in player.hand:
            steps += [
                {"do": "sail", "card": card, "as": use, "to": to} for use, to in card_moves(table, card, player.place)
            ]
    free = offered_free(table) if turn.free_due else []
    for action in steps + free:
        after = table.copy()
        apply(after, action)
        if literally_can_build(after, seen):
            return True
    return False


def offered_free(table: Table) -> list[Action]:
    """All free pirate moves without asking whether a build remains."""
    probe = table.copy()
    probe.turn.stage = "C"
    return [action for action in offered(probe) if action["do"] == "pirate" and action["by"] == "free"]


def check_conservation(table: Table) -> None:
    """Pieces, sailing cards, loan and bonus cards neither appear nor vanish; chains are unbroken [G-15]."""
    for seat, player in enumerate(table.players):
        for colour in ("main", "neutral") if len(table.players) == 2 else ("main",):
            laid = sum(
                (list(city.sites.values()) + city.closed + city.removed).count((seat, colour))
                for city in table.cities.values()
            )
            assert laid + player.stock[colour] + player.pool[colour] == HOUSES_PER_COLOUR
        forts = sum(city.fortresses.count(seat) for city in table.cities.values())
        assert forts + player.stock["fortress"] + player.pool["fortress"] == FORTRESSES_PER_COLOUR
    heaps = list(table.deck.values()) + list(table.discards.values()) + list(table.display.values())
    cards = [card for heap in heaps for card in heap] + [card for player in table.players for card in player.hand]
    assert sorted(cards) == sorted(CARDS)
    for size, count in LOAN_CARDS.items():
        held = sum(player.loans[size] + player.extended[size] for player in table.players)
        assert held + table.loan_piles[size] == count
    bonuses = [player.bonus for player in table.players if player.bonus]
    assert sorted(bonuses + table.bonus_cards) == [5, 10, 15]
    for city in table.cities.values():
        assert not city.sites or city.sites.keys() == set(range(min(city.sites), max(city.sites) + 1))
    moored = [(player.place, player.harbour) for player in table.players if player.harbour is not None]
    pirate = [table.pirate] if table.pirate else []
    assert len(set(moored + pirate)) == len(moored + pirate)


def watch(table: Table, legal: list[Action]) -> None:
    """What must hold in every position of a game."""
    assert legal, "nothing is offered"
    texts = [canonical(action) for action in legal]
    assert len(set(texts)) == len(texts)
    check_conservation(table)
    if table.awaiting == "turn" and table.turn.stage != "C":
        player = table.players[table.turn.seat]
        alone = not (table.options["buy_before_loan"] or table.options["pirate_before_loan"])
        if table.turn.stage == "B" and (alone or table.turn.sailed):
            assert can_still_build(table)
        if player.money <= 4 and len(player.hand) <= 3:
            assert can_still_build(table) == literally_can_build(table, set())


GAMES: list[tuple[int, list[str], dict[str, bool], float]] = [
    (2, [], {}, 0.8),
    (2, list(TILES), {}, 0.7),
    (3, ["Islas Canarias"], {"reopen_shuts": False}, 0.6),
    (3, ["Lisboa"], {}, 0.7),
    (4, [], {"buy_before_loan": True}, 0.7),
    (4, ["Porto", "Islas Canarias"], {}, 0.7),
    (5, list(TILES), {}, 0.6),
    (5, ["Porto"], {}, 0.8),
    (3, ["Islas Canarias"], {"pirate_before_loan": True}, 0.5),
    (4, ["Islas Canarias"], {"pirate_before_loan": True, "buy_before_loan": True}, 0.5),
]


@pytest.mark.parametrize(("players", "tiles", "options", "eager"), GAMES)
def test_random_games(players: int, tiles: list[str], options: dict[str, bool], eager: float) -> None:
    record = random_record(players, tiles, seed=players, options=options, eager=eager, watch=watch)
    assert sum("payday" in event for event in record["events"]) == 3
    judge(record, sample=0.1)


def test_judge_finds_errors() -> None:
    record = random_record(3, ["Islas Canarias"], seed=11, eager=0.9)
    judge(record, sample=0.0)
    events = record["events"]
    number = next(index for index, event in enumerate(events) if event.get("do") == "build")
    paid = next(index for index, event in enumerate(events) if "payday" in event)
    shown = next(index for index, event in enumerate(events) if "reveal" in event)

    def spoil(index: int, **change: Any) -> int:
        bad = copy.deepcopy(record)
        bad["events"][index].update(change)
        with pytest.raises(Disagreement) as caught:
            judge(bad, sample=1.0 if "offered" in change else 0.0)
        return caught.value.event_index

    assert spoil(number, money=[0, 0, 0]) == number
    assert spoil(number, site=9) == number
    assert spoil(number, seat=(events[number]["seat"] + 1) % 3) == number
    assert spoil(number, offered=events[number]["offered"][1:]) == number
    assert spoil(number, offered=[*events[number]["offered"], {"do": "end"}]) == number
    assert spoil(number, offered=[*events[number]["offered"], events[number]["offered"][0]]) == number
    assert spoil(shown, reveal=events[0]["deal"]["link"][0]) == shown
    lines = copy.deepcopy(events[paid]["paid"])
    lines[0]["total"] += 1
    assert spoil(paid, paid=lines) == paid
    less = {**record, "events": events[:paid] + events[paid + 1 :]}
    with pytest.raises(Disagreement):
        judge(less, sample=0.0)
    wrong = {**record, "result": {**record["result"], "winners": [0, 1, 2]}}
    with pytest.raises(Disagreement):
        judge(wrong, sample=0.0)
    early = {key: value for key, value in record.items() if key != "result"}
    judge({**early, "events": events[: paid + 5]}, sample=0.0)


def test_judge_reads_an_untraced_record() -> None:
    record = random_record(4, [], seed=5, eager=0.9)
    bare = [
        {key: value for key, value in event.items() if key not in ("offered", "money")}
        for event in record["events"]
        if "payday" not in event
    ]
    judge({**record, "events": bare})
    table = Table(2)
    deal(table, DESTINATIONS, LINKS)
    hold_payday(table)
    end_turn(table)
    assert copy.deepcopy(table).paydays == table.paydays
