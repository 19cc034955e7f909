"""The referee against the worked examples of the basic game."""

from __future__ import annotations

import pytest

from .acting import apply
from .city import amount, next_sites, ranking
from .figures import CARDS, CHART, PRINTED
from .legal import can_still_build, offered
from .payday import fortress_income, income, majority, pay_all_loans, result
from .reach import card_moves, main_actions
from .setting import (
    BLUE,
    GREEN,
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
from .table import BANK, OFF_BOARD, Turn


def test_ex_01_02_03_chart() -> None:
    assert [CHART[count] for count in (3, 4, 9, 10, 11, 12)] == [5, 10, 60, 75, 90, 110]
    table = new()
    for city in ("Marseille", "Napoli", "Tunis", "Athina"):
        table.cities[city].sites[1] = (RED, "main")
    assert income(table, RED)["proliferation"] == 10


def test_ex_04_05_35_prices() -> None:
    assert PRINTED["Marseille"].harbours == (4, 5)
    assert PRINTED["Marseille"].fortresses == (8, 10)
    assert PRINTED["Lisboa"].harbours == (0, 1)
    prices = [card.price for card in CARDS.values() if card.kind == "link"]
    assert [prices.count(price) for price in (1, 2, 3)] == [12, 14, 10]
    assert len(CARDS) == 54
    table = new()
    for seat, harbour in ((RED, 1), (GREEN, 2)):
        moor(table, seat, "Marseille", harbour, 10)
        turn_of(table, seat)
        apply(table, {"do": "fortress"})
    assert [table.players[seat].money for seat in (RED, GREEN)] == [2, 0]


def test_ex_06_sea_route() -> None:
    table = new()
    moves = card_moves(table, "Marseille/3", "Valencia")
    assert ("destination", "Marseille") in moves
    assert {to for use, to in moves if use == "route"} == set(table.cities) - {"Valencia"}
    assert card_moves(table, "Marseille/3", BANK) == [("destination", "Marseille")]
    assert card_moves(table, "Marseille/3", OFF_BOARD) == [("destination", "Marseille")]


def test_ex_07_interconnection() -> None:
    table = new()
    assert CARDS["Tanger-Venezia"].price == 3
    assert card_moves(table, "Tanger-Venezia", "Venezia") == [("link", "Tanger")]
    assert card_moves(table, "Tanger-Venezia", "Tanger") == [("link", "Venezia")]
    assert card_moves(table, "Tanger-Venezia", "Napoli") == []
    assert card_moves(table, "Tanger-Venezia", BANK) == []


def test_ex_08_full_city_between_two_cards() -> None:
    table = new()
    moor(table, GREEN, "Tanger", 1)
    moor(table, BLUE, "Tanger", 2)
    turn_of(table, RED)
    do(table, do="buy", card="Tanger/2")
    do(table, do="buy", card="Alexandria-Tanger")
    do(table, do="sail", card="Tanger/2", **{"as": "destination"}, to="Tanger")
    assert table.players[RED].harbour is None
    assert not of_kind(table, "build") and not of_kind(table, "loan")
    do(table, do="sail", card="Tanger-Alexandria", **{"as": "link"}, to="Alexandria")
    assert (table.players[RED].place, table.players[RED].harbour) == ("Alexandria", 1)
    assert of_kind(table, "build")


def test_leg_into_a_full_city_needs_a_way_on() -> None:
    table = new()
    moor(table, GREEN, "Tanger", 1)
    moor(table, BLUE, "Tanger", 2)
    give(table, RED, "Tanger/2")
    table.players[RED].money = 0
    turn_of(table, RED)
    assert not can_still_build(table)
    assert {action["do"] for action in offered(table)} == {"loan"}


def test_ex_09_to_13_marseille() -> None:
    table = new(4)
    moor(table, RED, "Marseille", 1)
    build(table, RED, 2)
    assert table.players[RED].money == 46
    moor(table, GREEN, "Marseille", 2)
    turn_of(table, GREEN)
    assert sites_of(table, "build") == {(1, "main")}
    for site in (1, 3, 4, 5):
        build(table, GREEN, site)
    turn_of(table, GREEN)
    assert not of_kind(table, "build")
    money = table.players[GREEN].money
    do(table, do="fortress")
    assert money - table.players[GREEN].money == 8
    table.players[GREEN].place = BANK
    table.players[GREEN].harbour = None
    moor(table, YELLOW, "Marseille", 2)
    build(table, YELLOW, 6)
    build(table, YELLOW, 7)
    city = table.cities["Marseille"]
    assert city.closed == [(GREEN, "main")] and min(city.sites) == 2
    moor(table, BLUE, "Marseille", 2)
    table.players[YELLOW].place = BANK
    table.players[YELLOW].harbour = None
    build(table, BLUE, 8)
    build(table, BLUE, 9)
    assert city.closed == [(GREEN, "main"), (RED, "main")]
    turn_of(table, RED)
    money = table.players[RED].money
    do(table, do="reopen", site=10, colour="main")
    assert table.players[RED].money == money and city.sites[10] == (RED, "main")
    assert {action["do"] for action in offered(table)} == {"buy", "end"}


def test_ex_14_15_backward() -> None:
    table = new(4)
    row(table, "Marseille", 4, [GREEN, GREEN, BLUE, YELLOW, BLUE, YELLOW, RED, RED, RED])
    moor(table, RED, "Marseille", 1)
    turn_of(table, RED)
    assert sites_of(table, "build") == {(3, "main")}
    moor(table, GREEN, "Marseille", 2)
    build(table, GREEN, 3)
    turn_of(table, GREEN)
    assert next_sites(table.cities["Marseille"]) == [2]
    assert not of_kind(table, "build")
    assert not table.cities["Marseille"].closed


def test_ex_16_to_19_majority() -> None:
    table = new(4)
    row(table, "Marseille", 1, [RED, GREEN, BLUE, GREEN, BLUE])
    assert majority(table, "Marseille") == {GREEN: 20, BLUE: 10}
    table.cities["Marseille"].sites[6] = (RED, "main")
    assert [seat for seat, _ in ranking(table.cities["Marseille"])] == [RED, GREEN, BLUE]
    assert majority(table, "Marseille") == {RED: 24, GREEN: 12}
    row(table, "Napoli", 1, [RED, RED, GREEN, RED, GREEN])
    assert majority(table, "Napoli") == {RED: 15, GREEN: 7}
    other = new(4)
    row(other, "Marseille", 3, [RED, BLUE, YELLOW, GREEN, RED, BLUE, YELLOW, RED, BLUE, YELLOW])
    other.cities["Marseille"].closed.append((BLUE, "main"))
    assert majority(other, "Marseille") == {RED: 16, BLUE: 8}


def test_ex_20_to_23_fortress_income() -> None:
    table = new(4)
    row(table, "Marseille", 1, [RED, GREEN, BLUE, GREEN, BLUE])
    row(table, "Napoli", 1, [RED, GREEN, BLUE, GREEN, BLUE, RED])
    table.cities["Marseille"].fortresses = [GREEN, RED]
    assert fortress_income(table, "Marseille") == {GREEN: 10, RED: 10}
    table.cities["Napoli"].sites.pop(6)
    table.cities["Napoli"].fortresses = [GREEN]
    assert fortress_income(table, "Marseille") == {GREEN: 20, RED: 20}
    assert fortress_income(table, "Napoli") == {GREEN: 15}
    other = new(4)
    row(other, "Marseille", 3, [RED, BLUE, YELLOW, GREEN, RED, BLUE, YELLOW, RED, BLUE, YELLOW])
    other.cities["Marseille"].fortresses = [GREEN, RED]
    assert fortress_income(other, "Marseille") == {GREEN: 16, RED: 16}
    row(other, "Tunis", 1, [RED, BLUE, YELLOW, GREEN, RED, BLUE, YELLOW, RED, BLUE, YELLOW, BLUE])
    assert fortress_income(other, "Marseille") == {GREEN: 8, RED: 8}


def test_ex_40_full_city() -> None:
    table = new(4)
    row(table, "Marseille", 1, [RED, GREEN, BLUE] * 4)
    moor(table, RED, "Marseille")
    table.cities["Marseille"].closed.append((RED, "main"))
    turn_of(table, RED)
    assert next_sites(table.cities["Marseille"]) == []
    assert {action["do"] for action in main_actions(table, RED, "Marseille", 1, 50)} == {"fortress"}
    assert amount(table, "Marseille") == 16


def test_triangle_and_option_on_reopening() -> None:
    for players, shuts in ((3, 1), (4, 0)):
        table = new(players)
        row(table, "Napoli", 1, [RED, GREEN, BLUE, GREEN])
        moor(table, RED, "Napoli")
        build(table, RED, 5)
        assert len(table.cities["Napoli"].closed) == shuts
    for option, closed in ((True, [(GREEN, "main")]), (False, [])):
        table = new(4, reopen_shuts=option)
        row(table, "Napoli", 1, [GREEN, BLUE, GREEN, BLUE, GREEN, BLUE])
        table.cities["Napoli"].closed.append((RED, "main"))
        moor(table, RED, "Napoli")
        turn_of(table, RED)
        do(table, do="reopen", site=7, colour="main")
        assert table.cities["Napoli"].closed == closed


def settle(size: int, decisions: list[str]) -> int:
    """Money after one loan and the given decisions about it, payday income left out."""
    table = new(3)
    turn_of(table, 0)
    do(table, do="loan", amount=size)
    assert table.players[0].money == 20 + size and table.players[0].place == BANK
    for decision in decisions:
        table.players[2].stock = {"main": 0, "neutral": 0, "fortress": 0}
        table.turns_in_round = 2
        table.turn = Turn(2, stage="C")
        table.awaiting = "turn"
        do(table, do="end")
        if table.awaiting == "loans":
            do(table, do=decision, amount=size)
        do(table, do="starter", who=0)
    return table.players[0].money - 20 - size


def test_ex_24_25_loans() -> None:
    assert (settle(10, ["repay"]), settle(10, ["extend", ""])) == (-12, -16)
    assert (settle(16, ["repay"]), settle(16, ["extend", ""])) == (-20, -30)


def test_loan_at_the_end_and_negative_result() -> None:
    table = new(3)
    table.players[0].loans[10] = 1
    table.players[0].extended[16] = 1
    table.phase = 3
    pay_all_loans(table)
    assert [player.money for player in table.players] == [20 - 12 - 30, 20, 20]
    assert result(table) == {"money": [-22, 20, 20], "ranks": [3, 1, 1], "winners": [1, 2]}


def test_flipped_loans_may_lead_below_zero() -> None:
    table = new(3)
    table.players[1].extended[16] = 1
    table.players[1].loans[10] = 1
    table.players[2].stock = {"main": 0, "neutral": 0, "fortress": 0}
    table.turns_in_round = 2
    table.turn = Turn(2, stage="C")
    do(table, do="end")
    assert table.to_act() == 1 and table.players[1].money == -10
    assert offered(table) == [{"do": "extend", "amount": 10}]
    do(table, do="extend", amount=10)
    assert (table.awaiting, table.to_act()) == ("starter", 1)
    do(table, do="starter", who=2)
    assert (table.phase, table.round, table.to_act()) == (2, 1, 2)
    assert table.players[2].stock == {"main": 6, "neutral": 0, "fortress": 1}


def test_ex_41_bonus() -> None:
    table = new(4)
    names = list(table.cities)
    for seat in (RED, GREEN, BLUE, YELLOW):
        for name in names[:8]:
            table.cities[name].sites[seat + 1] = (seat, "main")
        moor(table, seat, "Alexandria", 1)
        build(table, seat, next_sites(table.cities["Alexandria"])[0])
        table.players[seat].place = BANK
        table.players[seat].harbour = None
    assert [player.bonus for player in table.players] == [15, 10, 5, 0]
    table.cities[names[0]].sites.pop(1)
    assert [income(table, seat)["bonus"] for seat in range(4)] == [0, 0, 0, 0]
    table.phase = 3
    assert [income(table, seat)["bonus"] for seat in range(4)] == [15, 10, 5, 0]


@pytest.mark.parametrize(
    ("stock", "colours"),
    [
        ((6, 2), {"main", "neutral"}),
        ((3, 2), {"neutral"}),
        ((3, 1), {"main", "neutral"}),
        ((2, 1), {"neutral"}),
        ((1, 0), {"main"}),
    ],
)
def test_ex_26_to_29_stock_balance(stock: tuple[int, int], colours: set[str]) -> None:
    table = new(2)
    moor(table, 0, "Napoli")
    table.players[0].stock.update(main=stock[0], neutral=stock[1])
    turn_of(table, 0)
    assert {colour for _, colour in sites_of(table, "build")} == colours


def test_ex_30_31_neutral_first() -> None:
    for second in ((1, "main"), (0, "main")):
        table = new(2)
        table.cities["Napoli"].sites = {1: (0, "neutral"), 2: second}
        assert majority(table, "Napoli") == {}
    table = new(2)
    table.cities["Napoli"].sites = {1: (0, "main"), 2: (1, "main")}
    assert majority(table, "Napoli") == {0: 6}
    table = new(2, ["Lisboa"])
    table.cities["Lisboa"].sites = {1: (0, "neutral"), 2: (1, "main"), 3: (0, "main")}
    assert majority(table, "Lisboa") == {0: 3, 1: 3}


def test_rows_of_two_colours() -> None:
    table = new(2)
    moor(table, 0, "Napoli")
    cases: list[tuple[list[str], set[str]]] = [
        (["main"] * 3, {"neutral"}),
        (["main", "main", "neutral"], {"main", "neutral"}),
        (["neutral"] * 3, {"main"}),
        (["main", "main", "neutral", "main"], set()),
    ]
    for colours, allowed in cases:
        table.cities["Napoli"].sites = {site: (0, colour) for site, colour in enumerate(colours, start=1)}
        turn_of(table, 0)
        assert {colour for _, colour in sites_of(table, "build")} == allowed
