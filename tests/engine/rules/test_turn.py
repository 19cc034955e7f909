"""TURN: what a turn consists of, in which order turns follow, and what happens where nothing is possible."""

import pytest
from tests.drawings import Position, position

from elcapitan.errors import IllegalAction
from elcapitan.game.game import Game

BANKRUPT = "R owes 9x10 6x16 \n Y owes 9x10 6x16"  # all loan cards are out


def entering(*texts: str) -> Game:
    """A first turn: Marseille/3, Napoli/1, Tunis/3 and Athina/2 can be bought."""
    game = Game.bare(3, first=0)
    game.deal((0, 8, 14, 10), (18, 20, 25, 30, 35, 40))
    for text in texts:
        game.play_text(text)
    return game


def rule_against(game: Game, text: str) -> str:
    """The rule that an action would break."""
    with pytest.raises(IllegalAction) as refused:
        game.play_text(text)
    return refused.value.rule


def last_turn(phase: int) -> Position:
    """The last turn of a phase: Red has built everything, Blue only borrows."""
    return position(f"4 players, phase {phase}, round 7, B to move \n R 0 houses, 0 fortresses")


def test_three_phases_each_with_a_payday() -> None:
    """[TURN-01] After the first and second payday another phase begins, after the third the game is over."""
    for phase in (1, 2):
        following = last_turn(phase).play("loan 10", "extend 10", "starter seat 1")
        assert following.headline() == f"4 players, phase {phase + 1}, round 1, R to move"
    over = last_turn(3).play("loan 10")
    assert over.stage == "over"
    assert over.legal() == []


def test_a_phase_has_several_rounds() -> None:
    """[TURN-01] A complete round without an empty stock is followed by another one."""
    after = position("4 players, round 7, B to move \n R 1 house, 0 fortresses").play("loan 10")
    assert after.headline() == "4 players, phase 1, round 8, R to move"


def test_turns_go_clockwise_from_the_starting_player() -> None:
    """[TURN-02, G-12] Green, Blue, Red, Yellow; then the next round begins with Green again."""
    here = position("4 players, G first")
    turns = []
    for _ in range(5):
        turns.append((here.seat, int(here.s.round_no)))
        here = here.play("loan 10")
    assert turns == [("G", 2), ("B", 2), ("R", 2), ("Y", 2), ("G", 3)]


def test_a_turn_may_sail_and_must_build() -> None:
    """[TURN-03] First the voyage, then one of the main actions; without it the turn cannot end."""
    before = position("4 players, R to move \n R hand Tunis/1 \n Tunis . G Y G Y G Y shut(R)")
    assert before.legal() == ["sail Tunis/1", "loan 10", "loan 16"]
    there = before.play("sail Tunis/1")
    assert there.legal() == ["build 8", "reopen 8", "fortress"]
    for action in there.legal():
        assert there.play(action).legal() == ["end"]


@pytest.mark.parametrize("action", ["build 8", "reopen 8", "fortress"])
def test_one_main_action_a_turn(action: str) -> None:
    """[TURN-04] After a warehouse, built or re-opened, or a fortress there is no second one."""
    drawing = "4 players, R to move \n R 6 houses, 2 fortresses \n Tunis [R .] . G Y G Y G Y shut(R R)"
    after = position(drawing.replace("to move", "to move, phase 2")).play(action)
    assert after.legal() == ["end"]


def test_one_loan_a_turn() -> None:
    """[TURN-04, TURN-08] It is the next player's turn at once."""
    assert position("4 players, R to move").play("loan 10").headline() == "4 players, phase 1, round 2, Y to move"


def test_buying_before_and_after_building() -> None:
    """[TURN-05] Both in the same turn."""
    bought = position("4 players, R to move \n Tunis [R .] \n Display: Tanger/1, Napoli-Tunis").play("buy Tanger/1")
    after = bought.play("build 1", "buy Napoli-Tunis", "end")
    assert after.hand("R") == {"Tanger/1", "Napoli-Tunis"}


