"""SAIL: voyages, harbours and the bank."""

import pytest
from tests.drawings import Position, position

from elcapitan.errors import IllegalAction
from elcapitan.game.game import Game


def others_borrow(here: Position) -> Position:
    """The three others take a loan each."""
    return here.play("loan 10", "loan 10", "loan 10")


def test_sailing_is_voluntary() -> None:
    """[SAIL-01] Whoever is in a city may build there, cards or not."""
    before = position("4 players, R to move \n R hand Tunis/1 \n Napoli [R .]")
    assert {"sail Tunis/1", "build 1", "fortress"} < set(before.legal())


def test_any_number_of_cards_bought_now_or_earlier() -> None:
    """[SAIL-02] One from the hand, one from the display, two more from the hand."""
    after = position("""
        4 players, R to move
        R hand Tunis/1, Athina/3, Tanger/1
        Bank [R]
        Display: Napoli-Tunis
    """).play("buy Napoli-Tunis", "sail Tunis/1", "sail Napoli-Tunis > Napoli", "sail Athina/3", "sail Tanger/1")
    assert after.ship("R") == "Tanger 1"
    assert after.hand("R") == set()


@pytest.mark.parametrize(
    ("harbour", "after"), [("[. .]", "[R .]"), ("[Y .]", "[Y R]"), ("[. Y]", "[R Y]"), ("[* .]", "[* R]")]
)
def test_arrival_on_the_lowest_free_space(harbour: str, after: str) -> None:
    """[SAIL-03, G-01, D-02] The first if free, else the second; the pirate takes a space like a ship. No choice."""
    tile = "\n Canarias" if "*" in harbour else ""
    before = position(f"4 players, R to move \n R hand Tunis/1 \n Tunis {harbour} {tile}")
    assert before.legal("sail") == ["sail Tunis/1"]
    assert before.play("sail Tunis/1").city("Tunis") == f"Tunis {after} . . . . . . . . . . . ."


@pytest.mark.parametrize("harbour", ["[Y G]", "[Y *]"])
def test_a_full_city_is_no_place_to_stop(harbour: str) -> None:
    """[SAIL-04, G-02, D-02] Without a card to go on it is not offered; with one the ship must sail on at once."""
    drawing = (
        f"5 players, R to move \n R hand {{cards}} \n Tunis {harbour} \n Canarias {'' if '*' in harbour else '[. *]'}"
    )
    assert position(drawing.format(cards="Tunis/1")).legal("sail") == []
    there = position(drawing.format(cards="Tunis/1, Napoli-Tunis")).play("sail Tunis/1")
    assert there.ship("R") == "Tunis"
    moves = [text for text in there.legal() if not text.startswith("pirate")]
    assert moves == ["sail Napoli-Tunis > Napoli"]


def test_only_where_the_voyage_ends_a_harbour_must_be_free() -> None:
    """[SAIL-05, SAIL-11, G-02, D-04] Two full cities in a row can be passed; a third at the end cannot be entered."""
    drawing = """
        5 players, R to move
        R hand Tunis/1, Napoli-Tunis, Venezia-Napoli
        Tunis [Y G]
        Napoli [B P]
        {last}
    """
    voyage = ["sail Tunis/1", "sail Napoli-Tunis > Napoli", "sail Venezia-Napoli > Venezia"]
    assert position(drawing.format(last="Venezia")).play(*voyage).ship("R") == "Venezia 1"
    full = drawing.replace("[B P]", "[B .]").format(last="Venezia [P *] \n Canarias")
    assert position(full).play("sail Tunis/1", "sail Napoli-Tunis > Napoli").legal("sail") == []


def test_a_leg_into_a_full_city_needs_a_build_further_on() -> None:
    """[G-02] The city behind it has a free harbour, but no house is to be had there for 1 florin."""
    drawing = "4 players, R to move \n R {florins}; hand Napoli/1, Napoli-Tunis \n Napoli [Y G]"
    assert position(drawing.format(florins="1 florin")).legal("sail") == []
    assert position(drawing.format(florins="2 florins")).legal("sail") == ["sail Napoli/1"]


