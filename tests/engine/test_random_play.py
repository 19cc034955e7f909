"""Random games at every table: every invariant after every action, and what is offered is what is legal."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine import check

from elcapitan.board.figures import packaged
from elcapitan.engine import play
from elcapitan.engine.actions import FAMILIES, N_ACTIONS
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.engine.record import cached
from elcapitan.engine.refusals import ARGUMENTS, LEGAL, REFUSALS
from elcapitan.engine.rng import generator
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS, DONE, OVER, REVEAL, STAGE_NAMES
from elcapitan.game.position_queries import position

BOARDS = packaged().boards
TABLES = [(players, tiles) for players in (2, 3, 4, 5) for tiles in range(8)]
EXAMPLES = 2 if COMPILED else 1
MOST_ACTIONS = 20_000 if COMPILED else 120  # interpreted games are followed for a while, compiled ones to the end

tables = pytest.mark.parametrize(("players", "tiles"), TABLES)
seeds = st.integers(0, 2**64 - 1)
options = st.integers(0, 7)
policies = st.sampled_from([UNIFORM, LIGHT])
chance = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)


class Walk:
    """A game walked through action by action."""

    def __init__(self, players: int, tiles: int, options: int, seed: int) -> None:
        self.states, self.desks, self.dice = play.states(), play.desks(), generator(seed ^ 1)
        play.new(self.states, 0, BOARDS, players, tiles, options, seed % players, seed & 0xFFFFFFFF, seed >> 32)
        play.turn_up(self.states, 0, BOARDS)

    @property
    def over(self) -> bool:
        return bool(self.states[0].stage == OVER)

    def legal(self) -> list[int]:
        count = play.legal(self.states, 0, BOARDS, self.desks, 0)
        return [int(action) for action in self.desks[0].actions[:count]]

    def choose(self, policy: int) -> int:
        return int(play.choose(self.states, 0, BOARDS, self.desks, 0, self.dice, policy))

    def step(self, action: int) -> None:
        play.apply(self.states, 0, BOARDS, action)
        play.turn_up(self.states, 0, BOARDS)

    def checked_step(self, action: int) -> None:
        """A step after which every invariant holds, and before the cards that follow it are turned up as well."""
        play.apply(self.states, 0, BOARDS, action)
        assert not check.faults(self.states, 0, BOARDS), (action, check.faults(self.states, 0, BOARDS))
        if self.states[0].stage == REVEAL:
            play.turn_up(self.states, 0, BOARDS)
            assert not check.faults(self.states, 0, BOARDS), (action, check.faults(self.states, 0, BOARDS))

    def refusals(self) -> list[int]:
        """What `explain` says about every action number."""
        why = np.zeros(ARGUMENTS, np.int64)
        return [play.refusal(self.states, 0, BOARDS, self.desks, 0, action, why) for action in range(N_ACTIONS)]


@tables
@chance
@given(seed=seeds, option=options, policy=policies)
def test_no_invariant_breaks_and_something_is_always_offered(
    players: int, tiles: int, seed: int, option: int, policy: int
) -> None:
    """[G-06, G-10] Every game ends, every position but the last offers something, nothing is lost or doubled."""
    walk = Walk(players, tiles, option, seed)
    for _ in range(MOST_ACTIONS):
        if walk.over:
            break
        legal = walk.legal()
        assert legal, STAGE_NAMES[walk.states[0].stage]
        assert legal == sorted(set(legal))
        action = walk.choose(policy)
        assert action in legal
        walk.checked_step(action)
    assert walk.over or not COMPILED


@tables
@chance
@given(seed=seeds, option=options, policy=policies)
def test_refusals_and_offers_agree_on_every_action_number(
    players: int, tiles: int, seed: int, option: int, policy: int
) -> None:
    """[TURN-03, G-06] What is offered is exactly what is not refused."""
    walk = Walk(players, tiles, option, seed)
    every = 9 if COMPILED else 40
    for n in range(400 if COMPILED else 41):
        if walk.over:
            break
        if n % every == 0:
            legal = set(walk.legal())
            codes = walk.refusals()
            assert {action for action, code in enumerate(codes) if code == LEGAL} == legal
            assert all(0 <= code < len(REFUSALS) for code in codes)
        walk.step(walk.choose(policy))


@tables
@chance
@given(seed=seeds, option=options)
def test_every_offered_action_leaves_a_way_to_finish_the_turn(players: int, tiles: int, seed: int, option: int) -> None:
    """[G-06, G-50, G-52] Whatever is done, the turn can be brought to its end."""
    walk = Walk(players, tiles, option, seed)
    for n in range(200 if COMPILED else 21):
        if walk.over:
            break
        if n % 40 == 0 and walk.states[0].stage < DONE:
            for action in walk.legal():
                assert _can_finish(walk.states, action), (action, n)
        walk.step(walk.choose(LIGHT))


def _can_finish(states: States, action: int) -> bool:
    """A search, not a policy: after `action` some offered actions end the turn within a dozen steps."""
    desks = play.desks()
    seen: set[bytes] = set()
    start = position(states.tobytes())
    turn = (int(start[0].phase), int(start[0].round_no), int(start[0].seat))
    play.apply(start, 0, BOARDS, action)
    pile = [start]
    while pile:
        state = pile.pop()
        now = cached(state)
        if now.stage in (REVEAL, OVER) or (int(now.phase), int(now.round_no), int(now.seat)) != turn:
            return True
        if now.stage > DONE or state.tobytes() in seen:
            continue
        seen.add(state.tobytes())
        count = play.legal(state, 0, BOARDS, desks, 0)
        # The cheapest first: main actions and ends are what a turn is finished with.
        for next_action in sorted(map(int, desks[0].actions[:count]), key=_likely_last):
            following = position(state.tobytes())
            play.apply(following, 0, BOARDS, next_action)
            pile.append(following)
        if len(seen) > 5_000:
            return False
    return False


def _likely_last(action: int) -> int:
    """Where in the pile an action goes: what finishes turns is looked at first, so it goes last."""
    order = ("buy", "paid_pirate", "pirate_sail", "sail", "free_pirate", "pirate_land", "loan", "pass")
    for rank, name in enumerate(order):
        first, beyond = FAMILIES[name]
        if first <= action < beyond:
            return rank
    return len(order)


def _trajectory(players: int, tiles: int, policy: int, actions: int) -> str:
    """A digest of everything that happens in the first actions of a game."""
    walk = Walk(players, tiles, DEFAULT_OPTIONS, 1000 * players + tiles)
    digest = hashlib.sha256()
    for _ in range(actions):
        if walk.over:
            break
        digest.update(repr(walk.legal()).encode())
        action = walk.choose(policy)
        play.apply(walk.states, 0, BOARDS, action)
        play.turn_up(walk.states, 0, BOARDS)
        for name in walk.states.dtype.names or ():
            digest.update(np.ascontiguousarray(walk.states[0][name]).tobytes())
    return digest.hexdigest()[:16]


def _trajectories() -> dict[str, str]:
    """Digests of games at many tables, by both policies."""
    games = [(policy, players, tiles) for policy in (UNIFORM, LIGHT) for players, tiles in TABLES[::5]]
    return {f"{policy} {players} {tiles}": _trajectory(players, tiles, policy, 60) for policy, players, tiles in games}


@pytest.mark.compiled
def test_compiled_and_interpreted_rules_play_the_same_games() -> None:
    """Lists, actions and every byte of the state are the same in another process that does not compile."""
    program = "from tests.engine import test_random_play as t; import json; print(json.dumps(t._trajectories()))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    interpreted = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(interpreted.stdout) == _trajectories()
