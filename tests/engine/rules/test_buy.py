"""BUY: buying sailing cards, and G-06: no purchase and no voyage may end in nothing."""

import pytest
from tests.drawings import position

from elcapitan.actions.text import from_text
from elcapitan.board.figures import packaged
from elcapitan.errors import BadText, IllegalAction
from elcapitan.game.game import Game

IN_TUNIS = "4 players, R to move \n Tunis [R .] Y \n"  # where a house costs 2 from the first space


def test_buying_is_optional() -> None:
    """[BUY-01] One may build and end the turn without it."""
    assert position(f"{IN_TUNIS} Display: Athina/2").play("build 2", "end").seat == "Y"


def test_buying_is_not_the_main_action() -> None:
    """[BUY-01] After a purchase the turn still needs its build, and may still have it."""
    bought = position(f"{IN_TUNIS} Display: Athina/2").play("buy Athina/2")
    assert not bought.offers("end")
    assert bought.offers("build 2")


def test_any_number_of_cards_for_their_prices() -> None:
    """[BUY-02] Three cards in one turn, for 5, 4 and 1 florins."""
    after = position(f"{IN_TUNIS} Display: Athina/2, Tanger/1, Napoli-Tunis").play(
        "buy Athina/2", "buy Tanger/1", "buy Napoli-Tunis"
    )
    assert after.hand("R") == {"Athina/2", "Tanger/1", "Napoli-Tunis"}
    assert after.cash("R") == 20 - 5 - 4 - 1


def test_cards_as_far_as_the_money_reaches() -> None:
    """[BUY-02] With 4 florins the card for 4 can be bought, the one for 5 cannot."""
    done = position("4 players, R done \n R 4 florins \n Tunis [R .] R \n Display: Athina/2, Tanger/1")
    assert done.legal("buy") == ["buy Tanger/1"]
    assert done.play("buy Tanger/1").cash("R") == 0


def test_a_card_may_be_used_at_once_or_kept() -> None:
    """[BUY-03] Used in the turn of its purchase, or in the next one."""
    bought = position(f"{IN_TUNIS} Display: Athina/2").play("buy Athina/2")
    assert bought.play("sail Athina/2").ship("R") == "Athina 1"
    later = bought.play("build 2", "end", "loan 10", "loan 10", "loan 10")
    assert later.hand("R") == {"Athina/2"}
    assert later.play("sail Athina/2").ship("R") == "Athina 1"


def test_a_hand_has_no_limit() -> None:
    """[BUY-03] The whole display can be bought, on top of what one has."""
    cards = "Athina/2, Tanger/1, Tunis/1, Napoli/1, Napoli-Tunis, Venezia-Tanger, Tanger-Tunis, Venezia-Napoli"
    done = position(f"4 players, R done \n R 50 florins; hand Marseille/3 \n Tunis [R .] R \n Display: {cards}")
    after = done.play(*(f"buy {card}" for card in cards.split(", ")))
    assert after.hand("R") == {"Marseille/3", *cards.split(", ")}
    assert after.offers("end")


def test_whoever_enters_the_game_buys_a_destination_card() -> None:
    """[BUY-04, G-05] Without one nothing can be done but buy; interconnections alone do not help."""
    entering = position("4 players, round 1, R to move \n Display: Tunis/1, Athina/2, Napoli-Tunis")
    assert entering.legal() == ["buy Athina/2", "buy Tunis/1", "buy Napoli-Tunis"]
    assert entering.play("buy Napoli-Tunis").legal() == ["buy Athina/2", "buy Tunis/1"]
    assert position("4 players, round 1, R to move \n Display: Napoli-Tunis").legal("buy") == []


def test_the_first_leg_uses_it_as_destination_card_and_others_may_follow() -> None:
    """[G-05] More cards may be bought and played in the first turn."""
    bought = position("4 players, round 1, R to move \n Display: Tunis/1, Athina/2, Napoli-Tunis").play(
        "buy Tunis/1", "buy Napoli-Tunis"
    )
    assert bought.legal("sail") == ["sail Tunis/1"]
    assert bought.play("sail Tunis/1", "sail Napoli-Tunis > Napoli", "build 1").ship("R") == "Napoli 1"


def test_only_displayed_cards_can_be_bought() -> None:
    """[BUY-05] Nothing from the deck, the discards or another hand; a gap stays open until the turn ends."""
    before = position(f"{IN_TUNIS} Y hand Venezia/1 \n Display: Athina/2, Tanger/1 \n Discards: Napoli/1")
    assert before.legal("buy") == ["buy Athina/2", "buy Tanger/1"]
    gap = before.play("buy Tanger/1")
    assert gap.legal("buy") == ["buy Athina/2"]
    assert gap.play("build 2").legal("buy") == ["buy Athina/2"]


