"""Tables set up by hand for the tests."""

from __future__ import annotations

from typing import Any

from .acting import apply, deal
from .figures import CARDS
from .legal import is_legal, offered
from .table import Action, Table, Turn

DESTINATIONS = ["Marseille/3", "Tanger/2", "Napoli/1", "Alexandria/2"]
LINKS = [
    "Alexandria-Tanger",
    "Marseille-Napoli",
    "Tanger-Venezia",
    "Athina-Tunis",
    "Napoli-Tunis",
    "Constantinople-Valencia",
]
RED, GREEN, BLUE, YELLOW = 0, 1, 2, 3


def new(players: int = 4, tiles: list[str] | None = None, **options: bool) -> Table:
    """A dealt table in the second round, so that loans exist."""
    table = Table(players, tiles or [], 0, options)
    deal(table, DESTINATIONS, LINKS)
    table.round = 2
    return table


def moor(table: Table, seat: int, city: str, harbour: int = 1, money: int = 50) -> None:
    player = table.players[seat]
    player.place, player.harbour, player.money = city, harbour, money


def turn_of(table: Table, seat: int) -> None:
    table.turn = Turn(seat)
    table.awaiting = "turn"


def give(table: Table, seat: int, *cards: str) -> None:
    for card in cards:
        kind = CARDS[card].kind
        table.display[kind].discard(card)
        table.deck[kind].discard(card)
        table.players[seat].hand.add(card)


def row(table: Table, city: str, first: int, owners: list[int]) -> None:
    for site, seat in enumerate(owners, start=first):
        table.cities[city].sites[site] = (seat, "main")


def of_kind(table: Table, kind: str) -> list[Action]:
    return [action for action in offered(table) if action["do"] == kind]


def sites_of(table: Table, kind: str) -> set[tuple[int, str]]:
    return {(action["site"], action["colour"]) for action in of_kind(table, kind)}


def build(table: Table, seat: int, site: int, colour: str = "main") -> None:
    turn_of(table, seat)
    action = {"do": "build", "site": site, "colour": colour}
    assert is_legal(table, action)
    apply(table, action)


def do(table: Table, **action: Any) -> None:
    assert is_legal(table, action), action
    apply(table, action)