def test_no_sailing_after_building() -> None:
    """[TURN-06] The cards that would have led on before do not any more."""
    before = position("4 players, R to move \n R hand Tanger/1, Napoli-Tunis \n Tunis [R .]")
    assert len(before.legal("sail")) > 2
    assert before.play("build 1").legal("sail") == []
    assert before.play("fortress").legal("sail") == []


def test_who_cannot_build_borrows() -> None:
    """[TURN-07] Three in a row and no fortress: nothing but a loan, and the ship is at the bank then."""
    before = position("4 players, R to move \n R 3 houses, 0 fortresses \n Marseille [R .] R R R \n Tunis forts(R .)")
    assert before.legal() == ["loan 10", "loan 16"]
    assert before.play("loan 10").ship("R") == "Bank"


def test_who_does_not_want_to_build_borrows() -> None:
    """[TURN-07] The loan stands beside the build."""
    before = position("4 players, R to move \n Marseille [R .] R")
    assert before.legal() == ["build 2", "fortress", "loan 10", "loan 16"]
    assert before.play("loan 16").ship("R") == "Bank"


@pytest.mark.parametrize("first", ["buy Athina/2", "sail Tanger/1", "build 1", "pirate money Tanger 1"])
def test_a_loan_stands_alone(first: str) -> None:
    """[TURN-08, D-08] Whoever has done anything else in this turn cannot borrow."""
    before = position("4 players, R to move \n R hand Tanger/1 \n Tunis [R .] \n Canarias \n Display: Athina/2")
    assert before.legal("loan") == ["loan 10", "loan 16"]
    assert before.play(first).legal("loan") == []


def test_the_option_lets_a_loan_follow_purchases() -> None:
    """[TURN-08, D-08] With it the loan is open after buying, but not after sailing."""
    before = position("4 players, R to move, with buy_before_loan \n R hand Tanger/1 \n Display: Athina/2")
    assert before.play("buy Athina/2").legal("loan") == ["loan 10", "loan 16"]
    assert before.play("buy Athina/2", "sail Tanger/1").legal("loan") == []


@pytest.mark.parametrize("options", ["", ", with buy_before_loan, with pirate_before_loan"])
def test_no_card_is_played_in_a_turn_with_a_loan(options: str) -> None:
    """[G-62, TURN-08] The way to the bank is part of the loan; after a leg there is none, by no table option."""
    before = position(f"4 players, R to move{options} \n R hand Tanger/1, Tanger-Tunis \n Tunis [R .] \n Canarias")
    borrowed = before.play("loan 10")
    assert (borrowed.ship("R"), borrowed.hand("R")) == ("Bank", {"Tanger/1", "Tanger-Tunis"})
    sailed = before.play("sail Tanger-Tunis > Tanger")
    assert sailed.legal("loan") == [] and sailed.play("pirate money Tunis 1").legal("loan") == []


def test_no_pass_where_something_is_possible() -> None:
    """[TURN-09, D-09] Neither beside a loan nor, with no loan card left, beside a build or a voyage to one."""
    assert not position("4 players, R to move").offers("pass")
    assert position(f"4 players, R to move \n {BANKRUPT} \n Tunis [R .] R").legal() == ["build 2", "fortress"]
    sailing = position(f"4 players, R to move \n {BANKRUPT} \n R hand Tunis/1")
    assert sailing.legal() == ["sail Tunis/1"]
    assert sailing.play("sail Tunis/1").legal("pass") == []


def test_stay_or_sail_or_go_to_the_bank() -> None:
    """[TURN-10] Build again where the ship is, elsewhere, or take a loan."""
    before = position("4 players, R to move \n R hand Tanger/1 \n Tunis [R .] R")
    assert before.play("build 2").city("Tunis") == "Tunis [R .] R R . . . . . . . . . ."
    assert before.play("sail Tanger/1", "build 1").city("Tanger") == "Tanger [R .] R . . . . . . . . . . ."
    assert before.play("loan 10").ship("R") == "Bank"


