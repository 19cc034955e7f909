"""SET: what lies on the table before the first turn."""

import pytest
from tests.drawings import Position, position

from elcapitan.actions.typed import numbers_of
from elcapitan.board.figures import packaged
from elcapitan.engine import play
from elcapitan.engine.vocabulary import CANARIAS, CARDS, CITIES, DESTINATIONS, PORTO
from elcapitan.errors import BadDrawing, BadSetup
from elcapitan.game.game import Game

USUAL = 2  # the table options as bits: re-opening shuts


def table(players: int, *, tiles: int = 0, first: int = 0, seed: int = 1) -> Position:
    """A new game with its display turned up."""
    figures, states = packaged(), play.states()
    play.new(states, 0, figures.boards, players, tiles, USUAL, first, seed, 0)
    play.turn_up(states, 0, figures.boards)
    return Position(states, figures)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_can_play(players: int) -> None:
    """[SET-01] Any number from two to five."""
    assert Game.new(players, seed=1).players == players


@pytest.mark.parametrize("players", [0, 1, 6])
def test_nobody_else_can_play(players: int) -> None:
    """[SET-01] Neither one alone nor six."""
    with pytest.raises(BadSetup):
        Game.new(players, seed=1)


@pytest.mark.parametrize("letters", ["RYG", "RYGB", "RYGBP"])
def test_everybody_begins_with_the_same_pieces_and_money(letters: str) -> None:
    """[SET-02, SET-03, SET-12] A ship off the board, six warehouses, one fortress and 20 florins."""
    new = table(len(letters))
    for letter in letters:
        assert (new.stock(letter), new.fortresses(letter)) == (6, 1)
        assert new.cash(letter) == 20
        assert new.ship(letter) == "Away"


def test_nothing_stands_on_the_board_yet() -> None:
    """[SET-02, SET-12] No colour but those in play has pieces; no ship is in a city or at the bank."""
    new = table(3)
    assert new.city("Marseille") == "Marseille [. .] . . . . . . . . . . . ."
    assert "Away            [R Y G]" in new.drawing()
    assert "Bank            []" in new.drawing()
    assert new.s.stock.tolist() == [6, 6, 6, 0, 0]


def test_no_city_has_room_for_a_colour_that_is_not_in_play() -> None:
    """[SET-02, SET-12, TWO-02] In every city there is room for the colours in play, and for no other."""
    every_city = (1 << CITIES) - 1
    assert table(3).s.room.tolist() == [every_city, every_city, every_city, 0, 0]
    assert table(2).s.room.tolist() == [every_city, every_city, every_city, every_city, 0]


def test_before_the_deal_nobody_has_passed() -> None:
    """[SET-11, G-10] The table is set and the turn is about to come to Red; cards are yet to be turned up."""
    figures, states = packaged(), play.states()
    play.new(states, 0, figures.boards, 3, 0, USUAL, 0, 1, 0)
    assert Position(states, figures).headline() == "3 players, phase 1, round 0, after G"


def test_the_other_pieces_wait_in_the_pool() -> None:
    """[SET-04] Six and one of a colour are out; the pool has twelve and two more, for phases 2 and 3."""
    assert (table(4).stock("G"), table(4).fortresses("G")) == (6, 1)
    second = position("4 players, R naming").play("starter seat 1")
    assert (second.stock("G"), second.fortresses("G")) == (12, 2)
    third = position("4 players, phase 2, R naming").play("starter seat 1")
    assert (third.stock("G"), third.fortresses("G")) == (18, 3)


@pytest.mark.parametrize("pieces", ["19 houses", "4 fortresses"])
def test_there_are_no_more_pieces_than_eighteen_and_three(pieces: str) -> None:
    """[SET-04] The pool is not endless."""
    with pytest.raises(BadDrawing):
        position(f"4 players, phase 3 \n G {pieces}")


def test_money_is_open() -> None:
    """[SET-05] Every seat sees the money of all."""
    game = Game.new(3, first=0, seed=1)
    card = next(action for action in game.offered() if action["do"] == "buy")
    game.play_all(numbers_of(card, game.figures))
    assert game.money[0] < 20
    for seat in range(3):
        assert game.view_for(seat)[0].cash[:3].tolist() == game.money


def test_two_decks_are_shuffled_each_by_itself() -> None:
    """[SET-06] The first 18 places are destination cards in some order, the others interconnections."""
    orders = []
    for seed in (1, 2):
        states = play.states()
        play.new(states, 0, packaged().boards, 4, 0, USUAL, 0, seed, 0)
        deck = states[0].deck.tolist()
        assert sorted(deck[:DESTINATIONS]) == list(range(DESTINATIONS)) != deck[:DESTINATIONS]
        assert sorted(deck[DESTINATIONS:]) == list(range(DESTINATIONS, CARDS)) != deck[DESTINATIONS:]
        assert states[0].deck_left.tolist() == [18, 36]
        orders.append(deck)
    assert orders[0][:DESTINATIONS] != orders[1][:DESTINATIONS]
    assert orders[0][DESTINATIONS:] != orders[1][DESTINATIONS:]


