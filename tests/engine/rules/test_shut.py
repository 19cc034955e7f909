"""SHUT: houses on dark sites, and the houses they shut down."""

import pytest
from tests.drawings import position

EIGHT = ["Venezia", "Constantinople", "Valencia", "Napoli", "Athina", "Tanger", "Tunis", "Alexandria"]
FRONTS = [*"YGBYGBYGBYG"]  # the houses that stand before Red places the next


def chain(front: int, end: int) -> str:
    """The sites of a chain from one site to another."""
    return " ".join([*["."] * (front - 1), *FRONTS[front - 1 : end]])


@pytest.mark.parametrize("owner", ["R", "Y", "G"])
def test_a_dark_site_shuts_the_front_whoever_owns_it(owner: str) -> None:
    """[SHUT-01, SHUT-04] The builder's own house, or another's, goes from the first site to the picture."""
    after = position(f"4 players, R to move \n Tunis [R .] {owner} Y B Y G B").play("build 7")
    assert after.city("Tunis") == f"Tunis [R .] . Y B Y G B R . . . . . shut({owner})"


@pytest.mark.parametrize("site", [6, 8, 10])
def test_other_sites_shut_nothing(site: int) -> None:
    """[SHUT-01] Between the dark sites nobody loses a house."""
    front = {6: 1, 8: 2, 10: 3}[site]
    before = position(f"4 players, R to move \n Tunis [R .] {chain(front, site - 1)}")
    after = before.play(f"build {site}")
    assert after.city("Tunis").split("] ")[1].split()[:site] == [*chain(front, site - 1).split(), "R"]
    assert "shut" not in after.city("Tunis")


@pytest.mark.parametrize(("players", "after"), [(3, ". G Y G R . . . . . . . shut(Y)"), (4, "Y G Y G R . . . . . . .")])
def test_the_triangle_shuts_with_three_players(players: int, after: str) -> None:
    """[SHUT-02] In the same way as a dark site; with four players it does nothing."""
    here = position(f"{players} players, R to move \n Tunis [R .] Y G Y G").play("build 5")
    assert here.city("Tunis") == f"Tunis [R .] {after}"


def test_the_triangle_shuts_with_two_players() -> None:
    """[SHUT-02] Neutral houses are shut like all others."""
    after = position("2 players, R to move \n Tunis [R .] y Y r Y").play("build 5")
    assert after.city("Tunis") == "Tunis [R .] . Y r Y R . . . . . . . shut(y)"


@pytest.mark.parametrize(("site", "front"), [(7, 1), (9, 2), (11, 3)])
def test_with_four_players_each_dark_site_shuts_the_next_one(site: int, front: int) -> None:
    """[SHUT-03] The first dark site closes the first house, the second the second, the third the third."""
    before = position(f"4 players, R to move \n Tunis [R .] {chain(front, site - 1)}")
    after = before.play(f"build {site}")
    sites = f"{chain(front + 1, site - 1)} R" + " ." * (12 - site)
    assert after.city("Tunis") == f"Tunis [R .] {sites} shut({FRONTS[front - 1]})"


@pytest.mark.parametrize(("site", "front"), [(5, 1), (7, 2), (9, 3), (11, 4)])
def test_with_three_players_everything_is_one_further(site: int, front: int) -> None:
    """[G-14, SHUT-02] The triangle has closed the first house, so the first dark site closes the second."""
    sites = chain(front, site - 1).replace("B", "Y")
    before = position(f"3 players, phase 2, R to move \n Tunis [R .] {sites}")
    after = before.play(f"build {site}")
    assert after.city("Tunis").startswith("Tunis [R .] " + ". " * front + sites.split()[front])


def test_the_house_just_placed_is_not_the_one_that_is_shut() -> None:
    """[G-14] The front is, even if both are Red's; Red is left with as many houses on sites as before."""
    after = position("4 players, R to move \n Tunis [R .] R Y B Y G B").play("build 7")
    assert after.city("Tunis") == "Tunis [R .] . Y B Y G B R . . . . . shut(R)"


def test_closed_houses_lie_on_the_picture() -> None:
    """[SHUT-04] They are neither in stock nor lost, and they gather there."""
    before = position("4 players, R to move \n Tunis [R .] . Y B Y G B R Y shut(Y)")
    after = before.play("build 9")
    assert after.city("Tunis") == "Tunis [R .] . . B Y G B R Y R . . . shut(Y Y)"
    assert after.stock("Y") == before.stock("Y")
    assert "lost" not in after.drawing()


def test_a_closed_house_does_not_count_for_proliferation() -> None:
    """[SHUT-05] Yellow had two cities and has one left."""
    before = position("4 players, R to move \n Tunis [R .] Y G B G B R \n Napoli Y")
    assert (before.proliferation("Y"), before.play("build 7").proliferation("Y")) == (2, 1)


def test_a_closed_house_does_not_count_for_the_majority() -> None:
    """[SHUT-05] Yellow was first with two houses; with one open house left Yellow is nothing."""
    before = position("4 players, R to move \n Tunis [R .] Y G Y G B R")
    assert before.majority("Tunis") == {"Y": 12, "G": 6}
    assert before.play("build 7").majority("Tunis") == {"G": 14, "R": 7}


def test_a_closed_house_does_not_make_a_city_fuller() -> None:
    """[SHUT-05] Six open and one closed house are fewer than seven."""
    drawing = "4 players, phase 2 \n Tunis . G B G B R R {seventh} shut(Y) forts(G .) \n Napoli R Y G B R Y G"
    assert position(drawing.format(seventh="")).fortress("Tunis") == {"G": 7}
    assert position(drawing.format(seventh="B")).fortress("Tunis") == {"G": 16}


def test_a_vacated_site_stays_empty_until_the_twelfth_is_taken() -> None:
    """[SHUT-06] With eleven houses placed the way leads on to the twelfth, then back to the third."""
    before = position("4 players, R to move \n Tunis [R .] . . . Y G B Y G B Y G shut(Y G B)")
    assert before.legal("build") == ["build 12"]
    after = before.play("build 12", "end", "loan 10", "loan 10", "loan 10")
    assert after.legal("build") == ["build 3"]


def test_a_closed_house_counts_as_built() -> None:
    """[SHUT-07] Red's last house is shut, but Red's stock is empty: the phase ends with this round."""
    before = position("""
        4 players, round 7, Y to move
        R 0 houses, 0 fortresses
        Tunis [Y .] R G B G B G
    """)
    after = before.play("build 7", "end", "loan 10", "loan 10")
    assert after.city("Tunis") == "Tunis [Y .] . G B G B G Y . . . . . shut(R)"
    assert (after.stage, after.s.phase) == ("settling", 1)


def test_a_bonus_card_is_kept() -> None:
    """[SHUT-08] Red had nine cities and the card; with eight it is worth as much."""
    cities = "\n".join(f"{city} R" for city in EIGHT)
    before = position(f"4 players, phase 3, Y to move \n R 1st bonus \n Marseille [Y .] R G B G B G \n {cities}")
    assert (before.proliferation("R"), before.bonus("R")) == (60, 15)
    after = before.play("build 7")
    assert (after.proliferation("R"), after.bonus("R")) == (40, 15)
