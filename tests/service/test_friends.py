"""Friends by link: seats nobody has taken yet, computer players that stand in, removing, ending."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.service.table_helpers import play_randomly, settings_for, until, waits, with_tables

from elcapitan.errors import BadBot, BadSetup, CannotUndo, Ended, NotYourTurn, StaleVersion
from elcapitan.service import FRIEND, HUMAN, Seat, Table, Tables, TimeControl
from elcapitan.service.bot_pool import BotPool

pytestmark = pytest.mark.compiled


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question to a computer player is answered here, because it takes a while to start a process."""

    async def ask(_self: BotPool, answer: Callable[[Any], Any], asking: Any, _priority: int = 0) -> Any:
        return answer(asking)

    monkeypatch.setattr(BotPool, "ask", ask)


def test_a_game_waits_for_a_friend_who_has_not_come_yet(file: Path, inside: None) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(FRIEND, "captain", HUMAN))
        assert table.deciding == 0 and table.human(0) and not table.thinking
        (summary,) = await tables.summaries()
        assert summary.waits_for_people
        table = await play_randomly(tables, table, random.Random(1), 12)
        assert len(table.game.events) > 10, "whoever has the key plays on"

    with_tables(file, look)


def test_somebody_stands_in_and_leaves_again(file: Path, inside: None) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(FRIEND, HUMAN, first=0))
        token = await tables.keys.link(table.id, "seat-0")
        number = table.number
        table = await tables.stand_in(table.id, 0, "wanderer")
        assert table.settings.seats[0].player == FRIEND and table.settings.seats[0].person
        table = await until(tables, table.id, waits)
        assert table.deciding == 1 and not table.human(0)
        rights = await tables.keys.rights(table.id, [token])
        assert rights is not None and rights.seats == {0}, "the seat's person keeps looking"
        with pytest.raises(StaleVersion):
            await tables.act(table.id, number, [table.game.legal()[0]], [1])
        while table.deciding == 1:
            table = await tables.act(table.id, table.number, [table.game.legal()[-1]], [1])
        table = await tables.stand_in(table.id, 0, None)
        assert table.human(0) and table.settings.seats[0].stand_in == ""
        table = await until(tables, table.id, waits)
        if table.deciding == 0:
            await tables.act(table.id, table.number, [table.game.legal()[0]], [0])

    with_tables(file, look)


def test_a_person_does_not_act_while_somebody_stands_in(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(FRIEND, HUMAN))
        table = await tables.stand_in(table.id, 0, "captain")
        assert table.thinking
        for attempt in (
            tables.act(table.id, table.number, [table.game.legal()[0]], [0]),
            tables.undo(table.id, table.number, 1, [0]),
            tables.hint(table.id, table.number, None, [0]),
            tables.ask_undo(table.id, table.number, 0, 1),
        ):
            with pytest.raises(NotYourTurn, match="A computer player is to move in seat 1"):
                await attempt
        table = await tables.stand_in(table.id, 0, None)
        assert (await tables.act(table.id, table.number, [table.game.legal()[0]], [0])).undoable == 1

    with_tables(file, look, bots=False)


def test_who_cannot_stand_in(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(FRIEND, "captain"))
        for level in (HUMAN, FRIEND, "bosun", "cmd:rm -rf /"):
            with pytest.raises(BadBot):
                await tables.stand_in(table.id, 0, level)
        with pytest.raises(BadSetup, match="Nobody can stand in for captain"):
            await tables.stand_in(table.id, 1, "wanderer")
        with pytest.raises(BadSetup, match="Nobody can stand in for captain"):
            await tables.remove(table.id, 1)
        for seat in (-1, 2, 99):
            for attempt in (
                tables.stand_in(table.id, seat, "captain"),
                tables.remove(table.id, seat),
                tables.rename(table.id, seat, "X"),
                tables.say(table.id, seat, "X"),
                tables.ask_undo(table.id, table.number, seat, 1),
            ):
                with pytest.raises(BadSetup, match=f"no seat {seat + 1}"):
                    await attempt
        assert (await tables.get(table.id)).number == table.number

    with_tables(file, look, bots=False)


