"""TWO: the two-player game with its neutral colours."""

import pytest
from tests.drawings import position

from elcapitan.game.game import Game

CITIES = ["Marseille", "Venezia", "Constantinople", "Valencia", "Napoli", "Athina", "Tanger", "Tunis", "Alexandria"]


def test_the_basic_rules_hold_with_a_second_colour() -> None:
    """[TWO-01, TWO-02] A turn offers what it always does, and warehouses of two colours; one ship, one fortress."""
    before = position("2 players, R to move \n R hand Tunis-Napoli \n Tunis [R .] Y")
    assert before.legal() == [
        "sail Napoli-Tunis > Napoli",
        "build 2",
        "build 2 neutral",
        "fortress",
        "loan 10",
        "loan 16",
    ]
    built = before.play("build 2 neutral")
    assert built.city("Tunis") == "Tunis [R .] Y r . . . . . . . . . ."
    assert (built.stock("R"), built.stock("r"), built.cash("R")) == (6, 1, 20 - 2)
    assert before.play("fortress").city("Tunis") == "Tunis [R .] Y . . . . . . . . . . . forts(R .)"
    assert position("4 players, R to move \n Tunis [R .] Y").legal("build") == ["build 2"]


def test_either_colour_may_begin_a_city() -> None:
    """[TWO-02, WARE-03, D-05] On the first or on the second site."""
    before = position("2 players, R to move \n Tunis [R .]")
    assert before.legal("build") == ["build 1", "build 2", "build 1 neutral", "build 2 neutral"]
    assert before.play("build 2 neutral").city("Tunis") == "Tunis [R .] . r . . . . . . . . . ."


def test_either_colour_may_be_re_opened() -> None:
    """[TWO-02, D-06] Each goes to the next site, as a house of its own colour."""
    before = position("2 players, phase 2, R to move \n Tunis [R .] . . . y Y shut(r R)")
    assert before.legal("reopen") == ["reopen 6", "reopen 6 neutral"]
    assert before.play("reopen 6").city("Tunis") == "Tunis [R .] . . . y Y R . . . . . . shut(r)"
    assert before.play("reopen 6 neutral").city("Tunis") == "Tunis [R .] . . . y Y r . . . . . . shut(R)"


def test_set_up_of_two() -> None:
    """[TWO-03, TWO-04] 6 and 2 warehouses and a fortress each, no more; the younger, who is told, starts."""
    game = Game.new(2, first=1, seed=1)
    assert game.seat == 1
    here = game.position
    assert here.stock.tolist().count(6) == 2 and here.stock.tolist().count(2) == 2 and sum(here.stock) == 2 * (6 + 2)
    assert here.fortresses.tolist()[:2] == [1, 1]
    start = position("2 players")
    assert [start.stock(colour) for colour in "RrYy"] == [6, 2, 6, 2]
    assert [start.fortresses(letter) for letter in "RY"] == [1, 1]


@pytest.mark.parametrize(("players", "line"), [(2, ". Y R Y R"), (3, ". Y R Y R"), (4, "R Y R Y R")])
def test_the_triangle_is_in_force(players: int, line: str) -> None:
    """[TWO-05] A house on the fifth site shuts the front with two and three players, not with four."""
    after = position(f"{players} players, R to move \n Tunis [R .] R Y R Y").play("build 5")
    shut = " shut(R)" if players < 4 else ""
    assert after.city("Tunis") == f"Tunis [R .] {line} . . . . . . .{shut}"


@pytest.mark.parametrize(
    ("stock", "offered"),
    [
        ("6+2", ["main", "neutral"]),
        ("4+2", ["main", "neutral"]),
        ("3+2", ["neutral"]),
        ("3+1", ["main", "neutral"]),
        ("2+1", ["neutral"]),
        ("2+0", ["main"]),
        ("1+0", ["main"]),
    ],
)
def test_more_main_than_neutral_houses_stay_in_stock(stock: str, offered: list[str]) -> None:
    """[TWO-06, G-34] After every build, unless no house is left at all."""
    wanted = [{"main": "build 2", "neutral": "build 2 neutral"}[colour] for colour in offered]
    assert position(f"2 players, R to move \n R {stock} houses \n Tunis [R .] Y").legal("build") == wanted
    assert position(f"2 players, Y to move \n Y {stock} houses \n Tunis [Y .] R").legal("build") == wanted