def test_every_card_can_lie_at_the_bottom() -> None:
    """[SET-06] Whatever the seed, a shuffle that leaves a card where it was would show here."""
    bottoms: tuple[set[int], set[int]] = set(), set()
    for seed in range(60):
        states = play.states()
        play.new(states, 0, packaged().boards, 4, 0, USUAL, 0, seed, 0)
        bottoms[0].add(int(states[0].deck[0]))
        bottoms[1].add(int(states[0].deck[DESTINATIONS]))
    assert len(bottoms[0]) > 10 and len(bottoms[1]) > 20


def test_the_decks_are_face_down() -> None:
    """[SET-06] What a seat sees has the cards left in the decks, but not their order."""
    game = Game.new(4, first=0, seed=5)
    true, seen = game.position, game.view_for(0)[0]
    assert seen.deck_left.tolist() == true.deck_left.tolist() == [14, 30]
    assert sorted(true.deck[:14].tolist()) == seen.deck[:14].tolist() != true.deck[:14].tolist()


def test_four_and_six_cards_are_turned_up() -> None:
    """[SET-07] Four destination cards and six interconnections lie beside the decks."""
    display = table(4).display()
    assert len([card for card in display if "/" in card]) == 4
    assert len([card for card in display if "-" in card]) == 6


def test_loan_cards_lie_in_two_piles() -> None:
    """[SET-08] All loan cards are at the bank, sorted by amount, and nobody owes anything."""
    new = table(4)
    assert "# lends 18x10 12x16" in new.drawing()
    assert new.s.loans.sum() == 0


def test_three_bonus_cards_lie_beside_the_board() -> None:
    """[SET-10] Nobody has one; 15 goes first, then 10, then 5, and there is no fourth."""
    assert table(5).s.bonus.tolist() == [0] * 5
    cities = ["Marseille", "Venezia", "Constantinople", "Valencia", "Napoli", "Athina", "Tanger", "Tunis"]
    eight = "\n".join(f"{city} R" for city in cities) + "\nAlexandria [R .]"
    drawing = "5 players, phase 3, R to move \n"
    takers = ["Y 1st bonus", "G 2nd bonus", "B 3rd bonus"]
    for taken, worth in enumerate([15, 10, 5, 0]):
        lines = "\n".join([drawing, *takers[:taken], eight])
        assert position(lines).bonus("R") == 0
        assert position(lines).play("build 1").bonus("R") == worth


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_the_youngest_begins(first: int) -> None:
    """[SET-11] The seat named as starting player has the first turn, and the token for all of phase 1."""
    new = table(4, first=first)
    assert (new.seat, new.headline().startswith("4 players, phase 1, round 1,")) == ("RYGB"[first], True)
    assert new.s.starter == first


def test_who_is_youngest_is_drawn_if_nobody_says_so() -> None:
    """[SET-11] Every seat begins in some game."""
    assert {Game.new(3, seed=seed).seat for seed in range(12)} == {0, 1, 2}


def test_two_players_have_neutral_warehouses_as_well() -> None:
    """[SET-13] Two of the neutral colour each; with more players there are none."""
    new = table(2)
    assert [new.stock(letter) for letter in "RYry"] == [6, 6, 2, 2]
    assert table(3).s.stock.tolist() == [6, 6, 6, 0, 0]


def test_the_expansion_adds_cities_and_the_pirate() -> None:
    """[SET-13] Porto alone brings a city, Islas Canarias also the pirate on its second harbour space."""
    assert "Porto" not in table(4).drawing()
    porto, canarias = table(4, tiles=1), table(4, tiles=4)
    assert porto.s.in_play >> PORTO & 1
    assert "*" not in porto.drawing()
    assert canarias.s.in_play >> CANARIAS & 1
    assert canarias.city("Canarias").startswith("Canarias [. *]")


@pytest.mark.parametrize("players", [2, 5])
def test_nothing_remains_of_the_game_before(players: int) -> None:
    """[SET-02, SET-12] A game set up where another one lay is the same as one set up in fresh memory."""
    figures, fresh, used = packaged(), play.states(), play.states()
    used.view("u1")[:] = 77
    for states in (fresh, used):
        play.new(states, 0, figures.boards, players, 5, USUAL, 1, 3, 4)
    for name in fresh.dtype.names or ():
        assert fresh[name].tolist() == used[name].tolist(), name
    before = used[0]
    assert before.cash.tolist() == [20] * players + [0] * (5 - players)
    for nothing in (before.passes, before.pirate_used, *before.undecided, *before.lost, *before.bonus):
        assert nothing == 0