def test_everything_about_seats_survives_a_restart(file: Path) -> None:
    async def begin(tables: Tables) -> Table:
        table = await tables.create(
            settings_for(FRIEND, FRIEND, HUMAN, clock=TimeControl("bank", 600, 10), language="fr")
        )
        await tables.stand_in(table.id, 1, "wanderer")
        await tables.rename(table.id, 0, " Inês ")
        await tables.change(table.id, chat=False, webhook="https://example.org/hook")
        return await tables.remove(table.id, 0)

    before = with_tables(file, begin, bots=False)

    async def again(tables: Tables) -> None:
        table = await tables.get(before.id)
        assert table.settings == before.settings and table.table_events == before.table_events
        assert table.settings.seats[0] == Seat(FRIEND, "", 0, "helmsman", free=True)
        assert table.settings.seats[1].stand_in == "wanderer" and table.settings.clock == TimeControl("bank", 600, 10)
        assert not table.settings.chat and table.settings.language == "fr"
        (summary,) = await tables.summaries()
        assert summary.settings == before.settings

    with_tables(file, again, bots=False)


def test_the_story_tells_what_the_host_did_but_no_secrets(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(FRIEND, HUMAN))
        await tables.stand_in(table.id, 0, "wanderer")
        await tables.change(table.id, webhook="https://example.org/secret", title="Final")
        table = await tables.end(table.id)
        told = [(each.kind, dict(each.content), each.after) for each in table.table_events]
        assert told == [
            ("note", {"stand_ins": ["wanderer", ""], "late": [False, False], "free": [False, False]}, 1),
            ("note", {"title": "Final"}, 1),
            ("note", {"ended": True}, 1),
        ]

    with_tables(file, look, bots=False)


def test_an_ended_game_is_over(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, "captain", FRIEND, clock=TimeControl("turn", 60)))
        table = await tables.act(table.id, table.number, [table.game.legal()[0]])
        ended = await tables.end(table.id)
        assert ended.over and ended.deciding is None and not ended.thinking and ended.clocks is None
        assert not ended.game.over and ended.game.events == table.game.events
        number = ended.number
        for attempt in (
            tables.act(table.id, number, [ended.game.legal()[0]]),
            tables.undo(table.id, number),
            tables.redo(table.id, number),
            tables.hint(table.id, number),
            tables.ask_undo(table.id, number, 0, 1),
            tables.answer_undo(table.id, number, 0, yes=True),
            tables.change(table.id, ended=False),
        ):
            with pytest.raises(Ended, match="The host has ended this game"):
                await attempt
        (summary,) = await tables.summaries()
        assert summary.over and summary.deciding is None and not summary.waits_for_people
        assert (await tables.end(table.id)).number == number, "once is enough"
        assert (await tables.say(table.id, 0, "Good game")).chat[-1].text == "Good game"

    with_tables(file, look, bots=False)


def test_computer_players_stop_when_a_game_is_ended(file: Path, inside: None) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", "captain", pace="slow"))
        table = await tables.end(table.id)
        assert not table.thinking
        live = tables.in_memory[table.id]
        if live.bots:
            await live.bots
        assert (await tables.get(table.id)).number == table.number

    with_tables(file, look)


def test_a_branch_is_at_ones_own_screen(file: Path) -> None:
    async def look(tables: Tables) -> None:
        settings: dict[str, Any] = {"clock": TimeControl("turn", 60), "webhook": "https://example.org/x"}
        table = await tables.create(settings_for(FRIEND, HUMAN, "captain", **settings))
        await tables.stand_in(table.id, 0, "wanderer")
        await tables.end(table.id)
        branch = await tables.branch(table.id, 1)
        assert [seat.player for seat in branch.settings.seats] == [HUMAN, HUMAN, "captain"]
        assert (branch.settings.clock, branch.settings.webhook, branch.over) == (None, "", False)
        assert branch.human(0)

    with_tables(file, look, bots=False)


def test_friends_are_people_in_a_record(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(FRIEND, HUMAN, "captain"))
        await tables.stand_in(table.id, 0, "wanderer")
        table = await tables.get(table.id)
        for form in ("json", "capitan"):
            brought = await tables.import_record(tables.export(table, form), f"game.{form}")
            assert [seat.player for seat in brought.settings.seats] == [HUMAN, HUMAN, "captain"]

    with_tables(file, look, bots=False)


def test_nothing_is_taken_back_when_nothing_has_happened(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        with pytest.raises(CannotUndo, match="Nothing has happened since"):
            await tables.ask_undo(table.id, table.number, 0, 1)
        for at in (0, -1, -99):
            with pytest.raises(CannotUndo, match="cannot go back further than to where it began"):
                await tables.ask_undo(table.id, table.number, 0, at)

    with_tables(file, look, bots=False)
