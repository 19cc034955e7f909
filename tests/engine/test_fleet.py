"""What a fleet writes is what the rules say about each of its games by itself."""

import numpy as np
import pytest
from tests.drawings import position

from elcapitan.board.figures import packaged
from elcapitan.engine import fleet, play
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT, NO_POLICY, UNIFORM
from elcapitan.engine.record import zeros
from elcapitan.engine.vocabulary import CARDS, DEFAULT_OPTIONS, OVER

BOARDS = packaged().boards


def dealt(games: int, players: int, tiles: int, policy: int) -> fleet.FleetArrays:
    """A fleet that has just been dealt, with what a policy would do in `actions`."""
    terms = zeros(fleet.Terms, 1)
    terms[0].players, terms[0].tiles, terms[0].options = players, tiles, DEFAULT_OPTIONS
    terms[0].others, terms[0].choice = NO_POLICY, policy
    arrays = fleet.fleet_arrays(games, BOARDS, terms)
    arrays.seeds[:, 0] = 3
    arrays.actions[:] = fleet.BEGIN
    assert step(arrays) == fleet.ALL_LEGAL
    return arrays


def step(arrays: fleet.FleetArrays) -> int:
    return fleet.step(arrays, fleet.LEADER, 0)


def test_a_fleet_steps_renews_and_masks_like_single_games() -> None:
    """[TURN-03] The masks of a fleet are the lists of its games; finished games begin anew."""
    arrays, desks, ended = dealt(6, 3, 5, UNIFORM), play.desks(), 0
    for _ in range(900 if COMPILED else 12):
        assert step(arrays) == fleet.ALL_LEGAL
        ended += int(arrays.finished.sum())
        lists = np.unpackbits(arrays.masks.view(np.uint8), axis=1, bitorder="little")[:, :N_ACTIONS]
        assert (lists == arrays.flags).all()
        for i in range(6):
            count = play.legal(arrays.states, i, BOARDS, desks, 0)
            assert lists[i].nonzero()[0].tolist() == desks[0].actions[:count].tolist()
            assert lists[i, arrays.actions[i]] == 1 and arrays.states[i].stage != OVER
    assert ended > 0 or not COMPILED


def test_a_fleet_deals_the_same_games_from_the_same_seed() -> None:
    """[SET-06, SET-11] The starting player and both halves of each game's seed come from the dice of the fleet."""
    states = dealt(3, 4, 0, NO_POLICY).states
    drawn = [(int(states[i].starter), *states[i].rng[:2].tolist()) for i in range(3)]
    assert drawn == [(3, 923649074, 510609335), (3, 228050167, 483949672), (3, 1021565771, 686148271)]


def test_staying_in_a_fleet_changes_no_game() -> None:
    arrays = dealt(3, 4, 0, NO_POLICY)
    before = arrays.states.tobytes()
    arrays.actions[:] = fleet.STAY
    assert step(arrays) == fleet.ALL_LEGAL
    assert arrays.states.tobytes() == before and not arrays.finished.any()


def test_a_game_whose_action_is_illegal_is_named_and_stays_as_it_is() -> None:
    arrays = dealt(3, 4, 0, LIGHT)
    before = [arrays.states[i].tobytes() for i in range(3)]
    arrays.actions[1] = N_ACTIONS - 1
    assert step(arrays) == 1
    assert [arrays.states[i].tobytes() == before[i] for i in range(3)] == [False, True, False]


@pytest.mark.parametrize("policy", [UNIFORM, LIGHT])
def test_a_fleet_chooses_what_its_policy_would_do(policy: int) -> None:
    """With everything legal on the desk a policy chooses as it does without."""
    arrays, desks = dealt(5, 2, 7, policy), play.desks()
    for _ in range(600 if COMPILED else 15):
        assert step(arrays) == fleet.ALL_LEGAL
        same_dice = arrays.dice.copy()
        arrays.actions[:] = fleet.STAY
        assert step(arrays) == fleet.ALL_LEGAL
        for i in range(5):
            dice = same_dice[i : i + 1]
            assert play.choose(arrays.states, i, BOARDS, desks, 0, dice, policy) == arrays.actions[i]
        assert (same_dice == arrays.dice).all()


def test_a_fleet_buys_what_a_single_game_would_buy() -> None:
    """[BUY-01, D-01] Red cannot build in Tunis; the card to Alexandria, the last of all, is on display."""
    arrays, desks = dealt(20, 4, 0, LIGHT), play.desks()
    arrays.states[:] = position(
        "4 players, R to move \n Tunis [R .] R R R forts(Y B) \n Display: Tunis-Alexandria"
    ).states[0]
    dice = arrays.dice.copy()
    arrays.actions[:] = fleet.STAY
    assert step(arrays) == fleet.ALL_LEGAL
    alone = [play.choose(arrays.states, i, BOARDS, desks, 0, dice[i : i + 1], LIGHT) for i in range(20)]
    assert arrays.actions.tolist() == alone and CARDS - 1 in alone
