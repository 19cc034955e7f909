"""CANA: Islas Canarias and the free move of the pirate."""

import pytest
from tests.drawings import Position, position

ARRIVING = """
    4 players, R to move
    R {red}; hand Venezia/1, Tunis/1
    Tanger [R .]
    Canarias
    Napoli Y G
"""
SAIL = "sail Venezia/1 ~ Canarias"


def targets(here: Position, how: str = "free") -> set[str]:
    """The cities to which the pirate may be moved."""
    return {text.split()[2] for text in here.legal(f"pirate {how}")}


def test_no_pirate_without_islas_canarias() -> None:
    """[CANA-01] With the other two tiles nobody moves a pirate; with Islas Canarias everybody may."""
    lines = "4 players, R to move \n R hand Tunis/1 \n Tanger [R .] \n Porto \n Lisboa"
    assert position(lines).legal("pirate") == []
    assert "*" not in position(lines).drawing()
    assert position(f"{lines} \n Canarias").legal("pirate") != []


@pytest.mark.parametrize("pirate", ["Canarias [. *]", "Canarias \n Tunis [* .]", "Canarias \n Alexandria [. *]"])
def test_who_sails_there_must_move_the_pirate(pirate: str) -> None:
    """[CANA-02, D-11] Wherever it is: without that the turn cannot end, and it is done once."""
    before = position(f"4 players, R to move \n R hand Venezia/1 \n Tanger [R .] \n {pirate}")
    assert before.legal("pirate free") == []
    arrived = before.play(SAIL)
    assert arrived.ship("R") == "Canarias 1"
    built = arrived.play("build 1")
    assert not built.offers("end")
    moved = built.play("pirate free Napoli 2")
    assert moved.city("Napoli") == "Napoli [. *] . . . . . . . . . . . ."
    assert moved.legal("pirate free") == []
    assert moved.offers("end")


def test_the_charge_is_collected() -> None:
    """[CANA-03] Owners in the pirate's new city pay at once."""
    moved = position(ARRIVING.format(red="20 florins")).play(SAIL, "pirate free Napoli 1")
    assert [moved.cash(letter) for letter in "RYGB"] == [20 + 2, 20 - 1, 20 - 1, 20]


def test_before_or_after_building() -> None:
    """[CANA-04, G-43] Both orders lead to the same; then the turn may end."""
    arrived = position(ARRIVING.format(red="20 florins")).play(SAIL)
    move_first = arrived.play("pirate free Napoli 1", "build 1")
    build_first = arrived.play("build 1", "pirate free Napoli 1")
    assert move_first.drawing() == build_first.drawing()
    assert move_first.cash("R") == 20 + 2 - 3
    assert move_first.offers("end")


def test_who_stays_has_no_free_move() -> None:
    """[CANA-05] On later turns the pirate moves for money or cards, and nothing is collected."""
    before = position("4 players, R to move \n R hand Napoli/1 \n Canarias [R *] \n Napoli Y G")
    assert before.legal("pirate free") == []
    for_money = before.play("pirate money Napoli 1")
    assert [for_money.cash(letter) for letter in "RYG"] == [20 - 3 * 2, 20, 20]
    by_card = before.play("pirate cards Napoli/1: 1")
    assert [by_card.cash(letter) for letter in "RYG"] == [20, 20, 20]
    assert before.play("build 1").offers("end")


def test_passing_through_is_no_arrival() -> None:
    """[G-43] Whether with seals or between two cards: only the end of the voyage counts."""
    with_seals = position("4 players, R to move \n R hand Venezia/2 \n Lisboa [R .] \n Canarias \n Valencia [Y G]")
    in_tanger = with_seals.play("sail Venezia/2 ~ Tanger")
    assert in_tanger.legal("pirate free") == []
    assert in_tanger.play("build 1").offers("end")

    between = position(ARRIVING.format(red="20 florins")).play(SAIL)
    assert between.legal("pirate free") != []
    in_tunis = between.play("sail Tunis/1")
    assert in_tunis.legal("pirate free") == []
    assert in_tunis.play("build 1").offers("end")


