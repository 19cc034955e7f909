"""REOPEN: closed houses come back."""

import pytest
from tests.drawings import position

SIX = ". G B Y G B Y"  # the first site is vacated, the eighth is next
CLOSED = f"Tunis [R .] {SIX} shut(R)"


def test_the_owner_reopens_where_the_ship_is() -> None:
    """[REOPEN-01, D-06] Still there or newly arrived; not from elsewhere and not another's house."""
    assert position(f"4 players, R to move \n {CLOSED}").legal("reopen") == ["reopen 8"]
    arrived = position(f"4 players, R to move \n R hand Tunis/1 \n Tunis {SIX} shut(R)")
    assert arrived.legal("reopen") == []
    assert arrived.play("sail Tunis/1").legal("reopen") == ["reopen 8"]
    assert position(f"4 players, R to move \n Tunis [R .] {SIX} shut(G)").legal("reopen") == []
    assert position(f"4 players, R to move \n Napoli [R .] \n Tunis {SIX} shut(R)").legal("reopen") == []


def test_reopening_is_free() -> None:
    """[REOPEN-02, D-06] Without a florin it is possible, and with some it costs none."""
    poor = position(f"4 players, R to move \n R 0 florins \n {CLOSED}")
    assert poor.legal() == ["reopen 8", "loan 10", "loan 16"]
    assert poor.play("reopen 8").cash("R") == 0
    assert position(f"4 players, R to move \n {CLOSED}").play("reopen 8").cash("R") == 20


def test_the_house_goes_from_the_picture_to_the_next_site() -> None:
    """[REOPEN-03, D-06] After the end of the chain, not to where it stood; the stock is not touched."""
    before = position(f"4 players, R to move \n {CLOSED}")
    after = before.play("reopen 8")
    assert after.city("Tunis") == "Tunis [R .] . G B Y G B Y R . . . ."
    assert after.stock("R") == before.stock("R")
    for site in (1, 7, 9):
        assert not before.offers(f"reopen {site}")


def test_in_an_empty_city_the_house_goes_to_the_first_site() -> None:
    """[REOPEN-03, D-06] And not one of the neutral colour, whose actions have the numbers before."""
    after = position("4 players, R to move \n Tunis [R .] shut(R)").play("reopen 1")
    assert after.city("Tunis") == "Tunis [R .] R . . . . . . . . . . ."


def test_reopening_is_the_main_action() -> None:
    """[REOPEN-04] Afterwards neither house nor fortress; after a house or fortress no re-opening."""
    before = position(f"4 players, R to move \n {CLOSED}")
    assert before.legal() == ["build 8", "reopen 8", "fortress", "loan 10", "loan 16"]
    for action in ("reopen 8", "build 8", "fortress"):
        assert before.play(action).legal() == ["end"]


def test_at_once_on_the_owners_next_turn() -> None:
    """[REOPEN-05] Yellow shuts Red's house; Red's ship is there, and it is Red's turn."""
    before = position("4 players, Y to move \n Tunis [R Y] R G B Y G B \n Bank [G B]")
    shut = before.play("build 7", "end", "loan 10", "loan 10")
    assert shut.seat == "R"
    assert shut.play("reopen 8").city("Tunis") == "Tunis [R Y] . G B Y G B Y R . . . ."


def test_no_four_in_a_row_by_reopening() -> None:
    """[REOPEN-06, G-18, D-06] Red's three stand at the end, so neither a new house nor an old one may follow."""
    before = position("4 players, R to move \n Tunis [R .] . G B Y G R R R shut(R)")
    assert before.legal() == ["fortress", "loan 10", "loan 16"]
    two = position("4 players, R to move \n Tunis [R .] . G B Y G B R R shut(R)")
    assert two.legal("reopen") == ["reopen 9"]


def test_one_house_a_turn() -> None:
    """[REOPEN-07] A second closed house waits for another turn."""
    before = position(f"4 players, R to move \n Tunis [R .] . {SIX} shut(R R)")
    after = before.play("reopen 9")
    assert after.legal("reopen") == []
    assert after.play("end", "loan 10", "loan 10", "loan 10").legal("reopen") == ["reopen 10"]


def test_a_house_is_re_opened_once() -> None:
    """[REOPEN-01, REOPEN-03, D-06] It is no longer closed; on the owner's next turn there is nothing to re-open."""
    before = position(f"4 players, R to move \n {CLOSED}")
    after = before.play("reopen 8", "end", "loan 10", "loan 10", "loan 10")
    assert (after.seat, after.legal("reopen")) == ("R", [])