def test_a_card_that_is_not_displayed_is_refused() -> None:
    """[BUY-05] The refusal names the rule."""
    game = Game.bare(3, first=0)
    game.deal((0, 8, 14, 10), (18, 20, 25, 30, 35, 40))
    with pytest.raises(IllegalAction) as refused:
        game.play_text("buy Marseille/1")
    assert refused.value.rule == "BUY-05"


def test_no_buying_in_a_turn_with_a_loan() -> None:
    """[BUY-06, G-06] Whoever has bought cannot borrow, and whoever has borrowed cannot buy."""
    before = position(f"{IN_TUNIS} Display: Athina/2")
    assert before.legal("loan") == ["loan 10", "loan 16"]
    assert before.play("buy Athina/2").legal("loan") == []
    assert before.play("loan 10").seat == "Y"


def test_the_option_lets_cards_be_bought_before_a_loan() -> None:
    """[BUY-06, G-06] With it, buying leaves the loan open and needs no build in reach; sailing closes it."""
    drawing = "4 players, R to move{option} \n R 7 florins \n Bank [R] \n Display: Marseille/1, Napoli/1"
    usual = position(drawing.format(option=""))
    assert usual.legal() == ["buy Napoli/1", "loan 10", "loan 16"]  # 4 for a card, 3 for a house
    assert usual.play("buy Napoli/1").legal() == ["sail Napoli/1"]

    optional = position(drawing.format(option=", with buy_before_loan"))
    assert optional.legal() == ["buy Marseille/1", "buy Napoli/1", "loan 10", "loan 16"]
    bought = optional.play("buy Napoli/1")
    assert bought.legal() == ["sail Napoli/1", "loan 10", "loan 16"]
    assert bought.play("sail Napoli/1").legal("loan") == []
    borrowed = bought.play("loan 16")
    assert (borrowed.seat, borrowed.cash("R"), borrowed.hand("R")) == ("Y", 7 - 4 + 16, {"Napoli/1"})


def test_even_with_the_option_nothing_is_bought_after_a_loan() -> None:
    """[BUY-06, G-06] The loan ends the turn."""
    before = position("4 players, R to move, with buy_before_loan \n Display: Athina/2")
    assert before.play("loan 10").seat == "Y"


def test_no_credit() -> None:
    """[BUY-07] Without the money there is no card, however much could be borrowed."""
    assert position("4 players, R done \n R 3 florins \n Tunis [R .] R \n Display: Tanger/1").legal("buy") == []


@pytest.mark.parametrize("text", ["sell Tanger/1", "trade Tanger/1", "give Tanger/1"])
def test_no_sale_and_no_trade(text: str) -> None:
    """[BUY-07] There is no such action; a card leaves the hand by being played, and only its owner's."""
    with pytest.raises(BadText):
        from_text(text, packaged())
    assert position("4 players, R to move \n Y hand Tanger/1 \n Tunis [R .]").legal("sail") == []


def test_a_purchase_must_leave_a_build() -> None:
    """[G-06, D-01] Before the main action money for a house must remain; after it everything may be spent."""
    before = position(
        "4 players, R to move \n R 6 florins, 6 houses, 0 fortresses \n Tunis [R .] Y \n Display: Athina/2"
    )
    assert before.legal() == ["build 2", "loan 10", "loan 16"]
    enough = position("4 players, R to move \n R 7 florins \n Tunis [R .] Y \n Display: Athina/2")
    assert enough.offers("buy Athina/2")
    assert position("4 players, R done \n R 5 florins \n Tunis [R .] R \n Display: Athina/2").offers("buy Athina/2")


def test_a_card_bought_to_sail_to_a_build_counts_as_a_way() -> None:
    """[G-06, D-01] Where nothing can be built, only cards that lead to a build are for sale."""
    drawing = """
        4 players, R to move
        R 5 florins
        Marseille [R .] R R R forts(Y G)
        Display: Athina/2, Tunis/1, Venezia-Tanger, Napoli-Athina{way}
    """
    assert position(drawing.format(way="")).legal() == ["loan 10", "loan 16"]
    before = position(drawing.format(way=", Marseille-Venezia"))
    assert before.legal("buy") == ["buy Marseille-Venezia", "buy Napoli-Athina"]
    assert before.play("buy Napoli-Athina").legal() == ["buy Marseille-Venezia"]


