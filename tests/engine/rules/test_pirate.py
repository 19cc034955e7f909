"""PIRATE: where the pirate may go, what it collects, and the moves by money and by cards."""

import pytest
from tests.drawings import Position, position

FREE = "4 players, {}R under way, free move due \n Canarias [R *]"
CITIES = {"Marseille", "Venezia", "Constantinople", "Valencia", "Napoli", "Athina", "Tanger", "Tunis", "Alexandria"}


def targets(here: Position, how: str) -> set[str]:
    """The cities to which the pirate may be moved."""
    return {text.split()[2] for text in here.legal(f"pirate {how}")}


# ------------------------------------------------------------------------------------------------ harbours and targets


@pytest.mark.parametrize(
    ("harbour", "arrives"), [("[* .]", "Tunis 2"), ("[. *]", "Tunis 1"), ("[* Y]", ""), ("[Y *]", "")]
)
def test_the_pirates_space_is_closed(harbour: str, arrives: str) -> None:
    """[PIRATE-01, G-48] A ship takes the other space; with a ship there too, nobody can anchor."""
    before = position(f"4 players, R to move \n R hand Tunis/1 \n Tunis {harbour} \n Canarias")
    assert before.offers("sail Tunis/1") == bool(arrives)
    if arrives:
        assert before.play("sail Tunis/1").ship("R") == arrives


def test_a_target_has_a_free_space() -> None:
    """[PIRATE-02, PIRATE-04, PIRATE-09, G-44] Any such city at any distance, built in or not, but its own."""
    free = position(f"{FREE.format('')} \n Tunis [Y .] \n Athina [G B] \n Lisboa")
    assert targets(free, "free") == CITIES - {"Athina"} | {"Lisboa"}
    assert targets(position("4 players, R to move \n Canarias [R *] \n Athina [G B]"), "money") == CITIES - {"Athina"}
    elsewhere = position("4 players, R under way, free move due \n Canarias [R .] \n Tunis [* .]")
    assert targets(elsewhere, "free") == CITIES - {"Tunis"} | {"Canarias"}
    assert targets(elsewhere, "money") == CITIES - {"Tunis"} | {"Canarias"}


def test_a_city_without_buildings_is_a_target() -> None:
    """[G-44] Nothing is collected there."""
    after = position(FREE.format("")).play("pirate free Alexandria 1")
    assert [after.cash(letter) for letter in "RYGB"] == [20, 20, 20, 20]


def test_free_space_or_that_of_a_ship() -> None:
    """[PIRATE-03, G-48, G-53] The mover chooses; the action names where the ship goes, though there is one space."""
    before = position(f"{FREE.format('')} \n Tunis [Y .] \n Napoli [. G] \n Athina")
    assert before.legal("pirate free Tunis") == ["pirate free Tunis 1>2", "pirate free Tunis 2"]
    assert before.legal("pirate free Napoli") == ["pirate free Napoli 1", "pirate free Napoli 2>1"]
    assert before.legal("pirate free Athina") == ["pirate free Athina 1", "pirate free Athina 2"]
    assert before.play("pirate free Tunis 1>2").city("Tunis") == "Tunis [* Y] . . . . . . . . . . . ."
    assert before.play("pirate free Napoli 2>1").city("Napoli") == "Napoli [G *] . . . . . . . . . . . ."


def test_all_three_spaces_of_porto_are_for_the_pirate() -> None:
    """[PIRATE-03, G-42, G-53] A ship on the third goes to the second; by the free move and for money alike."""
    free = position(f"{FREE.format('')} \n Porto [. . Y]")
    paying = position("4 players, R to move \n Tunis [R .] \n Porto [. . Y] \n Canarias")
    for how, here in (("free", free), ("money", paying)):
        assert here.legal(f"pirate {how} Porto") == [f"pirate {how} Porto {berth}" for berth in ("1", "2", "3>2")]


def test_the_movers_own_ship_may_be_shifted() -> None:
    """[G-48] Red brings the pirate back to Islas Canarias and is moved to the second space, with its price."""
    before = position("4 players, R under way, free move due \n Canarias [R .] \n Tunis [* .]")
    after = before.play("pirate free Canarias 1>2")
    assert after.city("Canarias") == "Canarias [* R] . . . . . . . . . . . ."
    assert after.play("build 1").cash("R") == 20 - 4


