"""CARD: the sailing cards, their decks and the display."""

from itertools import combinations

import pytest
from tests.drawings import Position, position

from elcapitan.actions.typed import numbers_of
from elcapitan.board.figures import packaged
from elcapitan.engine import play
from elcapitan.engine.vocabulary import CARDS, TILE_NAMES
from elcapitan.game.game import Game

MAIN = ["Marseille", "Venezia", "Constantinople", "Valencia", "Napoli", "Athina", "Tanger", "Tunis", "Alexandria"]
DESTINATIONS = [card for card in packaged().cards if "/" in card]
LINKS = [card for card in packaged().cards if "-" in card]


def price(card: str) -> int:
    """What a displayed card costs."""
    before = position(f"4 players, R done \n Tunis [R .] R \n Display: {card}")
    return before.cash("R") - before.play(f"buy {card}").cash("R")


def without(*cards: str) -> str:
    """The names of all other destination cards."""
    return ", ".join(card for card in DESTINATIONS if card not in cards)


def displayed(here: Position, mark: str) -> int:
    """How many cards of a kind are on display."""
    return len([card for card in here.display() if mark in card])


def test_there_are_54_cards() -> None:
    """[CARD-01] 18 destination cards and 36 interconnections, all of them in the decks and on the display."""
    assert (len(DESTINATIONS), len(LINKS)) == (18, 36)
    new = Game.new(4, first=0, seed=1).position
    assert new.deck_left.tolist() == [18 - 4, 36 - 6]
    assert int(new.display).bit_count() == 4 + 6


@pytest.mark.parametrize("card", DESTINATIONS)
def test_a_destination_card_shows_a_city_a_price_and_seals(card: str) -> None:
    """[CARD-02] One main city, one to three seals; it costs what it says, three florins and one for each seal."""
    city, seals = card.split("/")
    assert city in MAIN
    assert 1 <= int(seals) <= 3
    assert price(card) == 3 + int(seals)


@pytest.mark.parametrize("use", ["sail Venezia/2", "sail Venezia/2 ~ Valencia"])
def test_a_destination_card_is_used_once_in_either_way(use: str) -> None:
    """[CARD-03] As destination card or as sea-route card; it cannot be used a second time."""
    before = position("4 players, R to move \n R hand Venezia/2 \n Tanger [R .]")
    assert use in before.legal("sail")
    after = before.play(use)
    assert (after.hand("R"), after.discards()) == (set(), {"Venezia/2"})
    assert after.legal("sail") == []


@pytest.mark.parametrize("place", ["Bank [R]", "Away [R]", "Alexandria [R .]", "Tunis [Y R]", "Porto [R]"])
def test_a_destination_card_leads_from_anywhere(place: str) -> None:
    """[CARD-04] Straight to its city from a city, the bank or off the board."""
    assert position(f"4 players, R to move \n R hand Marseille/1 \n {place}").play("sail Marseille/1").ship("R") == (
        "Marseille 1"
    )


@pytest.mark.parametrize(
    ("card", "cities"),
    [
        ("Tunis/1", "Venezia Valencia"),
        ("Alexandria/2", "Venezia Constantinople Valencia Napoli Tanger"),
        ("Tunis/3", "Venezia Constantinople Valencia Napoli Athina Tanger Tunis"),
    ],
)
def test_a_sea_route_is_as_long_as_there_are_seals_or_shorter(card: str, cities: str) -> None:
    """[CARD-05] From Marseille one, two or three steps; fewer steps than seals will do, more will not."""
    legal = position(f"4 players, R to move \n R hand {card} \n Marseille [R .]").legal(f"sail {card} ~")
    assert legal == [f"sail {card} ~ {city}" for city in cities.split()]


@pytest.mark.parametrize(("city", "other"), [("Marseille", "Napoli"), ("Napoli", "Marseille")])
def test_an_interconnection_leads_from_either_city_to_the_other(city: str, other: str) -> None:
    """[CARD-06] The ship must be in one of its two cities."""
    drawing = "4 players, R to move \n R hand Marseille-Napoli \n"
    assert position(f"{drawing} {city} [R .]").legal("sail") == [f"sail Marseille-Napoli > {other}"]
    for elsewhere in ("Valencia [R .]", "Bank [R]", "Away [R]"):
        assert position(f"{drawing} {elsewhere}").legal("sail") == []


