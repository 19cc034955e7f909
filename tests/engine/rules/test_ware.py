"""WARE: building warehouses, the row limit and what a chain makes a city pay."""

import pytest
from tests.drawings import Position, position


def building(city: str, *, more: str = "") -> Position:
    """Red is to move with a city drawn like this."""
    return position(f"4 players, R to move \n {more} \n {city}")


def test_a_warehouse_is_built_where_the_ship_is() -> None:
    """[WARE-01] The house comes to stand there and nowhere else."""
    before = building("Tunis [R .] Y", more="Napoli Y G")
    after = before.play("build 2")
    assert after.city("Tunis") == "Tunis [R .] Y R . . . . . . . . . ."
    assert after.city("Napoli") == before.city("Napoli")
    assert building("Tunis Y").legal("build") == []


@pytest.mark.parametrize(("harbour", "price"), [("[R .]", 3), ("[. R]", 4)])
def test_the_harbour_space_is_paid_and_a_house_leaves_the_stock(harbour: str, price: int) -> None:
    """[WARE-02, D-05] Napoli's spaces cost 3 and 4."""
    before = building(f"Napoli {harbour} Y G")
    after = before.play("build 3")
    assert after.city("Napoli") == f"Napoli {harbour} Y G R . . . . . . . . ."
    assert (after.cash("R"), after.stock("R")) == (20 - price, before.stock("R") - 1)


def test_without_the_money_or_without_a_house_nothing_is_built() -> None:
    """[WARE-02, D-05] The price must be in cash, the house in stock; on the cheaper space the money would do."""
    assert building("Napoli [. R] Y", more="R 3 florins").legal("build") == []
    assert building("Napoli [R .] Y", more="R 3 florins").legal("build") == ["build 2"]
    assert building("Napoli [R .] Y", more="R 0 houses, 1 fortress").legal("build") == []


@pytest.mark.parametrize(("action", "sites"), [("build 1", "R . ."), ("build 2", ". R .")])
def test_the_first_warehouse_stands_on_the_first_or_second_site(action: str, sites: str) -> None:
    """[WARE-03, D-05] As its builder likes."""
    before = building("Tunis [R .]")
    assert before.legal("build") == ["build 1", "build 2"]
    assert before.play(action).city("Tunis") == f"Tunis [R .] {sites} . . . . . . . . ."


@pytest.mark.parametrize("owner", ["R", "Y"])
def test_after_the_second_site_comes_the_first(owner: str) -> None:
    """[WARE-04] Whoever built the first house and whoever builds the second."""
    before = building(f"Tunis [R .] . {owner}")
    assert before.legal("build") == ["build 1"]
    assert before.play("build 1").city("Tunis") == f"Tunis [R .] R {owner} . . . . . . . . . ."


@pytest.mark.parametrize("sites", ["Y", "Y G", "Y G Y", "Y G Y R Y", "Y G Y R Y G", ". G Y R Y G Y"])
def test_then_one_site_after_another(sites: str) -> None:
    """[WARE-05, D-05] The only site is the one that follows the end of the chain."""
    following = len(sites.split()) + 1
    before = building(f"Tunis [R .] {sites}")
    assert before.legal("build") == [f"build {following}"]
    assert before.play(f"build {following}").city("Tunis").split("] ")[1].split()[following - 1] == "R"


def test_nothing_is_built_on_the_last_space() -> None:
    """[WARE-06] After the twelfth site there is no way on; with the front on S1 there is none at all."""
    assert building("Tunis [R .] R Y G B Y R G B R Y G B").legal("build") == []
    assert building("Tunis [R .] . Y G B Y R G B R Y G B").legal("build") == ["build 1"]


def test_no_more_than_three_in_a_row() -> None:
    """[WARE-07, D-05] A third house is built, a fourth is not."""
    assert building("Tunis [R .] Y R R").legal("build") == ["build 4"]
    assert building("Tunis [R .] Y R R R").legal("build") == []
    assert building("Tunis [R .] R R R", more="R 40 florins").legal() == ["fortress", "loan 10", "loan 16"]