def test_the_first_space_of_marseille_is_a_target_like_any_other() -> None:
    """[CANA-02, PIRATE-08, D-11, D-12] By the free move, for money, and by the card of Marseille."""
    free = position(FREE.format("")).play("pirate free Marseille 1")
    paying = position("4 players, R to move \n R hand Marseille/3 \n Tunis [R .] \n Canarias")
    for after in (free, paying.play("pirate money Marseille 1"), paying.play("pirate cards Marseille/3: 1")):
        assert after.city("Marseille") == "Marseille [* .] . . . . . . . . . . . ."
        assert after.seat == "R"


# ----------------------------------------------------------------------------------------------------------- the charge


@pytest.mark.parametrize("phase", [1, 2, 3])
def test_the_charge_by_phase(phase: int) -> None:
    """[PIRATE-05, G-47] Each building costs its owner as many florins as the phase; the mover pays nothing."""
    after = position(f"{FREE.format(f'phase {phase}, ')} \n Tunis R Y G Y forts(G R)").play("pirate free Tunis 1")
    assert [after.cash(letter) for letter in "RYGB"] == [20 + 4 * phase, 20 - 2 * phase, 20 - 2 * phase, 20]


def test_closed_houses_count_and_removed_ones_do_not() -> None:
    """[G-47] Two of Yellow's three houses in Tunis are closed; that in Porto which was lost costs nothing."""
    tunis = position(f"{FREE.format('phase 2, ')} \n Tunis . . Y G shut(Y Y)").play("pirate free Tunis 1")
    assert [tunis.cash(letter) for letter in "RYG"] == [20 + 8, 20 - 6, 20 - 2]
    porto = position(f"{FREE.format('phase 2, ')} \n Y 1 lost \n Porto . Y G B G B G").play("pirate free Porto 1")
    assert [porto.cash(letter) for letter in "RYGB"] == [20 + 12, 20 - 2, 20 - 6, 20 - 4]


def test_who_has_too_little_pays_all_she_has() -> None:
    """[PIRATE-06, G-47] Each owner by herself; who has nothing or is in debt pays nothing."""
    after = position(f"""
        {FREE.format("phase 3, ")}
        Y 4 florins
        G 0 florins
        B -2 florins
        Tunis Y G Y B
    """).play("pirate free Tunis 1")
    assert [after.cash(letter) for letter in "RYGB"] == [20 + 4, 0, 0, -2]
    last = position(f"{FREE.format('phase 3, ')} \n Y 1 florin \n Tunis Y").play("pirate free Tunis 1")
    assert (last.cash("R"), last.cash("Y")) == (20 + 1, 0)


def test_the_charge_is_collected_once_and_for_a_free_move_only() -> None:
    """[PIRATE-07, PIRATE-05] The paid move to another city brings nothing, nor does the pirate by staying."""
    moved = position(f"{FREE.format('')} \n Tunis Y \n Napoli Y").play("pirate free Tunis 1")
    assert (moved.cash("R"), moved.cash("Y")) == (21, 19)
    paid = moved.play("pirate money Napoli 1")
    assert (paid.cash("R"), paid.cash("Y")) == (21 - 2, 19)
    next_turn = moved.play("build 1", "end")
    assert (next_turn.seat, next_turn.cash("Y")) == ("Y", 19)


def test_houses_placed_before_the_move_are_there() -> None:
    """[G-47] Red's house shuts Yellow's front in Islas Canarias; moved there, the pirate finds it on the picture."""
    drawing = "4 players, R under way, free move due \n Canarias [R .] Y G Y G Y G \n Tunis [* .]"
    after = position(drawing).play("build 7", "pirate free Canarias 2")
    assert after.city("Canarias").endswith("shut(Y)")
    assert [after.cash(letter) for letter in "RYG"] == [20 - 3 + 6, 20 - 3, 20 - 3]


# ------------------------------------------------------------------------------------------------------- the paid move


