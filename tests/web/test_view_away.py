"""What a player is told of the moves since their own: who did what, where, for how much, and what it does to them."""

from dataclasses import replace
from typing import Any

import pytest
from tests.playing import random_game
from tests.web.drawn_tables import COLOURS, EPOCH, Reading, looked_at, seated

from elcapitan.engine.actions import END, LOAN
from elcapitan.engine.vocabulary import LOANS
from elcapitan.game.game import Act, Event, Game
from elcapitan.service.keys import Rights
from elcapitan.service.table import Table, TableEvent
from elcapitan.service.table_settings import FRIEND
from elcapitan.web.view.away import AwayLine, AwayView
from elcapitan.web.view.history import game_at
from elcapitan.web.view.table_view import table_view
from elcapitan.web.viewer import Viewer


def sitting(*seats: int, host: bool = False, language: str = "en") -> Viewer:
    """Somebody who has these seats."""
    return Viewer(language, rights=Rights(host, frozenset(seats)))


def told(game: Game, viewer: Viewer, **more: Any) -> AwayView | None:
    """What a viewer is told at a table of people."""
    return table_view(seated(game, **more), viewer).away


def words(line: AwayLine) -> tuple[str, list[str], str, str]:
    """The line as it reads."""
    return line.name, [deed.words for deed in line.actions], line.price, line.gain_words


def _labels(page: Reading, name: str) -> str:
    """The labels of what is inside an element."""
    return " ".join(each["aria-label"] for each in page.elements if any(one["id"] == name for one in each.within))


@pytest.fixture(scope="module")
def game() -> Game:
    """Seat 0 has moved, then Marco has sailed and built, and then Leyla has built where she was."""
    return random_game(3, (), seed=7, most=60)


def test_who_did_what_where_for_how_much_and_what_it_does_to_me(game: Game) -> None:
    seen = told(game, sitting(0))
    assert seen is not None and [words(line) for line in seen.lines] == [
        ("Marco", ["warehouse in Tunis"], "3\N{NO-BREAK SPACE}ƒ", "\N{MINUS SIGN}2"),
        ("Leyla", ["warehouse in Valencia"], "3\N{NO-BREAK SPACE}ƒ", "0"),
    ]
    marco, leyla = seen.lines
    assert (marco.colour, marco.city, marco.gain) == (COLOURS[1], 7, -2)
    assert set(marco.pieces.split()) == {"ship-1", "house-7-0"}
    assert set(leyla.pieces.split()) == {"ship-2", "house-3-1"}
    assert marco.last < leyla.last <= len(game.events)
    page = looked_at(seated(game), sitting(0))
    for line in seen.lines:
        assert all(page.by_id(piece) for piece in line.pieces.split()), "what a line points at is on the board"
    shown = "Marco", "warehouse in Tunis", "3\N{NO-BREAK SPACE}ƒ", "your payday \N{MINUS SIGN}2"
    for place in ("away-1", "away-pop-1"):
        assert all(word in page.by_id(place).text + _labels(page, place) for word in shown)
        assert page.by_id(place)["data-shows"] == marco.pieces and page.by_id(place)["data-shows-city"] == "7"
    assert "payday" not in page.by_id("away-2").text, "nothing has changed"
    assert page.by_id("away-steps")["href"] == f"/games/game/replay?at={seen.since}"


def expected(game: Game, seat: int) -> dict[int, tuple[int, int]]:
    """Price and effect of what each other seat has done since a seat's last action.

    Computed another way: by purses and the game's own forecast before and after each action.
    """
    found: dict[int, tuple[int, int]] = {}
    own = max((number for number, event in enumerate(game.events) if _by(event) == seat), default=len(game.events))
    for number in range(own + 1, len(game.events)):
        event, before, after = game.events[number], game_at(game, number), game_at(game, number + 1)
        if not isinstance(event, Act):
            continue
        cost, gain = before.money[event.seat] - after.money[event.seat], 0
        if len(before.paydays) < len(after.paydays):
            borrows = LOAN <= event.numbers[0] < LOAN + LOANS
            cost = -int(game.figures.board.loan_amount[event.numbers[0] - LOAN]) if borrows else 0
        else:
            gain = after.forecast()[seat].total - before.forecast()[seat].total
        earlier = found.get(event.seat, (0, 0))
        found[event.seat] = earlier[0] + cost, earlier[1] + gain
    return found


def _by(event: Event) -> int | None:
    """The seat that did something."""
    return event.seat if isinstance(event, Act) else None


