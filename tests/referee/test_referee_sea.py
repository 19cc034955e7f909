"""The referee against the worked examples and rulings of expansion, pirate and turn frame."""

from __future__ import annotations

import pytest

from .acting import apply, deal, reveal
from .figures import distance
from .flow import Impossible, possible_reveals
from .legal import is_legal, offered
from .payday import majority
from .reach import card_moves
from .setting import (
    BLUE,
    DESTINATIONS,
    GREEN,
    LINKS,
    RED,
    YELLOW,
    build,
    do,
    give,
    moor,
    new,
    of_kind,
    row,
    sites_of,
    turn_of,
)
from .table import BANK, OFF_BOARD, Action, Table


def test_ex_32_to_34_lisboa() -> None:
    table = new(4, ["Lisboa"])
    money = []
    for seat, site, harbour in ((YELLOW, 2, 1), (RED, 1, 1), (BLUE, 3, 1)):
        moor(table, seat, "Lisboa", harbour, 0)
        build(table, seat, site)
        money.append(table.players[seat].money)
        table.players[seat].place = BANK
        table.players[seat].harbour = None
    assert money == [4, 4, 3]
    assert majority(table, "Lisboa") == {RED: 6, YELLOW: 3, BLUE: 3}


def test_lisboa_second_space_and_debt() -> None:
    table = new(4, ["Lisboa"])
    moor(table, RED, "Lisboa", 2, 0)
    turn_of(table, RED)
    assert not of_kind(table, "build")
    moor(table, RED, "Lisboa", 1, -5)
    turn_of(table, RED)
    assert sites_of(table, "build") == {(1, "main"), (2, "main")}
    assert not of_kind(table, "buy") and not of_kind(table, "fortress")


def test_ex_36_37_seals() -> None:
    assert distance("Valencia", "Lisboa") == 1
    assert {distance(city, "Lisboa") for city in ("Napoli", "Marseille", "Tanger")} == {2}
    assert {distance(city, "Lisboa") for city in ("Constantinople", "Alexandria")} == {4}
    table = new(4, ["Porto", "Islas Canarias"])
    assert ("route", "Islas Canarias") in card_moves(table, "Tanger/2", "Porto")
    assert ("route", "Islas Canarias") not in card_moves(table, "Tanger/1", "Porto")
    assert ("route", "Lisboa") not in card_moves(table, "Tanger/1", "Porto")


def test_porto_removes() -> None:
    table = new(4, ["Porto"])
    row(table, "Porto", 1, [GREEN, BLUE, GREEN, BLUE, GREEN, BLUE])
    moor(table, RED, "Porto", 3)
    build(table, RED, 7)
    assert table.players[RED].money == 43
    assert table.cities["Porto"].removed == [(GREEN, "main")] and not table.cities["Porto"].closed
    table.cities["Porto"].fortresses = [GREEN]
    turn_of(table, RED)
    assert not of_kind(table, "fortress")


@pytest.mark.parametrize(("phase", "rate"), [(1, 1), (2, 2), (3, 3)])
def test_ex_38_charge(phase: int, rate: int) -> None:
    table = new(4, ["Islas Canarias"])
    table.phase = phase
    row(table, "Tunis", 1, [GREEN, GREEN, BLUE, RED])
    table.cities["Tunis"].closed.append((GREEN, "main"))
    table.cities["Tunis"].fortresses = [GREEN, YELLOW]
    table.players[YELLOW].money = 0
    table.players[BLUE].money = -3
    moor(table, RED, "Valencia", 1)
    give(table, RED, "Tanger/2")
    turn_of(table, RED)
    do(table, do="sail", card="Tanger/2", **{"as": "route"}, to="Islas Canarias")
    assert table.turn.free_due
    do(table, do="build", site=1, colour="main")
    assert not of_kind(table, "end")
    money = [player.money for player in table.players]
    do(table, do="pirate", by="free", to="Tunis", harbour=2, shift=None)
    after = [player.money for player in table.players]
    assert [new - old for new, old in zip(after, money, strict=True)] == [4 * rate, -4 * rate, 0, 0]
    assert of_kind(table, "end") and not table.turn.free_due