def test_the_balance_concerns_nothing_but_building_houses() -> None:
    """[G-34] With 3 and 2 in stock Red may re-open a main house and build a fortress."""
    before = position("2 players, phase 2, R to move \n R 3+2 houses \n Tunis [R .] . Y y shut(R)")
    assert before.offers("reopen 4") and before.offers("fortress")
    assert not before.offers("build 4")


@pytest.mark.parametrize(
    ("chain", "main", "neutral"),
    [
        ("R R", True, True),
        ("R R R", False, True),
        ("R R r", True, True),
        ("r r", True, True),
        ("R R R r", False, False),
        ("R R r R", False, False),
        ("r R R R", False, False),
        ("R R R y", True, True),
        ("R R r R Y", True, True),
    ],
)
def test_rows_of_two_colours(chain: str, main: bool, neutral: bool) -> None:
    """[TWO-07, TWO-08, G-33] At most three of the main colour and four of both, until the other builds there."""
    before = position(f"2 players, phase 3, R to move \n Athina [R .] {chain}")
    site = len(chain.split()) + 1
    assert before.offers(f"build {site}") == main
    assert before.offers(f"build {site} neutral") == neutral


def test_no_four_neutral_houses_in_a_row() -> None:
    """[G-33] Three of any single colour is the limit, so a fourth house must be of the main colour."""
    before = position("2 players, phase 3, R to move \n Athina [R .] r r r")
    assert before.legal("build") == ["build 4"]


def test_re_opened_houses_count_in_rows() -> None:
    """[TWO-07, G-33] After three main houses only a neutral one is re-opened; after four in a row none."""
    three = position("2 players, phase 3, R to move \n Athina [R .] . y R R R shut(R r)")
    assert three.legal("reopen") == ["reopen 6 neutral"]
    four = position("2 players, phase 3, R to move \n Athina [R .] . y R R r R shut(R r)")
    assert four.legal("reopen") == []


def test_neutral_houses_are_re_opened_by_their_player() -> None:
    """[G-32] Red may re-open r but not y; it is free and the turn's only action."""
    before = position("2 players, phase 2, R to move \n Athina [R .] . . Y y R shut(r y)")
    assert before.legal("reopen") == ["reopen 6 neutral"]
    after = before.play("reopen 6 neutral")
    assert after.city("Athina") == "Athina [R .] . . Y y R r . . . . . . shut(y)"
    assert (after.cash("R"), after.legal()) == (20, ["end"])


def test_neutral_houses_trigger_and_suffer_shut_downs() -> None:
    """[G-32] A neutral house on a shut-down site closes the front, be it neutral itself; it costs like any other."""
    after = position("2 players, R to move \n Athina [. R] r Y R Y").play("build 5 neutral")
    assert after.city("Athina") == "Athina [. R] . Y R Y r . . . . . . . shut(r)"
    assert after.cash("R") == 20 - 3


@pytest.mark.parametrize(
    ("stock", "over"),
    [
        ("0+0 houses, 0 fortresses", True),
        ("1+0 houses, 0 fortresses", False),
        ("0+1 houses, 0 fortresses", False),
        ("0+0 houses, 1 fortress", False),
    ],
)
@pytest.mark.parametrize(("phase", "payday"), [(1, "settling"), (3, "over")])
def test_a_phase_is_over_when_all_three_kinds_are_built(stock: str, over: bool, phase: int, payday: str) -> None:
    """[TWO-09, TWO-16] Main and neutral warehouses and fortresses; in the third phase that ends the game."""
    after = position(f"2 players, phase {phase}, Y to move \n R {stock}").play("loan 10")
    assert after.stage == (payday if over else "start")


def test_the_pieces_of_a_whole_game() -> None:
    """[TWO-16, TWO-15] 18 main and 6 neutral warehouses and 3 fortresses are there to be built until the end."""
    last_phase = position("2 players, phase 3")
    assert (last_phase.stock("R"), last_phase.stock("r"), last_phase.fortresses("R")) == (18, 6, 3)


def test_the_second_player_has_one_more_turn() -> None:
    """[TWO-09] When the starting player finishes the opponent still has a turn; the other way round nobody has."""
    red_first = position("2 players, R to move \n R 1+0 houses, 0 fortresses \n Tunis [R .]").play("build 1", "end")
    assert (red_first.seat, red_first.stage) == ("Y", "start")
    yellow_first = position("2 players, R to move, Y first \n R 1+0 houses, 0 fortresses \n Tunis [R .]")
    assert yellow_first.play("build 1", "end").stage == "naming"