@pytest.mark.parametrize(("city", "steps"), [("Tanger", 1), ("Lisboa", 1), ("Porto", 2), ("Napoli", 3), ("Athina", 4)])
def test_two_florins_a_step(city: str, steps: int) -> None:
    """[PIRATE-08, G-45, G-59] By grid distance, over full cities as well, wherever the player is; no charge."""
    before = position(
        "4 players, R to move \n Venezia [R .] \n Canarias \n Porto Y \n Lisboa Y \n Tanger [Y .] \n Tunis [G B]"
    )
    after = before.play(f"pirate money {city} 2")
    assert (after.cash("R"), after.cash("Y")) == (20 - 2 * steps, 20)


def test_once_in_a_turn_beside_the_free_move() -> None:
    """[PIRATE-08, G-45, D-12] After a paid move there is no second, but the free one is still due, and vice versa."""
    before = position(f"{FREE.format('')} \n R hand Athina/2")
    paid = before.play("pirate money Tunis 1")
    assert paid.legal("pirate money") == paid.legal("pirate by") == []
    assert paid.play("pirate free Napoli 1").legal("pirate") == []
    free = before.play("pirate free Napoli 1")
    assert free.play("pirate cards Athina/2: 1").legal("pirate") == []
    next_turn = paid.play("pirate free Napoli 1", "build 1", "end", "loan 10", "loan 10", "loan 10")
    assert next_turn.seat == "R" and next_turn.offers("pirate money Tunis 1")


def test_at_any_moment_of_a_turn_that_builds() -> None:
    """[PIRATE-08, G-45, D-12] Before the first leg, between legs, before and after building; from the bank, too."""
    here = position("4 players, R to move \n R hand Tunis/1, Napoli-Tunis \n Bank [R] \n Canarias")
    moments = [here, here.play("sail Tunis/1"), here.play("sail Tunis/1", "sail Napoli-Tunis > Napoli")]
    moments.append(moments[-1].play("build 1"))
    assert all(moment.offers("pirate money Tanger 1") for moment in moments)
    assert not moments[-1].play("end").offers("pirate free Tanger 1")


def test_after_the_main_action_nothing_need_be_left() -> None:
    """[PIRATE-08, G-45, G-52] The last card and the last money may go into moving the pirate."""
    done = position("4 players, R done \n R 2 florins; hand Tunis/1 \n Athina [R .] R \n Canarias")
    assert targets(done, "money") == {"Tanger"}
    by_card = done.play("pirate by Tunis/1")
    assert by_card.legal() == ["pirate land 1", "pirate land 2"]
    assert by_card.play("pirate land 2").legal() == ["end"]


def test_not_in_a_loan_turn() -> None:
    """[G-45] Where only a loan is possible the pirate stays; once it has moved there is no loan."""
    assert position("4 players, R to move \n Bank [R] \n Canarias").legal() == ["loan 10", "loan 16"]
    moved = position("4 players, R to move \n Tunis [R .] \n Canarias").play("pirate money Tanger 1")
    assert moved.legal() == ["build 1", "build 2", "fortress"]


OPTION = "4 players, R to move, with pirate_before_loan"


def test_the_option_allows_it_before_a_loan() -> None:
    """[G-45, TURN-08] Where only a loan is possible the pirate may go first; then the loan is all that is left."""
    before = position(f"{OPTION} \n R 3 florins \n Bank [R] \n Canarias")
    assert before.legal("pirate") == ["pirate money Tanger 1", "pirate money Tanger 2"]
    moved = before.play("pirate money Tanger 1")
    assert moved.legal() == ["loan 10", "loan 16"]
    assert moved.headline() == "4 players, phase 1, round 2, R to move, pirate used, with pirate_before_loan"
    borrowed = moved.play("loan 16")
    assert (borrowed.seat, borrowed.cash("R"), borrowed.ship("R")) == ("Y", 3 - 2 + 16, "Bank")
    assert borrowed.offers("pirate money Napoli 1")


def test_the_option_allows_cards_before_a_loan() -> None:
    """[G-45, G-52] The last card moves the pirate on; while it is at sea nothing else is possible."""
    before = position(f"{OPTION} \n R hand Tunis/1, Napoli-Tunis \n Bank [R] \n Canarias")
    at_sea = before.play("pirate by Tunis/1")
    assert at_sea.legal() == ["pirate by Napoli-Tunis > Napoli", "pirate land 1", "pirate land 2"]
    assert "pirate at Tunis" in at_sea.headline() and position(at_sea.drawing()).drawing() == at_sea.drawing()
    landed = at_sea.play("pirate land 2")
    assert landed.legal() == ["loan 10", "loan 16"]
    assert landed.play("loan 10").hand("R") == {"Napoli-Tunis"}