def test_ex_39_paid_move_and_targets() -> None:
    table = new(4, ["Porto", "Islas Canarias"])
    moor(table, RED, "Marseille", 1, 20)
    moor(table, GREEN, "Porto", 2)
    moor(table, BLUE, "Tunis", 1)
    moor(table, YELLOW, "Tunis", 2)
    turn_of(table, RED)
    moves = [(move["to"], move["harbour"], move["shift"]) for move in of_kind(table, "pirate")]
    assert {move for move in moves if move[0] == "Porto"} == {
        ("Porto", 1, None),
        ("Porto", 3, None),
        ("Porto", 2, 1),
        ("Porto", 2, 3),
    }
    assert {move for move in moves if move[0] == "Marseille"} == {("Marseille", 1, 2), ("Marseille", 2, None)}
    assert not [move for move in moves if move[0] in ("Tunis", "Islas Canarias")]
    do(table, do="pirate", by="money", to="Marseille", harbour=1, shift=2)
    assert table.players[RED].money == 20 - 2 * 3 and table.players[RED].harbour == 2
    assert not of_kind(table, "pirate") and not of_kind(table, "loan")
    moor(table, GREEN, "Porto", 1)
    turn_of(table, YELLOW)
    moves = [(move["to"], move["harbour"], move["shift"]) for move in of_kind(table, "pirate")]
    assert {move for move in moves if move[0] == "Porto"} == {("Porto", 2, None), ("Porto", 3, None), ("Porto", 1, 2)}


def test_canarias_stay_gives_nothing_and_return_does() -> None:
    table = new(4, ["Islas Canarias"])
    moor(table, RED, "Islas Canarias", 1)
    give(table, RED, "Tanger/1", "Marseille/1")
    turn_of(table, RED)
    assert not [move for move in of_kind(table, "pirate") if move["by"] == "free"]
    do(table, do="sail", card="Tanger/1", **{"as": "route"}, to="Tanger")
    do(table, do="sail", card="Marseille/1", **{"as": "route"}, to="Islas Canarias")
    assert table.turn.free_due and table.players[RED].harbour == 1
    do(table, do="pirate", by="free", to="Tunis", harbour=1, shift=None)
    assert not of_kind(table, "sail")


def test_charge_counts_for_reaching_a_build() -> None:
    table = new(4, ["Islas Canarias"])
    row(table, "Tunis", 1, [GREEN, GREEN, GREEN])
    moor(table, RED, "Tanger", 1, 0)
    give(table, RED, "Tanger/1")
    table.players[RED].stock["fortress"] = 0
    row(table, "Tanger", 1, [RED, RED, RED])
    turn_of(table, RED)
    do(table, do="sail", card="Tanger/1", **{"as": "route"}, to="Islas Canarias")
    assert {(move["do"], move["to"]) for move in offered(table)} == {("pirate", "Tunis")}
    do(table, do="pirate", by="free", to="Tunis", harbour=2, shift=None)
    assert {action["do"] for action in offered(table)} == {"build"}


def test_ship_in_transit_anchors_when_the_pirate_leaves() -> None:
    table = new(4, ["Islas Canarias"])
    moor(table, GREEN, "Islas Canarias", 1)
    moor(table, RED, "Tanger", 1)
    give(table, RED, "Tanger/1", "Marseille/1")
    turn_of(table, RED)
    do(table, do="sail", card="Tanger/1", **{"as": "route"}, to="Islas Canarias")
    assert table.players[RED].harbour is None and not table.turn.free_due
    do(table, do="pirate", by="money", to="Tanger", harbour=2, shift=None)
    assert table.players[RED].harbour == 2 and table.turn.free_due
    do(table, do="pirate", by="free", to="Tunis", harbour=2, shift=None)
    assert of_kind(table, "build") and not of_kind(table, "sail")


def test_pirate_by_cards() -> None:
    table = new(4, ["Islas Canarias"])
    moor(table, RED, "Napoli", 1)
    give(table, RED, "Tanger/1", "Tunis/1", "Marseille-Napoli")
    turn_of(table, RED)

    def voyage(*steps: tuple[str, str, str], to: str, harbour: int = 1, shift: int | None = None) -> Action:
        cards = [{"card": card, "as": use, "to": goal} for card, use, goal in steps]
        return {"do": "pirate", "by": "cards", "cards": cards, "to": to, "harbour": harbour, "shift": shift}

    tanger, tunis = ("Tanger/1", "destination", "Tanger"), ("Tunis/1", "route", "Islas Canarias")
    assert is_legal(table, voyage(tanger, to="Tanger"))
    assert not is_legal(table, voyage(tanger, to="Tunis"))
    assert not is_legal(table, voyage(tanger, tunis, to="Islas Canarias"))
    assert not is_legal(table, voyage(tanger, tanger, to="Tanger"))
    assert not is_legal(table, voyage(("Marseille-Napoli", "link", "Napoli"), to="Napoli", harbour=2))
    assert not is_legal(table, voyage(("Napoli/1", "destination", "Napoli"), to="Napoli", harbour=2))
    both = voyage(("Tunis/1", "route", "Tanger"), ("Tanger/1", "route", "Tunis"), to="Tunis", harbour=2)
    assert is_legal(table, both)
    apply(table, both)
    assert table.pirate == ("Tunis", 2) and table.players[RED].hand == {"Marseille-Napoli"}
    assert not is_legal(table, voyage(("Marseille-Napoli", "link", "Napoli"), to="Napoli"))


