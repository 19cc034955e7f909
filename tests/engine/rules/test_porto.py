"""PORTO: three harbour spaces, one fortress, and shut houses that leave the game."""

import pytest
from tests.drawings import position

SAIL = "sail Venezia/1 ~ Porto"


@pytest.mark.parametrize(
    ("harbour", "arrives"),
    [("[. . .]", "Porto 1"), ("[Y . .]", "Porto 2"), ("[. Y .]", "Porto 1"), ("[Y G .]", "Porto 3")],
)
def test_three_ships_fit(harbour: str, arrives: str) -> None:
    """[PORTO-01, G-42] The spaces are filled in order."""
    before = position(f"5 players, R to move \n R hand Venezia/1 \n Marseille [R .] \n Porto {harbour}")
    assert before.play(SAIL).ship("R") == arrives


def test_a_fourth_ship_does_not_fit() -> None:
    """[PORTO-01] Three ships make the harbour full."""
    full = position("5 players, R to move \n R hand Venezia/1 \n Marseille [R .] \n Porto [Y G B]")
    assert not full.offers(SAIL)


@pytest.mark.parametrize(("harbour", "price"), [("[R . .]", 5), ("[. R .]", 6), ("[. . R]", 7)])
def test_no_change_of_space_during_a_stay(harbour: str, price: int) -> None:
    """[PORTO-02] Cheaper spaces are free, but the ship stays and pays for its own."""
    before = position(f"4 players, R to move \n R hand Venezia/1 \n Porto {harbour} Y")
    assert not before.offers(SAIL)
    after = before.play("build 2")
    assert after.city("Porto") == f"Porto {harbour} Y R . . . . . . . . . ."
    assert after.cash("R") == 20 - price


def test_one_fortress_only() -> None:
    """[PORTO-03] After Yellow's no other can be built; elsewhere there would be a second site."""
    assert position("4 players, R to move \n Porto [R . .]").play("fortress").cash("R") == 20 - 12
    assert not position("4 players, R to move \n Porto [R . .] forts(Y)").offers("fortress")
    assert position("4 players, R to move \n Tunis [R .] forts(Y .)").offers("fortress")


def test_shut_houses_leave_the_game() -> None:
    """[PORTO-04, G-42] Not to the picture, the stock or the pool; nothing is left to be re-opened."""
    after = position("4 players, R to move \n Porto [R Y .] Y R G Y R G").play("build 7")
    assert after.city("Porto") == "Porto [R Y .] . R G Y R G R . . . . ."
    assert (after.stock("Y"), "Y 20 florins, 4 houses, 1 fortress, 1 lost" in after.drawing()) == (4, True)
    yellow = after.play("end")
    assert yellow.seat == "Y"
    assert yellow.legal("reopen") == []
    assert yellow.legal("build") == ["build 8"]


def test_removed_houses_count_as_built() -> None:
    """[G-42] One of Yellow's six houses is removed; none is left in stock, so the phase is over."""
    before = position("4 players, B to move \n Y 0 houses, 0 fortresses \n Porto [B . .] Y Y R G R Y \n Tunis Y Y Y")
    after = before.play("build 7", "end")
    assert (after.stage, after.stock("Y"), "6 lost" in after.drawing()) == ("naming", 0, False)
    assert after.play("starter seat 1").stock("Y") == 6


@pytest.mark.parametrize(
    ("harbour", "berths"),
    [
        ("[. . .]", {"1", "2", "3"}),
        ("[R Y .]", {"3", "1>3", "2>3"}),
        ("[R . Y]", {"2", "1>2", "3>2"}),
        ("[. R Y]", {"1", "2>1", "3>1"}),
        ("[R . .]", {"2", "3", "1>2"}),
        ("[. . R]", {"1", "2", "3>2"}),
        ("[. R .]", {"1", "3", "2>1", "2>3"}),
        ("[R Y G]", set()),
    ],
)
def test_how_the_pirate_shifts_ships_among_three_spaces(harbour: str, berths: set[str]) -> None:
    """[G-42, G-53] To the one free space; of two to that beside it; from the middle to the one the mover names."""
    before = position(f"4 players, B under way, free move due \n Canarias [B *] \n Porto {harbour}")
    assert set(before.legal("pirate free Porto")) == {f"pirate free Porto {berth}" for berth in berths}


def test_a_shifted_ship_pays_the_price_of_its_new_space() -> None:
    """[G-42] Red, shifted from the first space to the third, builds for 7."""
    drawing = "4 players, B done, free move due \n Canarias [B *] \n Porto [R Y .]"
    red = position(drawing).play("pirate free Porto 1>3", "end")
    assert red.city("Porto") == "Porto [* Y R] . . . . . . . . . . . ."
    assert (red.seat, red.play("build 1").cash("R")) == ("R", 20 - 7)
