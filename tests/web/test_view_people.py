"""What is seen of the others at a table: who is there, whose time runs, what is wished, what the log tells of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.playing import other_board
from tests.web.drawn_tables import ENGLISH, EPOCH, looked_at, seated, table_of

from elcapitan.board.figures import Figures, packaged
from elcapitan.game.game import Game, Reveal
from elcapitan.service import Table, TableSettings
from elcapitan.service.clock import Clocks
from elcapitan.service.keys import Rights
from elcapitan.service.table import TableEvent, UndoVote
from elcapitan.service.table_settings import FRIEND, TimeControl
from elcapitan.text.catalogue import translator
from elcapitan.web.render import current_table, table_event
from elcapitan.web.view.merchants import duration_words
from elcapitan.web.view.table_view import table_view
from elcapitan.web.viewer import Viewer

T = translator("en")


def viewer(*seats: int, host: bool = False) -> Viewer:
    """Somebody who has these seats."""
    return replace(ENGLISH, rights=Rights(host, frozenset(seats)))


WATCHER = viewer()


def friends(game: Game | None = None, **more: Any) -> Table:
    """A table of three: somebody at the host's screen, and two friends."""
    table = seated(game or Game.new(3, seed=1, first=0), **more)
    first, *others = table.settings.seats
    seats = (first, *(replace(seat, player=FRIEND) for seat in others))
    return replace(table, settings=replace(table.settings, seats=seats))


def agreed(table: Table, **settings: Any) -> Table:
    """The table with another plan."""
    plan: TableSettings = replace(table.settings, **settings)
    return replace(table, settings=plan)


def test_only_those_who_have_the_seat_can_act() -> None:
    table = friends()
    assert table_view(table, viewer(0)).acting
    for other in (viewer(1), viewer(1, 2), viewer(host=True), WATCHER):
        seen = table_view(table, other)
        assert not seen.acting and not looked_at(table, other).actions
        assert seen.turn.sentence == "Inês's turn, but not at the table"
    assert not table_view(agreed(table, ended=True), viewer(0)).acting


def test_everybody_looks_through_their_own_eyes() -> None:
    table = friends()
    assert [table_view(table, viewer(seat)).me.seat for seat in (0, 1, 2)] == [0, 1, 2]
    assert [each.seat for each in table_view(table, viewer(1)).merchants if each.me] == [1]
    assert table_view(table, WATCHER).me.seat == 0, "whoever watches sees the hand of the one who decides"
    assert not any(each.me for each in table_view(table, WATCHER).merchants)


def test_presence_is_shown_where_people_come_by_link() -> None:
    shown = table_view(friends(present=frozenset({0, 2})), viewer(0)).merchants
    assert [each.presence for each in shown] == ["here", "away", "here"]
    alone = table_view(seated(Game.new(3, seed=1), present=frozenset({0})), ENGLISH).merchants
    assert [each.presence for each in alone] == ["", "", ""]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-3, "0:00"),
        (0.2, "0:01"),
        (59, "0:59"),
        (600, "10:00"),
        (3601, "1:00:01"),
        (172799, "47:59:59"),
        (259200, "3 days"),
    ],
)
def test_a_span_of_time(seconds: float, words: str) -> None:
    assert duration_words(seconds, T) == words


def test_clocks_are_counted_down_only_where_they_run() -> None:
    due = datetime.now(UTC) + timedelta(seconds=8)
    clocks = Clocks("bank", (8.0, 600.0, 5.0), 0, due)
    table = agreed(friends(clocks=clocks), clock=TimeControl("bank", 600, 5))
    first, second, third = (each.clock for each in table_view(table, viewer(0)).merchants)
    assert first and second and third
    assert (first.words, first.running, first.low) == ("0:08", True, True)
    assert first.due == round(1000 * due.timestamp())
    assert (second.words, second.running, second.due, second.low) == ("10:00", False, None, False)
    per_turn = agreed(replace(table, clocks=replace(clocks, kind="turn")), clock=TimeControl("turn", 600))
    assert [each.clock is None for each in table_view(per_turn, viewer(0)).merchants] == [False, True, True]


