"""A fleet in which a player written in Python plays all other seats."""

import copy
import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.players.python_players import Last
from tests.research.plain_observation import plain

from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.fleet import payoffs
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import OVER
from elcapitan.errors import BadBot
from elcapitan.game.position_queries import legal_in
from elcapitan.research.fleet import STAKES, Fleet
from elcapitan.research.vector_env import ElCapitanVectorEnv


def first(masks: npt.NDArray[np.bool_]) -> Any:
    """The first legal action of every row."""
    return masks.argmax(1)


class Wrong:
    """Returns the same number in every game."""

    def __init__(self, number: int) -> None:
        self.number = number

    def choose_many(self, observations: Any, masks: Any) -> Any:
        return np.full(len(masks), self.number)


def play_others(states: States, i: int, own: int, figures: Figures) -> None:
    """Play the seats of `Last` in one game until the own seat decides or the game is over."""
    while states[i].stage != OVER and states[i].seat != own:
        legal = legal_in(states[i : i + 1], figures, play.desks())
        play.apply(states, i, figures.boards, legal[-1])
        play.turn_up(states, i, figures.boards)


def test_steps_go_from_one_decision_of_the_own_seat_to_its_next() -> None:
    """The same games one by one: what the others do, how games end, and how they begin anew."""
    fleet = Fleet(12, 3, seed=2, others=Last(), stakes="rank")
    single, ended = Fleet(12, 3, seed=2).states.copy(), 0
    for i in range(12):
        play_others(single, i, int(fleet.own[i]), fleet.figures)
    while ended < 5:
        assert (fleet.seats == fleet.own).all() and (fleet.states["seat"] == fleet.own).all()
        assert single.tobytes() == fleet.states.tobytes()
        own, chosen = fleet.own.copy(), first(fleet.legal)
        fleet.step(chosen)
        for i, action in enumerate(chosen.tolist()):
            play.apply(single, i, fleet.figures.boards, action)
            play.turn_up(single, i, fleet.figures.boards)
            play_others(single, i, int(own[i]), fleet.figures)
        over = single["stage"] == OVER
        assert (fleet.finished == over).all() and (fleet.rewards[~over] == 0).all()
        for i in np.flatnonzero(over).tolist():
            assert fleet.rewards[i].tolist() == pytest.approx(payoffs(single, i, STAKES.index("rank")))
            assert (fleet.last[i] == plain(single[i], int(own[i]))).all(), "the end as the own seat sees it"
        ended += int(over.sum())
        single[over] = fleet.states[over]
    assert set(Fleet(60, 3, seed=2, others=Last()).own.tolist()) == {0, 1, 2}


def test_a_seed_repeats_everything_and_copies_go_on_alike() -> None:
    fleet = Fleet(10, 4, seed=1, others=Last())
    begin = fleet.own.tolist(), fleet.states.tobytes()
    for twin in (copy.deepcopy(fleet), pickle.loads(pickle.dumps(fleet))):
        twin.play(30)
        fleet.reset(1)
        assert (fleet.own.tolist(), fleet.states.tobytes()) == begin
        fleet.play(30)
        assert fleet.states.tobytes() == twin.states.tobytes() and fleet.own.tolist() == twin.own.tolist()
        fleet.reset(1)
    other = Fleet(10, 4, seed=2, others=Last())
    assert other.own.tolist() != begin[0]


@pytest.mark.parametrize("number", [-5, 10_000, 0])
def test_an_illegal_action_of_the_player_is_told(number: int) -> None:
    sentence = r"the player of the other seats has chosen an action that is not legal in game \d+\. .*(\[|0 to 952)"
    with pytest.raises(ValueError, match=sentence):
        Fleet(40, 2, seed=1, others=Wrong(number))


@pytest.mark.parametrize(
    ("wrong", "error", "sentence"),
    [
        (None, TypeError, "are whole numbers, not object"),
        (0.0, TypeError, "are whole numbers, not float64"),
        (3, ValueError, r"have the shape \(\d+,\), one for each game, not \(\)"),
        ([3] * 50, ValueError, r".*one for each game, not \(50,\)"),
    ],
)
def test_what_a_player_must_not_return_gets_a_sentence(wrong: Any, error: type[Exception], sentence: str) -> None:
    class Odd:
        def choose_many(self, observations: Any, masks: Any) -> Any:
            return np.full(len(masks), wrong) if wrong == 0.0 else wrong

    with pytest.raises(error, match=f"the actions of the player of the other seats {sentence}"):
        Fleet(40, 2, seed=1, others=Odd())


def test_a_player_is_named_as_in_a_list_of_seats() -> None:
    named, made = Fleet(10, 3, seed=1, others=f"py:{Last.__module__}:Last"), Fleet(10, 3, seed=1, others=Last())
    for fleet in (named, made):
        fleet.play(20)
    assert named.states.tobytes() == made.states.tobytes()
    with pytest.raises(ValueError, match="Dicer has no method choose_many"):
        Fleet(2, others=f"py:{Last.__module__}:Dicer")
    with pytest.raises(BadBot, match="cannot be loaded"):
        Fleet(2, others="py:no_such_module:Last")


def test_an_illegal_action_of_ones_own_is_still_told() -> None:
    fleet = Fleet(4, 2, seed=1, others=Last())
    actions = first(fleet.legal)
    actions[2] = np.flatnonzero(~fleet.legal[2])[0]
    with pytest.raises(ValueError, match=f"action {actions[2]} is not legal in game 2"):
        fleet.step(actions)
    assert (fleet.seats == fleet.own).all()


def test_a_player_must_see_something() -> None:
    for observe, flags in ((False, True), (True, False)):
        with pytest.raises(ValueError, match="needs observations and flags"):
            Fleet(2, 2, others=Last(), observe=observe, flags=flags)


def test_the_vector_environment_takes_such_a_player() -> None:
    envs = ElCapitanVectorEnv(4, players=2, others=Last())
    seen, infos = envs.reset(seed=3)
    for _ in range(5):
        assert infos["own"].tolist() == infos["seat"].tolist()
        seen, _rewards, _ended, _cut, infos = envs.step(seen["action_mask"].argmax(1))
    envs.close()
