"""Replaying a whole game record and checking every line of it."""

from __future__ import annotations

import random
from typing import Any

from .acting import apply, deal, reveal
from .flow import Impossible
from .legal import canonical, is_legal, offered
from .payday import result
from .table import Action, Table

FORMAT = "elcapitan-game/1"
BOARD = "mediterranean"
TRACE_KEYS = {"offered", "money", "payday"}


class Disagreement(Exception):
    """The record and the referee differ; ``event_index`` is -1 for the header, len(events) for the result."""

    def __init__(self, event_index: int, reason: str) -> None:
        super().__init__(f"event {event_index}: {reason}")
        self.event_index = event_index
        self.reason = reason


def judge(record: dict[str, Any], sample: float = 1.0, seed: int = 0) -> None:
    """Check a record from its header to its result; ``sample`` is the fraction of the offered lists to compare."""
    table = _set_up(record)
    events: list[dict[str, Any]] = record.get("events", [])
    traced = any(TRACE_KEYS & set(event) for event in events)
    dice = random.Random(seed)
    claimed = 0
    for index, event in enumerate(events):
        try:
            if "payday" in event:
                _check_payday(table, claimed, event)
                claimed += 1
                continue
            if traced and claimed < len(table.paydays):
                raise Impossible("a payday is missing before this event")
            _play(table, event, dice.random() < sample)
        except Impossible as problem:
            raise Disagreement(index, str(problem)) from problem
        except (KeyError, TypeError, ValueError, AttributeError, AssertionError) as problem:
            raise Disagreement(index, f"cannot be read or carried out: {problem!r} in {event}") from problem
    if "result" in record:
        _check_end(table, record["result"], len(events), traced and claimed < len(table.paydays))


def _set_up(record: dict[str, Any]) -> Table:
    """The table described by the header of a record."""
    if record.get("format", FORMAT) != FORMAT or record.get("board", BOARD) != BOARD:
        raise Disagreement(-1, f"unknown format or board: {record.get('format')}, {record.get('board')}")
    try:
        return Table(record["players"], record.get("tiles", []), record["first"], record.get("options") or {})
    except (KeyError, TypeError, ValueError) as problem:
        raise Disagreement(-1, f"bad header: {problem!r}") from problem


def _play(table: Table, event: dict[str, Any], compare_offered: bool) -> None:
    """One event other than a payday: chance, or an action of a seat."""
    if "deal" in event:
        deal(table, event["deal"]["destination"], event["deal"]["link"])
    elif "reveal" in event:
        reveal(table, event["reveal"])
    else:
        _play_action(table, event, compare_offered)


def _play_action(table: Table, event: dict[str, Any], compare_offered: bool) -> None:
    """The right seat, a legal action, the same list of offers, the same money afterwards."""
    action: Action = {key: value for key, value in event.items() if key not in ("seat", "offered", "money")}
    if table.to_act() != event["seat"]:
        raise Impossible(f"seat {event['seat']} acts, but {table.awaiting} of {table.to_act()} is awaited")
    if compare_offered and "offered" in event:
        _compare_offers(table, event["offered"])
    if not is_legal(table, action):
        raise Impossible(f"not legal: {action}")
    apply(table, action)
    money = [player.money for player in table.players]
    if "money" in event and event["money"] != money:
        raise Impossible(f"money after it is {money}, the record says {event['money']}")


def _compare_offers(table: Table, theirs: list[Action]) -> None:
    """The two lists agree as sets, without duplicates; pirate voyages by cards need only be legal."""
    by_cards = [action for action in theirs if action.get("do") == "pirate" and action.get("by") == "cards"]
    wrong = [canonical(action) for action in by_cards if not is_legal(table, action)]
    if wrong:
        raise Impossible(f"offered but not legal: {wrong}")
    listed = [canonical(action) for action in theirs if action not in by_cards]
    ours = {canonical(action) for action in offered(table)}
    if len(listed) != len(set(listed)):
        raise Impossible(f"offered twice: {sorted({text for text in listed if listed.count(text) > 1})}")
    if set(listed) != ours:
        lacking, surplus = sorted(ours - set(listed)), sorted(set(listed) - ours)
        raise Impossible(f"offered differs: lacking {lacking}, surplus {surplus}")


def _check_payday(table: Table, claimed: int, event: dict[str, Any]) -> None:
    """A payday event stands where the payday happened and says the same."""
    if claimed >= len(table.paydays):
        raise Impossible("no payday is held here")
    ours = table.paydays[claimed]
    theirs = {**event, "paid": sorted(event["paid"], key=lambda line: int(line["seat"]))}
    if theirs != ours:
        raise Impossible(f"payday differs: ours {ours}, theirs {theirs}")


def _check_end(table: Table, theirs: dict[str, Any], index: int, payday_missing: bool) -> None:
    """The game is over and the result is ours."""
    if table.awaiting != "over":
        raise Disagreement(index, f"a result is given, but {table.awaiting} is awaited")
    if payday_missing:
        raise Disagreement(index, "the last payday is missing")
    ours = result(table)
    if theirs != ours:
        raise Disagreement(index, f"result differs: ours {ours}, theirs {theirs}")
