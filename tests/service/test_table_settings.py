"""What a table agrees on, and what it cannot agree on."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.service.table_helpers import THREE, TWO, settings_for

from elcapitan.errors import BadBot, BadSetup, Ended
from elcapitan.game.setup import Setup
from elcapitan.service import FRIEND, HUMAN, Seat, TableSettings, TimeControl
from elcapitan.service.seat_names import tidy
from elcapitan.service.table_settings import (
    changed,
    checked,
    for_branch,
    for_rematch,
    from_json,
    setup_from_json,
    to_json,
    turn_over,
    with_seat,
)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"seats": ()}, "is not a number of players"),
        ({"seats": (Seat(),)}, "is not a number of players"),
        ({"seats": tuple(Seat(colour=colour) for colour in range(6))}, "is not a number of players"),
        ({"seats": (Seat(colour=1), Seat(colour=1))}, "Two merchants cannot have the same colour."),
        ({"seats": (Seat(colour=5), Seat(colour=1))}, "5 is not a colour: they are numbered from 0 to 4."),
        ({"seats": (Seat(colour=True), Seat(colour=0))}, "is not a colour"),
        ({"seats": (Seat(neutral=5), Seat(colour=1))}, "5 is not a colour: they are numbered from 0 to 4."),
        ({"seats": (Seat(neutral=0), Seat(colour=1))}, "Two merchants cannot have the same colour."),
        ({"seats": (Seat(neutral=2), Seat(colour=1, neutral=2))}, "Two merchants cannot have the same colour."),
        ({"seats": (Seat(neutral=4), Seat(colour=1), Seat(colour=2))}, "Only with two players"),
        ({"tiles": ("Atlantis",)}, "is not a city of the expansion"),
        ({"options": {"fly": True}}, "There is no option"),
        ({"first": 3}, "cannot begin"),
        ({"pace": "hasty"}, "pace is 'hasty', but must be one of these: slow, normal, fast, instant."),
        ({"forecast": "some"}, "forecast is 'some'"),
        ({"hints": "on"}, "hints is 'on'"),
        ({"chat": "off"}, "chat is 'off'"),
        ({"ended": "no"}, "ended is 'no'"),
        ({"language": "la"}, "language is 'la', but must be one of these: en, de, fr."),
        ({"clock": TimeControl("sand", 60)}, "clock is 'sand', but must be one of these: turn, bank."),
        ({"clock": TimeControl("turn", 0)}, "seconds is 0, but must be a whole number from 1 to 2592000."),
        ({"clock": TimeControl("bank", 60, -1)}, "increment is -1"),
        ({"webhook": "ftp://example.org"}, "is not an address for notifications"),
        ({"seats": (Seat(), Seat("captain", colour=1, stand_in="trader"))}, "Nobody can stand in for captain"),
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
        ("admiral:ms=0", "is not a budget"),
        ("admiral:ms=600000", "no budget of their own: choose admiral"),
        ("helmsman:strength=71", "a strength is a multiple of 10, for example helmsman:strength=70"),
        ("helmsman:strength=200", "is not a strength from 0 to 100"),
        ("navigator:sims=1", "no budget of their own: choose navigator"),
        ("cmd:rm -rf /", "it can play in the terminal, but not at this table"),
    ],
)
def test_players_nobody_knows(player: str, sentence: str) -> None:
    with pytest.raises(BadBot, match=sentence):
        checked(settings_for(HUMAN, player))
    with pytest.raises(BadBot, match=sentence):
        changed(settings_for(HUMAN, HUMAN), {"players": [HUMAN, player]})
    with pytest.raises(BadBot, match=sentence):
        changed(settings_for(HUMAN, HUMAN), {"stand_ins": ["", player]})


def test_budgets_of_old_games_stay() -> None:
    """A game that was stored with one can be changed, but a game that branches off it has none."""
    old = settings_for(HUMAN, "admiral:ms=600000")
    assert changed(old, {"title": "Final"}).seats == old.seats
    with pytest.raises(BadBot, match="choose admiral"):
        changed(old, {"players": [HUMAN, "admiral:ms=599999"]})
    with pytest.raises(BadBot, match="no computer player human"):
        changed(old, {"stand_ins": [HUMAN, ""]})
    assert checked(for_branch(old, old.seats)).seats[1].player == "admiral"


def test_a_strength_goes_along_to_branches_and_rematches() -> None:
    table = checked(settings_for(HUMAN, "helmsman:strength=30", "helmsman"))
    assert from_json(to_json(table), Setup.of(3, (), 0)).seats == table.seats
    for again in (for_branch(table, table.seats), for_rematch(table)):
        assert [seat.player for seat in checked(again).seats] == [HUMAN, "helmsman:strength=30", "helmsman"]
    stood_in = changed(table, {"stand_ins": ["helmsman:strength=100", "", ""]})
    assert stood_in.seats[0].decides == "helmsman:strength=100"


def test_texts_are_tidied() -> None:
    tidied = checked(
        replace(TWO, seats=(Seat(name=" Inês,\n\tla  brave\x00"), Seat(name="M" * 99, colour=1)), title=" a\r\nb ")
    )
    assert [seat.name for seat in tidied.seats] == ["Inês la brave", "M" * 40]
    assert tidied.title == "a b" and tidy("x y", 2) == "x"


def test_colours_of_the_palette() -> None:
    assert settings_for(*[HUMAN] * 4).palette() == (0, 1, 2, 3)
    two = TableSettings((Seat(colour=3), Seat(colour=0)))
    assert two.palette() == (3, 0, 1, 2)
    assert TableSettings((Seat(colour=1), Seat(colour=2))).palette() == (1, 2, 0, 3)
    assert TableSettings((Seat(colour=1, neutral=4), Seat(colour=2, neutral=0))).palette() == (1, 2, 4, 0)
    assert TableSettings((Seat(colour=1), Seat(colour=2, neutral=0))).palette() == (1, 2, 3, 0), (
        "the first that is free"
    )


def test_neutral_colours_are_stored_if_they_were_chosen() -> None:
    setup = Setup.of(2, (), 0)
    chosen = TableSettings(
        (Seat(colour=1, neutral=4), Seat(colour=2)), tiles=setup.tiles, options=setup.options, first=0
    )
    stored = json.loads(json.dumps(to_json(chosen)))
    assert ["neutral" in seat for seat in stored["seats"]] == [True, False]
    assert from_json(stored, setup).palette() == chosen.palette() == (1, 2, 4, 0)
    assert for_branch(chosen, chosen.seats).palette() == chosen.palette()


def test_what_can_be_changed() -> None:
    now = changed(THREE, {"pace": "slow", "hints": False, "title": "Final", "names": ["A", "B", "C"]})
    assert (now.pace, now.hints, now.title) == ("slow", False, "Final")
    assert [seat.name for seat in now.seats] == ["A", "B", "C"]
    assert changed(THREE, {"players": [HUMAN, "captain", HUMAN]}).seats[1].player == "captain"
    with pytest.raises(BadSetup, match="Seats given: 2; players: 3"):
        changed(THREE, {"names": ["A", "B"]})
    with pytest.raises(BadSetup, match="the nearest is pace"):
        changed(THREE, {"peace": "slow"})
    with pytest.raises(BadSetup, match="is not a setting of a table"):
        changed(THREE, {"tiles": ()})
    with pytest.raises(BadBot):
        changed(THREE, {"players": [HUMAN, "bosun", HUMAN]})


def test_who_decides_for_a_seat() -> None:
    agreed = checked(
        TableSettings(
            (Seat(HUMAN, colour=0), Seat(FRIEND, colour=1), Seat("captain", colour=2), Seat(FRIEND, "", 3, "trader"))
        )
    )
    assert [seat.decides for seat in agreed.seats] == [HUMAN, FRIEND, "captain", "trader"]
    assert list(map(agreed.human, range(4))) == [True, True, False, False]
    assert agreed.persons == {0, 1, 3}


def test_one_seat_changes_and_the_others_stay() -> None:
    agreed = changed(settings_for(HUMAN, FRIEND, FRIEND), {"stand_ins": ["", "", "trader"]})
    now = changed(agreed, with_seat(agreed, 1, stand_in="captain", late=True))
    assert [seat.stand_in for seat in now.seats] == ["", "captain", "trader"] and now.seats[1].late
    back = changed(now, turn_over(now))
    assert [seat.stand_in for seat in back.seats] == ["", "", "trader"] and turn_over(back) == {}
    bots = changed(now, {"players": [HUMAN, "captain", "captain"]})
    assert [seat.stand_in for seat in bots.seats] == ["", "", ""], "who plays need not be stood in for"


def test_an_ended_game_stays_ended() -> None:
    ended = changed(THREE, {"ended": True})
    assert changed(ended, {"title": "Final"}).ended and changed(ended, {"ended": True}) == ended
    with pytest.raises(Ended):
        changed(ended, {"ended": False})


def test_plans_of_older_editions_are_read() -> None:
    """They lack everything about friends."""
    older = {
        "seats": [{"player": "human", "name": "A", "colour": 2}, {"player": "captain", "name": "", "colour": 0}],
        "forecast": "own",
        "hints": False,
        "pace": "fast",
        "title": "Évora",
    }
    setup = Setup.of(2, [], 1, {})
    seats = (Seat(HUMAN, "A", 2), Seat("captain", "", 0))
    settings: dict[str, Any] = {"forecast": "own", "hints": False, "pace": "fast", "title": "Évora"}
    assert from_json(older, setup) == TableSettings(seats, (), setup.options, 1, **settings)


def test_set_ups_of_older_editions_are_read() -> None:
    """They know two table options; the one that came later is off, as the rules had it."""
    older = {"players": 3, "tiles": ["Porto"], "first": 2, "options": {"buy_before_loan": True, "reopen_shuts": False}}
    assert setup_from_json(older) == Setup.of(3, ["Porto"], 2, {"buy_before_loan": True, "reopen_shuts": False})
    assert setup_from_json(older).options["pirate_before_loan"] is False


def test_everything_about_friends_is_stored() -> None:
    seats = (Seat(FRIEND, "A", 0, "trader", late=True), Seat(FRIEND, "", 1, "captain", free=True))
    new: dict[str, Any] = {
        "chat": False,
        "clock": TimeControl("bank", 600, 5),
        "webhook": "https://example.org/",
        "ended": True,
    }
    agreed = TableSettings(seats, first=0, language="fr", **new)
    setup = Setup.of(2, [], 0, {})
    stored = json.loads(json.dumps(to_json(agreed)))
    assert from_json(stored, setup) == replace(agreed, options=setup.options)


def test_what_is_stored_is_read_again() -> None:
    agreed = replace(settings_for(HUMAN, "captain", title="Évora", pace="fast", forecast="own", hints=False), seed=None)
    setup = Setup.of(2, agreed.tiles, 0, agreed.options)
    assert from_json(to_json(agreed), setup) == replace(agreed, options=setup.options)
    assert "seed" not in to_json(replace(agreed, seed=99))