def test_the_card_that_leads_to_a_re_opening_must_be_paid_as_well() -> None:
    """[BUY-07, G-06, G-58] The re-opening in Napoli is free, the card to Napoli is not: another one is too much."""
    drawing = """
        4 players, phase 2, R to move
        R {} florins, 0 fortresses
        Tunis [R .] R R R
        Napoli . Y G B Y G B shut(R)
        Display: Napoli-Tunis, Tanger-Alexandria
    """
    assert position(drawing.format(2)).legal("buy") == ["buy Napoli-Tunis"]
    assert position(drawing.format(3)).legal("buy") == ["buy Napoli-Tunis", "buy Tanger-Alexandria"]


def test_a_card_bought_for_the_first_of_two_legs_counts_as_a_way() -> None:
    """[G-06, D-01] Of 8 florins 2 remain, too few for Marseille; the card in hand leads on from there to Tunis."""
    drawing = "4 players, R to move \n R {florins} florins; hand {hand} \n Bank [R] \n Display: Marseille/3"
    before = position(drawing.format(florins=8, hand="Marseille-Tunis"))
    assert before.legal() == ["buy Marseille/3", "loan 10", "loan 16"]
    bought = before.play("buy Marseille/3", "sail Marseille/3")
    assert bought.legal() == ["sail Marseille-Tunis > Tunis"]
    assert position(drawing.format(florins=7, hand="Marseille-Tunis")).legal("buy") == []
    assert position(drawing.format(florins=8, hand="Tanger-Tunis")).legal("buy") == []


def test_a_leg_must_leave_a_build() -> None:
    """[G-06] With 3 florins Alexandria is too dear; with a card to go on to Tunis it may be sailed to."""
    drawing = "4 players, R to move \n R 3 florins; hand {cards} \n Bank [R]"
    assert position(drawing.format(cards="Alexandria/2, Napoli-Venezia")).legal() == ["loan 10", "loan 16"]
    on_the_way = position(drawing.format(cards="Alexandria/2, Tunis-Alexandria")).play("sail Alexandria/2")
    assert on_the_way.legal() == ["sail Tunis-Alexandria > Tunis"]
    assert on_the_way.play("sail Tunis-Alexandria > Tunis").legal() == ["build 1", "build 2"]


def test_a_reopening_needs_no_money() -> None:
    """[G-06] So it is a way to end the voyage of somebody who has nothing."""
    drawing = "4 players, R to move \n R 0 florins; hand Alexandria/2 \n Alexandria . Y G B Y G B {shut}"
    assert position(drawing.format(shut="shut(R)")).offers("sail Alexandria/2")
    assert not position(drawing.format(shut="shut(Y)")).offers("sail Alexandria/2")


@pytest.mark.parametrize(("houses", "offered"), [("Y Y", True), ("Y", False)])
def test_the_charge_at_islas_canarias_counts(houses: str, offered: bool) -> None:
    """[G-06] With 1 florin a house for 3 is in reach if the pirate can bring 2."""
    before = position(f"""
        4 players, R to move
        R 1 florin; hand Tunis/1
        Tanger [R .]
        Bank [Y G B]
        Valencia {houses}
        Canarias [. *]
    """)
    assert before.offers("sail Tunis/1 ~ Canarias") == offered


def test_a_paid_pirate_move_does_not_count_but_may_come_first() -> None:
    """[G-06] Tunis is blocked by the pirate: who clears it may sail there, and then cannot borrow."""
    before = position("""
        4 players, R to move
        R 12 florins; hand Tunis/1
        Tunis [Y *]
        Canarias
    """)
    assert not before.offers("sail Tunis/1")
    assert before.offers("loan 10")
    cleared = before.play("pirate money Tanger 1")
    assert cleared.legal("loan") == []
    assert cleared.play("sail Tunis/1").ship("R") == "Tunis 2"
    assert (
        position("4 players, R to move \n R 3 florins; hand Tunis/1 \n Tunis [Y *] \n Canarias").legal("pirate") == []
    )


def test_there_is_always_a_way_to_finish_the_turn() -> None:
    """[G-06] Whatever is bought and sailed, in whatever order, something remains to be done until the build."""
    start = position("""
        3 players, R to move
        R 9 florins; hand Tunis-Alexandria
        Display: Alexandria/2, Napoli/1, Napoli-Tunis, Marseille-Napoli
        Napoli [Y G]
    """)
    seen, waiting = 0, [start]
    while waiting:
        here = waiting.pop()
        legal = [text for text in here.legal() if not text.startswith("loan")]
        assert legal
        waiting += [here.play(text) for text in legal if text.startswith(("buy", "sail"))]
        seen += 1
    assert seen > 5
