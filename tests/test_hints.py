"""Advice: what a computer player would do and why, without looking at what is hidden."""

import pytest
from tests.playing import game_with_voyage, other_board, random_game

from elcapitan.bots import registry
from elcapitan.bots.bot import SearchedPlan
from elcapitan.engine.actions import PIRATE_LAND, PIRATE_SAIL
from elcapitan.game.game import Game
from elcapitan.notation.diagram import draw
from elcapitan.players import seats


def test_suggestions_are_legal_and_change_nothing() -> None:
    game = random_game(3, seed=2, most=20)
    while len(game.legal()) < seats.MOST_HINTS:
        game.play(game.legal()[0])
    before = draw(game.position, game.figures, deck=True)
    suggestions = seats.suggest(game)
    assert draw(game.position, game.figures, deck=True) == before
    assert seats.suggest(game) == suggestions
    assert 1 <= len(suggestions) <= seats.MOST_HINTS
    assert len({each.actions[0] for each in suggestions}) == len(suggestions)
    for suggestion in suggestions:
        played = game.copy()
        played.play_all((*suggestion.actions, *suggestion.later))
        assert suggestion.win is not None and 0 <= suggestion.win <= 1
        assert suggestion.money is not None and len(suggestion.money) == 3


def test_where_there_is_no_choice_nothing_is_thought_about() -> None:
    game = random_game(4, seed=1, most=500)
    while len(game.legal()) != 1:
        game.take_back()
        if game.card_due:
            game.take_back()
    assert seats.suggest(game) == [seats.Suggestion(tuple(game.legal()))]


def test_nobody_is_advised_when_nothing_is_to_be_decided() -> None:
    assert seats.suggest(Game.bare(3, first=0)) == []


@pytest.mark.parametrize("players", [2, 5])
def test_the_network_gives_hints_on_the_board_that_it_knows(players: int) -> None:
    game = Game.new(players, seed=1)
    assert seats.adviser(game) == "champion"
    assert seats.suggest(game) == seats.suggest(game, level="champion")


def test_the_admiral_gives_hints_on_another_board() -> None:
    game = Game.new(3, seed=1, figures=other_board())
    assert seats.adviser(game) == "admiral"
    assert seats.suggest(game) == seats.suggest(game, level="admiral")


def test_a_voyage_of_the_pirate_is_advised_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = game_with_voyage(seed=2)
    leg = max(action for action in game.legal() if PIRATE_SAIL <= action < PIRATE_LAND)

    class Corsair:
        """Finds nothing better than to sail the pirate."""

        def lines(self, *_: object) -> list[SearchedPlan]:
            return [SearchedPlan((leg,), 1, (0.5,) * 5, (9.0,) * 5)]

    level = registry.Level("", registry.LEVELS["captain"].make, lambda budget: Corsair())  # type: ignore[arg-type,return-value]
    monkeypatch.setitem(registry.LEVELS, seats.adviser(game), level)
    (suggestion,) = seats.suggest(game)
    *legs, landing = suggestion.actions
    assert legs[0] == leg
    assert landing >= PIRATE_LAND and all(PIRATE_SAIL <= each < PIRATE_LAND for each in legs)
    game.play_all(suggestion.actions)