def test_the_first_turn_buys_sails_and_builds() -> None:
    """[TURN-11, D-08] In the first round one thing follows another; there are no loans."""
    before = position("4 players, round 1, R to move \n Display: Tunis/1")
    assert before.legal() == ["buy Tunis/1"]
    assert before.play("buy Tunis/1").legal() == ["sail Tunis/1"]
    there = before.play("buy Tunis/1", "sail Tunis/1")
    assert there.legal() == ["build 1", "build 2", "fortress"]
    assert there.play("build 2", "end").headline() == "4 players, phase 1, round 1, Y to move"


def test_loans_are_barred_only_in_the_first_round_of_the_game() -> None:
    """[TURN-11, D-08] Not in the first round of a later phase."""
    assert position("4 players, phase 2, round 1, R to move").legal() == ["loan 10", "loan 16"]


@pytest.mark.parametrize("place", ["Bank [R]", "Away [R]", "Napoli [Y G] <R"])
def test_building_needs_the_ship_in_a_harbour(place: str) -> None:
    """[TURN-12] At the bank, off the board and in a full city nothing can be built, re-opened or fortified."""
    drawing = f"4 players, R under way \n R hand Tunis/1, Tanger/1 \n {place}"
    if "Napoli" not in place:
        drawing += " \n Napoli"
    before = position(f"{drawing} . Y G B Y G B shut(R)")
    for verb in ("build", "reopen", "fortress"):
        assert before.legal(verb) == []
    there = before.play("sail Tunis/1")
    assert [there.legal(verb) for verb in ("build", "fortress")] == [["build 1", "build 2"], ["fortress"]]


def test_an_ended_turn_passes_to_the_next_player() -> None:
    """[D-10, TURN-03] After the main action, and not before; a free pirate move that is due comes first."""
    before = position("4 players, R to move \n Tunis [R .]")
    assert not before.offers("end")
    assert before.play("build 1", "end").seat == "Y"

    due = position("4 players, R under way, free move due \n Canarias [R *]").play("build 1")
    assert not due.offers("end")
    assert due.play("pirate free Tunis 1", "end").seat == "Y"


def test_refusals_name_the_rule() -> None:
    """[TURN-03, TURN-04, TURN-06, TURN-09, TURN-11, TURN-12] What breaks a rule of the turn is refused by its name."""
    new = entering()
    assert rule_against(new, "loan 10") == "LOAN-06"
    assert rule_against(new, "pass") == "TURN-09"
    assert rule_against(new, "build 1") == "TURN-12"
    under_way = entering("buy Marseille/3", "buy Athina/2", "sail Marseille/3")
    assert rule_against(under_way, "end") == "TURN-03"
    done = entering("buy Marseille/3", "buy Athina/2", "sail Marseille/3", "build 2")
    assert rule_against(done, "fortress") == "TURN-04"
    assert rule_against(done, "sail Athina/2") == "TURN-06"


def test_nobody_spends_herself_into_a_dead_end_in_the_first_round() -> None:
    """[G-07] After three cards for 6 the last 2 florins must go into a house; a card for 1 is not for sale."""
    before = position("""
        4 players, round 1, R to move
        Display: Marseille/3, Constantinople/3, Napoli/3, Napoli-Tunis
    """).play("buy Marseille/3", "buy Constantinople/3")
    assert before.offers("buy Napoli-Tunis")
    assert before.play("buy Napoli/3").legal("buy") == []


def test_who_cannot_enter_in_the_first_round_skips() -> None:
    """[G-07, D-09] The only destination is full: nothing is bought and the ship stays off the board."""
    before = position("5 players, round 1, G to move \n Marseille [R Y] R Y \n Display: Marseille/3, Napoli-Tunis")
    assert before.legal() == ["pass"]
    after = before.play("pass")
    assert (after.seat, after.ship("G"), after.cash("G"), after.hand("G")) == ("B", "Away", 20, set())
    assert "pass" not in after.headline()


