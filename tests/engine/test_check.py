"""`check` names what is wrong: every fault is shown by a position that has it."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.engine import check

from elcapitan.board.figures import packaged
from elcapitan.engine import play
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS

BOARDS = packaged().boards


def spoil(name: str) -> Callable[[Any], None]:
    """A way to spoil a position, by the fault it shows."""
    return SPOILED[name]


def _set(field: str, at: Any, value: int) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        s[field][at] = value

    return change


def _ship_twice(s: Any) -> None:
    s.ship_city[:2] = 3
    s.ship_space[:2] = 0


SPOILED: dict[str, Callable[[Any], None]] = {
    "counters_in_bounds": _set("cash", 0, 30_000),
    "pieces_conserved": _set("stock", 1, 5),
    "cards_conserved": _set("hand", 2, 1),
    "loan_cards_conserved": _set("loans_left", 0, 17),
    "bonus_cards_conserved": _set("bonus", 0, 2),
    "chains_unbroken": _set("site", (0, [0, 4]), 1),
    "one_fortress_each": _set("fortress", (2, 1), 0),
    "ships_in_one_place": _ship_twice,
    "debt_only_by_overdue_loans": _set("cash", 3, -1),
    "derived front": _set("front", 0, 3),
    "derived room": _set("room", 0, 0),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_position_is_named(name: str) -> None:
    states = play.states()
    play.new(states, 0, BOARDS, 4, 7, DEFAULT_OPTIONS, 0, 1, 2)
    play.turn_up(states, 0, BOARDS)
    assert check.faults(states, 0, BOARDS) == []
    spoil(name)(states[0])
    assert name in check.faults(states, 0, BOARDS)


def test_every_fault_is_shown() -> None:
    assert {fault.__name__ for fault in check.FAULTS} <= set(SPOILED)
