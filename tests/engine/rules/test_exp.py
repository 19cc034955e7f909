"""EXP: the cities of the expansion in general, and the set-up that brings them in."""

from itertools import combinations

import pytest
from tests.drawings import position

from elcapitan.errors import BadSetup
from elcapitan.game.game import Game

TILES = {"Porto": "Marseille", "Lisboa": "Valencia", "Canarias": "Tanger"}  # and the city at the same height
MAIN = ["Marseille", "Venezia", "Constantinople", "Valencia", "Napoli", "Athina", "Tanger", "Tunis", "Alexandria"]
CHOICES = [tiles for count in range(4) for tiles in combinations(TILES, count)]


@pytest.mark.parametrize("tiles", CHOICES)
def test_any_of_the_three_cities_may_be_added(tiles: tuple[str, ...]) -> None:
    """[EXP-01, EXP-03, D-15] None, one, two or three: nine to twelve cities."""
    full = ["Islas Canarias" if tile == "Canarias" else tile for tile in tiles]
    game = Game.new(4, full, seed=1, first=0)
    assert game.setup.tiles == tuple(full)
    drawing = position("\n".join(["4 players", *tiles])).drawing()
    assert sum("[" in line for line in drawing.splitlines()) == 9 + len(tiles) + 1  # and the bank
    assert all((tile in drawing) == (tile in tiles) for tile in TILES)


def test_what_is_no_set_up() -> None:
    """[D-15, EXP-01] A city of the board is no tile, and no tile comes twice."""
    for tiles in (["Napoli"], ["Porto", "Porto"]):
        with pytest.raises(BadSetup):
            Game.new(4, tiles, seed=1)


def test_colours_follow_from_the_number_of_players() -> None:
    """[D-15] One colour each, and with two players a neutral one besides."""
    assert all(position(f"{players} players").stock("RYGBP"[players - 1]) == 6 for players in (2, 3, 4, 5))
    assert [position("2 players").stock(colour) for colour in "ry"] == [2, 2]
    with pytest.raises(ValueError, match="not found"):
        position("3 players").stock("r")


@pytest.mark.parametrize("tiles", CHOICES)
def test_where_they_lie(tiles: tuple[str, ...]) -> None:
    """[EXP-02, EXP-06] One seal leads to the tile at the same height, whichever others are used, and to no other."""
    for tile, city in TILES.items():
        lines = ["4 players, R to move", "R hand Venezia/1", f"{city} [R .]", *tiles]
        offered = position("\n".join(lines)).legal("sail Venezia/1 ~")
        assert (f"sail Venezia/1 ~ {tile}" in offered) == (tile in tiles)
        assert sum(other in text for text in offered for other in TILES) == (tile in tiles)


def test_basic_rules_hold_there() -> None:
    """[EXP-04] In Islas Canarias as anywhere: price of the harbour space, next site, shut-down, re-opening."""
    built = position("4 players, R to move \n Canarias [R *] Y R G Y R G").play("build 7")
    assert built.city("Canarias") == "Canarias [R *] . R G Y R G R . . . . . shut(Y)"
    assert built.cash("R") == 20 - 3
    yellow = position("4 players, phase 2, Y to move \n Canarias [Y *] . R G Y R G R shut(Y)")
    assert yellow.play("reopen 8").city("Canarias") == "Canarias [Y *] . R G Y R G R Y . . . ."
    assert yellow.play("fortress").cash("Y") == 20 - 6
    assert position("4 players, R to move \n Canarias [R *] Y R R R").legal("build") == []


def test_the_pirate_starts_on_the_second_space() -> None:
    """[EXP-05] The first ship to arrive finds the first one free."""
    assert Game.new(4, ["Islas Canarias"], seed=1).position.pirate_space == 1
    before = position("4 players, R to move \n R hand Venezia/1 \n Tanger [R .] \n Canarias")
    assert before.city("Canarias") == "Canarias [. *] . . . . . . . . . . . ."
    assert before.play("sail Venezia/1 ~ Canarias").ship("R") == "Canarias 1"


def test_only_sea_routes_lead_there() -> None:
    """[EXP-06] From a city by seals; no destination card and no interconnection names a tile."""
    before = position("4 players, R to move \n R hand Venezia/1, Marseille-Napoli \n Marseille [R .] \n Porto")
    to_porto = [text for text in before.legal("sail") if "Porto" in text]
    assert to_porto == ["sail Venezia/1 ~ Porto"]
    assert not any(name in card for name in TILES for card in before.figures.cards)