def test_with_the_option_building_stays_open() -> None:
    """[G-45, TURN-03] After the move the turn may end in a build as well; a loan follows neither a leg nor a build."""
    moved = position(f"{OPTION} \n R hand Napoli-Tunis \n Tunis [R .] \n Canarias").play("pirate money Tanger 1")
    assert moved.legal() == ["sail Napoli-Tunis > Napoli", "build 1", "build 2", "fortress", "loan 10", "loan 16"]
    assert moved.play("sail Napoli-Tunis > Napoli").legal("loan") == moved.play("build 1").legal("loan") == []


def test_the_option_is_not_one_to_buy_before_a_loan() -> None:
    """[G-45, BUY-06] A purchase, before or after, still makes the turn one that builds; with both options neither."""
    drawing = "4 players, R to move{} \n Tunis [R .] \n Canarias \n Display: Athina/2"
    alone = position(drawing.format(", with pirate_before_loan"))
    assert alone.play("buy Athina/2", "pirate money Tanger 1").legal("loan") == []
    assert alone.play("pirate money Tanger 1", "buy Athina/2").legal("loan") == []
    both = position(drawing.format(", with buy_before_loan, with pirate_before_loan"))
    assert both.play("buy Athina/2", "pirate money Tanger 1").offers("loan 10")
    assert both.play("pirate money Tanger 1", "buy Athina/2").offers("loan 10")
    other = position(drawing.format(", with buy_before_loan"))
    assert other.play("buy Athina/2", "pirate money Tanger 1").legal("loan") == []


def test_without_a_loan_the_option_changes_nothing() -> None:
    """[G-45, G-09, G-57] With empty piles and in the first round a build must stay within reach."""
    before = position(f"{OPTION} \n R 3 florins; owes 9x10 6x16 \n Y owes 9x10 6x16 \n Bank [R] \n Canarias")
    assert before.legal() == ["pass"]
    first = "4 players, round 1, R to move, with pirate_before_loan \n R 7 florins \n Canarias \n Display: Tunis/1"
    assert targets(position(first), "money") == set()


def test_a_build_must_remain_within_reach() -> None:
    """[G-45, D-12] 4 florins: one step is possible, if it leaves Red the space for 2; after building all is free."""
    before = position("4 players, R to move \n R 4 florins \n Tunis [R .] \n Napoli [* .] \n Canarias")
    assert targets(before, "money") == {"Valencia", "Venezia", "Athina", "Tunis"}
    assert before.legal("pirate money Tunis") == ["pirate money Tunis 2"]
    built = before.play("build 1")
    assert built.cash("R") == 2
    assert built.legal("pirate money Tunis") == ["pirate money Tunis 1>2", "pirate money Tunis 2"]


def test_the_last_free_space_of_the_only_way_out_is_left_alone() -> None:
    """[G-45, D-12] Red's card leads to Tunis, where Yellow has the other space; every other city is open."""
    before = position("4 players, R to move \n R hand Tunis/1 \n Bank [R] \n Tunis [Y .] \n Canarias")
    assert targets(before, "money") == CITIES - {"Tunis"}


def test_clearing_a_harbour_for_oneself() -> None:
    """[G-45, G-48] Yellow and the pirate fill Tunis; Red, at the bank, sends the pirate away and sails there."""
    before = position("4 players, R to move \n R hand Tunis/1 \n Bank [R] \n Tunis [Y *] \n Canarias")
    assert before.legal("sail") == []
    assert before.play("pirate money Napoli 1", "sail Tunis/1").ship("R") == "Tunis 2"


def test_money_or_cards_but_not_both() -> None:
    """[G-45] A voyage by cards that is under way goes on by cards."""
    sailing = position("4 players, R to move \n R hand Tunis/1, Tunis-Napoli \n Athina [R .] \n Canarias")
    on_the_way = sailing.play("pirate by Tunis/1")
    assert on_the_way.legal() == ["pirate by Napoli-Tunis > Napoli", "pirate land 1", "pirate land 2"]
    assert on_the_way.play("pirate land 1").legal("pirate") == []


