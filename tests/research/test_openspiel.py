"""The OpenSpiel game passes OpenSpiel's own test, and plays with OpenSpiel's own players."""

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation

from elcapitan.engine import play
from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.errors import BadSetup
from elcapitan.game.game import Game
from elcapitan.research.layout import CELLS, PARTS
from elcapitan.research.openspiel import ElCapitanState, tiles_in

SHORT = [name.removeprefix("Islas ") for name in TILE_NAMES]
TILE_SETS = [tiles for count in range(4) for tiles in combinations(SHORT, count)]


def loaded(players: int, tiles: Sequence[str] = (), **others: object) -> pyspiel.Game:
    named = {"players": players, "tiles": "+".join(tiles) or "none", **others}
    return pyspiel.load_game(f"elcapitan({','.join(f'{name}={value}' for name, value in named.items())})")


def late(game: pyspiel.Game) -> pyspiel.State:
    """A position near the end of a random game."""
    state, dice = game.new_initial_state(), random.Random(1)
    while state.position["phase"][0] < 3 or state.position["round_no"][0] < 5:
        state.apply_action(dice.choice(state.legal_actions()))
    return state


@pytest.mark.compiled
@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("tiles", TILE_SETS, ids="+".join)
def test_openspiel_accepts_it_on_every_board(players: int, tiles: Sequence[str]) -> None:
    """The last part of a game, because OpenSpiel looks at every position in every way."""
    game = loaded(players, tiles, stakes=("win", "rank", "money")[(players + len(tiles)) % 3])
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False, specific_initial_state=late(game))


@pytest.mark.compiled
@pytest.mark.parametrize("players", range(2, 6))
def test_openspiel_accepts_whole_games(players: int) -> None:
    """With two players they are also written down and read back at every step."""
    pyspiel.random_sim_test(loaded(players), num_sims=1, serialize=players == 2, verbose=False)


def test_a_game_is_that_of_its_cards_and_actions() -> None:
    game, state = Game.bare(3, ["Lisboa"], first=1), loaded(3, ["Lisboa"], first=1, stakes="rank").new_initial_state()
    dice = random.Random(4)
    dealt = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            card = dice.choice(outcomes)[0]
            assert state.action_to_string(card) == f"card {game.figures.cards[card]}"
            if game.dealt:
                game.reveal(card)
            else:
                dealt.append(card)
                if len(dealt) == 10:
                    game.deal(dealt[:4], dealt[4:])
            state.apply_action(card)
        else:
            assert state.current_player() == game.seat and state.legal_actions() == game.legal()
            action = dice.choice(game.legal())
            game.play(action)
            assert state.returns() == [0, 0, 0]
            state.apply_action(action)
    assert (
        game.over
        and [seat for seat, paid in enumerate(state.returns()) if paid == max(state.returns())] == game.winners
    )


def test_a_clone_goes_its_own_way() -> None:
    state = loaded(2).new_initial_state()
    dice = random.Random(1)
    for _ in range(60):
        state.apply_action(dice.choice(state.legal_actions()))
    before, twin = str(state), state.clone()
    for _ in range(10):
        twin.apply_action(dice.choice(twin.legal_actions()))
    assert str(state) == before != str(twin)
    assert str(state.get_game().deserialize_state(state.serialize())) == before


def test_what_a_seat_sees() -> None:
    game = loaded(4, ["Canarias"])
    state = game.new_initial_state()
    dice = random.Random(2)
    for _ in range(80):
        state.apply_action(dice.choice(state.legal_actions()))
    seen = make_observation(game)
    assert game.observation_tensor_shape() == [CELLS] and set(seen.dict) == set(PARTS)
    for seat in range(4):
        seen.set_from(state, seat)
        assert seen.tensor.tolist() == state.observation_tensor(seat)
        assert seen.dict["florins"][0].tolist() == [int(state.position["cash"][0, seat]), 0]
        assert f"seat {seat + 1}" in state.observation_string(seat)


def test_its_own_search_plays_it() -> None:
    game = loaded(2, stakes="rank")
    dice = np.random.RandomState(1)
    state = game.new_initial_state()
    bot = mcts.MCTSBot(game, 1.4, 4, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    taken = 0
    while taken < 3:
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choice(cards, p=chances))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            taken += 1


def test_parameters() -> None:
    assert tiles_in("all") == list(TILE_NAMES) and tiles_in("none") == []
    assert tiles_in("porto+Islas Canarias") == ["Porto", "Islas Canarias"]
    state = ElCapitanState(loaded(2, buy_before_loan=True, reopen_shuts=False))
    assert state.position["options"][0] == 1
    assert ElCapitanState(loaded(2, pirate_before_loan=True)).position["options"][0] == 0b110
    assert play.states().dtype == state.position.dtype
    with pytest.raises((BadSetup, pyspiel.SpielError)):
        loaded(2, ["Atlantis"])
    with pytest.raises(ValueError, match="stakes is one of win, rank, money, not x"):
        loaded(2, stakes="x")


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    state = loaded(3).new_initial_state()
    for strange in (-5, 53, 54, 2**40):  # a link, where a destination is due, and no cards at all
        with pytest.raises(ValueError, match=f"card {strange} cannot be turned up now; see chance_outcomes"):
            state.apply_action(strange)
    with pytest.raises(pyspiel.SpielError, match="card 5000, which does not exist"):
        state.apply_action_with_legality_check(5000)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    before, illegal = state.position.tobytes(), next(n for n in range(953) if n not in state.legal_actions())
    for number, sentence in ((illegal, r"\[[A-Z]+-\d+\]"), (953, "0 to 952"), (-2, "0 to 952"), (2**40, "0 to 952")):
        with pytest.raises(ValueError, match=sentence):
            state.apply_action(number)
    assert state.position.tobytes() == before and state.action_to_string(0, 953) == "action 953, which does not exist"
    observation = make_observation(loaded(3))
    for seat in (-1, 3):
        with pytest.raises(ValueError, match="from 0 to 2"):
            observation.set_from(state, seat)


@pytest.mark.parametrize(
    ("players", "stakes", "utility", "total"),
    [
        (2, "money", "ZERO_SUM", 0.0),
        (3, "money", "GENERAL_SUM", None),
        (2, "win", "CONSTANT_SUM", 1.0),
        (5, "win", "CONSTANT_SUM", 1.0),
        (5, "rank", "CONSTANT_SUM", 2.5),
    ],
)
def test_what_the_end_pays_adds_up_to_what_is_declared(
    players: int, stakes: str, utility: str, total: float | None
) -> None:
    game = loaded(players, stakes=stakes)
    assert game.get_type().utility == getattr(pyspiel.GameType.Utility, utility) and game.utility_sum() == total
    bots = [pyspiel.make_uniform_random_bot(seat, 3) for seat in range(players)]
    paid = pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
    assert total is None or sum(paid) == pytest.approx(total)
    again, _ = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, game.new_initial_state()))
    assert again.get_type().utility == game.get_type().utility