def test_every_interconnection_is_cheaper_than_every_destination_card() -> None:
    """[CARD-06] Marseille-Napoli costs 2, the dearest 3; the cheapest destination card costs 4."""
    assert price("Marseille-Napoli") == 2
    assert max(price(card) for card in LINKS) < min(price(card) for card in DESTINATIONS)


def test_a_card_serves_for_one_voyage() -> None:
    """[CARD-07] Both cards lie with the discards afterwards, each to come back with its own kind only."""
    after = position("""
        4 players, R to move
        R hand Tunis/1, Napoli-Tunis
    """).play("sail Tunis/1", "sail Napoli-Tunis > Napoli")
    assert (after.hand("R"), after.discards()) == (set(), {"Tunis/1", "Napoli-Tunis"})
    assert after.legal("sail") == []


def test_each_kind_is_made_anew_from_its_own_discards() -> None:
    """[CARD-07, CARD-08] No destination card is left face down, so theirs are shuffled; the links stay discarded."""
    on_display = "Marseille/1, Tanger/1, Athina/2"
    after = position(f"""
        4 players, R to move
        Y hand {without("Marseille/1", "Tanger/1", "Athina/2", "Tunis/1", "Napoli/1")}
        Display: {on_display}
        Discards: Tunis/1, Napoli/1, Napoli-Tunis
    """).play("loan 10")
    assert displayed(after, "/") == 4
    assert after.display() & {"Tunis/1", "Napoli/1"}
    assert after.s.deck_left[0] == 1
    assert after.discards() == {"Napoli-Tunis"}


def test_the_display_is_filled_when_the_turn_is_over() -> None:
    """[CARD-09] Bought cards leave gaps, whatever is done afterwards, until the turn ends."""
    before = position("""
        4 players, R to move
        R hand Tunis/1
        Display: Marseille/1, Tanger/1, Athina/2, Venezia/1
        Display: Marseille-Venezia, Marseille-Valencia, Marseille-Napoli, Venezia-Napoli, Tunis-Alexandria, Napoli-Tunis
    """)
    gaps = before.play("buy Venezia/1", "buy Napoli-Tunis", "sail Tunis/1", "build 1")
    assert (displayed(gaps, "/"), displayed(gaps, "-")) == (3, 5)
    gap_more = gaps.play("buy Athina/2")
    assert (displayed(gap_more, "/"), displayed(gap_more, "-")) == (2, 5)
    full = gap_more.play("end")
    assert (displayed(full, "/"), displayed(full, "-")) == (4, 6)


def test_one_card_for_each_pair_and_two_for_each_city() -> None:
    """[CARD-10] Every pair of the nine cities has its card, every city two; the expansion has none."""
    pairs = {frozenset(card.split("-")) for card in LINKS}
    assert pairs == {frozenset(pair) for pair in combinations(MAIN, 2)}
    assert sorted(card.split("/")[0] for card in DESTINATIONS) == sorted(MAIN * 2)
    assert not any(tile.split()[-1] in card for tile in TILE_NAMES for card in packaged().cards)


def test_the_display_stays_short_when_there_are_no_cards() -> None:
    """[G-11] With all destination cards in hands nothing is turned up; the first to come back is."""
    drawing = """
        4 players, R to move
        R hand Tunis/1
        Y hand {others}
    """
    here = position(drawing.format(others=without("Tunis/1")))
    short = here.play("loan 10")
    assert (displayed(short, "/"), displayed(short, "-")) == (0, 6)
    assert short.seat == "Y"