def test_never_in_porto() -> None:
    """[REOPEN-08] What is shut there is lost: there is nothing to re-open, unlike elsewhere."""
    shut = position("4 players, Y to move \n Porto [R Y .] R G B Y G B \n Bank [G B]").play("build 7")
    assert shut.city("Porto") == "Porto [R Y .] . G B Y G B Y . . . . ."
    assert "1 lost" in shut.drawing()
    assert shut.play("end", "loan 10", "loan 10").legal("reopen") == []


def test_backward_too() -> None:
    """[REOPEN-09, G-18] Once the twelfth site is taken, before the front."""
    before = position("4 players, R to move \n Tunis [R .] . . . G B Y G B Y G B Y shut(R)")
    assert before.legal("reopen") == ["reopen 3"]
    assert before.play("reopen 3").city("Tunis") == "Tunis [R .] . . R G B Y G B Y G B Y"


def test_not_in_a_full_city() -> None:
    """[G-18] All twelve sites are taken."""
    full = "Tunis [R .] R Y B G B Y G B Y G B Y shut(R)"
    assert position(f"4 players, phase 2, R to move \n {full}").legal("reopen") == []


def test_one_of_several_alike() -> None:
    """[G-18] Two closed houses of a colour are one action; the other stays on the picture."""
    before = position(f"4 players, R to move \n Tunis [R .] {SIX} shut(R R Y)")
    assert before.legal("reopen") == ["reopen 8"]
    assert before.play("reopen 8").city("Tunis").endswith("shut(R Y)")


@pytest.mark.parametrize(
    ("action", "after"), [("reopen 8", "R . . . . shut(r)"), ("reopen 8 neutral", "r . . . . shut(R)")]
)
def test_with_two_colours_the_owner_chooses(action: str, after: str) -> None:
    """[G-18, D-06] Main or neutral."""
    before = position("2 players, R to move \n Tunis [R .] . . Y y R Y y shut(R r)")
    assert before.legal("reopen") == ["reopen 8", "reopen 8 neutral"]
    assert before.play(action).city("Tunis") == f"Tunis [R .] . . Y y R Y y {after}"


def test_full_harbours_do_not_matter_to_a_ship_that_is_there() -> None:
    """[G-18] Red needs no free space; Blue, who has to arrive, does."""
    drawing = "4 players, {who} to move \n B hand Tunis/1 \n Tunis [R Y] . G Y G Y G Y shut(R B)"
    assert position(drawing.format(who="R")).offers("reopen 8")
    assert not position(drawing.format(who="B")).offers("sail Tunis/1")


def test_without_a_house_in_stock() -> None:
    """[G-18] A fortress is left, so the phase goes on; the closed house needs no stock."""
    before = position(f"4 players, R to move \n R 0 houses, 1 fortress \n {CLOSED}")
    assert before.legal("build") == []
    assert before.play("reopen 8").city("Tunis") == "Tunis [R .] . G B Y G B Y R . . . ."


@pytest.mark.parametrize(
    ("option", "after"),
    [
        ("", ". . B Y G B Y G R . . . shut(G)"),
        (", with reopen_shuts", ". . B Y G B Y G R . . . shut(G)"),
        (", without reopen_shuts", ". G B Y G B Y G R . . ."),
    ],
)
def test_reopening_on_a_dark_site_shuts_the_front(option: str, after: str) -> None:
    """[G-13] Like any placing; a table may agree otherwise."""
    before = position(f"4 players, R to move{option} \n Tunis [R .] . G B Y G B Y G shut(R)")
    assert before.play("reopen 9").city("Tunis") == f"Tunis [R .] {after}"


@pytest.mark.parametrize("option", ["", ", without reopen_shuts"])
def test_the_option_is_about_reopening_only(option: str) -> None:
    """[G-13] A house that is built on a dark site shuts in any case, and re-opening elsewhere in none."""
    before = position(f"4 players, R to move{option} \n Tunis [R .] . G B Y G B Y G shut(R)")
    assert before.play("build 9").city("Tunis") == "Tunis [R .] . . B Y G B Y G R . . . shut(R G)"
    eighth = position(f"4 players, R to move{option} \n {CLOSED}").play("reopen 8")
    assert eighth.city("Tunis") == "Tunis [R .] . G B Y G B Y R . . . ."


@pytest.mark.parametrize(
    ("players", "option", "after"),
    [
        (3, "", ". G Y G R . . . . . . . shut(Y)"),
        (3, ", without reopen_shuts", "Y G Y G R . . . . . . ."),
        (4, "", "Y G Y G R . . . . . . ."),
    ],
)
def test_reopening_on_the_triangle(players: int, option: str, after: str) -> None:
    """[G-13] With three players it shuts as well, unless the table agreed otherwise."""
    before = position(f"{players} players, R to move{option} \n Tunis [R .] Y G Y G shut(R)")
    assert before.play("reopen 5").city("Tunis") == f"Tunis [R .] {after}"
