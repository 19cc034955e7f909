"""FORT: building fortresses."""

import pytest
from tests.drawings import position


@pytest.mark.parametrize("harbour", ["[R .]", "[. R]"])
def test_a_fortress_is_built_where_the_ship_is(harbour: str) -> None:
    """[FORT-01, D-07] From either harbour space, for the same price, and in no other city."""
    after = position(f"4 players, R to move \n Tunis {harbour} \n Napoli Y").play("fortress")
    assert after.city("Tunis") == f"Tunis {harbour} . . . . . . . . . . . . forts(R .)"
    assert after.city("Napoli") == "Napoli [. .] Y . . . . . . . . . . ."
    assert after.cash("R") == 20 - 4
    assert position("4 players, R to move \n Tunis Y \n Bank [R]").legal("fortress") == []


@pytest.mark.parametrize(("sites", "price", "after"), [("", 4, "R ."), ("forts(Y .)", 6, "Y R")])
def test_the_site_is_paid_and_a_fortress_leaves_the_stock(sites: str, price: int, after: str) -> None:
    """[FORT-02, FORT-05, D-07] The number on the site goes to the bank."""
    done = position(f"4 players, R to move \n Tunis [R .] {sites}").play("fortress")
    assert done.city("Tunis").endswith(f"forts({after})")
    assert (done.cash("R"), done.fortresses("R")) == (20 - price, 0)


@pytest.mark.parametrize(
    ("florins", "sites", "offered"), [(3, "", False), (4, "", True), (5, "forts(Y .)", False), (6, "forts(Y .)", True)]
)
def test_the_price_must_be_in_cash(florins: int, sites: str, offered: bool) -> None:
    """[FORT-02, D-07] 4 for the first site, 6 for the second."""
    before = position(f"4 players, R to move \n R {florins} florins \n Tunis [R .] {sites}")
    assert before.offers("fortress") == offered


@pytest.mark.parametrize(("florins", "buys"), [(7, []), (8, ["buy Tunis/1"])])
def test_a_fortress_alone_is_a_reason_to_sail(florins: int, buys: list[str]) -> None:
    """[FORT-01, G-06, D-07] Red has no warehouse left; the card to Tunis costs 4 and a fortress there 4."""
    before = position(f"""
        4 players, R to move
        R {florins} florins, 0 houses
        Bank [R]
        Napoli R R R
        Athina R R R
        Display: Tunis/1
    """)
    assert before.legal() == [*buys, "loan 10", "loan 16"]


@pytest.mark.parametrize(
    ("florins", "sites", "legal"),
    [(3, "", []), (4, "", ["fortress"]), (6, "", ["buy Tanger-Alexandria", "fortress"]), (20, "forts(R .)", [])],
)
def test_a_fortress_is_what_a_purchase_may_leave(florins: int, sites: str, legal: list[str]) -> None:
    """[FORT-02, FORT-04, G-06, D-01] Three in a row stand here, so a fortress for 4 is all that Red can build."""
    before = position(f"""
        4 players, R to move
        R {florins} florins
        Tunis [R .] R R R {sites}
        Display: Tanger-Alexandria
    """)
    assert before.legal() == [*legal, "loan 10", "loan 16"]


def test_without_a_fortress_in_stock_none_is_built() -> None:
    """[FORT-02, D-07] The one of this phase stands elsewhere."""
    assert not position("4 players, R to move \n Tunis [R .] \n Napoli forts(R .)").offers("fortress")


def test_a_fortress_stays_and_its_site_is_used_up() -> None:
    """[FORT-03] It outlasts its owner's departure, shut-downs and paydays; the next one pays for the second site."""
    before = position("4 players, R to move \n Tunis [R Y] Y G Y G Y G")
    built = before.play("fortress", "end", "build 7", "end", "loan 10", "loan 10", "loan 10")
    assert built.city("Tunis") == "Tunis [. Y] . G Y G Y G Y . . . . . forts(R .) shut(Y)"
    second = built.play("fortress")
    assert second.city("Tunis") == "Tunis [. Y] . G Y G Y G Y . . . . . forts(R Y) shut(Y)"
    payday = position("4 players, B to move \n Y 0 houses, 0 fortresses \n Tunis [R .] forts(R .)").play("loan 10")
    later = payday.play("extend 10", "starter seat 1")
    assert later.city("Tunis").endswith("forts(R .)")
    assert not later.offers("fortress")


def test_one_fortress_a_player_and_city() -> None:
    """[FORT-04, D-07] With a fortress in stock and a free site, Red has one there already; Yellow has not."""
    drawing = "4 players, phase 2, {who} to move \n Tunis [R Y] forts(R .)"
    assert position(drawing.format(who="R")).fortresses("R") == 1
    assert not position(drawing.format(who="R")).offers("fortress")
    assert position(drawing.format(who="Y")).offers("fortress")


def test_two_players_have_a_fortress_in_a_city_and_no_third() -> None:
    """[FORT-05, G-19, D-07] Two sites, no more."""
    two = position("4 players, Y to move \n Tunis [Y G] forts(R .)").play("fortress")
    assert two.city("Tunis").endswith("forts(R Y)")
    assert not two.play("end").offers("fortress")


def test_no_warehouse_is_needed() -> None:
    """[FORT-06] Neither the builder's nor anybody's."""
    assert position("4 players, R to move \n Tunis [R .]").offers("fortress")
    assert position("4 players, R to move \n Tunis [R .] Y G").offers("fortress")


def test_a_fortress_is_no_warehouse() -> None:
    """[FORT-07] It earns no proliferation and no majority, and does not make a city fuller."""
    here = position("4 players \n Napoli Y forts(G R)")
    assert here.proliferation("R") == 0
    assert here.majority("Napoli") == {"Y": 3}
    fullest = position("4 players \n Tunis Y B \n Napoli Y forts(G R)")
    assert fullest.fortress("Napoli") == {"G": 1, "R": 1}  # Tunis has more houses, so half of 3


def test_a_fortress_is_never_shut_down() -> None:
    """[FORT-07] The dark site takes the front warehouse; the fortress stands."""
    after = position("4 players, Y to move \n Tunis [Y .] G R G R G R forts(R G)").play("build 7")
    assert after.city("Tunis") == "Tunis [Y .] . R G R G R Y . . . . . forts(R G) shut(G)"


def test_the_cheaper_site_is_taken_by_itself() -> None:
    """[G-19] There is one action, and it uses the first free site."""
    before = position("4 players, R to move \n Tunis [R .]")
    assert before.legal("fortress") == ["fortress"]
    assert before.play("fortress").city("Tunis").endswith("forts(R .)")
    assert position("4 players, R to move \n Tunis [R .] forts(. Y)").play("fortress").cash("R") == 20 - 4


def test_fortresses_left_over_stay_in_stock() -> None:
    """[G-19] Up to three; one a turn and one a city, and the phase does not end before they are built."""
    third = position("4 players, phase 3, R to move \n R 0 houses, 3 fortresses \n Tunis [R .]")
    after = third.play("fortress")
    assert (after.fortresses("R"), after.legal()) == (2, ["end"])
    again = after.play("end", "loan 10", "loan 10", "loan 10")
    assert again.headline() == "4 players, phase 3, round 3, R to move"
    assert not again.offers("fortress")

    last = position("4 players, phase 3, R to move \n R 0 houses, 1 fortress \n Tunis [R .] \n Bank [Y G B]")
    assert last.play("fortress", "end", "loan 10", "loan 10", "loan 10").stage == "over"