def test_those_who_are_asked_can_answer() -> None:
    table = friends(undo_vote=UndoVote(0, 1, frozenset(), frozenset({1})))
    for who, buttons in ((viewer(1), ["agree", "refuse"]), (viewer(0), ["withdraw"]), (viewer(2), []), (WATCHER, [])):
        page = looked_at(table, who)
        assert [each["id"] for each in page.elements if each["name"] == "yes"] == buttons
        assert "asks to go back" in page.by_id("wish").text


def test_the_time_of_a_wish_is_counted_down() -> None:
    table = friends(read_at=EPOCH)
    until = EPOCH + timedelta(seconds=45)
    page = looked_at(replace(table, undo_vote=UndoVote(0, 1, frozenset(), frozenset({1}), until)), viewer(1))
    (clock,) = [each for each in page.elements if each["data-due"]]
    assert clock["data-due"] == str(round(1000 * until.timestamp()))
    assert "0:45" in page.by_id("wish").text


def test_the_page_offers_to_ask_about_a_card() -> None:
    game = Game.new(3, seed=1, first=0)
    while game.seat == 0:
        game.play(game.legal()[-1])
    assert any(isinstance(event, Reveal) for event in game.events), "though only the first seat has acted"
    alone = seated(game, people={0})
    for table, who, offered in (
        (friends(game), viewer(0), "ask"),
        (friends(game), viewer(0, 1, 2), "back"),
        (alone, viewer(0), "back"),
    ):
        shown = table_view(table, who, 1).replay
        assert shown and shown.back == offered


def test_the_log_tells_what_happened_besides_the_game() -> None:
    notes: list[tuple[str, dict[str, Any]]] = [
        ("wish", {"seat": 1, "at": 1}),
        ("answer", {"seat": 0, "yes": False}),
        ("lapse", {"seat": 1}),
        ("note", {"pace": "fast"}),
        ("note", {"stand_ins": ["", "", "captain"]}),
        ("note", {"stand_ins": ["", "", ""]}),
        ("note", {"stand_ins": ["captain", "", ""], "late": [True, False, False]}),
        ("note", {"stand_ins": ["", "", ""], "late": [False, False, False]}),
        ("note", {"stand_ins": ["", "captain", ""], "free": [False, True, False], "late": [False, False, False]}),
        ("back", {"seat": 1, "at": 1}),
        ("note", {"ended": True}),
    ]
    events = tuple(TableEvent(number, 1, EPOCH, kind, content) for number, (kind, content) in enumerate(notes, start=2))
    lines = [
        "".join(map(str, line.pieces))
        for turn in table_view(friends(table_events=events), viewer(0)).journal.turns
        for line in turn.lines
    ]
    assert lines[1:] == [
        "Marco asks to go back.",
        "Inês does not agree.",
        "Not everyone answered in time, so the game does not go back.",
        "The computer plays for Leyla: captain.",
        "Leyla plays again.",
        "Inês is out of time, so the computer ends the turn.",
        "The seat of Marco is free; the computer plays until someone takes it.",
        "The game went back to here, as Marco had asked.",
        "The host has ended this game.",
    ]


def test_a_table_is_drawn_once_for_all_who_see_it_alike() -> None:
    table = friends(version="7.0.1")
    first = table_event(table, viewer(1))
    assert table_event(table, viewer(1)) is first
    assert first.startswith(b"data: <main") and first.endswith(b"\n\n") and b"\n" not in first[:-2]
    assert first[6:-2] == current_table(table, viewer(1))
    others = (viewer(2), viewer(1, host=True), WATCHER, replace(viewer(1), language="de"))
    assert all(table_event(table, other) != first for other in others)
    assert table_event(replace(table, version="7.0.2"), viewer(1)) != first


@pytest.mark.parametrize(("figures", "said"), [(packaged(), 0), (other_board(), 2)], ids=["packaged", "another"])
def test_the_table_says_who_was_not_trained_for_its_board(figures: Figures, said: int) -> None:
    """A champion, a captain, a person for whom a champion stands in, and a person."""
    table = seated(Game.new(4, seed=1, figures=figures), {2, 3})
    first, second, third, fourth = table.settings.seats
    seats = replace(first, player="champion"), second, replace(third, stand_in="champion"), fourth
    page = table_of(table_view(replace(table, settings=replace(table.settings, seats=seats)), ENGLISH))
    assert page.count("The champion was not trained for this board and plays like the admiral.") == said