@pytest.mark.parametrize(
    ("pirate", "card", "allowed", "refused"),
    [
        ("Athina", "Tunis/1", ["Tunis/1: 1"], []),
        ("Athina", "Tunis/1", ["Tunis/1 ~ Napoli: 1", "Tunis/1 ~ Alexandria: 2"], ["Tunis/1 ~ Valencia: 1"]),
        ("Athina", "Athina/2", ["Athina/2 ~ Valencia: 1"], ["Athina/2: 1", "Athina/2 ~ Athina: 1"]),
        ("Athina", "Athina-Tunis", ["Athina-Tunis > Tunis: 1"], ["Athina-Tunis > Athina: 1"]),
        ("Athina", "Napoli-Tunis", [], ["Napoli-Tunis > Tunis: 1", "Napoli-Tunis > Napoli: 1"]),
    ],
)
def test_cards_work_from_the_pirates_city(pirate: str, card: str, allowed: list[str], refused: list[str]) -> None:
    """[PIRATE-10, G-45, G-52] As if it were the ship: destination, sea route by its seals, fitting interconnection."""
    before = position(f"4 players, R to move \n R hand {card} \n Marseille [R .] \n {pirate} [* .] \n Canarias")
    for voyage in allowed:
        assert before.offers(f"pirate cards {voyage}")
    for voyage in refused:
        assert not before.offers(f"pirate cards {voyage}")


def test_cards_are_discarded_and_nothing_is_collected() -> None:
    """[PIRATE-08, G-45, D-12] Two cards, no money; the ship stays where it is."""
    before = position("4 players, R to move \n R hand Tunis/1, Napoli-Tunis \n Athina [R .] \n Canarias \n Napoli Y")
    after = before.play("pirate cards Tunis/1, Napoli-Tunis > Napoli: 1")
    assert after.city("Napoli") == "Napoli [* .] Y . . . . . . . . . . ."
    assert (after.hand("R"), after.discards()) == (set(), {"Tunis/1", "Napoli-Tunis"})
    assert (after.cash("R"), after.cash("Y"), after.ship("R")) == (20, 20, "Athina 1")


def test_a_voyage_by_cards_may_pass_what_it_cannot_end_in() -> None:
    """[G-52, PIRATE-09] Full cities and its own are passed; the last card must lead to a legal target."""
    full = "4 players, R to move \n R hand {} \n Athina [R .] \n Tunis [Y G] \n Canarias"
    assert not position(full.format("Tunis/3")).offers("pirate by Tunis/3")
    passing = position(full.format("Tunis/3, Napoli-Tunis")).play("pirate by Tunis/3")
    assert passing.legal() == ["pirate by Napoli-Tunis > Napoli"]

    home = "4 players, R to move \n R hand {} \n Athina [R .] \n Tunis [* .] \n Canarias"
    there_and_back = position(home.format("Napoli-Tunis, Napoli/1, Tunis/1")).play("pirate by Napoli-Tunis > Napoli")
    back = there_and_back.play("pirate by Tunis/1")
    assert back.legal("pirate land") == []
    assert back.offers("pirate by Napoli/1")
    assert back.play("pirate by Napoli/1", "pirate land 2").city("Napoli").startswith("Napoli [. *]")


def test_a_voyage_by_cards_that_can_end_nowhere_is_not_begun() -> None:
    """[G-52] Tunis is full, and the other card does not lead on from there, though every other city has room."""
    drawing = "4 players, R to move \n R hand Tunis/1, {} \n Athina [R .] \n Tunis [Y G] \n Canarias"
    assert not position(drawing.format("Napoli-Athina")).offers("pirate by Tunis/1")
    assert position(drawing.format("Napoli-Tunis")).offers("pirate by Tunis/1")


def test_of_two_ways_for_the_pirate_the_one_that_keeps_the_right_card_counts() -> None:
    """[G-48, G-52] Red builds only if the pirate pushes her to the free space of Lisboa: 0 florins instead of 1.

    The pirate can go from Alexandria to Valencia with either card; only the sea route leads from there to Lisboa.
    """
    before = position("""
        4 players, R to move
        R 0 florins; hand Marseille/3, Valencia-Alexandria, Athina-Alexandria
        Lisboa   [. R]
        Athina   [* .]
        Canarias
    """)
    first = before.play("pirate by Athina-Alexandria > Alexandria")
    assert first.legal() == ["pirate by Valencia-Alexandria > Valencia"]
    landed = first.play("pirate by Valencia-Alexandria > Valencia", "pirate by Marseille/3 ~ Lisboa", "pirate land 2>1")
    assert landed.legal("build") == ["build 1", "build 2"]


