"""Tables: the order of checks, all or nothing, taking back, branches, records, and what is left after a restart."""

import asyncio
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.playing import random_game
from tests.service.table_helpers import THREE, TWO, following, play_randomly, settings_for, with_tables
from tests.store.store_helpers import Database, asked

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.errors import BadRecord, BadSetup, ElCapitanError
from elcapitan.game.game import Act, Game
from elcapitan.game.history import turn_of
from elcapitan.records import capitan
from elcapitan.records import json_record as record
from elcapitan.service import (
    HUMAN,
    CannotUndo,
    Frozen,
    IllegalAction,
    NoSuchGame,
    NotYourTurn,
    Seat,
    StaleVersion,
    Table,
    Tables,
    open_table,
)

GAMES = Path(__file__).resolve().parents[1] / "games"


@pytest.fixture
def file(database: Database) -> Database:
    """Games are kept in each kind of database."""
    return database


def log_of(file: Database, game: str) -> list[tuple[int, str, object]]:
    rows = asked(file, "SELECT number, kind, content FROM entries WHERE game = ? ORDER BY number", game)
    return [
        (number, kind, json.loads(content) if isinstance(content, str) else content) for number, kind, content in rows
    ]


def same(one: Table, other: Table) -> bool:
    return _all_of(one) == _all_of(other)


def _all_of(table: Table) -> list[object]:
    left_out = ("game", "thinking", "frozen", "read_at")
    fields = [getattr(table, name) for name in table.__dataclass_fields__ if name not in left_out]
    return [*fields, table.game.events, table.game.position.tobytes()]


def test_a_new_table(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        assert table.number == 2 and table.deciding == 0 and not table.thinking and table.frozen is None
        assert table.game.stage == "start" and len(table.game.events) == 1
        assert (table.undoable, table.redoable, table.turn_begins) == (0, 0, 1)
        assert table.names() == ["M0", "M1", "M2"] and table.human(2) and table.colour_of(2) == 2
        assert table.settings.seed is None and table.game.seed is None, "nobody is told"
        assert len(table.id) == 12 and table.id.isalnum() and table.id != (await tables.create(THREE)).id
        assert table.created == table.changed and table.created.tzinfo is not None

    with_tables(file, look)


def test_the_same_seed_deals_the_same_cards(file: Database) -> None:
    async def look(tables: Tables) -> None:
        deals = [(await tables.create(replace(THREE, seed=seed))).game.events[0] for seed in (7, 7, 8)]
        assert deals[0] == deals[1] == Game.new(3, first=0, seed=7).events[0] != deals[2]
        drawn = [(await tables.create(replace(THREE, seed=seed, first=None))).game.setup.first for seed in range(24)]
        assert set(drawn) == {0, 1, 2}

    with_tables(file, look)


def test_checks_come_in_order(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, "captain", HUMAN, first=0))
        illegal = next(number for number in range(N_ACTIONS) if number not in table.game.legal())
        with pytest.raises(NoSuchGame, match="There is no game nowhere"):
            await tables.act("nowhere", -1, [illegal], [2])
        with pytest.raises(NotYourTurn, match="It is seat 1's turn"):
            await tables.act(table.id, -1, [illegal], [2])
        with pytest.raises(StaleVersion, match="has changed in the meantime"):
            await tables.act(table.id, table.number - 1, [illegal], [0])
        with pytest.raises(StaleVersion):
            await tables.act(table.id, table.number + 1, [illegal], [0])
        with pytest.raises(IllegalAction) as refused:
            await tables.act(table.id, table.number, [illegal], [0])
        assert refused.value.rule
        assert same(await tables.get(table.id), table), "nothing has happened"
        after = await tables.act(table.id, table.number, [table.game.legal()[0]], [0])
        assert after.number == table.number + 1
        with pytest.raises(StaleVersion):
            await tables.act(table.id, table.number, [after.game.legal()[0]], [0])

    with_tables(file, look)


