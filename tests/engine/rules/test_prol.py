"""PROL: proliferation over the cities, and the bonus cards."""

import pytest
from tests.drawings import Position, position

MAIN = ["Marseille", "Venezia", "Constantinople", "Valencia", "Napoli", "Athina", "Tanger", "Tunis", "Alexandria"]
CITIES = [*MAIN, "Porto", "Lisboa", "Canarias"]
CHART = [0, 1, 2, 5, 10, 15, 20, 30, 40, 60, 75, 90, 110]


def standing_in(cities: int, headline: str = "4 players, phase 2", more: str = "") -> Position:
    """Red with one house in each of so many cities, in a game with all tiles."""
    lines = [f"{name} {'R' if number < cities else ''}" for number, name in enumerate(CITIES)]
    return position("\n".join([headline, more, *lines]))


def with_bonus(here: Position) -> dict[str, str]:
    """Who has a bonus card, and which."""
    cards = {}
    for line in here.drawing().splitlines():
        for card in ("1st bonus", "2nd bonus", "3rd bonus"):
            if card in line:
                cards[line[0]] = card
    return cards


@pytest.mark.parametrize(("cities", "florins"), list(enumerate(CHART)))
def test_the_chart(cities: int, florins: int) -> None:
    """[PROL-01, PROL-04, G-23] What each number of cities pays, the disputed 1 and 2 included."""
    assert standing_in(cities).proliferation("R") == florins


def test_one_warehouse_in_a_city_is_enough() -> None:
    """[PROL-01, PROL-02] Red's three cities pay as much as Yellow's three, with five houses or three."""
    before = position("4 players \n Tunis R Y R \n Napoli R Y R \n Athina Y R")
    assert before.proliferation("R") == before.proliferation("Y") == 5


def test_fortresses_and_closed_warehouses_do_not_count() -> None:
    """[PROL-03] Three cities with open houses, whatever else Red has in others."""
    before = position("""
        4 players, phase 2
        Tunis     R
        Napoli    R
        Athina    R forts(R .)
        Marseille . Y G shut(R R)
        Venezia   Y forts(R .)
        Valencia  . R Y shut(Y)
        Tanger    . Y shut(R)
    """)
    assert before.proliferation("R") == 10
    assert before.proliferation("Y") == 10


def test_a_bonus_card_is_taken_at_once_and_in_order() -> None:
    """[PROL-05] First 15, then 10, then 5: each at the moment its taker stands in nine cities; a fourth gets none."""
    seven = "\n".join(f"{name} R Y G B" for name in MAIN[:7])
    before = position(f"""
        4 players, phase 3, R to move
        {seven}
        Tunis      [R G] Y B
        Alexandria [Y B] R G
    """)
    red = before.play("build 3")
    assert with_bonus(before) == {}
    assert with_bonus(red) == {"R": "1st bonus"}
    yellow = red.play("end", "build 3")
    assert with_bonus(yellow) == {"R": "1st bonus", "Y": "2nd bonus"}
    blue = yellow.play("end", "build 4", "end", "build 4")
    assert with_bonus(blue) == {"R": "1st bonus", "Y": "2nd bonus", "G": "3rd bonus"}
    assert [blue.bonus(letter) for letter in "RYGB"] == [15, 10, 5, 0]
    assert [blue.proliferation(letter) for letter in "RYGB"] == [60, 60, 60, 60]


def test_eight_cities_are_not_enough() -> None:
    """[PROL-05] Another house in one of eight cities takes no card."""
    houses = "\n".join(f"{name} R" for name in MAIN[:8])
    after = position(f"4 players, phase 2, R to move \n {houses} [R .]").play("build 2")
    assert with_bonus(after) == {}


def test_re_opening_may_take_the_card() -> None:
    """[G-24, PROL-05] The ninth city by a re-opened house is as good as by a new one."""
    eight = "\n".join(f"{name} R" for name in MAIN[:8])
    before = position(f"4 players, phase 2, R to move \n {eight} \n Alexandria [R .] . Y G shut(R)")
    assert with_bonus(before) == {}
    assert with_bonus(before.play("reopen 4")) == {"R": "1st bonus"}


def test_one_card_a_player() -> None:
    """[G-24] Red loses a city and comes back to nine: no second card, the next is still for somebody else."""
    eight = "\n".join(f"{name} R Y" for name in MAIN[:8])
    before = position(f"""
        4 players, phase 2, R to move
        R 1st bonus
        {eight}
        Alexandria [R Y] . G B shut(R)
    """)
    again = before.play("reopen 4")
    assert with_bonus(again) == {"R": "1st bonus"}
    assert with_bonus(again.play("end", "build 5")) == {"R": "1st bonus", "Y": "2nd bonus"}


def test_the_card_is_kept_when_a_city_is_lost_and_paid_in_the_end_only() -> None:
    """[PROL-06, PROL-07] Yellow shuts Red's only house in Marseille; Red keeps the card, worth 15 in phase 3."""
    eight = "\n".join(f"{name} R" for name in MAIN[1:])
    for phase, florins in ((2, 0), (3, 15)):
        after = position(f"""
            4 players, phase {phase}, Y to move
            R 1st bonus
            Marseille [Y .] R Y G Y G B
            {eight}
        """).play("build 7")
        assert after.city("Marseille").endswith("shut(R)")
        assert (after.proliferation("R"), after.bonus("R")) == (40, florins)
        assert with_bonus(after) == {"R": "1st bonus"}


def test_a_card_nobody_claimed_is_worth_nothing() -> None:
    """[G-24] At the end only those who took cards are paid for them."""
    before = position("4 players, phase 3, B to move \n R 0 houses, 0 fortresses \n Y 1st bonus")
    assert [before.bonus(letter) for letter in "RYGB"] == [0, 15, 0, 0]
    assert [before.play("loan 10").cash(letter) for letter in "RYGB"] == [20, 35, 20, 18]