def test_cards_played_in_a_turn_are_among_the_discards_when_it_ends() -> None:
    """[G-11] The card just played is shuffled in and comes up at once, for it is the only one."""
    before = position(f"4 players, R to move \n R hand Tunis/1 \n Y hand {without('Tunis/1')}")
    played = before.play("sail Tunis/1", "build 1")
    assert (displayed(played, "/"), played.discards()) == (0, {"Tunis/1"})
    ended = played.play("end")
    assert "Tunis/1" in ended.display()
    assert ended.discards() == set()


def test_discards_are_shuffled_only_when_a_card_is_needed() -> None:
    """[CARD-08, G-11] The last face-down card is turned up and the discards wait."""
    drawing = f"""
        4 players, R to move
        Y hand {without("Marseille/1", "Tanger/1", "Athina/2", "Venezia/1", "Tunis/1")}
        Display: Marseille/1, Tanger/1, Athina/2
        Discards: Tunis/1
        Deck: Venezia/1
    """
    after = position(drawing).play("loan 10")
    assert after.display() >= {"Marseille/1", "Tanger/1", "Athina/2", "Venezia/1"}
    assert after.s.deck_left[0] == 0
    assert after.discards() == {"Tunis/1"}


def test_a_discarded_card_comes_next_only_when_its_deck_is_used_up() -> None:
    """[CARD-08] Of the destination cards none is face down, or Venezia's second card still is."""
    for deck, next_cards in (("", {"Tunis/1", "Napoli/1"}), ("Venezia/2", {"Venezia/2"})):
        shown = ["Marseille/1", "Tanger/1", "Athina/2"]
        here = position(f"""
            4 players, after R
            Y hand {without(*shown, "Tunis/1", "Napoli/1", "Venezia/2" if deck else "Tunis/1")}
            Display: {", ".join(shown)}
            Discards: Tunis/1, Napoli/1, Napoli-Tunis
            Deck: {deck}
        """)
        possible = {here.figures.cards[card] for card in range(CARDS) if play.possible(here.states, 0, card)}
        assert possible == next_cards


def test_interconnections_are_shuffled_anew_from_their_own_discards() -> None:
    """[CARD-08] The last one and then all discarded ones come up; discarded destination cards stay where they are."""
    shown = ["Marseille-Venezia", "Marseille-Valencia"]
    back = ["Napoli-Tunis", "Tunis-Alexandria", "Tanger-Tunis"]
    others = [card for card in LINKS if card not in (*shown, *back, "Athina-Tunis")]
    before = position(f"""
        4 players, R to move
        Y hand {", ".join(others)}
        Display: Marseille/1, Tanger/1, Athina/2, Venezia/1, {", ".join(shown)}
        Discards: Tunis/1, {", ".join(back)}
        Deck: Athina-Tunis
    """)
    after = before.play("loan 10")
    assert {card for card in after.display() if "-" in card} == {*shown, *back, "Athina-Tunis"}
    assert after.discards() == {"Tunis/1"}
    assert after.s.deck_left.tolist() == [13, 0]


def test_cards_can_be_bought_at_any_moment_of_a_turn_with_a_build() -> None:
    """[G-11] Before and between the legs of a voyage, before and after building."""
    last = (
        position("""
        4 players, R to move
        R 40 florins
        Display: Tunis/1, Athina/2, Venezia/1, Napoli-Tunis, Marseille-Napoli
    """)
        .play("buy Tunis/1", "sail Tunis/1", "buy Napoli-Tunis", "sail Napoli-Tunis > Napoli")
        .play("buy Athina/2", "build 1", "buy Venezia/1", "buy Marseille-Napoli", "end")
    )
    assert last.hand("R") == {"Athina/2", "Venezia/1", "Marseille-Napoli"}
    assert last.cash("R") == 40 - 4 - 1 - 5 - 3 - 4 - 2


def test_hands_are_open() -> None:
    """[G-11] Every seat sees the cards of all."""
    game = Game.new(3, first=0, seed=1)
    game.play_all(numbers_of(next(action for action in game.offered() if action["do"] == "buy"), game.figures))
    assert game.position.hand[0] != 0
    for seat in range(3):
        assert game.view_for(seat)[0].hand.tolist() == game.position.hand.tolist()