def test_full_cities_are_passed_with_seals() -> None:
    """[G-02, D-03] From Marseille every way to Napoli leads through a full city."""
    before = position("""
        5 players, R to move
        R hand Alexandria/2
        Marseille [R .]
        Venezia [Y G]
        Valencia [B P]
    """)
    cities = ["Constantinople", "Napoli", "Tanger"]
    assert before.legal("sail") == ["sail Alexandria/2", *(f"sail Alexandria/2 ~ {city}" for city in cities)]


@pytest.mark.parametrize("place", ["Bank [R]", "Away [R]"])
def test_a_voyage_from_no_city_begins_with_a_destination_card(place: str) -> None:
    """[SAIL-06, G-04, D-03, D-04] Neither sea route nor interconnection first; afterwards any kind."""
    before = position(f"4 players, R to move \n R hand Tunis/1, Venezia/1, Napoli-Tunis \n {place}")
    assert before.legal("sail") == ["sail Venezia/1", "sail Tunis/1"]
    there = before.play("sail Tunis/1")
    assert there.offers("sail Venezia/1 ~ Alexandria")
    assert there.offers("sail Napoli-Tunis > Napoli")


@pytest.mark.parametrize("place", ["Bank [R]", "Away [R]", "Alexandria [R .]"])
def test_a_card_of_marseille_is_no_sea_route_to_marseille_from_too_far_away(place: str) -> None:
    """[CARD-05, SAIL-06, G-04] It leads there as a destination card; a sea route begins at most three steps away."""
    before = position(f"4 players, R to move \n R hand Marseille/3 \n {place}")
    assert before.offers("sail Marseille/3")
    assert not before.offers("sail Marseille/3 ~ Marseille")


def test_a_sea_route_from_off_the_board_is_refused_by_name() -> None:
    """[SAIL-06, G-04] The refusal names the rule."""
    game = Game.bare(3, first=0)
    game.deal((0, 8, 14, 10), (18, 20, 25, 30, 35, 40))
    game.play_text("buy Marseille/3")
    with pytest.raises(IllegalAction) as refused:
        game.play_text("sail Marseille/3 ~ Napoli")
    assert refused.value.rule == "SAIL-06"


@pytest.mark.parametrize("place", ["Marseille [R .]", "Alexandria [Y R]", "Porto [. . R]", "Away [R]"])
def test_to_the_bank_without_a_card(place: str) -> None:
    """[SAIL-07] From anywhere, at no cost: all of the loan is in the purse afterwards."""
    after = position(f"4 players, R to move \n {place}").play("loan 10")
    assert (after.ship("R"), after.cash("R")) == ("Bank", 20 + 10)


def test_the_bank_harbour_holds_everybody() -> None:
    """[SAIL-08] Five ships lie there, and the last comer was not refused."""
    after = position("5 players, P to move \n Tunis [P .] \n Bank [R Y G B]").play("loan 10")
    assert [after.ship(letter) for letter in "RYGBP"] == ["Bank"] * 5


def test_no_change_of_harbour_during_a_stay() -> None:
    """[SAIL-09, SAIL-10] Yellow leaves the cheaper space; Red stays on the dearer one, builds and pays from there."""
    before = position("4 players, Y to move \n R hand Napoli-Tunis \n Tunis [Y R]")
    left = before.play("loan 10", "loan 10", "loan 10")
    assert left.seat == "R"
    assert left.city("Tunis") == "Tunis [. R] . . . . . . . . . . . ."
    after = left.play("build 1")
    assert (after.ship("R"), after.cash("R")) == ("Tunis 2", 20 - 3)


def test_a_ship_blocks_its_space_until_it_leaves() -> None:
    """[SAIL-10] While Yellow is there, Red gets the second space; as soon as Yellow has left, the first."""
    drawing = "4 players, {who} to move \n R hand Tunis/1 \n Y hand Napoli/1 \n Tunis [Y .]"
    assert position(drawing.format(who="R")).play("sail Tunis/1").ship("R") == "Tunis 2"
    gone = position(drawing.format(who="Y")).play("sail Napoli/1", "build 1", "end", "loan 10", "loan 10")
    assert gone.play("sail Tunis/1").ship("R") == "Tunis 1"