def test_neutral_houses_do_not_count_for_proliferation() -> None:
    """[TWO-10] Two cities with main houses, two with neutral ones: 2 florins."""
    before = position("2 players, phase 2 \n Tunis R \n Napoli R r \n Athina r \n Tanger r Y")
    assert (before.proliferation("R"), before.proliferation("Y")) == (2, 1)


def test_neutral_houses_do_not_count_for_the_bonus() -> None:
    """[TWO-11] The ninth city in the neutral colour takes no card, in the main colour it does."""
    eight = "\n".join(f"{name} R" for name in CITIES[:8])
    before = position(f"2 players, phase 3, R to move \n {eight} \n Alexandria [R .] Y")
    assert "bonus" not in before.play("build 2 neutral").drawing()
    assert "1st bonus" in before.play("build 2").drawing()


@pytest.mark.parametrize(
    ("chain", "paid"),
    [
        ("R R Y", {"R": 6}),
        ("R Y Y", {"Y": 6}),
        ("r R Y", {}),
        ("R r Y", {"R": 6}),
        ("r r R y", {}),
        ("y R Y R", {"R": 8}),
        ("Y R", {"Y": 4}),
    ],
)
def test_only_first_rank_among_four_colours_is_paid(chain: str, paid: dict[str, int]) -> None:
    """[TWO-12, TWO-13, G-35] A neutral colour on first rank keeps everybody from being paid; there is no second."""
    assert position(f"2 players \n Tunis {chain}").majority("Tunis") == paid


def test_neutral_houses_make_a_city_full() -> None:
    """[G-35] For the fortresses: Tunis has more houses than Athina, three of them neutral."""
    before = position("2 players \n Tunis r R y r forts(Y .) \n Athina R Y R forts(R .)")
    assert before.majority("Tunis") == {}
    assert before.fortress("Tunis") == {"Y": 8}
    assert before.fortress("Athina") == {"R": 3}


def test_the_poorer_names_the_starting_player() -> None:
    """[TWO-14] By the money check."""
    drawing = "2 players, Y settling \n R {} florins, 0+0 houses, 0 fortresses \n Y 37 florins; owes 10"
    assert position(drawing.format(26)).play("repay 10").seat == "Y"
    assert position(drawing.format(24)).play("repay 10").seat == "R"


def test_new_pieces_for_two() -> None:
    """[TWO-15] 6 and 2 warehouses and a fortress, beside what is left."""
    after = position("2 players, Y naming \n R 0+0 houses, 0 fortresses \n Y 3+1 houses").play("starter seat 2")
    assert [after.stock(colour) for colour in "RrYy"] == [6, 2, 9, 3]
    assert [after.fortresses(letter) for letter in "RY"] == [1, 2]


def test_tile_cities_of_two_pay_half_to_the_main_colour_present() -> None:
    """[G-36] A main colour on first rank gets all, elsewhere half; a neutral colour takes the rank and no money."""
    assert position("2 players \n Porto R Y R").majority("Porto") == {"R": 15, "Y": 7}
    assert position("2 players \n Porto r Y r R").majority("Porto") == {"R": 10, "Y": 10}
    assert position("2 players \n Porto r R y").majority("Porto") == {"R": 7}


def test_lisboa_pays_two_players_for_main_houses_only() -> None:
    """[G-36] Nothing for a neutral house; half where a neutral colour, even one's own, is before the builder."""
    empty = position("2 players, R to move \n Lisboa [R .]")
    assert empty.play("build 1").cash("R") == 20 + 2
    assert empty.play("build 1 neutral").cash("R") == 20
    assert position("2 players, R to move \n Lisboa [R .] r").play("build 2").cash("R") == 20 + 2
    assert position("2 players, R to move \n Lisboa [R .] Y r").play("build 3").cash("R") == 20 + 3


def test_the_charge_is_due_for_both_colours() -> None:
    """[G-36, G-47] Yellow pays for Y, for y, open or closed, and for the fortress."""
    after = position("""
        2 players, R under way, free move due
        Canarias [R *]
        Tunis    . Y y R shut(y) forts(Y .)
    """).play("pirate free Tunis 1")
    assert (after.cash("R"), after.cash("Y")) == (24, 16)
