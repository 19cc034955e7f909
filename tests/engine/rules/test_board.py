"""BOARD: cities, harbours, tracks and what surrounds them, seen at play on the packaged board."""

import pytest
from tests.drawings import Position, position

from elcapitan.actions.text import from_text
from elcapitan.board.figures import packaged
from elcapitan.errors import BadDrawing, BadText

ROWS = ["Marseille Venezia Constantinople", "Valencia Napoli Athina", "Tanger Tunis Alexandria"]
MAIN = [city for row in ROWS for city in row.split()]
CHAIN = {2: "R Y R r y R", 3: "R Y R Y R Y", 4: "R Y R Y R Y", 5: "R Y R Y R Y"}  # six houses by number of players


def card_of(city: str) -> str:
    """A destination card that names a city."""
    return next(card for card in packaged().cards if card.startswith(f"{city}/"))


def reached(city: str, card: str) -> set[str]:
    """Where a card leads as sea route from a city."""
    legal = position(f"4 players, R to move \n R hand {card} \n {city} [R .]").legal(f"sail {card} ~")
    return {text.split(" ~ ")[1] for text in legal}


def in_cities(count: int) -> Position:
    """Red stands in so many cities of a game with all tiles."""
    names = [*MAIN, "Porto", "Lisboa", "Canarias"]
    lines = [f"{name} R" if number < count else name for number, name in enumerate(names)]
    return position("\n".join(["4 players, phase 2", *lines]))


def test_there_are_nine_cities() -> None:
    """[BOARD-01] With every destination card in hand, these nine can be sailed to and no others."""
    cards = [card for card in packaged().cards if "/" in card]
    legal = position(f"4 players, R to move \n R hand {', '.join(cards)}").legal("sail")
    assert {text.removeprefix("sail ").split("/")[0] for text in legal} == set(MAIN)
    assert len(MAIN) == 9


@pytest.mark.parametrize("city", MAIN)
def test_a_city_has_two_harbour_spaces(city: str) -> None:
    """[BOARD-02] The second ship finds room, a third does not."""
    card = card_of(city)
    second = position(f"4 players, R to move \n R hand {card} \n {city} [Y .]").play(f"sail {card}")
    assert second.city(city) == f"{city} [Y R] . . . . . . . . . . . ."
    assert not position(f"4 players, R to move \n R hand {card} \n {city} [Y G]").offers(f"sail {card}")


@pytest.mark.parametrize("city", MAIN)
def test_a_city_has_two_fortress_sites(city: str) -> None:
    """[BOARD-02] The second fortress finds room, a third does not."""
    second = position(f"4 players, R to move \n {city} [R .] forts(Y .)").play("fortress")
    assert second.city(city).endswith("forts(Y R)")
    assert not position(f"4 players, R to move \n {city} [R .] forts(Y G)").offers("fortress")


@pytest.mark.parametrize(("city", "first", "second"), [("Tunis", 2, 3), ("Napoli", 3, 4), ("Alexandria", 4, 5)])
def test_the_harbour_space_is_the_price_of_a_warehouse(city: str, first: int, second: int) -> None:
    """[BOARD-03] The number under the ship is paid, no other."""
    assert position(f"4 players, R to move \n {city} [R Y]").play("build 1").cash("R") == 20 - first
    assert position(f"4 players, R to move \n {city} [Y R]").play("build 1").cash("R") == 20 - second


@pytest.mark.parametrize(("city", "first", "second"), [("Tunis", 4, 6), ("Napoli", 6, 8), ("Alexandria", 8, 10)])
def test_the_fortress_site_is_the_price_of_a_fortress(city: str, first: int, second: int) -> None:
    """[BOARD-04] The number in the site is paid."""
    assert position(f"4 players, R to move \n {city} [R .]").play("fortress").cash("R") == 20 - first
    assert position(f"4 players, R to move \n {city} [R .] forts(Y .)").play("fortress").cash("R") == 20 - second


def test_twelve_sites_and_one_space_for_nothing() -> None:
    """[BOARD-05] The twelfth is built on; a thirteenth there is only as a number."""
    before = position("4 players, R to move \n Tunis [R .] . . . Y G Y G Y G Y G shut(R R R)")
    assert before.legal("build") == ["build 12"]
    assert before.play("build 12").majority("Tunis") == {"Y": 8, "G": 4}  # the number on the last space
    with pytest.raises(BadText):
        from_text("build 13", packaged())
    with pytest.raises(BadDrawing):
        position("4 players \n Tunis . . . Y G Y G Y G Y G Y G")