def test_a_ship_stays_on_its_space_from_turn_to_turn() -> None:
    """[SAIL-10] Also when nothing makes it stay but that it does not sail."""
    after = others_borrow(position("4 players, R to move \n Tunis [. R]").play("build 1", "end"))
    assert (after.seat, after.ship("R")) == ("R", "Tunis 2")


def test_a_ship_shifted_by_the_pirate_does_not_move_back() -> None:
    """[SAIL-10, SAIL-09] Pushed to the second space, it stays there even when the pirate has gone again."""
    before = position("4 players, Y to move \n Tunis [R .] \n Canarias [Y *]")
    shifted = before.play("pirate money Tunis 1>2", "build 1")
    assert shifted.ship("R") == "Tunis 2"
    back = shifted.play("end", "loan 10", "loan 10")
    assert (back.seat, back.city("Tunis")) == ("R", "Tunis [* R] . . . . . . . . . . . .")
    alone = back.play("pirate money Tanger 1")
    assert alone.city("Tunis") == "Tunis [. R] . . . . . . . . . . . ."
    assert alone.play("build 1").cash("R") == back.cash("R") - 2 - 3


@pytest.mark.parametrize("harbour", ["[. .]", "[Y G]"])
@pytest.mark.parametrize(
    ("card", "leg"),
    [("Napoli-Tunis", "sail Napoli-Tunis > Napoli"), ("Venezia/1", "sail Venezia/1 ~ Napoli")],
)
def test_on_from_a_city_reached_in_the_same_turn(harbour: str, card: str, leg: str) -> None:
    """[SAIL-11, D-03, D-04] By interconnection or sea route, also from full harbours."""
    before = position(f"4 players, R to move \n R hand Tunis/1, {card} \n Bank [R] \n Tunis {harbour}")
    assert not before.offers(leg)
    assert before.play("sail Tunis/1", leg).ship("R") == "Napoli 1"


def test_no_card_leads_back_to_where_it_was_played() -> None:
    """[G-03, D-02, D-03] Neither a destination card of the city one is in nor a sea route out and back."""
    before = position("4 players, R to move \n R hand Tunis/3 \n Tunis [. R]")
    assert not before.offers("sail Tunis/3")
    assert not before.offers("sail Tunis/3 ~ Tunis")
    assert before.offers("sail Tunis/3 ~ Alexandria")


def test_a_card_of_the_city_one_is_in_is_refused_by_name() -> None:
    """[G-03] Two cards of Marseille: the second cannot be used there, neither as destination nor out and back."""
    game = Game.bare(3, first=0)
    game.deal((0, 1, 14, 10), (18, 20, 25, 30, 35, 40))
    for text in ("buy Marseille/3", "buy Marseille/1", "sail Marseille/1"):
        game.play_text(text)
    for text in ("sail Marseille/3", "sail Marseille/3 ~ Marseille"):
        with pytest.raises(IllegalAction) as refused:
            game.play_text(text)
        assert refused.value.rule == "G-03"


def test_two_cards_lead_back_and_the_ship_arrives_anew() -> None:
    """[G-03, SAIL-10] Out and back with two cards: the old space counts as free, the lowest is taken."""
    there_and_back = ["sail Napoli-Tunis > Napoli", "sail Tunis/1"]
    hand = "R hand Napoli-Tunis, Tunis/1"
    cheaper = position(f"4 players, R to move \n {hand} \n Tunis [. R]").play(*there_and_back)
    assert cheaper.ship("R") == "Tunis 1"
    same = position(f"4 players, R to move \n {hand} \n Tunis [Y R]").play(*there_and_back)
    assert same.ship("R") == "Tunis 2"


def test_coming_back_to_islas_canarias_makes_the_free_move_due_again() -> None:
    """[G-03] Who only stays there has none; who sails out and back has."""
    before = position("4 players, R to move \n R hand Tunis/1, Tanger/1 \n Canarias [R *]")
    assert before.legal("pirate free") == []
    back = before.play("sail Tunis/1 ~ Tanger", "sail Tanger/1 ~ Canarias")
    assert "free move due" in back.headline()
    assert back.offers("pirate free Tunis 1")