def _price(cost: int) -> str:
    """An amount as the page writes it; nothing for nothing."""
    return f"{'+' if cost < 0 else ''}{abs(cost)}\N{NO-BREAK SPACE}ƒ" if cost else ""


@pytest.mark.parametrize("players", [2, 3, 5])
def test_prices_and_effects_are_those_of_the_positions(players: int) -> None:
    whole = random_game(players, (), seed=6, most=110)
    prices, gains = set(), set()
    for at in range(2, len(whole.events), 7):
        game = game_at(whole, at)
        for seat in range(players):
            seen = told(game, sitting(seat))
            lines = seen.lines if seen else ()
            assert {line.seat: (line.price, line.gain) for line in lines} == {
                other: (_price(cost), gain) for other, (cost, gain) in expected(game, seat).items()
            }
            prices |= {line.price for line in lines}
            gains |= {line.gain for line in lines}
    assert len(prices) > 5 and len(gains) > 1


def test_nothing_before_the_first_move_and_nothing_after_the_next(game: Game) -> None:
    first = next(number for number, event in enumerate(game.events) if _by(event) == 0)
    early = game_at(game, first)
    assert {_by(event) for event in early.events} >= {1, 2} and told(early, sitting(0)) is None
    own = max(number for number, event in enumerate(game.events) if _by(event) == 0)
    assert told(game_at(game, own + 1), sitting(0)) is None
    assert told(game, sitting(0)) is not None


def test_those_who_only_watch_are_told_nothing(game: Game) -> None:
    table = seated(game)
    for other in (sitting(), sitting(host=True)):
        assert table_view(table, other).away is None
        assert not looked_at(table, other).ids("away")


def test_an_earlier_moment_and_the_end_of_a_game_have_none(game: Game) -> None:
    table = seated(game)
    assert table_view(table, sitting(0), at=len(game.events)).away is None
    assert table_view(replace(table, settings=replace(table.settings, ended=True)), sitting(0)).away is None


@pytest.mark.parametrize(("forecast", "known"), [("all", True), ("own", True), ("off", False)])
def test_the_effect_is_told_where_the_forecast_is(game: Game, forecast: str, known: bool) -> None:
    seen = told(game, sitting(0), forecast=forecast)
    assert seen and all((line.gain is not None) == known for line in seen.lines)
    html = looked_at(seated(game, forecast=forecast), sitting(0)).by_id("away").text
    assert ("\N{MINUS SIGN}2" in html) == known and "Tunis" in html


def test_only_what_was_turned_up_counts(game: Game) -> None:
    """The same with other face-down cards, and as told to a game that knows none."""
    public = Game.replay(game.setup, game.events)
    shuffled = game.copy()
    shuffled.shuffle(99)
    assert told(public, sitting(0)) == told(shuffled, sitting(0)) == told(game, sitting(0)) is not None


def test_what_another_has_only_chosen_is_not_told(game: Game) -> None:
    acting = game.seat
    assert acting is not None
    others = [seat for seat in range(3) if seat != acting]
    for other in others:
        assert told(game, sitting(other), held_action=END) == told(game, sitting(other))


def test_what_is_taken_back_is_told_no_more(game: Game) -> None:
    seen = told(game, sitting(0))
    assert seen
    shorter = game_at(game, seen.lines[0].last)
    again = told(shorter, sitting(0))
    assert again and again.lines == seen.lines[:1]


def test_the_moves_of_a_stand_in_are_told_like_those_of_others(game: Game) -> None:
    """Seat 0 was away since before its last turn, and a computer player moved for it."""
    own = [number for number, event in enumerate(game.events) if _by(event) == 0]
    turn = max(number for number in own if number - 1 not in own)
    note = {"stand_ins": ["captain", "", ""]}
    table: Table = replace(seated(game), table_events=(TableEvent(3, turn, EPOCH, "note", note),))
    seats = (replace(table.settings.seats[0], player=FRIEND), *table.settings.seats[1:])
    table = replace(table, settings=replace(table.settings, seats=seats))
    seen = table_view(table, sitting(0)).away
    assert seen and 0 in {line.seat for line in seen.lines} and seen.since <= turn
    back = TableEvent(4, len(game.events), EPOCH, "note", {"stand_ins": ["", "", ""]})
    assert table_view(replace(table, table_events=(*table.table_events, back), number=8), sitting(0)).away == seen


def test_each_language_has_its_words(game: Game) -> None:
    german = told(game, sitting(0, language="de"))
    assert german and words(german.lines[0])[1] == ["Lagerhaus in Tunis"]
