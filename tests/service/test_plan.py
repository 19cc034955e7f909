"""What a table agrees on, and what it cannot agree on."""

from dataclasses import replace
from typing import Any

import pytest
from tests.service.tabling import THREE, TWO, plan

from elcapitan.errors import BadBot, BadSetup
from elcapitan.service import HUMAN, Plan, Seat
from elcapitan.service.plan import changed, checked, from_json, tidy, to_json
from elcapitan.setup import Setup


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"seats": ()}, "no number of players"),
        ({"seats": (Seat(),)}, "no number of players"),
        ({"seats": tuple(Seat(colour=colour) for colour in range(6))}, "no number of players"),
        ({"seats": (Seat(colour=1), Seat(colour=1))}, "Two merchants cannot have the same colour."),
        ({"seats": (Seat(colour=5), Seat(colour=1))}, "5 is no colour: they are numbered from 0 to 4."),
        ({"seats": (Seat(colour=True), Seat(colour=0))}, "is no colour"),
        ({"tiles": ("Atlantis",)}, "no city of the expansion"),
        ({"options": {"fly": True}}, "There is no option"),
        ({"first": 3}, "cannot begin"),
        ({"pace": "hasty"}, "pace is 'hasty', but must be one of these: slow, normal, fast, instant."),
        ({"forecast": "some"}, "forecast is 'some'"),
        ({"hints": "on"}, "hints is 'on'"),
    ],
)
def test_plans_that_cannot_be(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        checked(replace(THREE, **wrong))


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("bosun", "There is no computer player bosun"),
        ("captain:sims=4", "captain does not search"),
        ("admiral:ms=0", "no budget"),
        ("cmd:rm -rf /", "it can play in the terminal, but not at this table"),
    ],
)
def test_players_nobody_knows(player: str, sentence: str) -> None:
    with pytest.raises(BadBot, match=sentence):
        checked(plan(HUMAN, player))


def test_texts_are_tidied() -> None:
    tidied = checked(
        replace(TWO, seats=(Seat(name=" Inês,\n\tla  brave\x00"), Seat(name="M" * 99, colour=1)), title=" a\r\nb ")
    )
    assert [seat.name for seat in tidied.seats] == ["Inês la brave", "M" * 40]
    assert tidied.title == "a b" and tidy("x y", 2) == "x"


def test_colours_of_the_palette() -> None:
    assert plan(*[HUMAN] * 4).palette() == (0, 1, 2, 3)
    two = Plan((Seat(colour=3), Seat(colour=0)))
    assert two.palette() == (3, 0, 1, 2)
    assert Plan((Seat(colour=1), Seat(colour=2))).palette() == (1, 2, 0, 3)


def test_what_can_be_changed() -> None:
    now = changed(THREE, {"pace": "slow", "hints": False, "title": "Final", "names": ["A", "B", "C"]})
    assert (now.pace, now.hints, now.title) == ("slow", False, "Final")
    assert [seat.name for seat in now.seats] == ["A", "B", "C"]
    assert changed(THREE, {"players": [HUMAN, "captain", HUMAN]}).seats[1].player == "captain"
    with pytest.raises(BadSetup, match="2 seats are given for 3 players"):
        changed(THREE, {"names": ["A", "B"]})
    with pytest.raises(BadSetup, match="the nearest is pace"):
        changed(THREE, {"peace": "slow"})
    with pytest.raises(BadSetup, match="nothing that can be changed"):
        changed(THREE, {"tiles": ()})
    with pytest.raises(BadBot):
        changed(THREE, {"players": [HUMAN, "bosun", HUMAN]})


def test_what_is_stored_is_read_again() -> None:
    agreed = replace(plan(HUMAN, "captain", title="Évora", pace="fast", forecast="own", hints=False), seed=None)
    setup = Setup.of(2, agreed.tiles, 0, agreed.options)
    assert from_json(to_json(agreed), setup) == replace(agreed, options=setup.options)
    assert "seed" not in to_json(replace(agreed, seed=99))