def test_first_turn_and_skip() -> None:
    table = Table(4, [], 2)
    deal(table, DESTINATIONS, LINKS)
    assert table.to_act() == 2
    assert {action["do"] for action in offered(table)} == {"buy"}
    table.players[2].money = 3
    assert offered(table) == [{"do": "pass"}]
    apply(table, {"do": "pass"})
    assert table.players[2].place == OFF_BOARD and table.passes_in_round == 0 and table.to_act() == 3


def test_pass_when_the_bank_is_empty_ends_the_phase() -> None:
    table = new(3)
    table.loan_piles = {10: 0, 16: 0}
    for player in table.players:
        player.money = 0
        player.place = BANK
    for seat in range(3):
        assert table.to_act() == seat and offered(table) == [{"do": "pass"}]
        apply(table, {"do": "pass"})
    assert (table.awaiting, table.to_act()) == ("starter", 0) and len(table.paydays) == 1


def test_buy_before_loan() -> None:
    for option in (False, True):
        table = new(4, buy_before_loan=option)
        table.players[0].place = BANK
        table.players[0].money = 5
        assert bool(of_kind(table, "buy")) == option
        if option:
            do(table, do="buy", card="Napoli/1")
            do(table, do="loan", amount=16)
            assert table.awaiting == "reveal" and table.players[0].money == 17


def test_pirate_before_loan() -> None:
    to_tanger = {"do": "pirate", "by": "money", "to": "Tanger", "harbour": 1, "shift": None}
    for option in (False, True):
        table = new(4, ["Islas Canarias"], pirate_before_loan=option)
        table.players[0].place = BANK
        table.players[0].money = 3
        assert is_legal(table, to_tanger) == option and not of_kind(table, "buy")
        if option:
            apply(table, to_tanger)
            assert offered(table) == [{"do": "loan", "amount": 10}, {"do": "loan", "amount": 16}]
            do(table, do="loan", amount=16)
            assert table.to_act() == 1 and table.players[0].money == 17


def test_pirate_before_loan_is_not_buying_or_sailing_before_it() -> None:
    table = new(4, ["Islas Canarias"], pirate_before_loan=True)
    moor(table, RED, "Napoli", 1)
    give(table, RED, "Tunis/1", "Athina/2")
    table.display["link"].add("Napoli-Tunis")
    turn_of(table, RED)
    do(
        table,
        do="pirate",
        by="cards",
        cards=[{"card": "Tunis/1", "as": "destination", "to": "Tunis"}],
        to="Tunis",
        harbour=1,
    )
    assert of_kind(table, "loan") and not of_kind(table, "pass")
    for action in (
        {"do": "buy", "card": "Napoli-Tunis"},
        {"do": "sail", "card": "Athina/2", "as": "destination", "to": "Athina"},
    ):
        after = table.copy()
        do(after, **action)
        assert not of_kind(after, "loan")


def test_purchase_must_leave_a_build() -> None:
    table = new(4)
    moor(table, RED, "Napoli", 1, 5)
    turn_of(table, RED)
    bought = {action["card"] for action in of_kind(table, "buy")}
    assert bought == {"Marseille-Napoli", "Athina-Tunis", "Napoli-Tunis", "Alexandria-Tanger"}
    for card in sorted(bought):
        after = table.copy()
        apply(after, {"do": "buy", "card": card})
        assert offered(after)


def test_refill_order_and_reshuffle() -> None:
    table = new(4)
    moor(table, RED, "Napoli", 1)
    turn_of(table, RED)
    do(table, do="buy", card="Napoli-Tunis")
    do(table, do="buy", card="Tanger/2")
    do(table, do="build", site=1, colour="main")
    do(table, do="end")
    with pytest.raises(Impossible):
        reveal(table, "Athina-Napoli")
    with pytest.raises(Impossible):
        reveal(table, "Tanger/2")
    table.discards["destination"] = table.deck["destination"] - {"Tunis/3"}
    table.deck["destination"] = {"Tunis/3"}
    assert possible_reveals(table) == ["Tunis/3"]
    reveal(table, "Tunis/3")
    assert table.awaiting == "reveal" and len(table.deck["destination"]) == 0
    reveal(table, "Napoli-Athina")
    assert table.awaiting == "turn" and table.to_act() == 1


def test_no_refill_after_the_last_turn() -> None:
    table = new(3)
    table.phase = 3
    table.turns_in_round = 2
    table.players[0].stock = {"main": 0, "neutral": 0, "fortress": 0}
    moor(table, 2, "Napoli", 1)
    turn_of(table, 2)
    do(table, do="buy", card="Napoli-Tunis")
    do(table, do="build", site=1, colour="main")
    do(table, do="end")
    assert table.awaiting == "over" and offered(table) == []
