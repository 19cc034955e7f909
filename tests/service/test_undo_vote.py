"""Going back across turns: who is asked, who agrees, what a move does to a wish, and which cards come then."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.playing import CANARIAS, game_with_voyage
from tests.service.table_helpers import Time, play_randomly, settings_for, until, waits, with_tables

from elcapitan.board.figures import packaged
from elcapitan.errors import CannotUndo, IllegalAction, NoUndoVote, StaleVersion
from elcapitan.game.game import Act, Reveal
from elcapitan.game.position_queries import position, without_secrets
from elcapitan.game.setup import Setup
from elcapitan.records.shuffles import Secret
from elcapitan.service import FRIEND, HUMAN, PACES, Table, Tables, TableSettings, TimeControl, open_table
from elcapitan.service.bot_pool import BotPool
from elcapitan.service.dealt_game import DealtGame, taken_over
from elcapitan.service.log import Back

pytestmark = pytest.mark.compiled
FRIENDS = settings_for(HUMAN, FRIEND, FRIEND)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def wish(table: Table) -> tuple[int, int, set[int], set[int]] | None:
    asked = table.undo_vote
    return None if asked is None else (asked.seat, asked.at, set(asked.agreed), set(asked.waiting))


async def after_a_round(tables: Tables, table: Table) -> Table:
    """Everybody has acted and the first seat is to decide again."""
    dice = random.Random(2)
    acted: set[int | None] = set()
    while len(acted) < table.game.players or table.deciding != 0 or table.undoable:
        acted.add(table.deciding)
        table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
    return table


# ------------------------------------------------------------------------------------------------ the course of a game


def visible(course: DealtGame) -> tuple[bytes, bytes]:
    games = course.game, course.arranged
    table, dealer = (without_secrets(position(game.position.tobytes())).tobytes() for game in games)
    return table, dealer


@pytest.mark.parametrize("secret", [3, "0123456789abcdef" * 4])
def test_a_course_goes_back_to_any_moment(secret: Secret) -> None:
    """At every moment it is as it was, and the same cards come again."""
    dice, course = random.Random(7), DealtGame(Setup.of(3, [], 0), packaged())
    course.begin(secret)
    then = [course.copy()]
    for _ in range(60):
        course.act([dice.choice(course.game.legal())])
        then.append(course.copy())
    for earlier in then[:-1:4]:
        twin = course.copy()
        (back,) = twin.back(1, earlier.event_count)
        assert back == Back(1, earlier.event_count)
        assert twin.secret == earlier.secret and visible(twin) == visible(earlier)
        assert (twin.turn, twin.undone, twin.event_count) == (earlier.turn, [], earlier.event_count)
        assert twin.game.events == earlier.game.events == twin.arranged.events
        while twin.event_count < course.event_count:  # the same actions bring the same cards
            event = course.game.events[twin.event_count]
            assert isinstance(event, Act)
            twin.act(event.numbers)
        assert twin.secret == course.secret


def test_a_moment_is_where_somebody_decides() -> None:
    dice, course = random.Random(7), DealtGame(Setup.of(3, [], 0), packaged())
    course.begin(3)
    while not isinstance(course.game.events[-1], Reveal):
        course.act([dice.choice(course.game.legal())])
    events = course.game.events
    card = next(at for at, event in enumerate(events) if isinstance(event, Reveal))
    with pytest.raises(CannotUndo, match="Nothing has happened since"):
        course.moment(card)
    course.act([course.game.legal()[0]])
    assert course.moment(card) == len(events), "after the cards that were turned up"
    assert course.moment(card - 1) == card - 1
    with pytest.raises(CannotUndo):
        course.moment(10_000)


def test_a_game_that_was_taken_over_goes_back_to_where_it_began_here() -> None:
    game, voyage = game_with_voyage(seed=3, cards=2)
    course, _ = taken_over(game.setup, packaged(), game.events, 1)
    begun = course.turn_begins
    with pytest.raises(CannotUndo, match="cannot go back further than to where it began here"):
        course.moment(begun - 1)
    start = course.copy()
    course.act(voyage[:1])
    assert course.acted_since(course.event_count) == {course.game.seat}, "a voyage not yet landed was begun by somebody"
    course.back(0, course.event_count)
    assert course.secret == start.secret and course.turn == start.turn
    course.act(voyage)
    course.back(0, start.event_count)
    assert course.secret == start.secret and course.turn == start.turn


def test_a_log_that_goes_back_too_far_does_not_hold() -> None:
    course = DealtGame(Setup.of(3, [CANARIAS], 0), packaged())
    course.begin(3)
    for at in (0, 2, 99):
        with pytest.raises(CannotUndo):
            course.copy().apply(Back(0, at))


# ------------------------------------------------------------------------------------------------------- at a table


def test_all_concerned_must_agree(file: Path) -> None:
    async def look(tables: Tables) -> Table:
        table = await after_a_round(tables, await tables.create(FRIENDS))
        before = table.game.events
        asked = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(asked) == (0, 1, set(), {1, 2}) and asked.game.events == before
        assert asked.number == table.number + 1
        once = await tables.answer_undo(table.id, asked.number, 2, yes=True)
        assert wish(once) == (0, 1, {2}, {1}) and once.game.events == before
        with pytest.raises(NoUndoVote, match="Seat 3 is not asked"):
            await tables.answer_undo(table.id, once.number, 2, yes=True)
        with pytest.raises(NoUndoVote, match="Seat 1 is not asked"):
            await tables.answer_undo(table.id, once.number, 0, yes=True)
        back = await tables.answer_undo(table.id, once.number, 1, yes=True)
        assert wish(back) is None and back.game.events == before[:1] and back.deciding == 0
        assert [(each.kind, each.after) for each in back.table_events] == [
            ("wish", 1),
            ("answer", 1),
            ("answer", 1),
            ("back", 1),
        ]
        with pytest.raises(NoUndoVote, match="There is no request to go back"):
            await tables.answer_undo(table.id, back.number, 1, yes=True)
        for event in before[1:]:
            if isinstance(event, Act):
                back = await tables.act(table.id, back.number, event.numbers)
        assert back.game.events == before, "the same face-down order"
        return back

    table = with_tables(file, look)

    async def again(tables: Tables) -> None:
        read = await tables.get(table.id)
        assert read.game.events == table.game.events and read.table_events == table.table_events and read.frozen is None

    with_tables(file, again)


def test_one_no_ends_a_wish(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_round(tables, await tables.create(FRIENDS))
        asked = await tables.ask_undo(table.id, table.number, 0, 1)
        once = await tables.answer_undo(table.id, asked.number, 2, yes=True)
        refused = await tables.answer_undo(table.id, once.number, 1, yes=False)
        assert wish(refused) is None and refused.game.events == table.game.events
        again = await tables.ask_undo(table.id, refused.number, 0, 1)
        assert wish(again) == (0, 1, set(), {1, 2}), "nobody has agreed to this one"
        with pytest.raises(StaleVersion):
            await tables.answer_undo(table.id, asked.number, 1, yes=True)
        withdrawn = await tables.answer_undo(table.id, again.number, 0, yes=False)
        assert wish(withdrawn) is None

    with_tables(file, look)


def test_who_agreed_may_think_again(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_round(tables, await tables.create(FRIENDS))
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        table = await tables.answer_undo(table.id, table.number, 2, yes=True)
        assert wish(await tables.answer_undo(table.id, table.number, 2, yes=False)) is None

    with_tables(file, look)


def test_a_move_ends_a_wish(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_round(tables, await tables.create(FRIENDS))
        asked = await tables.ask_undo(table.id, table.number, 1, 1)
        assert wish(asked) == (1, 1, set(), {0, 2})
        moved = await tables.act(table.id, table.number, [table.game.legal()[0]], [0])
        assert wish(moved) is None, "who decided before the wish decided on the same position"
        with pytest.raises(NoUndoVote):
            await tables.answer_undo(table.id, moved.number, 2, yes=True)
        with pytest.raises(StaleVersion):
            await tables.ask_undo(table.id, asked.number, 1, 1)

    with_tables(file, look)


def test_where_nobody_else_has_acted_nobody_is_asked(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_round(tables, await tables.create(FRIENDS))
        events = len(table.game.events)
        table = await tables.act(table.id, table.number, [table.game.legal()[0]])
        assert len(table.game.events) > events
        table = await tables.ask_undo(table.id, table.number, 0, events)
        assert len(table.game.events) == events and wish(table) is None
        assert [each.kind for each in table.table_events] == ["wish", "back"]

    with_tables(file, look)


def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(_self: BotPool, answer: Callable[[Any], Any], asking: Any, _priority: int = 0) -> Any:
        return answer(asking)

    monkeypatch.setattr(BotPool, "ask", ask)
    monkeypatch.setattr(
        open_table, "AHEAD", PACES["slow"]
    )  # so that a slow one has not moved before it is asked to wait


def test_computer_players_agree_to_everything(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside(monkeypatch)

    async def look(tables: Tables) -> None:
        table = await play_randomly(
            tables, await tables.create(settings_for(HUMAN, "wanderer", "captain")), random.Random(4), 9
        )
        table = await until(tables, table.id, waits)
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert len(table.game.events) == 1 and table.deciding == 0

    with_tables(file, look)


def test_computer_players_wait_while_others_are_asked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside(monkeypatch)

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND, "captain", pace="slow"))
        dice = random.Random(5)
        while table.deciding != 2:
            table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
        assert table.thinking
        asked = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(asked) == (0, 1, set(), {1}) and not asked.thinking
        refused = await tables.answer_undo(table.id, asked.number, 1, yes=False)
        assert refused.thinking
        asked = await tables.ask_undo(table.id, refused.number, 0, 1)
        back = await tables.answer_undo(table.id, asked.number, 1, yes=True)
        assert len(back.game.events) == 1

    with_tables(file, look)


async def after_a_card(tables: Tables, table: Table) -> Table:
    """The first seat has ended its turn and a card was turned up; the others have not acted."""
    dice = random.Random(2)
    while table.deciding == 0:
        table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
    assert any(isinstance(event, Reveal) for event in table.game.events)
    assert all(event.seat == 0 for event in table.game.events if isinstance(event, Act))
    return table


def test_a_card_that_was_turned_up_concerns_every_person(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_card(tables, await tables.create(FRIENDS))
        before = table.game.events
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) == (0, 1, set(), {1, 2}) and table.game.events == before, "though they have not acted"
        table = await tables.answer_undo(table.id, table.number, 1, yes=True)
        table = await tables.answer_undo(table.id, table.number, 2, yes=True)
        assert len(table.game.events) == 1

    with_tables(file, look)


def test_who_plays_alone_against_computer_players_goes_back_across_cards(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_card(tables, await tables.create(settings_for(HUMAN, "captain", "trader")))
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) is None and len(table.game.events) == 1

    with_tables(file, look, bots=False)


def test_a_computer_player_on_a_seat_does_not_agree_for_its_person(file: Path) -> None:
    async def look(tables: Tables) -> Table:
        table = await after_a_card(tables, await tables.create(FRIENDS))
        await tables.stand_in(table.id, 1, "captain")
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) == (0, 1, set(), {1, 2}), "for an absent person nobody agrees"
        table = await tables.stand_in(table.id, 2, "captain")
        assert wish(table) == (0, 1, set(), {1, 2}) and len(table.game.events) > 1, "who must agree is fixed"
        await tables.answer_undo(table.id, table.number, 1, yes=True)
        return await tables.get(table.id)

    before = with_tables(file, look, bots=False)

    async def again(tables: Tables) -> None:
        table = await tables.get(before.id)
        assert wish(table) == (0, 1, {1}, {2}), "it is in the log"
        table = await tables.answer_undo(table.id, table.number, 2, yes=True)
        assert len(table.game.events) == 1 and not table.human(1)

    with_tables(file, again, bots=False)


def test_removing_a_person_is_no_way_to_go_back_without_them(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_card(tables, await tables.create(settings_for(HUMAN, FRIEND)))
        asked = await tables.ask_undo(table.id, table.number, 0, 1)
        table = await tables.remove(table.id, 1)
        assert wish(table) == wish(asked), "removed while asked"
        table = await tables.answer_undo(table.id, table.number, 0, yes=False)
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) == wish(asked), "removed before"
        await tables.keys.by_token(await tables.keys.link(table.id, "seat-1"))
        table = await tables.get(table.id)
        assert table.human(1) and wish(table) == wish(asked)
        table = await tables.answer_undo(table.id, table.number, 1, yes=True)
        assert len(table.game.events) == 1, "the person who has the seat now has agreed"

    with_tables(file, look, bots=False)


def test_an_empty_seat_is_not_asked_about_what_came_later(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        await tables.remove(table.id, 1)
        table = await after_a_card(tables, await tables.get(table.id))
        table = await tables.stand_in(table.id, 0, "captain")  # notes again which seats are free
        table = await tables.stand_in(table.id, 0, None)
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) is None and len(table.game.events) == 1

    with_tables(file, look, bots=False)


def test_the_wish_of_who_leaves_is_forgotten(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_round(tables, await tables.create(FRIENDS))
        await tables.ask_undo(table.id, table.number, 1, 1)
        table = await tables.remove(table.id, 1)
        assert wish(table) is None
        with pytest.raises(NoUndoVote):
            await tables.answer_undo(table.id, table.number, 0, yes=True)

    with_tables(file, look, bots=False)


def test_nothing_is_taken_back_after_the_end(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await play_randomly(tables, await tables.create(settings_for(HUMAN, HUMAN)), random.Random(1))
        assert table.game.over
        with pytest.raises(IllegalAction, match="The game is over"):
            await tables.ask_undo(table.id, table.number, 0, 1)

    with_tables(file, look)


def test_a_wish_is_there_after_a_restart(file: Path) -> None:
    async def begin(tables: Tables) -> Table:
        table = await after_a_round(tables, await tables.create(FRIENDS))
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        return await tables.answer_undo(table.id, table.number, 2, yes=True)

    before = with_tables(file, begin)

    async def go_on(tables: Tables) -> None:
        table = await tables.get(before.id)
        assert table.undo_vote == before.undo_vote and wish(table) == (0, 1, {2}, {1})
        table = await tables.answer_undo(table.id, table.number, 1, yes=True)
        assert len(table.game.events) == 1

    with_tables(file, go_on)


def test_others_at_the_same_screen_are_asked_as_well(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await after_a_round(tables, await tables.create(settings_for(HUMAN, HUMAN, HUMAN)))
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) == (0, 1, set(), {1, 2})

    with_tables(file, look)


# ------------------------------------------------------------------------------------------------------------ silence


def lapsed(table: Table) -> bool:
    return table.undo_vote is None and table.table_events[-1].kind == "lapse"


def test_silence_ends_a_wish(file: Path) -> None:
    time = Time()

    async def look(tables: Tables) -> None:
        time.rules(tables)
        table = await after_a_card(tables, await tables.create(FRIENDS))
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert table.undo_vote and table.undo_vote.until == time.now + timedelta(seconds=60)
        assert (await tables.summaries())[0].due == table.undo_vote.until
        time.passes(tables, 59.9)
        table = await tables.answer_undo(table.id, table.number, 1, yes=True)
        assert wish(table) == (0, 1, {1}, {2})
        time.passes(tables, 0.1)
        with pytest.raises(NoUndoVote):
            await tables.answer_undo(table.id, table.number, 2, yes=True)
        table = await until(tables, table.id, lapsed)
        assert len(table.game.events) > 1 and (await tables.summaries())[0].due is None
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) == (0, 1, set(), {1, 2}), "it can be asked again"

    with_tables(file, look)


def test_a_wish_lapses_while_no_server_runs(file: Path) -> None:
    time = Time()

    async def begin(tables: Tables) -> str:
        time.rules(tables)
        table = await after_a_card(tables, await tables.create(FRIENDS))
        return (await tables.ask_undo(table.id, table.number, 0, 1)).id

    game = with_tables(file, begin)
    time.now += timedelta(hours=1)

    async def look(tables: Tables) -> None:
        time.rules(tables)
        table = await tables.get(game)
        assert table.undo_vote is None
        with pytest.raises(NoUndoVote):
            await tables.answer_undo(game, table.number, 1, yes=True)
        await until(tables, game, lapsed)

    with_tables(file, look)


def test_a_wish_lapses_with_the_clock_of_the_turn(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside(monkeypatch)
    time = Time()

    async def look(tables: Tables) -> None:
        time.rules(tables)
        clock = TimeControl("turn", 40)
        table = await after_a_card(
            tables, await tables.create(settings_for(HUMAN, FRIEND, FRIEND, clock=clock, pace="slow"))
        )
        time.passes(tables, 10)
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert (
            table.undo_vote
            and table.clocks
            and table.undo_vote.until == table.clocks.due == time.now + timedelta(seconds=30)
        )
        time.passes(tables, 30)
        table = await until(tables, table.id, lambda table: table.settings.seats[1].late)
        assert [each.kind for each in table.table_events[-2:]] == ["lapse", "note"] and table.undo_vote is None
        table = await tables.ask_undo(table.id, table.number, 2, 1)
        assert wish(table) == (2, 1, set(), {0, 1}), "who is late is asked, though a computer player stands in"
        table = await tables.answer_undo(table.id, table.number, 1, yes=False)
        assert wish(table) is None

    with_tables(file, look)


def test_computer_players_go_on_when_a_wish_has_lapsed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside(monkeypatch)
    time = Time()

    async def look(tables: Tables) -> None:
        time.rules(tables)
        table = await tables.create(settings_for(HUMAN, FRIEND, "captain", pace="slow"))
        dice = random.Random(5)
        while table.deciding != 2:
            table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) == (0, 1, set(), {1}) and not table.thinking
        events = len(table.game.events)
        time.passes(tables, 60)
        table = await until(tables, table.id, lambda table: table.undo_vote is None and table.thinking)
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) and table.thinking, "it waits for each seat once"
        table = await until(tables, table.id, lambda table: len(table.game.events) > events)
        assert table.undo_vote is None

    with_tables(file, look)


def unopened(*free: bool) -> TableSettings:
    """A table of people, for some of whom there is a link that was not opened yet."""
    table = settings_for(HUMAN, *[FRIEND] * (len(free) - 1))
    return replace(table, seats=tuple(replace(seat, free=each) for seat, each in zip(table.seats, free, strict=True)))


def test_a_person_who_plays_is_asked_though_their_link_was_never_opened(file: Path) -> None:
    """A program may play with its key alone."""

    async def look(tables: Tables) -> None:
        table = await after_a_round(tables, await tables.create(unopened(False, True, True)))
        assert not any(seat.free for seat in table.settings.seats)
        table = await tables.ask_undo(table.id, table.number, 0, 1)
        assert wish(table) == (0, 1, set(), {1, 2}) and len(table.game.events) > 1

    with_tables(file, look, bots=False)


def test_a_seat_that_was_never_taken_is_not_asked(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(unopened(False, True, True))
        table = await after_a_card(tables, table)
        await tables.keys.by_token(
            await tables.keys.link(table.id, "seat-1")
        )  # the first note that tells which seats are free
        table = await tables.ask_undo(table.id, (await tables.get(table.id)).number, 0, 1)
        assert wish(table) == (0, 1, set(), {1}), "nobody could answer for the third seat"

    with_tables(file, look, bots=False)