def test_after_somebody_elses_house_the_row_begins_anew() -> None:
    """[WARE-08] Yellow builds behind Red's three, and Red may go on."""
    before = position("4 players, Y to move \n Tunis [R Y] R R R")
    assert before.play("loan 10", "loan 10", "loan 10").legal("build") == []
    after = before.play("build 4", "end", "loan 10", "loan 10")
    assert after.legal("build") == ["build 5"]


def test_reopened_houses_count_in_the_row() -> None:
    """[WARE-08, G-15] Two built and one re-opened are three; re-opening does not begin a new count."""
    before = building("Tunis [R .] . Y G Y G Y R R shut(R)")
    three = before.play("reopen 9", "end", "loan 10", "loan 10", "loan 10")
    assert three.city("Tunis") == "Tunis [R .] . . G Y G Y R R R . . . shut(Y)"
    assert three.legal("build") == []


def test_one_warehouse_on_a_site() -> None:
    """[WARE-09] No occupied site is offered, forward or backward."""
    forward, backward = building("Tunis [R .] Y G Y G B"), building("Tunis [R .] . . . G B Y G B Y G B Y")
    assert not any(forward.offers(f"build {site}") for site in range(1, 6))
    assert not any(backward.offers(f"build {site}") for site in range(4, 13))
    assert forward.play("build 6").city("Tunis") == "Tunis [R .] Y G Y G B R . . . . . ."


@pytest.mark.parametrize("sites", ["", "Y G Y", "Y G Y G B Y", ". . Y G Y G B Y G Y", ". . Y B Y G B Y G Y B G"])
def test_the_site_has_no_price(sites: str) -> None:
    """[WARE-10] Early, late, dark or backward: from the first space of Marseille always 4."""
    before = building(f"Marseille [R .] {sites}")
    assert before.play(before.legal("build")[0]).cash("R") == 20 - 4


def test_the_row_is_one_of_neighbouring_sites_not_of_turns() -> None:
    """[G-15] Backward, Red's three at the end are far from the front; forward they would stop Red."""
    assert building("Tunis [R .] . . Y G B Y G B Y R R R").legal("build") == ["build 2"]
    assert building("Tunis [R .] . . Y G B Y G R R R").legal("build") == []


def test_a_foreign_reopened_house_breaks_the_row() -> None:
    """[G-15] Yellow does not build but re-open behind Red's three; that is enough."""
    before = position("4 players, Y to move \n Tunis [R Y] . G B G B R R R shut(Y)")
    assert before.play("loan 10", "loan 10", "loan 10").legal("build") == []
    after = before.play("reopen 9", "end", "loan 10", "loan 10")
    assert after.legal("build") == ["build 10"]


def test_the_row_is_counted_before_a_shut_down() -> None:
    """[G-15] On the triangle Red's fourth would shut Red's first, and yet it is one too many."""
    assert position("3 players, R to move \n Tunis [R .] . R R R").legal("build") == []
    assert position("3 players, R to move \n Tunis [R .] Y R R").legal("build") == ["build 4"]
    dark = "4 players, R to move \n Tunis [R .] . . . R R R"  # the next site is dark
    assert position(dark).legal("build") == []


@pytest.mark.parametrize(
    ("sites", "amount"),
    [
        ("R", 2),
        (". R", 4),  # the number on S3, not that on S1
        ("Y R", 4),
        (". . R Y R Y R", 14),  # vacated sites do not count
        (". . . R Y R Y R Y R Y R", 8),  # the last space
        (". R Y R Y R Y R Y R Y R", 8),  # for ever
    ],
)
def test_a_city_pays_the_number_right_of_the_chain(sites: str, amount: int) -> None:
    """[G-17] Whatever is free on its left side; from the twelfth house on the number on the last space."""
    paid = position(f"4 players \n Tunis {sites} \n Napoli B").majority("Tunis")
    assert max(paid.values()) == amount


def test_an_empty_city_pays_what_the_first_site_says() -> None:
    """[G-17] Nothing, even to a fortress in what is among the fullest cities."""
    assert position("4 players \n Tunis forts(R .)").fortress("Tunis") == {}
