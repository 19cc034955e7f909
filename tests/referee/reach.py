"""Main actions, ways of the cards, and the search whether a build can still be reached in this turn."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from .acting import apply
from .city import landings, next_sites, row_allows, spaces
from .figures import CANARIAS, CARDS, GRID, PORTO, PRINTED, distance
from .table import Action, Table


def card_moves(table: Table, card: str, place: str) -> list[tuple[str, str]]:
    """All (use, target) of a card for a ship or the pirate at a place [CARD-04..06, SAIL-06, D-02..04, G-03, G-04].

    One card never leads back to the place it started from; routes and links need a city to start from.
    """
    printed = CARDS[card]
    if printed.kind == "link":
        return [("link", other) for other in printed.cities if place in printed.cities and other != place]
    moves = [("destination", city) for city in printed.cities if city != place]
    if place in GRID:
        moves += [("route", city) for city in table.cities if 1 <= distance(place, city) <= printed.seals]
    return moves


def _payable(money: int, price: int) -> bool:
    """Something for 0 can be done with negative cash, nothing else can [G-28, G-58]."""
    return price == 0 or price <= money


def _balance_kept(table: Table, seat: int, colour: str) -> bool:
    """After building, more main than neutral houses in stock, or none at all [TWO-06, G-34]."""
    if len(table.players) > 2:
        return True
    main = table.players[seat].stock["main"] - (colour == "main")
    neutral = table.players[seat].stock["neutral"] - (colour == "neutral")
    return main + neutral == 0 or main > neutral


def main_actions(table: Table, seat: int, place: str, harbour: int | None, money: int) -> list[Action]:
    """Builds, re-openings and fortress for a ship anchored on a harbour space, with so much money [D-05..07].

    [TURN-12, WARE-01..10, REOPEN-01..09, FORT-01..06, G-18, G-19]
    """
    if place not in table.cities or harbour is None:
        return []
    city, printed, stock = table.cities[place], PRINTED[place], table.players[seat].stock
    found: list[Action] = []
    for site in next_sites(city):
        for colour in ("main", "neutral"):
            fits = row_allows(city, site, (seat, colour))
            can_pay = _payable(money, printed.harbours[harbour - 1])
            if fits and can_pay and stock[colour] > 0 and _balance_kept(table, seat, colour):
                found.append({"do": "build", "site": site, "colour": colour})
            if fits and (seat, colour) in city.closed and place != PORTO:
                found.append({"do": "reopen", "site": site, "colour": colour})
    free = printed.fortresses[len(city.fortresses) :]
    if free and seat not in city.fortresses and stock["fortress"] > 0 and _payable(money, free[0]):
        found.append({"do": "fortress"})
    return found


class Voyage(NamedTuple):
    """A position within the rest of a turn: where the ship is, what can still be played, and the money."""

    place: str
    harbour: int | None
    due: bool
    hand: frozenset[str]
    display: frozenset[str]
    money: int


def can_still_build(table: Table) -> bool:
    """Whether purchases and legs can still end in a placement or a fortress in this turn [G-06, G-02, G-43, G-50].

    After the free pirate move the voyage is over and only a build on the spot remains.
    """
    turn = table.turn
    player = table.players[turn.seat]
    shown = frozenset(table.display["destination"] | table.display["link"])
    start = Voyage(player.place, player.harbour, turn.free_due, frozenset(player.hand), shown, player.money)
    if turn.free_moved:
        return bool(main_actions(table, turn.seat, player.place, player.harbour, player.money))
    harbours = {name: _harbour_on_arrival(table, name) for name in table.cities}
    waiting = deque([start])
    seen: dict[tuple[str, int | None, bool], list[Voyage]] = {}
    while waiting:
        voyage = waiting.popleft()
        if _builds_here(table, voyage):
            return True
        for later in _next_legs(table, voyage, harbours):
            known = seen.setdefault((later.place, later.harbour, later.due), [])
            if not any(_no_better(later, other) for other in known):
                known.append(later)
                waiting.append(later)
    return False


def _no_better(one: Voyage, other: Voyage) -> bool:
    """At the same place with a subset of the cards and no more money [G-06]."""
    return one.money <= other.money and one.hand <= other.hand and one.display <= other.display


def _next_legs(table: Table, voyage: Voyage, harbours: dict[str, int | None]) -> list[Voyage]:
    """All positions one card later; a card is bought only when it is played, harbours do not change [G-06]."""
    found: list[Voyage] = []
    for card in voyage.hand | voyage.display:
        price = 0 if card in voyage.hand else CARDS[card].price
        if price and price > voyage.money:
            continue
        hand, display = voyage.hand - {card}, voyage.display - {card}
        for _use, to in card_moves(table, card, voyage.place):
            due = harbours[to] is not None and to == CANARIAS
            found.append(Voyage(to, harbours[to], due, hand, display, voyage.money - price))
    return found


def _harbour_on_arrival(table: Table, name: str) -> int | None:
    """The lowest space free of the pirate and of all other ships; the own ship has left its space [G-01, G-03]."""
    others = [player for seat, player in enumerate(table.players) if seat != table.turn.seat]
    held = [player.harbour for player in others if player.place == name]
    free = [space for space in spaces(name) if space not in held and table.pirate != (name, space)]
    return free[0] if free else None


def _builds_here(table: Table, voyage: Voyage) -> bool:
    """A main action is possible here, at Canarias also after the free pirate move and its charge [G-43]."""
    seat = table.turn.seat
    if main_actions(table, seat, voyage.place, voyage.harbour, voyage.money):
        return True
    if not voyage.due:
        return False
    moored = table.copy()
    player = moored.players[seat]
    player.place, player.harbour, player.money = voyage.place, voyage.harbour, voyage.money
    moored.turn.free_due = True
    for name in moored.cities:
        for harbour, shift in landings(moored, name):
            after = moored.copy()
            apply(after, {"do": "pirate", "by": "free", "to": name, "harbour": harbour, "shift": shift})
            ship = after.players[seat]
            if main_actions(after, seat, ship.place, ship.harbour, ship.money):
                return True
    return False