@pytest.mark.parametrize("city", MAIN)
def test_the_first_site_carries_0(city: str) -> None:
    """[BOARD-06] A fortress in an empty city earns what S1 says, nothing, even if all cities are equally full."""
    assert position(f"4 players \n {city} forts(R .)").fortress(city) == {}
    assert position(f"4 players \n {city} R forts(R .)").fortress(city) != {}


def test_the_track_says_what_a_city_pays_not_what_a_house_costs() -> None:
    """[BOARD-07] The sixth house costs as much as the first; the city then pays 24 instead of 4."""
    first = position("4 players, R to move \n Marseille [R .]").play("build 1")
    sixth = position("4 players, R to move \n Marseille [R .] R Y R Y G").play("build 6")
    assert first.cash("R") == sixth.cash("R") == 20 - 4
    assert first.majority("Marseille") == {"R": 4}
    assert sixth.majority("Marseille") == {"R": 24, "Y": 12}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_dark_sites_shut_for_any_number_of_players(players: int) -> None:
    """[BOARD-08] The seventh site sends the front house to the picture."""
    before = position(f"{players} players, Y to move \n Venezia [Y .] {CHAIN[players]}")
    assert before.play("build 7").city("Venezia") == f"Venezia [Y .] . {CHAIN[players][2:]} Y . . . . . shut(R)"


@pytest.mark.parametrize(("players", "shuts"), [(2, True), (3, True), (4, False), (5, False)])
@pytest.mark.parametrize("city", MAIN)
def test_the_triangle_shuts_with_two_or_three_players(players: int, shuts: bool, city: str) -> None:
    """[BOARD-09] The fifth site bears it; with four or five players it is a site as any other."""
    after = position(f"{players} players, Y to move \n {city} [Y .] R Y R Y").play("build 5")
    sites = ". Y R Y Y . . . . . . . shut(R)" if shuts else "R Y R Y Y . . . . . . ."
    assert after.city(city) == f"{city} [Y .] {sites}"


def test_the_picture_holds_what_was_shut_down() -> None:
    """[BOARD-10] A second closed house joins the first on the picture; one that is re-opened leaves it."""
    before = position("4 players, B to move \n Tunis [B R] . R G G G B Y Y shut(G)")
    after = before.play("build 9")
    assert after.city("Tunis") == "Tunis [B R] . . G G G B Y Y B . . . shut(R G)"
    assert after.play("end", "reopen 10").city("Tunis") == "Tunis [B R] . . G G G B Y Y B R . . shut(G)"


def test_beside_the_cities_are_the_bank_and_its_loan_cards_and_the_chart() -> None:
    """[BOARD-11] A ship goes to the bank harbour and takes a card from one of two piles; the chart pays for cities."""
    before = position("4 players, R to move \n Tunis [R .] R \n Napoli R \n Venezia R")
    assert before.proliferation("R") == 5
    small, large = before.play("loan 10"), before.play("loan 16")
    assert small.ship("R") == large.ship("R") == "Bank"
    assert "# lends 17x10 12x16" in small.drawing()
    assert "# lends 18x10 11x16" in large.drawing()


def test_the_chart_pairs_cities_and_payments() -> None:
    """[BOARD-12] One payment for each number of cities from none to twelve."""
    chart = [0, 1, 2, 5, 10, 15, 20, 30, 40, 60, 75, 90, 110]
    assert [in_cities(count).proliferation("R") for count in range(13)] == chart


def test_neighbours_share_a_row_or_a_column() -> None:
    """[BOARD-13] One seal never leads diagonally, but two seals lead round a corner."""
    assert reached("Napoli", "Marseille/1") == {"Venezia", "Valencia", "Athina", "Tunis"}
    assert reached("Marseille", "Tunis/1") == {"Venezia", "Valencia"}
    assert reached("Marseille", "Venezia/2") == {"Venezia", "Valencia", "Napoli", "Constantinople", "Tanger"}


def test_the_nine_cities_form_a_square() -> None:
    """[BOARD-14] Three rows of three; every city has the neighbours it has in that square."""
    places = {city: (row, column) for row, line in enumerate(ROWS) for column, city in enumerate(line.split())}
    for city, (row, column) in places.items():
        beside = {name for name, (r, c) in places.items() if abs(r - row) + abs(c - column) == 1}
        assert reached(city, "Valencia/1") == beside


def test_marseille_is_the_sample_city() -> None:
    """[BOARD-15] Warehouses for 4 and 5, fortresses for 8 and 10."""
    first, second = (position(f"4 players, R to move \n Marseille {ships}") for ships in ("[R Y]", "[Y R] forts(Y .)"))
    assert (first.play("build 1").cash("R"), first.play("fortress").cash("R")) == (20 - 4, 20 - 8)
    assert (second.play("build 1").cash("R"), second.play("fortress").cash("R")) == (20 - 5, 20 - 10)
