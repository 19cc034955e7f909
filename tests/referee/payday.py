"""Paydays, loans after them, the money check and the final ranking."""

from __future__ import annotations

from typing import Any

from .city import amount, half, ranking, spread
from .figures import CHART, PAY_BACK, PAY_BACK_EXTENDED, PHASES, TILES
from .table import Table


def majority(table: Table, name: str) -> dict[int, int]:
    """What each seat earns by majority in one city [MAJ-01..07, EXP-12, TWO-12, TWO-13, G-36, G-38]."""
    ranks = ranking(table.cities[name])
    full = amount(table, name)
    pay: dict[int, int] = {}
    for rank, (seat, colour) in enumerate(ranks):
        if colour == "neutral":
            continue
        if rank == 0:
            pay[seat] = full
        elif name in TILES or (rank == 1 and len(table.players) > 2):
            pay[seat] = half(full)
    return pay


def fullest(table: Table) -> list[str]:
    """The city or cities with the most open houses [FORTPAY-02..04, G-35, G-38]."""
    most = max(len(city.sites) for city in table.cities.values())
    return [name for name, city in table.cities.items() if len(city.sites) == most]


def fortress_income(table: Table, name: str) -> dict[int, int]:
    """What each fortress in one city earns its owner [FORTPAY-01..05, G-21]."""
    full = amount(table, name)
    pay = full if name in fullest(table) else half(full)
    return dict.fromkeys(table.cities[name].fortresses, pay)


def income(table: Table, seat: int) -> dict[str, Any]:
    """One seat's line of the payday report; only amounts other than 0 are listed [PAY-01, PAY-04]."""
    cities = spread(table, seat)
    by_majority = {name: majority(table, name).get(seat, 0) for name in table.cities}
    by_fortress = {name: fortress_income(table, name).get(seat, 0) for name in table.cities}
    bonus = table.players[seat].bonus if table.phase == PHASES else 0
    return {
        "seat": seat,
        "cities": cities,
        "proliferation": CHART[cities],
        "majority": {name: pay for name, pay in by_majority.items() if pay},
        "fortress": {name: pay for name, pay in by_fortress.items() if pay},
        "bonus": bonus,
        "total": CHART[cities] + sum(by_majority.values()) + sum(by_fortress.values()) + bonus,
    }


def hold_payday(table: Table) -> None:
    """Pay everybody and keep the report [PAY-01..04, PROL-07, G-25]."""
    paid = [income(table, seat) for seat in range(len(table.players))]
    for line in paid:
        table.players[line["seat"]].money += line["total"]
    table.paydays.append({"payday": table.phase, "paid": paid})


def pay_extended(table: Table, seat: int) -> None:
    """Flipped cards fall due and are paid in any case, even below zero [AFTER-04, G-28, G-54]."""
    player = table.players[seat]
    for size, count in player.extended.items():
        player.money -= count * PAY_BACK_EXTENDED[size]
        table.loan_piles[size] += count
        player.extended[size] = 0


def repay(table: Table, seat: int, size: int) -> None:
    """Pay back one loan at the amount showing; the card returns to its pile [AFTER-02]."""
    player = table.players[seat]
    player.money -= PAY_BACK[size]
    player.loans[size] -= 1
    table.loan_piles[size] += 1


def extend(table: Table, seat: int, size: int) -> None:
    """Flip one loan card [AFTER-03]."""
    player = table.players[seat]
    player.loans[size] -= 1
    player.extended[size] += 1


def pay_all_loans(table: Table) -> None:
    """After the third payday all loans are paid at the amount showing [END-03, G-29]."""
    for seat, player in enumerate(table.players):
        pay_extended(table, seat)
        for size in list(player.loans):
            while player.loans[size]:
                repay(table, seat, size)


def worth(table: Table, seat: int) -> int:
    """Cash minus the amounts showing on the loans still held [AFTER-06, G-30]."""
    player = table.players[seat]
    debt = sum(count * PAY_BACK[size] for size, count in player.loans.items())
    debt += sum(count * PAY_BACK_EXTENDED[size] for size, count in player.extended.items())
    return player.money - debt


def poorest(table: Table) -> int:
    """Who names the next starting player; ties by seating from the phase's starter [AFTER-07, TWO-14, G-31]."""
    return min(table.seats_from(table.starter), key=lambda seat: worth(table, seat))


def result(table: Table) -> dict[str, list[int]]:
    """Final money, ranks with equal money sharing a rank, and all winners [END-05, G-31]."""
    money = [player.money for player in table.players]
    ranks = [1 + sum(other > own for other in money) for own in money]
    return {"money": money, "ranks": ranks, "winners": [seat for seat, rank in enumerate(ranks) if rank == 1]}