def test_nobody_moves_for_a_computer_player(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", HUMAN, pace="slow"))
        assert table.thinking and table.deciding == 0
        for attempt in (
            tables.act(table.id, table.number, [table.game.legal()[0]]),
            tables.act(table.id, table.number, [table.game.legal()[0]], [0]),
            tables.undo(table.id, table.number),
            tables.hint(table.id, table.number),
        ):
            with pytest.raises(NotYourTurn, match="A computer player is to move in seat 1"):
                await attempt

    with_tables(file, look, bots=False)


def test_several_actions_or_none(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        first = table.game.legal()[0]
        trial = table.game.copy()
        trial.play(first)
        second = trial.legal()[0]
        illegal = next(number for number in range(N_ACTIONS) if number not in trial.legal())
        with pytest.raises(IllegalAction):
            await tables.act(table.id, table.number, [first, illegal])
        assert same(await tables.get(table.id), table) and len(log_of(file, table.id)) == 2
        after = await tables.act(table.id, table.number, [first, second])
        assert (after.number, after.undoable) == (4, 2)
        assert [kind for _, kind, _ in log_of(file, table.id)] == ["shuffle", "deal", "act", "act"]

    with_tables(file, look)


def test_who_looks_at_a_table_does_not_change_it(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        before = table.game.position.tobytes()
        after = await tables.act(table.id, table.number, [table.game.legal()[0]])
        assert table.game.position.tobytes() == before, "a table stays as it was when it was looked at"
        left = after.game.position.tobytes()
        after.game.play(after.game.legal()[0])
        again = await tables.get(table.id)
        assert again.game.position.tobytes() == left != after.game.position.tobytes()
        again = await tables.act(table.id, again.number, [again.game.legal()[0]])
        assert again.game.position.tobytes() == after.game.position.tobytes()

    with_tables(file, look)


def test_undo_and_redo_are_entries(file: Database) -> None:
    async def look(tables: Tables) -> Table:
        table = await tables.create(THREE)
        start = table.game.position.tobytes()
        for _ in range(2):
            table = await tables.act(table.id, table.number, [table.game.legal()[0]])
        far = table.game.position.tobytes()
        table = await tables.undo(table.id, table.number, 2)
        assert (table.number, table.undoable, table.redoable) == (5, 0, 2)
        assert table.game.position.tobytes() == start
        with pytest.raises(CannotUndo):
            await tables.undo(table.id, table.number)
        table = await tables.redo(table.id, table.number, 2)
        assert (table.number, table.undoable, table.redoable) == (6, 2, 0)
        assert table.game.position.tobytes() == far
        with pytest.raises(CannotUndo):
            await tables.redo(table.id, table.number)
        with pytest.raises(StaleVersion):
            await tables.undo(table.id, table.number - 1)
        return await tables.undo(table.id, table.number)

    table = with_tables(file, look)
    kinds = [kind for _, kind, _ in log_of(file, table.id)]
    assert kinds == ["shuffle", "deal", "act", "act", "undo", "redo", "undo"]

    async def again(tables: Tables) -> None:
        read = await tables.get(table.id)
        assert same(read, table) and read.redoable == 1
        read = await tables.redo(table.id, read.number)
        assert read.undoable == 2
        read = await tables.undo(table.id, read.number)
        read = await tables.act(table.id, read.number, [read.game.legal()[0]])
        assert read.redoable == 0, "another action ends it"

    with_tables(file, again)


def test_no_way_back_across_a_card(file: Database) -> None:
    async def look(tables: Tables) -> None:
        dice, table = random.Random(4), await tables.create(THREE)
        while not (table.game.card_due or (len(table.game.events) > 6 and table.undoable == 0)):
            table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
        with pytest.raises(CannotUndo):
            await tables.undo(table.id, table.number)

    with_tables(file, look)


def test_after_the_end_nothing_happens(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await play_randomly(tables, await tables.create(TWO), random.Random(1))
        assert table.game.over and table.deciding is None and not table.thinking
        with pytest.raises(IllegalAction, match="The game is over"):
            await tables.act(table.id, table.number, [0])
        for attempt in (tables.undo(table.id, table.number), tables.redo(table.id, table.number)):
            with pytest.raises(CannotUndo):
                await attempt
        (summary,) = await tables.summaries()
        assert summary.over and summary.money == tuple(table.game.money) and not summary.waits_for_people

    with_tables(file, look)


def test_everything_is_there_after_a_restart(file: Database) -> None:
    async def play(tables: Tables) -> list[Table]:
        dice = random.Random(2)
        new = [await tables.create(settings_for(*[HUMAN] * players, seed=None)) for players in (2, 3, 5)]
        return [await play_randomly(tables, table, dice, 25 * number) for number, table in enumerate(new)]

    played = with_tables(file, play)

    async def look(tables: Tables) -> None:
        for table in played:
            assert same(await tables.get(table.id), table)
        summaries = await tables.summaries()
        assert [summary.changed for summary in summaries] == sorted((s.changed for s in summaries), reverse=True)
        for summary in summaries:
            (table,) = (each for each in played if each.id == summary.id)
            assert (summary.settings, summary.number, summary.deciding) == (
                table.settings,
                table.number,
                table.deciding,
            )
            assert (summary.phase, summary.round) == (table.game.phase, table.game.round)
            assert summary.money == tuple(table.game.money) and summary.waits_for_people and not summary.over

    with_tables(file, look)


def test_settings(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        noted = await tables.change(table.id, pace="slow", names=["A", "B", "C"], title="Final")
        assert (noted.number, noted.settings.pace, noted.names(), noted.settings.title) == (
            3,
            "slow",
            ["A", "B", "C"],
            "Final",
        )
        after = await tables.act(table.id, table.number, [table.game.legal()[0]])
        assert after.number == 4, "who decided before the note decided on the same position"
        with pytest.raises(StaleVersion):
            await tables.act(table.id, noted.number, [after.game.legal()[0]])
        with pytest.raises(BadSetup):
            await tables.change(table.id, pace="hasty")
        assert (await tables.change(table.id, pace="slow", title=" Final\n")).number == 4, "no change is no news"
        assert log_of(file, table.id)[2][1:] == ("note", {"pace": "slow", "names": ["A", "B", "C"], "title": "Final"})

    with_tables(file, look)

    async def again(tables: Tables) -> None:
        (summary,) = await tables.summaries()
        assert (summary.settings.pace, summary.settings.title) == ("slow", "Final")
        assert (await tables.get(summary.id)).names() == ["A", "B", "C"]

    with_tables(file, again)


def test_games_are_thrown_away(file: Database) -> None:
    async def look(tables: Tables) -> None:
        kept, table = await tables.create(TWO), await tables.create(THREE)
        seen: list[int] = []

        async def watch() -> None:
            async with following(tables, table.id) as versions:
                seen.extend([version async for version in versions])

        watching = asyncio.create_task(watch())
        await asyncio.sleep(0)
        await tables.delete(table.id)
        await asyncio.wait_for(watching, 5)
        for attempt in (tables.get(table.id), tables.delete(table.id), tables.act(table.id, 2, [0])):
            with pytest.raises(NoSuchGame):
                await attempt
        assert [summary.id for summary in await tables.summaries()] == [kept.id]

    with_tables(file, look)


# ------------------------------------------------------------------------------------------------------- following


def test_followers_hear_of_the_newest_version(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        async with following(tables, table.id) as quick, following(tables, table.id) as slow:
            first = await anext(quick)
            assert await anext(slow) == first
            for number in (1, 2, 3):
                table = await tables.change(table.id, pace="slow" if number % 2 else "fast")
                assert await asyncio.wait_for(anext(quick), 5) == first + number
            assert await asyncio.wait_for(anext(slow), 5) == first + 3, "those in between are left out"
            waiting = asyncio.ensure_future(anext(slow))
            await asyncio.sleep(0.05)
            assert not waiting.done()
            await tables.change(table.id, pace="instant")
            assert await asyncio.wait_for(waiting, 5) == first + 4

    with_tables(file, look)


def test_followers_are_let_go_when_the_service_ends(file: Database) -> None:
    async def run() -> list[int]:
        seen: list[int] = []
        async with Tables.open(file) as tables:
            table = await tables.create(THREE)

            async def watch() -> None:
                async with following(tables, table.id) as versions:
                    seen.extend([version async for version in versions])

            watching = asyncio.create_task(watch())
            await asyncio.sleep(0.05)
        await asyncio.wait_for(watching, 5)
        return seen

    assert len(asyncio.run(run())) == 1


def test_nobody_can_follow_a_game_that_is_not_there(file: Database) -> None:
    async def look(tables: Tables) -> None:
        with pytest.raises(NoSuchGame):
            async with following(tables, "nowhere") as versions:
                await anext(versions)

    with_tables(file, look)


# -------------------------------------------------------------------------------------------------------- in memory


def test_only_some_tables_stay_in_memory(file: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "MOST_LIVE", 3)

    async def look(tables: Tables) -> None:
        async def settled() -> None:
            """Wait until three are left besides the one that is watched; news may still need some more."""
            async with asyncio.timeout(5):
                while len(tables.in_memory) > 4:
                    await asyncio.sleep(0.01)
                    await tables.get(new[-1].id)
            assert len(tables.in_memory) == 4

        new = [await tables.create(THREE) for _ in range(3)]
        async with following(tables, new[0].id) as versions:
            first = await anext(versions)
            new += [await tables.create(THREE) for _ in range(4)]
            await settled()
            assert new[0].id in tables.in_memory, "one that is watched stays, besides the others"
            after = [await tables.act(table.id, 2, [table.game.legal()[0]]) for table in new]
            assert await asyncio.wait_for(anext(versions), 5) == first + 1
            assert all([same(await tables.get(table.id), table) for table in after])
            await settled()
        await tables.get(new[5].id)
        await tables.get(new[6].id)
        await tables.get(new[4].id)
        assert list(tables.in_memory) == [new[5].id, new[6].id, new[4].id]

    with_tables(file, look)


def test_tables_that_nobody_needs_can_still_be_found(file: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_table, "MOST_LIVE", 0)

    async def look(tables: Tables) -> None:
        watched, other = [await tables.create(THREE) for _ in range(2)]
        async with following(tables, watched.id) as versions:
            await anext(versions)
            assert same(await tables.get(other.id), other)
            assert list(tables.in_memory) == [watched.id]

    with_tables(file, look)


def test_two_services_over_one_database(file: Database) -> None:
    """Whoever comes second is refused, hears what the first has done, and can go on from there."""

    async def run() -> None:
        async with Tables.open(file) as one, Tables.open(file) as other:
            table = await one.create(THREE)
            theirs = await other.get(table.id)
            table = await one.act(table.id, table.number, [table.game.legal()[0]])
            with pytest.raises(StaleVersion):
                await other.act(table.id, theirs.number, [theirs.game.legal()[-1]])
            theirs = await other.get(table.id)
            assert same(theirs, table)
            theirs = await other.act(table.id, theirs.number, [theirs.game.legal()[0]])
            assert theirs.number == table.number + 1
            await one.delete(table.id)
            with pytest.raises(NoSuchGame):
                await other.act(table.id, theirs.number, [theirs.game.legal()[0]])
            with pytest.raises(NoSuchGame):
                await other.get(table.id)

    asyncio.run(run())


def test_whoever_goes_away_leaves_no_half_move(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(THREE)
        for _ in range(20):
            acting = asyncio.create_task(tables.act(table.id, table.number, [table.game.legal()[0]]))
            for _ in range(random.Random(table.number).randrange(1, 30)):
                await asyncio.sleep(0)
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)
            await tables.writer.finish()
            table = await tables.get(table.id)
            live, stored = tables.in_memory[table.id], await tables.writer.load(table.id)
            assert live.number == stored.number and live.state.dealt.secret == stored.state.dealt.secret

    with_tables(file, look)


# ---------------------------------------------------------------------------------------------- branches and records


def test_a_branch_is_a_game_of_its_own(file: Database) -> None:
    async def look(tables: Tables) -> None:
        table = await play_randomly(tables, await tables.create(THREE), random.Random(3), 40)
        events = table.game.events
        branch = await tables.branch(table.id, 20, [Seat(HUMAN, "A", 1), Seat("captain", "B", 2), Seat(HUMAN, "C", 0)])
        assert branch.origin == (table.id, 20) and branch.id != table.id
        assert (
            branch.game.events[:20] == events[:20] and [seat.player for seat in branch.settings.seats][1] == "captain"
        )
        assert same(await tables.get(table.id), table), "the original goes on as it was"
        for at in (1, 7, len(events)):
            assert (await tables.branch(table.id, at)).game.events[:at] == events[:at]
        for at in (-1, 0, len(events) + 1):
            with pytest.raises(BadRecord, match=f"no moment {at}"):
                await tables.branch(table.id, at)
        with pytest.raises(BadSetup):
            await tables.branch(table.id, 5, [Seat(), Seat(colour=1)])
        with pytest.raises(NoSuchGame):
            await tables.branch("nowhere", 5)
        await tables.delete(table.id)
        assert (await tables.get(branch.id)).origin == (table.id, 20)

    with_tables(file, look, bots=False)


def test_the_cards_of_a_branch_are_its_own(file: Database) -> None:
    """Played on in the same way, branches of one moment get other cards than the original and than one another."""

    async def look(tables: Tables) -> None:
        table = await tables.create(replace(TWO, seed=3))
        branches = [await tables.branch(table.id, 1) for _ in range(6)]
        secrets = {tables.in_memory[each.id].state.dealt.secret for each in (table, *branches)}
        assert len(secrets) == 7
        assert len({each.game.position.tobytes() for each in (table, *branches)}) == 1

    with_tables(file, look)


@pytest.mark.parametrize("form", ["capitan", "json"])
def test_a_game_goes_out_and_comes_in(file: Database, form: str) -> None:
    async def look(tables: Tables) -> None:
        first = settings_for(HUMAN, "captain", HUMAN, title="Évora", tiles=("Lisboa",), first=2)
        table = await play_randomly(tables, await tables.create(first), random.Random(3), 3)
        written = tables.export(table, form)
        brought = await tables.import_record(written.encode(), f"evening.{form}")
        assert brought.game.events == table.game.events and brought.id != table.id
        assert [seat.player for seat in brought.settings.seats] == [HUMAN, "captain", HUMAN]
        assert brought.settings.tiles == ("Lisboa",)
        if form == "capitan":
            assert brought.names() == table.names() and brought.settings.title == "Évora"
        assert (await tables.import_record(written, "")).game.events == table.game.events, "pasted, it has no name"
        after = await tables.act(brought.id, brought.number, [brought.game.legal()[0]])
        assert len(after.game.events) > len(brought.game.events)

    with_tables(file, look, bots=False)


def test_unfinished_games_can_be_played_on(file: Database) -> None:
    played = random_game(4, seed=6, most=70)

    async def look(tables: Tables) -> None:
        table = await tables.import_record(capitan.to_capitan(played), "game.capitan")
        assert all(map(table.human, range(4))), "a record that names nobody seats people"
        assert table.names() == [""] * 4
        table = await play_randomly(tables, table, random.Random(1))
        assert table.game.over

    with_tables(file, look)


def test_a_finished_game_can_be_looked_at(file: Database) -> None:
    path = sorted(GAMES.glob("*.json"))[4]

    async def look(tables: Tables) -> Table:
        return await tables.import_record(path.read_bytes(), path.name)

    table = with_tables(file, look)
    assert table.game.over and record.to_json(table.game)["result"] == json.loads(path.read_text())["result"]


def test_players_who_cannot_play_here_are_people(file: Database) -> None:
    written = record.to_json(random_game(3, seed=6, most=20), seats=["cmd:./mine", "grandmaster", "trader"])

    async def look(tables: Tables) -> Table:
        return await tables.import_record(json.dumps(written), "game.json")

    table = with_tables(file, look, bots=False)
    assert [seat.player for seat in table.settings.seats] == [HUMAN, HUMAN, "trader"]


@pytest.mark.parametrize("form", ["capitan", "json"])
def test_levels_come_in_without_their_budgets(file: Database, form: str) -> None:
    seats = [
        "admiral:ms=600000",
        "captain:sims=4",
        "navigator:nonsense",
        "helmsman:strength=30",
        "helmsman:strength=31",
    ]
    game = random_game(5, seed=6, most=20)
    headers = {"Seats": ", ".join(seats)}
    written = json.dumps(record.to_json(game, seats=seats)) if form == "json" else capitan.to_capitan(game, headers)

    async def look(tables: Tables) -> Table:
        return await tables.import_record(written, f"game.{form}")

    table = with_tables(file, look, bots=False)
    assert [seat.player for seat in table.settings.seats] == [
        "admiral",
        "captain",
        "navigator",
        "helmsman:strength=30",
        "helmsman",
    ]


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (b"{}", "game.json", "format is missing|is missing"),
        (b"{", "game.json", "not JSON"),
        (b"\xff\xfe", "game.capitan", "cannot be read"),
        (b"hello", "game.txt", "must end in .json or .capitan"),
        (b"", "game.capitan", "is missing"),
        (b" " * 5_000_001, "game.json", "more than 5000000 bytes"),
        ('[Rules "1"]\n[Players "9"]', "game.capitan", "missing"),
    ],
)
def test_records_that_do_not_hold(file: Database, content: str | bytes, name: str, sentence: str) -> None:
    async def look(tables: Tables) -> None:
        with pytest.raises(ElCapitanError, match=sentence):
            await tables.import_record(content, name)
        assert await tables.summaries() == []

    with_tables(file, look)


# ------------------------------------------------------------------------------------------------ what does not fit


def damaged(file: Database, order: str) -> None:
    asked(
        file,
        order if isinstance(file, Path) else re.sub(r"zeroblob\((\d+)\)", r"decode(repeat('00', \1), 'hex')", order),
    )


@pytest.mark.parametrize(
    ("order", "sentence", "events"),
    [
        ("UPDATE snapshots SET position = zeroblob(593)", "the position that was stored", "all"),
        ("UPDATE games SET rules = '0'", "version 0 of the rules", "all"),
        ("UPDATE games SET board = 'atlantis'", "on the board atlantis", "none"),
        ("UPDATE entries SET content = '{\"seed\": 1}' WHERE number = 1", "the position that was stored", "all"),
        ('UPDATE entries SET content = \'{"seat": 0, "do": "repay 10"}\' WHERE number = 9', "Event 9: ", "some"),
        ("UPDATE entries SET kind = 'sing' WHERE number = 9", "Event 9: ", "some"),
        ("UPDATE entries SET content = '[]' WHERE number = 9", "Event 9: ", "some"),
    ],
)
def test_a_game_that_does_not_fit_can_only_be_looked_at(file: Database, order: str, sentence: str, events: str) -> None:
    async def play(tables: Tables) -> Table:
        return await play_randomly(tables, await tables.create(THREE), random.Random(8), 30)

    table = with_tables(file, play)
    damaged(file, order)

    async def look(tables: Tables) -> None:
        broken = await tables.get(table.id)
        assert broken.frozen is not None and sentence in str(broken.frozen), broken.frozen
        shown = len(broken.game.events)
        assert {"all": shown == len(table.game.events), "none": shown == 0, "some": 0 < shown < 9}[events]
        for attempt in (
            tables.act(table.id, broken.number, [0]),
            tables.undo(table.id, broken.number),
            tables.redo(table.id, broken.number),
        ):
            with pytest.raises(Frozen, match="can be viewed, but not continued"):
                await attempt

    with_tables(file, look)


def test_a_snapshot_of_another_layout_is_no_reason_to_stop(file: Database) -> None:
    async def play(tables: Tables) -> Table:
        return await play_randomly(tables, await tables.create(THREE), random.Random(8), 30)

    table = with_tables(file, play)
    damaged(file, "UPDATE snapshots SET form = 'older', position = zeroblob(99)")

    async def look(tables: Tables) -> None:
        read = await tables.get(table.id)
        assert read.frozen is None and same(read, table)

    with_tables(file, look)


def test_a_snapshot_for_every_turn(file: Database) -> None:
    async def play(tables: Tables) -> Table:
        return await play_randomly(tables, await tables.create(THREE), random.Random(8), 60)

    table = with_tables(file, play)
    ((count,),) = asked(file, "SELECT count(*) FROM snapshots")
    turns = {turn_of(moment.before[0]) for moment in table.game.history() if isinstance(moment.event, Act)}
    assert len(turns) - 2 <= count <= len(turns) + 2
