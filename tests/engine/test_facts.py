"""What the rules say about a position to those who show it."""

from tests.drawings import position

from elcapitan.engine import play
from elcapitan.engine.record import cached
from elcapitan.engine.rules import buildings, payday
from elcapitan.engine.state import PositionFacts
from elcapitan.engine.vocabulary import CITIES, CITY_NAMES, COLOURS, LISBOA, MAIN_CITIES, NEVER, NO_SITE

MARSEILLE, VENEZIA, NAPOLI, TANGER, TUNIS, ALEXANDRIA = (
    CITY_NAMES.index(name) for name in ("Marseille", "Venezia", "Napoli", "Tanger", "Tunis", "Alexandria")
)


def facts(drawing: str) -> PositionFacts:
    """The facts of the position that a drawing shows."""
    here = position(drawing)
    return cached(play.facts(here.states, 0, here.figures.boards))


def test_a_city_tells_what_it_pays_now_and_after_the_next_warehouse() -> None:
    """[MAJ-02, WARE-05, SHUT-01, FORTPAY-02] S7 is dark: the next warehouse of Marseille closes the one on S1."""
    f = facts("4 players, Y to move \n Marseille [Y .] G R G G G B \n Napoli R")
    cities = [MARSEILLE, NAPOLI, VENEZIA]
    assert f.paying_space[cities].tolist() == [6, 1, 0]
    assert f.pays[cities].tolist() == [24, 3, 0]
    assert f.open_houses[cities].tolist() == [6, 1, 0]
    assert f.fullest[cities].tolist() == [1, 0, 0]
    assert f.next_site[cities].tolist() == [6, 1, 0]
    assert f.closes_next[cities].tolist() == [0, NO_SITE, NO_SITE]
    assert f.pays_next[cities].tolist() == [28, 6, 3]


def test_a_city_tells_what_its_sites_are() -> None:
    """[WARE-04, BACK-01, BACK-05, BOARD-09, SHUT-01, SHUT-02, SHUT-06] Vacated, free, shutting, or a colour."""
    free, shuts, gone = buildings.FREE_SITE, buildings.SHUTTING_SITE, buildings.VACATED_SITE
    assert len({free, shuts, gone, *range(COLOURS)}) == 3 + COLOURS
    red, yellow, green = range(3)
    f = facts("""
        3 players, phase 2, R to move
        Marseille . . G G G Y
        Napoli    . R
        Tunis     . . . . . . . . . . . R
        Tanger    R R R G G G Y Y Y R Y G
    """)
    assert f.on_site[MARSEILLE].tolist() == [gone, gone, *[green] * 3, yellow, shuts, free, shuts, free, shuts, free]
    assert f.on_site[NAPOLI].tolist() == [free, red, free, free, *[shuts, free] * 4]
    assert f.on_site[VENEZIA].tolist() == [free, free, free, free, *[shuts, free] * 4]
    assert f.on_site[TUNIS].tolist() == [*[free] * 11, red]
    assert (f.next_site[TUNIS], f.closes_next[TUNIS], f.pays_next[TUNIS]) == (10, NO_SITE, 8)
    assert (f.next_site[TANGER], f.closes_next[TANGER], f.pays_next[TANGER]) == (NO_SITE, NO_SITE, 8)
    assert f.shuts[TUNIS].tolist() == [0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert facts("4 players, R to move").shuts[TUNIS].tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0]


def test_colours_are_ranked_with_the_reason_for_what_they_earn() -> None:
    """[MAJ-01, MAJ-02, MAJ-03, MAJ-05, MAJ-07, EXP-12, TWO-12, TWO-13] First, second, present, behind, or neutral."""
    none = (payday.NO_RANK, payday.NO_REASON)
    reasons = [payday.FIRST, payday.SECOND, payday.PRESENT, payday.BEHIND, payday.ONLY_FIRST, payday.NEUTRAL_REASON]
    first, second, present, behind, only_first, neutral = reasons
    assert none[0] < 0 and none[1] not in reasons

    four = facts("4 players, R to move \n Marseille R R Y G \n Lisboa Y R R G")
    assert _ranked(four, MARSEILLE) == [(0, first), (1, second), (2, behind), none, none]
    assert _ranked(four, LISBOA) == [(0, first), (1, present), (2, present), none, none]
    two = facts("2 players, R to move \n Marseille r r R Y \n Lisboa Y R R")
    assert _ranked(two, MARSEILLE) == [(1, only_first), (2, only_first), (0, neutral), none, none]
    assert _ranked(two, LISBOA) == [(0, first), (1, present), none, none, none]


