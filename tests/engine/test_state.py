"""The records themselves: names, sizes, and the kernels that take them."""

import hashlib
from collections.abc import Callable
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
import pytest

from elcapitan.board.figures import packaged
from elcapitan.engine import play, think
from elcapitan.engine.actions import FAMILIES, N_ACTIONS, family
from elcapitan.engine.jit import COMPILED, kernel
from elcapitan.engine.record import Int8, Int16s, Int64, Record, cached, zeros
from elcapitan.engine.refusals import LEGAL
from elcapitan.engine.rng import generator
from elcapitan.engine.rules.buildings import next_site
from elcapitan.engine.state import STATE, Board, Desk, Forecast, State
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS

BOARDS = packaged().boards


def test_no_field_has_the_name_of_something_numpy_does() -> None:
    """Such a field would be NumPy's method in interpreted rules and the field in compiled ones."""
    with pytest.raises(ValueError, match="called nbytes"):

        class Wrong(Record):
            players: Int8
            nbytes: Int64


class Few(Record):
    few: Int8
    several: Annotated[Int16s, 3]


def test_fields_of_a_record_are_read_and_written_in_its_array() -> None:
    many = zeros(Few, 2)
    many[1].few = 5
    many[1].several[2] = 7
    assert many["few"].tolist() == [0, 5] and many["several"].tolist() == [[0, 0, 0], [0, 0, 7]]
    assert (many[1].few, many[1].several.tolist()) == (5, [0, 0, 7])
    assert Few.kind == np.dtype([("few", np.int8), ("several", np.int16, (3,))])
    assert cached(many, 1).several.tolist() == [0, 0, 7]


def test_a_field_that_does_not_exist_fails_in_mypy_and_at_run_time() -> None:
    """`make lint` fails if one of these lines is no error to mypy: then its `type: ignore` is unused."""
    states, desks = play.states(), play.desks()
    wrong: list[Callable[[], object]] = [
        lambda: states[0].chas,  # type: ignore[attr-defined]
        lambda: states[0].actions,  # type: ignore[attr-defined]  # a field of a desk
        lambda: desks[0].cash,  # type: ignore[attr-defined]
        lambda: packaged().board.chas,  # type: ignore[attr-defined]
        lambda: play.forecasts()[0].chas,  # type: ignore[attr-defined]
        lambda: think.search_buffers()[0].chas,  # type: ignore[attr-defined]
        lambda: think.trees(1)[0].chas,  # type: ignore[attr-defined]
        lambda: generator(1)[0].chas,  # type: ignore[attr-defined]
    ]
    for read in wrong:
        with pytest.raises(AttributeError):
            read()
    states[0].chas = 3  # type: ignore[attr-defined]  # compiled, it would not be


def test_records_have_the_bytes_that_stored_games_have() -> None:
    """Positions are stored as bytes: their fields, with order, place and width, never change."""
    assert hashlib.sha256(repr(State.kind.descr).encode()).hexdigest()[:12] == "6fc41b669a5c"
    assert [kind.kind.itemsize for kind in (State, Board, Desk, Forecast)] == [593, 27520, 4928, 275]


@pytest.mark.compiled
def test_a_kernel_refuses_records_of_another_kind() -> None:
    states, desks = play.states(), play.desks()
    play.new(states, 0, BOARDS, 3, 0, DEFAULT_OPTIONS, 0, 1, 0)
    play.turn_up(states, 0, BOARDS)  # from now on nobody looks at types
    before = states.tobytes()
    for wrong in ((desks, 0, BOARDS), (states, 0, states), (0, 0, BOARDS)):
        with pytest.raises(TypeError):
            play.turn_up(*wrong)
    assert states.tobytes() == before and play.legal(states, 0, BOARDS, desks, 0) > 1


def test_a_kernel_takes_numbers_of_any_width_first() -> None:
    @kernel
    def successor(number: Any) -> Any:
        return number + 1

    assert successor(np.int8(5)) == 6
    assert successor(70_000) == 70_001 and successor(np.int16(-3)) == -2


def test_a_kernel_takes_every_other_game_of_an_array() -> None:
    states, desks = play.states(4), play.desks()
    for i in range(4):
        play.new(states, i, BOARDS, 2 + i, 0, DEFAULT_OPTIONS, 0, 1, 0)
        play.turn_up(states, i, BOARDS)
    skipping = states[1::2]
    for i, there in ((0, 1), (1, 3)):
        count = play.legal(skipping, i, BOARDS, desks, 0)
        offered = desks[0].actions[:count].tolist()
        assert play.legal(states, there, BOARDS, desks, 0) == count
        assert desks[0].actions[:count].tolist() == offered
    before = states.copy()
    play.apply(skipping, 1, BOARDS, offered[0])
    assert [states[i] == before[i] for i in range(4)] == [True, True, True, False]


def test_a_step_takes_actions_and_cards_as_fields_hold_them() -> None:
    states, desks = play.states(), play.desks()
    play.new(states, 0, BOARDS, 3, 0, DEFAULT_OPTIONS, 0, 1, 0)
    twin, card = states.copy(), play.next_card(states, 0)
    small: Any = np.int8(card)
    play.chance(states, 0, BOARDS, small)
    play.chance(twin, 0, BOARDS, card)
    for each in (states, twin):
        play.turn_up(each, 0, BOARDS)
        play.legal(each, 0, BOARDS, desks, 0)
    action = desks[0].actions[0]
    assert play.refusal(states, 0, BOARDS, desks, 0, action, play.NO_NUMBERS.copy()) == LEGAL
    play.step(states, 0, BOARDS, desks, 0, action)
    play.apply(twin, 0, BOARDS, action)
    play.turn_up(twin, 0, BOARDS)
    assert states.tobytes() == twin.tobytes()


def test_a_state_takes_less_than_a_kibibyte() -> None:
    assert STATE.itemsize <= 1024


def test_the_families_cover_all_action_numbers_without_a_gap() -> None:
    bounds = list(FAMILIES.values())
    assert bounds[0][0] == 0 and bounds[-1][1] == N_ACTIONS
    assert all(before[1] == after[0] for before, after in pairwise(bounds))
    assert [family(first) for first, _ in bounds] == list(FAMILIES)
    with pytest.raises(ValueError, match="no action"):
        family(N_ACTIONS)


def test_dice_are_fair_enough_and_the_same_for_the_same_seed() -> None:
    """[SET-06] Every card can come first, about equally often; the same seed deals the same cards."""
    firsts = []
    for seed in range(1800 if COMPILED else 200):
        states = play.states()
        play.new(states, 0, BOARDS, 4, 0, DEFAULT_OPTIONS, 0, seed, seed * 7)
        firsts.append(int(states[0].deck[17]))
    counts = np.bincount(firsts, minlength=18)
    assert counts.min() > 0 and counts.max() < 2.5 * len(firsts) / 18
    again = play.states(2)
    for i in range(2):
        play.new(again, i, BOARDS, 4, 0, DEFAULT_OPTIONS, 0, 5, 6)
    assert again[0] == again[1]


@pytest.mark.compiled
def test_a_compiled_rule_called_from_python_is_a_type_error() -> None:
    """Rules are reached through kernels; calling one by itself must not bring the process down."""
    with pytest.raises(TypeError):
        next_site(play.states()[0], 0)