def test_cards_for_the_pirate_must_be_in_hand() -> None:
    """[G-52] A displayed card has to be bought first."""
    before = position("4 players, R to move \n Athina [R .] \n Canarias \n Display: Tunis/1")
    assert not before.offers("pirate cards Tunis/1: 1")
    assert before.play("buy Tunis/1").offers("pirate cards Tunis/1: 1")


def test_after_the_cards_a_build_must_remain_within_reach() -> None:
    """[G-52, D-12] At the bank Red needs one destination card for herself: with two, one may move the pirate."""
    one = position("4 players, R to move \n R hand Tunis/1 \n Bank [R] \n Canarias")
    assert one.legal("pirate by") == []
    two = position("4 players, R to move \n R hand Tunis/1, Tanger/1 \n Bank [R] \n Canarias")
    assert two.play("pirate cards Tanger/1: 1").legal("sail") == ["sail Tunis/1"]


# ------------------------------------------------------------------------------------------ transit and the first round


def test_a_ship_in_transit_anchors_where_its_player_sends_the_pirate_away() -> None:
    """[G-49] Red passes through Tunis; the pirate leaves the second space to Red, and Red may build there."""
    before = position("4 players, R to move \n R hand Tunis/1, Tunis-Napoli \n Tunis [Y *] \n Canarias")
    passing = before.play("sail Tunis/1")
    assert passing.city("Tunis") == "Tunis [Y *] . . . . . . . . . . . . <R"
    assert passing.legal("build") == []
    anchored = passing.play("pirate money Tanger 1")
    assert anchored.city("Tunis") == "Tunis [Y R] . . . . . . . . . . . ."
    assert anchored.play("build 1").cash("R") == 20 - 2 - 3


def test_anchoring_so_at_islas_canarias_is_an_arrival() -> None:
    """[G-49] The free move becomes due, in addition to the paid one."""
    before = position("4 players, R to move \n R hand Tunis/1, Tanger/1, Venezia/1 \n Tanger [R .] \n Canarias [Y *]")
    anchored = before.play("sail Venezia/1 ~ Canarias", "pirate money Valencia 1")
    assert anchored.ship("R") == "Canarias 2"
    assert anchored.offers("pirate free Napoli 1")
    assert not anchored.play("build 1").offers("end")


def test_a_ship_in_transit_stays_so_when_the_pirate_was_elsewhere() -> None:
    """[G-49] Two ships fill Tunis: the pirate's leaving Islas Canarias opens nothing there."""
    before = position("4 players, R to move \n R hand Tunis/1, Tunis-Napoli \n Tunis [Y G] \n Canarias")
    assert before.play("sail Tunis/1", "pirate money Tanger 1").ship("R") == "Tunis"


def test_a_paid_move_before_the_first_purchase() -> None:
    """[G-57] Allowed in the first round if a build remains reachable: card 4 and house 2 leave 2 of 8 florins."""
    drawing = "4 players, round 1, R to move \n R {} florins \n Canarias \n Display: Tunis/1"
    assert targets(position(drawing.format(8)), "money") == {"Tanger"}
    assert targets(position(drawing.format(7)), "money") == set()
    moved = position(drawing.format(8)).play("pirate money Tanger 1", "buy Tunis/1", "sail Tunis/1", "build 1")
    assert moved.cash("R") == 0


def test_cards_may_take_the_pirate_out_of_the_only_harbour_that_can_be_paid() -> None:
    """[PIRATE-10, G-06] With 2 florins Red can build in Tunis alone, once the pirate has left its first harbour."""
    before = position("""
        4 players, R to move
        R 2 florins; hand Napoli-Tunis, Tunis/1
        Athina [Y .]
        Tanger [G .]
        Tunis [* .]
        Canarias
    """)
    assert before.legal("sail") == []
    moved = before.play("pirate by Napoli-Tunis > Napoli", "pirate land 1")
    assert moved.play("sail Tunis/1", "build 1").cash("R") == 0