def test_each_card_leads_only_as_far_as_it_says() -> None:
    """[D-02, D-03, D-04] The three uses beside one another, from Tunis."""
    before = position("4 players, R to move \n R hand Marseille/1, Napoli-Tunis, Venezia-Tanger \n Tunis [R .]")
    assert before.legal("sail") == [
        "sail Marseille/1",
        *(f"sail Marseille/1 ~ {city}" for city in ("Napoli", "Tanger", "Alexandria")),
        "sail Napoli-Tunis > Napoli",
    ]
    assert before.play("build 1").legal("sail") == []


@pytest.mark.parametrize(
    ("card", "legs"), [("Napoli/1", []), ("Athina/2", ["Athina/2", "Athina/2 ~ Athina", "Marseille-Tanger > Tanger"])]
)
def test_a_destination_card_lets_one_sail_anywhere_if_its_city_is_one_to_build_in(card: str, legs: list[str]) -> None:
    """[SAIL-02, G-02, G-06] Red can only re-open in Athina. Napoli is next to it, and its card does not lead there."""
    before = position(f"""
        4 players, phase 2, R to move
        R 0 florins; hand {card}, Marseille-Tanger
        Marseille [R .]
        Athina . Y G B Y G B shut(R)
    """)
    offered = before.legal("sail")
    assert {text for text in offered if "~" not in text} == {f"sail {leg}" for leg in legs if "~" not in leg}
    assert before.legal() == [*offered, "loan 10", "loan 16"]


FAR_AWAY = "Constantinople-Alexandria, Napoli-Alexandria, Constantinople-Napoli"  # of no use in the west


@pytest.mark.parametrize("others", ["", f", {FAR_AWAY}"], ids=["few cards", "many cards"])
def test_no_card_serves_twice_on_a_voyage(others: str) -> None:
    """[CARD-07, G-06] Red can pay a house in Tanger, two steps away: one card with one seal is not enough, two are."""
    drawing = "4 players, R to move \n R 2 florins; hand {} \n Marseille [R .]"
    assert position(drawing.format(f"Venezia/1{others}")).legal("sail") == []
    two = position(drawing.format(f"Venezia/1, Valencia/1{others}"))
    assert two.legal("sail") == ["sail Valencia/1", "sail Venezia/1 ~ Valencia", "sail Valencia/1 ~ Valencia"]
    assert two.play("sail Valencia/1").legal("sail") == ["sail Venezia/1 ~ Tanger"]


def test_every_card_bought_on_the_way_is_paid() -> None:
    """[BUY-02, G-06] Two cards for 1 florin each lead to Tanger, where a house costs 2; with 3 florins she stays."""
    drawing = """
        4 players, R to move
        R {} florins, 6 houses, 0 fortresses
        Marseille [R .]
        Display: Marseille-Venezia, Marseille-Valencia, Valencia-Tanger, Venezia-Athina
    """
    assert position(drawing.format(3)).legal() == ["loan 10", "loan 16"]
    enough = position(drawing.format(4)).play("buy Valencia-Tanger")
    assert enough.legal() == ["buy Marseille-Valencia"]
    sailing = enough.play("buy Marseille-Valencia", "sail Marseille-Valencia > Valencia")
    assert sailing.legal() == ["sail Valencia-Tanger > Tanger"]


def test_the_cheaper_of_two_ways_to_a_city_counts() -> None:
    """[BUY-02, G-06] To Venezia by the card in hand or by one for 4: only the first leaves enough for Athina."""
    before = position("""
        4 players, R to move
        R 4 florins, 0 fortresses; hand Marseille-Venezia
        Marseille [R .] R R R
        Display: Venezia/1, Venezia-Athina
        Venezia [Y G]
    """)
    assert before.legal() == ["buy Venezia-Athina", "sail Marseille-Venezia > Venezia", "loan 10", "loan 16"]
    there = before.play("sail Marseille-Venezia > Venezia", "buy Venezia-Athina", "sail Venezia-Athina > Athina")
    assert there.play("build 1").cash("R") == 0