def test_a_voyage_has_no_other_end_than_a_move_or_a_main_action() -> None:
    """[G-56] One may sail on, also from Islas Canarias; the space is held only until the ship leaves."""
    arrived = position(ARRIVING.format(red="20 florins")).play(SAIL)
    assert not arrived.offers("end")
    assert arrived.offers("sail Tunis/1")
    assert arrived.city("Canarias") == "Canarias [R *] . . . . . . . . . . . ."
    assert arrived.play("sail Tunis/1").city("Canarias") == "Canarias [. *] . . . . . . . . . . . ."


def test_after_the_free_move_only_a_build_there_remains() -> None:
    """[G-43, G-56] No sailing and no loan any more: build or fortify in Islas Canarias (the paid move apart)."""
    moved = position(ARRIVING.format(red="20 florins")).play(SAIL, "pirate free Napoli 1")
    assert [text for text in moved.legal() if not text.startswith("pirate")] == ["build 1", "build 2", "fortress"]
    built = position(ARRIVING.format(red="20 florins")).play(SAIL, "build 1")
    assert [text for text in built.legal() if not text.startswith("pirate")] == []


@pytest.mark.parametrize(("houses", "offered"), [("Y G", False), ("Y G Y", True)])
def test_the_charge_counts_for_what_she_can_pay(houses: str, offered: bool) -> None:
    """[G-43] Without money the leg is legal only if the charge will pay for the house: 3 florins."""
    before = position(
        f"4 players, R to move \n R 0 florins; hand Venezia/1 \n Tanger [R .] \n Canarias \n Napoli {houses}"
    )
    assert before.offers(SAIL) == offered


def test_being_shifted_is_no_arrival() -> None:
    """[G-43] Red pays for moving the pirate to Islas Canarias and is pushed aside: no free move is due."""
    before = position("4 players, R to move \n Canarias [R .] \n Tanger [* .]")
    pushed = before.play("pirate money Canarias 1>2")
    assert pushed.city("Canarias") == "Canarias [* R] . . . . . . . . . . . ."
    assert pushed.legal("pirate free") == []
    assert pushed.play("build 1").offers("end")


def test_coming_back_within_a_turn_is_an_arrival() -> None:
    """[CANA-02, G-03] Out to Tanger and back with two cards: the free move is due."""
    before = position("4 players, R to move \n R hand Tanger/1, Venezia/1 \n Canarias [R *]")
    back = before.play("sail Tanger/1", "sail Venezia/1 ~ Canarias")
    assert targets(back) == targets(before, "money")
    assert not back.play("build 1").offers("end")


def test_the_free_move_before_building_must_bring_enough() -> None:
    """[G-50, D-11] Without money only Tunis, with three houses, pays for one; after building any city will do."""
    drawing = """
        4 players, R under way, free move due
        R {red}
        Canarias [R *]
        Tunis    Y G Y
        Napoli   Y
    """
    assert targets(position(drawing.format(red="0 florins"))) == {"Tunis"}
    assert targets(position(drawing.format(red="2 florins"))) == {"Tunis", "Napoli"}
    with_money = position(drawing.format(red="3 florins"))
    assert len(targets(with_money)) == 9
    assert len(targets(with_money.play("build 1"))) == 9


def test_a_free_re_opening_leaves_every_target() -> None:
    """[G-50] What costs nothing needs no charge."""
    before = position("4 players, phase 2, R under way, free move due \n R 0 florins \n Canarias [R *] . Y G shut(R)")
    assert len(targets(before)) == 9


def test_after_the_free_move_no_voyage_counts() -> None:
    """[G-06, G-43, G-56] Cards in hand and on display lead nowhere any more: what is left must pay for a house here."""
    drawing = """
        4 players, R under way, free move made
        R {} florins, 6 houses, 0 fortresses; hand Tunis/1
        Canarias [R .]
        Tanger   [* .]
        Display: Athina/2, Tanger-Tunis
    """
    enough = position(drawing.format(6))
    assert enough.legal("pirate money Canarias") == ["pirate money Canarias 1>2", "pirate money Canarias 2"]
    assert enough.legal("buy") == ["buy Tanger-Tunis"]
    pushed_too_far = position(drawing.format(5))
    assert pushed_too_far.legal("pirate money Canarias") == ["pirate money Canarias 2"]
    poor = position(drawing.format(3))
    assert [text for text in poor.legal() if not text.startswith("pirate by")] == ["build 1", "build 2"]


