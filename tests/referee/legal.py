"""Which typed actions are legal."""

from __future__ import annotations

import json
from typing import Any

from .acting import apply
from .city import landings
from .figures import CARDS, PAY_BACK, PIRATE_STEP, card_name, distance
from .flow import first_round
from .reach import can_still_build, card_moves, main_actions
from .table import Action, Table

__all__ = ["can_still_build", "canonical", "is_legal", "offered"]


def canonical(action: Action) -> str:
    """One text for every way of writing the same typed action.

    Pairs of cities are read in either order; an absent shift is null; an empty list of cards is none.
    """
    plain: dict[str, Any] = dict(action)
    if isinstance(plain.get("card"), str):
        plain["card"] = card_name(plain["card"])
    if plain.get("do") == "pirate":
        plain.setdefault("shift", None)
        steps = plain.pop("cards", None)
        if steps:
            plain["cards"] = [{**step, "card": card_name(step["card"])} for step in steps]
    return json.dumps(plain, sort_keys=True)


def offered(table: Table) -> list[Action]:
    """Every legal action of the seat to move but pirate voyages by cards."""
    return [action for action in _candidates(table) if _leaves_a_way(table, action)]


def is_legal(table: Table, action: Action) -> bool:
    """Whether one typed action, also a pirate voyage by cards, is legal now."""
    if action.get("do") == "pirate" and action.get("by") == "cards":
        return _legal_pirate_by_cards(table, action)
    wanted = canonical(action)
    return any(canonical(known) == wanted for known in _candidates(table)) and _leaves_a_way(table, action)


def _candidates(table: Table) -> list[Action]:
    """What the rules allow, apart from the test that a build remains possible."""
    if table.awaiting == "starter":
        return [{"do": "starter", "who": seat} for seat in range(len(table.players))]
    if table.awaiting == "loans":
        return _loan_decisions(table)
    if table.awaiting != "turn":
        return []
    found = _purchases(table) + _free_pirate(table) + _paid_pirate(table)
    if table.turn.stage == "C":
        if not table.turn.free_due:
            found.append({"do": "end"})
        return found
    found += _legs(table) + _main_actions_here(table) + _loans(table)
    if _must_pass(table):
        found.append({"do": "pass"})
    return found


def _leaves_a_way(table: Table, action: Action) -> bool:
    """Before the main action a purchase, leg or pirate move must leave a build possible [G-06, G-50].

    With the options to buy or to move the pirate before a loan, those may instead leave a loan possible [G-06, G-45].
    """
    if table.awaiting != "turn" or table.turn.stage == "C" or action["do"] not in ("buy", "sail", "pirate"):
        return True
    after = table.copy()
    apply(after, action)
    return can_still_build(after) or bool(_loans(after))


def _loan_decisions(table: Table) -> list[Action]:
    """Repay with enough cash, or extend, each unflipped card [D-13, AFTER-02..04, G-27, G-28]."""
    player = table.players[table.decider]
    found: list[Action] = []
    for size, count in player.loans.items():
        if count and player.money >= PAY_BACK[size]:
            found.append({"do": "repay", "amount": size})
        if count:
            found.append({"do": "extend", "amount": size})
    return found


def _purchases(table: Table) -> list[Action]:
    """Any displayed card the money reaches for [D-01, BUY-02, BUY-05]."""
    money = table.players[table.turn.seat].money
    shown = sorted(table.display["destination"]) + sorted(table.display["link"])
    return [{"do": "buy", "card": card} for card in shown if CARDS[card].price <= money]


def _legs(table: Table) -> list[Action]:
    """Every use of every card in hand for the ship; none after the free pirate move [D-02..04, G-43, G-56]."""
    if table.turn.free_moved:
        return []
    player = table.players[table.turn.seat]
    return [
        {"do": "sail", "card": card, "as": use, "to": to}
        for card in sorted(player.hand)
        for use, to in card_moves(table, card, player.place)
    ]


def _main_actions_here(table: Table) -> list[Action]:
    """Build, re-open or fortify where the ship is anchored [D-05..07, TURN-12]."""
    player = table.players[table.turn.seat]
    return main_actions(table, table.turn.seat, player.place, player.harbour, player.money)


def _loans(table: Table) -> list[Action]:
    """A loan as the first thing in a turn, not in the game's first round [D-08, LOAN-06, G-06, G-09].

    With the table's options, purchases or the paid pirate move may have come before it; a leg never [G-45].
    """
    turn, options = table.turn, table.options
    too_late = turn.sailed or turn.stage == "C"
    too_late |= turn.bought and not options["buy_before_loan"]
    too_late |= turn.paid_moved and not options["pirate_before_loan"]
    if first_round(table) or too_late:
        return []
    return [{"do": "loan", "amount": size} for size, left in table.loan_piles.items() if left]


def _must_pass(table: Table) -> bool:
    """Passing exists only when there is neither a loan nor a way to build [D-09, G-07, G-09]."""
    return table.turn.stage == "A" and not _loans(table) and not can_still_build(table)


def _free_pirate(table: Table) -> list[Action]:
    """The free move due after anchoring at Canarias [D-11, CANA-02, CANA-04, G-44]."""
    if not table.turn.free_due:
        return []
    return [
        {"do": "pirate", "by": "free", "to": name, "harbour": harbour, "shift": shift}
        for name in table.cities
        for harbour, shift in landings(table, name)
    ]


def _paid_pirate(table: Table) -> list[Action]:
    """The move for money, once per turn in any stage [D-12, PIRATE-08, G-45]."""
    if table.pirate is None or table.turn.paid_moved:
        return []
    money = table.players[table.turn.seat].money
    return [
        {"do": "pirate", "by": "money", "to": name, "harbour": harbour, "shift": shift}
        for name in table.cities
        if PIRATE_STEP * distance(table.pirate[0], name) <= money
        for harbour, shift in landings(table, name)
    ]


def _legal_pirate_by_cards(table: Table, action: Action) -> bool:
    """A pirate voyage with own cards, each moving it from where it then is [D-12, PIRATE-10, G-03, G-45, G-52]."""
    steps = action.get("cards")
    if table.awaiting != "turn" or table.pirate is None or table.turn.paid_moved:
        return False
    if set(action) - {"shift"} != {"do", "by", "cards", "to", "harbour"} or not isinstance(steps, list) or not steps:
        return False
    place = table.pirate[0]
    hand = set(table.players[table.turn.seat].hand)
    for step in steps:
        if not isinstance(step, dict) or set(step) != {"card", "as", "to"}:
            return False
        card = card_name(str(step["card"]))
        if card not in hand or (step["as"], step["to"]) not in card_moves(table, card, place):
            return False
        hand.remove(card)
        place = step["to"]
    if action["to"] != place or (action["harbour"], action.get("shift")) not in landings(table, place):
        return False
    return _leaves_a_way(table, action)