def test_marseille_alone_can_be_the_way_out() -> None:
    """[G-02, G-06, REOPEN-02] Red can only re-open there; its card is in hand or on display. Or it leads on."""
    drawing = """
        4 players, R to move
        R {florins} florins, 0 houses, 0 fortresses; {hand}
        Tunis     [R .]
        {city} . Y G B Y G B shut(R)
        Display: {display}
    """
    usual = {"florins": 0, "hand": "hand Napoli-Athina", "city": "Marseille", "display": ""}
    by_hand = position(drawing.format(**{**usual, "hand": "hand Marseille/3"}))
    assert by_hand.legal("sail") == ["sail Marseille/3", "sail Marseille/3 ~ Marseille"]
    assert by_hand.play("sail Marseille/3").legal() == ["reopen 8"]
    on_display = {**usual, "display": "Marseille/3, Athina/3"}
    assert position(drawing.format(**{**on_display, "florins": 6})).legal("buy") == ["buy Marseille/3", "buy Athina/3"]
    assert position(drawing.format(**{**on_display, "florins": 5})).legal("buy") == []
    onward = {**usual, "hand": "hand Marseille/1, Marseille-Alexandria", "city": "Alexandria"}
    assert position(drawing.format(**onward)).legal("sail") == [
        "sail Marseille/1",
        "sail Marseille/1 ~ Alexandria",
    ]


def test_marseille_can_be_closed_to_building() -> None:
    """[G-06, WARE-07, FORT-05] Three in a row, both fortress sites taken, nothing to re-open: no way to end a turn."""
    drawing = """
        4 players, phase 2, R to move
        R hand Marseille-Tunis
        Marseille {}
        Tunis [R .] R R R forts(Y G)
    """
    assert position(drawing.format("R R R forts(Y G)")).legal() == ["loan 10", "loan 16"]
    for opening in ("R R R forts(Y .)", "R R Y forts(Y G)", "[Y .] R R R forts(Y .)", ". R R R Y forts(Y G) shut(R)"):
        assert position(drawing.format(opening)).offers("sail Marseille-Tunis > Marseille"), opening


@pytest.mark.parametrize("others", ["", f", {FAR_AWAY}"], ids=["few cards", "many cards"])
def test_a_card_is_kept_for_the_leg_that_needs_it(others: str) -> None:
    """[CARD-07, G-06] Two cards lead to Valencia, and only one of them on to Tanger: Red must buy the other."""
    drawing = """
        5 players, R to move
        R {} florins, 6 houses, 0 fortresses; hand Venezia/1{}
        Marseille [R .]
        Venezia   [Y G]
        Valencia  [B P]
        Display: Marseille-Valencia, Valencia-Athina
    """
    assert position(drawing.format(2, others)).legal() == ["loan 10", "loan 16"]
    before = position(drawing.format(3, others))
    assert before.legal() == ["buy Marseille-Valencia", "loan 10", "loan 16"]
    bought = before.play("buy Marseille-Valencia")
    assert bought.legal() == ["sail Marseille-Valencia > Valencia"]
    assert bought.play("sail Marseille-Valencia > Valencia").legal() == ["sail Venezia/1 ~ Tanger"]


@pytest.mark.parametrize(
    ("hand", "legs"),
    [
        ("Napoli-Tunis, Marseille-Napoli, Marseille-Alexandria", ["Napoli-Tunis > Napoli"]),
        ("Napoli-Tunis, Napoli-Athina, Marseille-Alexandria", []),
        ("Napoli-Tunis, Napoli-Athina, Marseille-Athina, Marseille-Alexandria", ["Napoli-Tunis > Napoli"]),
        ("Napoli-Tunis, Marseille-Napoli, Marseille-Venezia, Venezia-Alexandria", ["Napoli-Tunis > Napoli"]),
        ("Napoli-Tunis, Marseille-Venezia, Venezia-Alexandria, Marseille-Alexandria", []),
    ],
)
def test_a_voyage_without_money_goes_as_far_as_the_cards_lead(hand: str, legs: list[str]) -> None:
    """[SAIL-02, G-06, REOPEN-02] Red has nothing but a closed house in Alexandria, three or four legs away."""
    before = position(f"""
        4 players, R to move
        R 0 florins, 0 houses, 0 fortresses; hand {hand}
        Tunis      [R .]
        Alexandria . Y G B Y G B shut(R)
    """)
    assert before.legal("sail") == [f"sail {leg}" for leg in legs]
