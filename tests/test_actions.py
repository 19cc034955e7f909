"""Actions as values: every number has one, and nothing else has."""

import inspect
from typing import Any

import pytest

from elcapitan.actions.union import BERTHS, Action, Berth, Build, Leg, Sail, decode, decode_leg, encode, encode_leg
from elcapitan.board.figures import packaged
from elcapitan.engine.actions import (
    BERTHINGS,
    BUILD,
    FAMILIES,
    LEGS,
    N_ACTIONS,
    SAIL,
    berthing,
    berthing_shift,
    berthing_space,
    family,
    leg_card,
    link_leg,
    route_leg,
)
from elcapitan.engine.vocabulary import CITY_NAMES, SITES, TRANSIT


def test_every_number_stands_for_one_action() -> None:
    found = [decode(number, packaged()) for number in range(N_ACTIONS)]
    assert [encode(action, packaged()) for action in found] == list(range(N_ACTIONS))
    assert len(set(found)) == N_ACTIONS


def test_every_family_is_a_class_of_its_own() -> None:
    classes: dict[str, set[type]] = {name: set() for name in FAMILIES}
    for number in range(N_ACTIONS):
        classes[family(number)].add(type(decode(number, packaged())))
    assert all(len(each) == 1 for each in classes.values())
    assert {cls for each in classes.values() for cls in each} == set(_members(Action))


def _members(found: object) -> list[object]:
    return list(getattr(found, "__args__", ()))


@pytest.mark.parametrize("number", [-1, N_ACTIONS, 10**9])
def test_there_are_no_other_numbers(number: int) -> None:
    with pytest.raises(ValueError, match="is no action"):
        decode(number, packaged())


def plain(rule: Any) -> Any:
    """A small rule as Python."""
    return inspect.unwrap(rule)


def test_berths_are_those_of_the_engine() -> None:
    assert len(BERTHS) == BERTHINGS
    for number, berth in enumerate(BERTHS):
        shift = TRANSIT if berth.shift is None else berth.shift
        assert (berth.space, shift) == (plain(berthing_space)(number), plain(berthing_shift)(number))
        assert plain(berthing)(berth.space, shift) == number


def test_legs_are_those_of_the_engine() -> None:
    for number in range(LEGS):
        leg = decode_leg(number, packaged())
        assert leg.card == plain(leg_card)(number)
        if leg.use == "route":
            assert plain(route_leg)(leg.card, leg.city) == number
        if leg.use == "link":
            ends = packaged().board.card_city[leg.card].tolist()
            assert plain(link_leg)(leg.card, ends.index(leg.city)) == number


def test_a_card_is_used_only_as_it_can_be() -> None:
    figures = packaged()
    card = figures.cards.index("Marseille/3")
    marseille, tunis = CITY_NAMES.index("Marseille"), CITY_NAMES.index("Tunis")
    assert encode(Sail(Leg(card, "destination", marseille)), figures) == SAIL + card
    for leg in (Leg(card, "destination", tunis), Leg(card, "link", marseille), Leg(53, "destination", 0)):
        with pytest.raises(ValueError, match=r"cannot be used|not in list"):
            encode_leg(leg, figures)


def test_what_is_neutral_comes_after_what_is_not() -> None:
    assert encode(Build(3), packaged()) == BUILD + 3
    assert encode(Build(3, neutral=True), packaged()) == BUILD + SITES + 3
    assert Berth(0) != Berth(0, 1)