@pytest.mark.parametrize("place", ["Bank [R]", "Away [R]"])
def test_from_the_bank_or_off_the_board_it_takes_two_cards(place: str) -> None:
    """[EXP-07] A destination card first, then a sea route; a full city between the two is no obstacle [EXP-06]."""
    one = position(f"4 players, R to move \n R hand Valencia/2 \n {place} \n Lisboa")
    assert one.legal("sail") == ["sail Valencia/2"]
    two = position(f"4 players, R to move \n R hand Valencia/2, Tunis/1 \n {place} \n Valencia [Y G] \n Lisboa")
    on_the_way = two.play("sail Valencia/2")
    assert on_the_way.ship("R") == "Valencia"
    assert on_the_way.play("sail Tunis/1 ~ Lisboa").ship("R") == "Lisboa 1"


def test_a_full_city_between_two_cards_is_a_place_to_start_from() -> None:
    """[G-61, EXP-06, SAIL-05] Without a harbour in Valencia the sea route to Lisboa starts there."""
    full = "4 players, R to move \n R hand Valencia-Napoli{} \n Napoli [R .] \n Valencia [Y G] \n Lisboa"
    passing = position(full.format(", Tunis/1")).play("sail Valencia-Napoli > Valencia")
    assert (passing.ship("R"), passing.legal("build")) == ("Valencia", [])
    assert passing.play("sail Tunis/1 ~ Lisboa").ship("R") == "Lisboa 1"
    assert not position(full.format("")).offers("sail Valencia-Napoli > Valencia")


def test_how_to_leave() -> None:
    """[EXP-08] With a destination card, with a sea route, or to the bank without a card; by no interconnection."""
    before = position("4 players, R to move \n R hand Athina/2, Marseille-Valencia \n Lisboa [R .]")
    assert before.play("sail Athina/2").ship("R") == "Athina 1"
    assert before.play("sail Athina/2 ~ Valencia").ship("R") == "Valencia 1"
    assert before.play("loan 10").ship("R") == "Bank"
    assert not any("Marseille-Valencia" in text for text in before.legal("sail"))


def test_from_tile_to_tile() -> None:
    """[EXP-09] They are neighbours along their column."""
    before = position("4 players, R to move \n R hand Athina/2, Venezia/1 \n Porto [R .] \n Lisboa \n Canarias")
    assert before.play("sail Venezia/1 ~ Lisboa").ship("R") == "Lisboa 1"
    assert before.play("sail Athina/2 ~ Canarias").ship("R") == "Canarias 1"
    assert not before.offers("sail Venezia/1 ~ Canarias")


def test_a_missing_tile_may_be_passed_but_not_reached() -> None:
    """[G-39] From Porto to Islas Canarias it is two steps without Lisboa, too; so it is for the pirate's fare."""
    before = position("4 players, R to move \n R hand Athina/2, Venezia/1 \n Porto [R . .] \n Canarias")
    assert before.play("sail Athina/2 ~ Canarias").ship("R") == "Canarias 1"
    assert not before.offers("sail Venezia/1 ~ Canarias")
    assert not before.offers("sail Venezia/1 ~ Lisboa")
    assert before.play("pirate money Porto 2").cash("R") == 20 - 2 * 2


def test_they_count_for_proliferation() -> None:
    """[EXP-10] Ten, eleven and twelve cities pay 75, 90 and 110; and with nine it does not matter which."""
    everywhere = [f"{name} R" for name in [*MAIN, *TILES]]
    for cities, florins in ((12, 110), (11, 90), (10, 75), (9, 60)):
        there = [*everywhere[12 - cities :]]
        assert position("\n".join(["4 players, phase 3", *there])).proliferation("R") == florins


def test_any_nine_cities_bring_the_bonus() -> None:
    """[EXP-11] Six of the board and three tiles."""
    six = "\n".join(f"{name} R" for name in MAIN[:6])
    before = position(f"4 players, phase 2, R to move \n {six} \n Porto R \n Canarias R \n Lisboa [R .]")
    assert "bonus" not in before.drawing()
    assert "1st bonus" in before.play("build 1").drawing()


def test_everybody_present_is_paid() -> None:
    """[EXP-12, G-38] First rank gets all, by the usual tie-break; all others with an open house half, rounded down."""
    before = position("5 players, phase 2 \n Porto R Y G B Y \n Canarias . R Y G shut(B)")
    assert before.majority("Porto") == {"Y": 25, "R": 12, "G": 12, "B": 12}
    assert before.majority("Canarias") == {"R": 12, "Y": 6, "G": 6}
    assert position("5 players \n Napoli R Y G B Y").majority("Napoli") == {"Y": 15, "R": 7}


def test_fortresses_of_tile_cities() -> None:
    """[G-38] Half of the amount, rounded down, and tile cities take part in the comparison for the fullest."""
    fuller = position("4 players \n Porto R Y G B Y forts(R) \n Tunis R Y G B R Y forts(G .)")
    assert (fuller.fortress("Porto"), fuller.fortress("Tunis")) == ({"R": 12}, {"G": 12})
    fullest = position("4 players \n Porto R Y G B Y forts(R) \n Tunis R Y G B forts(G .)")
    assert (fullest.fortress("Porto"), fullest.fortress("Tunis")) == ({"R": 25}, {"G": 4})