def test_who_can_sail_on_from_a_full_city_does_not_skip() -> None:
    """[G-07] A second card makes the full city passable."""
    before = position("5 players, round 1, G to move \n Marseille [R Y] R Y \n Display: Marseille/3, Tunis/1")
    assert before.legal() == ["buy Marseille/3", "buy Tunis/1"]


def test_who_can_enter_only_by_two_cards_does_not_skip() -> None:
    """[G-06, G-07] The one destination is full, and an interconnection leads on from there."""
    before = position("5 players, round 1, G to move \n Marseille [R Y] R Y \n Display: Marseille/3, Marseille-Tunis")
    assert before.legal() == ["buy Marseille/3", "buy Marseille-Tunis"]


def test_a_late_comer_enters_or_goes_to_the_bank() -> None:
    """[G-07] From the second round on, from off the board."""
    before = position("4 players, R to move \n Away [R] \n Display: Tunis/1")
    assert before.legal() == ["buy Tunis/1", "loan 10", "loan 16"]
    assert before.play("loan 10").ship("R") == "Bank"
    assert before.play("buy Tunis/1", "sail Tunis/1").ship("R") == "Tunis 1"


@pytest.mark.parametrize(("florins", "buys"), [(5, []), (6, ["buy Tunis/1"])])
def test_at_the_bank_without_a_usable_card_another_loan_is_taken(florins: int, buys: list[str]) -> None:
    """[G-08] The card costs 4 and a house there 2; who has less stays and borrows."""
    before = position(f"4 players, R to move \n R {florins} florins \n Bank [R] \n Display: Tunis/1, Napoli-Tunis")
    assert before.legal() == [*buys, "loan 10", "loan 16"]
    assert before.play("loan 10").ship("R") == "Bank"


def test_at_the_bank_cards_in_hand_count() -> None:
    """[G-08] With a destination card in hand 2 florins are enough to leave."""
    before = position("4 players, R to move \n R 2 florins; hand Tunis/1 \n Bank [R]")
    assert before.legal() == ["sail Tunis/1", "loan 10", "loan 16"]


def test_an_empty_pile_lends_nothing() -> None:
    """[G-09, D-08] Then the other amount must do."""
    assert position("4 players, R to move \n R owes 18x10").legal() == ["loan 16"]
    assert position("4 players, R to move \n R owes 12x16").legal() == ["loan 10"]


def test_without_loans_and_builds_one_passes() -> None:
    """[G-09, D-09] Nothing may be bought, and the ship goes to the bank."""
    before = position(f"4 players, R to move \n {BANKRUPT} \n R 1 florin \n Tunis [R .] Y \n Display: Napoli-Tunis")
    assert before.legal() == ["pass"]
    after = before.play("pass")
    assert (after.ship("R"), after.seat, after.cash("R")) == ("Bank", "Y", 1)


@pytest.mark.parametrize(
    ("red", "elsewhere", "legal"),
    [
        ("2 florins", "", ["build 2"]),
        ("1 florin", "", ["pass"]),
        ("0 florins", "Napoli . Y G B Y G B shut(R) \n Display: Napoli-Tunis", ["pass"]),
        ("0 florins", "Napoli . Y G B Y G B shut(R) \n Display: Napoli/1", ["pass"]),
        ("1 florin", "Napoli . Y G B Y G B shut(R) \n Display: Napoli-Tunis", ["buy Napoli-Tunis"]),
        ("4 florins", "Napoli . Y G B Y G B shut(R) \n Display: Napoli/1", ["buy Napoli/1", "build 2"]),
    ],
)
def test_what_can_just_be_paid_is_no_reason_to_pass(red: str, elsewhere: str, legal: list[str]) -> None:
    """[TURN-09, G-06, G-09] A house here for 2 florins, or a card that leads to a closed house of one's own."""
    drawing = f"4 players, phase 2, R to move \n {BANKRUPT} \n R {red}, 0 fortresses \n Tunis [R .] Y \n {elsewhere}"
    assert position(drawing).legal() == legal