def test_her_own_space_is_free_when_she_comes_back() -> None:
    """[G-03, G-06, G-43] Yellow has the other space. Out to Tanger and back: the charge of 4 pays for the house."""
    before = position("""
        4 players, R to move
        R 0 florins; hand Tanger/1, Venezia/1
        Canarias [Y R]
        Valencia [* .]
        Napoli   Y G Y G
    """)
    assert before.offers("sail Tanger/1")
    back = before.play("sail Tanger/1", "sail Venezia/1 ~ Canarias")
    assert back.ship("R") == "Canarias 2"
    assert back.play("pirate free Napoli 1", "build 1").cash("R") == 0


def test_a_full_harbour_cannot_be_the_end_of_a_voyage() -> None:
    """[G-06, G-48] Yellow and the pirate hold both spaces: without a card to sail on the leg is illegal."""
    drawing = "4 players, R to move \n R {} \n Tanger [R .] \n Canarias [Y *] \n Napoli Y G Y G"
    assert not position(drawing.format("20 florins; hand Venezia/1")).offers(SAIL)
    assert not position(drawing.format("1 florin; hand Venezia/1")).offers(SAIL)
    assert position(drawing.format("20 florins; hand Venezia/1, Tunis/1")).offers(SAIL)


def test_where_nothing_stands_no_charge_is_counted_on() -> None:
    """[G-43, G-50] With 2 florins and no building anywhere the house for 3 is out of reach; with 3 it is not."""
    drawing = "4 players, R to move \n R {} florins; hand Venezia/1 \n Tanger [R .] \n Canarias"
    assert not position(drawing.format(2)).offers(SAIL)
    assert position(drawing.format(3)).offers(SAIL)


@pytest.mark.parametrize(("harbour", "offered"), [("[. .]", True), ("[. Y]", False), ("[Y .]", False)])
def test_the_charge_of_islas_canarias_itself_counts_if_the_pirate_finds_a_space(harbour: str, offered: bool) -> None:
    """[CANA-03, G-43, G-44] Three houses there would pay for Red's, but Red takes the last space herself."""
    before = position(f"""
        4 players, R to move
        R 0 florins; hand Venezia/1
        Tanger   [R .]
        Canarias {harbour} Y G Y
        Tunis    [* .]
    """)
    assert before.offers(SAIL) == offered


@pytest.mark.parametrize(("florins", "offered"), [(2, False), (3, True)])
def test_nobody_is_pushed_where_both_spaces_are_taken(florins: int, offered: bool) -> None:
    """[G-43, G-48] Yellow has the other space: the pirate cannot come and collect what would pay for a fortress."""
    before = position(f"""
        4 players, R to move
        R {florins} florins; hand Venezia/1
        Tanger   [R .]
        Canarias [. Y] Y G Y G Y G
        Tunis    [* .]
    """)
    assert before.offers(SAIL) == offered


def test_a_paid_move_takes_the_charge_of_its_city_from_the_free_one() -> None:
    """[G-06, G-43, G-44] Napoli brings the 3 florins for a house in Islas Canarias: the pirate must not be there."""
    before = position("""
        4 players, R to move
        R 2 florins; hand Venezia/1
        Tanger   [R .] R R R forts(Y G)
        Napoli   Y G Y
        Valencia [* .]
        Canarias [. .]
    """)
    assert targets(before, "money") == {"Marseille", "Tanger"}
    charged = before.play("pirate money Marseille 1", SAIL, "pirate free Napoli 1")
    assert charged.play("build 1").cash("R") == 0


@pytest.mark.parametrize(("florins", "buys"), [(0, []), (1, ["buy Tanger-Tunis"])])
def test_being_pushed_to_the_cheaper_space_counts(florins: int, buys: list[str]) -> None:
    """[G-48, G-50] The charge of 3 pays for a house from the first space, to which the pirate pushes Red."""
    before = position(f"""
        4 players, R under way, free move due
        R {florins} florins
        Canarias [. R] Y G Y
        Tunis    [* .]
        Display: Tanger-Tunis, Athina/2
    """)
    assert before.legal("buy") == buys
    paid = ["pirate free Canarias 1"] * florins + ["pirate free Canarias 2>1"]
    assert before.legal("pirate free") == paid
    pushed = before.play("pirate free Canarias 2>1")
    assert pushed.play("build 4").cash("R") == florins