def _ranked(f: PositionFacts, city: int) -> list[tuple[int, int]]:
    """The rank of each colour in a city, and why it earns what it earns."""
    return list(zip(f.rank[city].tolist(), f.why_ranked[city].tolist(), strict=True))


def test_a_fortress_earns_by_the_number_of_warehouses_in_its_city() -> None:
    """[FORTPAY-01, FORTPAY-02, FORTPAY-03, FORTPAY-04] Fewer than elsewhere, most of all, or as many as another."""
    half, whole, shared = payday.FORTRESS, payday.FULLEST, payday.ONE_OF_FULLEST
    assert len({half, whole, shared}) == 3
    alone = facts("4 players, R to move \n Tunis R Y G \n Alexandria Y R")
    assert [alone.why_fortress[city] for city in (TUNIS, ALEXANDRIA, NAPOLI)] == [whole, half, half]
    two = facts("4 players, R to move \n Tunis R Y \n Alexandria Y R \n Napoli B")
    assert [two.why_fortress[city] for city in (TUNIS, ALEXANDRIA, NAPOLI)] == [shared, shared, half]
    assert two.fullest.tolist() == [1 if city in (TUNIS, ALEXANDRIA) else 0 for city in range(CITIES)]
    empty = facts("4 players, R to move \n Tunis forts(R .)")
    assert empty.fullest.tolist() == [1] * CITIES and empty.why_fortress.tolist() == [shared] * CITIES


def test_merchants_owe_and_have_what_their_cards_show() -> None:
    """[LOAN-08, LOAN-09, PROL-04, PROL-07, EXP-10] Loans by amount and side, the bonus card, the place on the chart."""
    f = facts("3 players, R to move \n R owes 2x10 16! \n Y 5 florins, 1st bonus \n G 2nd bonus; owes 10! 16")
    assert f.owed[:3].tolist() == [[[24, 0], [0, 30]], [[0, 0], [0, 0]], [[0, 16], [20, 0]]]
    assert f.debt[:3].tolist() == [54, 0, 36]
    assert f.bonus[:3].tolist() == [0, 15, 10]
    assert f.cash_with_loan.tolist() == [20 + 10, 20 + 16]
    assert f.debt_with_loan.tolist() == [54 + 12, 54 + 20]
    assert payday.SPREAD != payday.SPREAD_FAR
    nine = "3 players, phase 2, R to move\n" + "\n".join(f"{name} R Y" for name in CITY_NAMES[:MAIN_CITIES])
    assert facts(f"{nine} \n Porto Y").why_spread[:3].tolist() == [payday.SPREAD, payday.SPREAD_FAR, payday.SPREAD]


def test_prices_are_those_where_the_ship_lies() -> None:
    """[WARE-02, FORT-02, BOARD-03, BOARD-04, PIRATE-08, CANA-01] NEVER where there is nothing to be paid."""
    f = facts("4 players, phase 2, R to move \n Marseille [Y R] forts(Y .) \n Napoli forts(Y G) \n Canarias")
    assert (f.build_price, f.fortress_price[[MARSEILLE, NAPOLI, TUNIS]].tolist()) == (5, [10, NEVER, 4])
    assert f.pirate_fare[[TANGER, TUNIS, MARSEILLE, ALEXANDRIA]].tolist() == [2, 4, 6, 6]
    elsewhere = facts("4 players, R to move \n Bank [R] \n Marseille [Y .]")
    assert elsewhere.build_price == NEVER and elsewhere.pirate_fare.tolist() == [NEVER] * CITIES