def test_without_any_card_one_cannot_leave_the_bank() -> None:
    """[G-08, G-09] Nothing is on display or in hand: money alone is of no use."""
    before = position(f"4 players, R to move \n {BANKRUPT} \n R 40 florins \n Bank [R]")
    assert before.legal() == ["pass"]


@pytest.mark.parametrize(("more", "legal"), [("", ["pass"]), (", Tunis/1", ["sail Tunis/1", "sail Marseille/3"])])
def test_a_destination_card_is_not_its_own_sea_route(more: str, legal: list[str]) -> None:
    """[CARD-07, G-06, G-09] To Marseille with its card, and on from there with another one; Marseille is too dear."""
    far_away = "Constantinople-Alexandria, Napoli-Alexandria, Constantinople-Napoli"
    before = position(
        f"4 players, R to move \n {BANKRUPT} \n R 2 florins; hand Marseille/3, {far_away}{more} \n Bank [R]"
    )
    assert sorted(before.legal()) == sorted(legal)


def test_loan_cards_paid_back_return_at_once() -> None:
    """[G-09] The pile of 10 was empty and has a card again."""
    settling = position("4 players, R settling \n R owes 18x10")
    assert "# lends 0x10 12x16" in settling.drawing()
    assert "# lends 1x10 12x16" in settling.play("repay 10").drawing()


@pytest.mark.parametrize(("phase", "stage"), [(1, "settling"), (2, "settling"), (3, "over")])
def test_a_round_of_passes_ends_the_phase(phase: int, stage: str) -> None:
    """[G-10] Everybody has passed, so there is a payday; in phase 3 the game is over."""
    drawing = f"2 players, phase {phase}, R to move \n {BANKRUPT} \n R 0 florins \n Y 0 florins \n Tunis R y"
    first = position(drawing).play("pass")
    assert (first.stage, first.cash("R")) == ("start", 0)
    assert first.play("pass").stage == stage


def test_one_build_in_the_round_keeps_the_phase_going() -> None:
    """[G-10] Red passes, Yellow builds; the next round begins."""
    before = position(f"2 players, R to move \n {BANKRUPT} \n R 0 florins \n Y 9 florins \n Tunis [Y .] R y")
    after = before.play("pass", "build 3", "end")
    assert after.headline() == "2 players, phase 1, round 3, R to move"


def test_between_phases_nothing_else_changes() -> None:
    """[G-12] Ships, hands, display, discards and pirate stay; only money, pieces and the starting player are new."""
    before = position("""
        4 players, round 8, B to move
        R 0 houses, 0 fortresses; hand Tunis/1
        Tunis [Y R] R G Y
        Napoli [. *]
        Canarias [G .] G
        Display: Athina/2, Tanger/1, Venezia/1, Napoli/1, Napoli-Tunis
        Discards: Marseille/3
        Bank [B]
    """)
    payday = before.play("loan 10")
    after = payday.play("repay 10", "starter seat 3")
    assert after.headline() == "4 players, phase 2, round 1, G to move, G first"
    for city in ("Tunis", "Napoli", "Canarias"):
        assert after.city(city) == before.city(city)
    assert (after.ship("B"), after.hand("R"), after.discards()) == ("Bank", {"Tunis/1"}, {"Marseille/3"})
    assert after.display() == payday.display() >= before.display()
    assert after.play("loan 10").seat == "B"


def test_the_turn_of_another_seat_comes_next_unless_a_payday_does() -> None:
    """[TURN-02, PHASE-02] As if the seats between did nothing; in a last round only up to the starting player."""
    running = Game.at_position(position("4 players, R to move").states)
    for seat in range(4):
        ahead = running.in_turn_of(seat)
        assert ahead is not None and (ahead.seat, ahead.round) == (seat, 3 if seat == 0 else 2)
    last = Game.at_position(position("4 players, round 7, G to move \n R 0 houses, 0 fortresses").states)
    assert last.in_turn_of(0) is None and last.in_turn_of(1) is None
    blue = last.in_turn_of(3)
    assert blue is not None and blue.seat == 3
