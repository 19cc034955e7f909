"""What is face down stays secret while a game is played, and can be checked when it is over."""

import json
import random
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.service.table_helpers import play_randomly, settings_for, with_tables

from elcapitan.board.figures import packaged
from elcapitan.game.game import Game
from elcapitan.records import capitan, shuffles
from elcapitan.records import json_record as record
from elcapitan.records.shuffles import Promise
from elcapitan.service import HUMAN, Table, Tables

FORMS = ("capitan", "json")
TWO = settings_for(HUMAN, HUMAN, seed=None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def secrets_of(tables: Tables, game: str) -> list[str]:
    """What nobody may know: keys, seeds and salts."""
    promises = tables.in_memory[game].state.dealt.promises
    return [secret for promise in promises for secret in (str(promise.secret), promise.salt)]


def everything(tables: Tables, table: Table) -> str:
    """All that a table tells, in every form there is."""
    game = table.game
    shown = [
        *(tables.export(table, form) for form in FORMS),
        repr(table),
        repr(asdict(table.settings)),
        repr(table.promises),
        repr(game.seed),
        repr(game.__dict__),
        game.position.tobytes().hex(),
        json.dumps(record.to_json(game, trace=True)),
    ]
    return "\n".join(shown)


@pytest.mark.parametrize("seed", [None, 17351302838529837000])
def test_no_key_no_seed_and_no_salt_leaves_a_running_game(file: Path, seed: int | None) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN, seed=seed))
        secrets = secrets_of(tables, table.id)
        assert [len(secret) for secret in secrets] == [20 if seed else 64, 32]
        commitment = table.commitment
        dice = random.Random(8)
        while not table.game.over:
            told = everything(tables, table)
            assert not any(secret in told or repr(bytes.fromhex(secret)) in told for secret in secrets)
            assert commitment in told and table.commitment == commitment
            table = await play_randomly(tables, table, dice, 25)
        told = everything(tables, table)
        assert all(secret in told for secret in secrets), "now it may be known"

    with_tables(file, look)


@pytest.mark.parametrize(("form", "seed"), [("capitan", None), ("json", None), ("json", 7)])
def test_a_finished_game_proves_itself(file: Path, form: str, seed: int | None) -> None:
    async def look(tables: Tables) -> str:
        table = await play_randomly(
            tables, await tables.create(settings_for(HUMAN, HUMAN, seed=seed)), random.Random(2)
        )
        return tables.export(table, form)

    game, promises = read(with_tables(file, look), form)
    assert [(promise.at, promise.scheme) for promise in promises] == [(0, "" if seed else "hmac-sha256")]
    assert shuffles.check(game, promises).fair


def test_who_begins_is_drawn_by_the_key(file: Path) -> None:
    async def look(tables: Tables) -> str:
        table = await tables.create(settings_for(HUMAN, HUMAN, HUMAN, HUMAN, HUMAN, seed=None, first=None))
        return tables.export(await tables.end(table.id), "json")

    for _ in range(3):
        game, promises = read(with_tables(file, look), "json")
        assert shuffles.first_by_lot(game, promises) is True


@pytest.mark.parametrize("form", FORMS)
def test_a_game_that_was_ended_proves_itself_too(file: Path, form: str) -> None:
    async def look(tables: Tables) -> str:
        table = await play_randomly(tables, await tables.create(TWO), random.Random(2), 30)
        running = tables.export(table, form)
        assert not any(promise.published for promise in read(running, form)[1])
        return tables.export(await tables.end(table.id), form)

    game, promises = read(with_tables(file, look), form)
    assert not game.over and shuffles.check(game, promises).fair


def test_what_was_taken_back_changes_nothing_about_it(file: Path) -> None:
    """A game in which much was taken back and done again still comes from its seed."""

    async def look(tables: Tables) -> str:
        table = await tables.create(TWO)
        dice = random.Random(6)
        while not table.game.over:
            table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
            if table.undoable and dice.random() < 0.3:
                table = await tables.undo(table.id, table.number)
                if dice.random() < 0.5:
                    table = await tables.redo(table.id, table.number)
        return tables.export(table, "json")

    game, promises = read(with_tables(file, look), "json")
    assert shuffles.check(game, promises).fair


def test_going_back_by_consent_changes_nothing_about_it_either(file: Path) -> None:
    """Across turns and cards: the same cards come again, unless the decks are made anew in another way."""

    async def look(tables: Tables) -> str:
        dice = random.Random(9)
        table = await play_randomly(tables, await tables.create(TWO), dice, 40)
        for at in (15, 8):
            assert table.deciding is not None
            table = await tables.ask_undo(table.id, table.number, table.deciding, at)
            while table.undo_vote:
                seat = min(table.undo_vote.waiting)
                table = await tables.answer_undo(table.id, table.number, seat, yes=True)
            assert len(table.game.events) < 30
            table = await play_randomly(tables, table, dice, 40)
        table = await play_randomly(tables, table, dice)
        return tables.export(table, "capitan")

    game, promises = read(with_tables(file, look), "capitan")
    assert game.over and len(promises) == 1
    assert shuffles.check(game, promises).fair


def test_a_restart_keeps_the_promise(file: Path) -> None:
    async def begin(tables: Tables) -> Table:
        return await play_randomly(tables, await tables.create(TWO), random.Random(2), 10)

    before = with_tables(file, begin)

    async def look(tables: Tables) -> Table:
        return await tables.get(before.id)

    after = with_tables(file, look)
    assert after.promises == before.promises != ()


def test_what_is_taken_over_is_shuffled_under_a_promise_of_its_own(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await play_randomly(tables, await tables.create(TWO), random.Random(2), 40)
        branch = await tables.branch(table.id, len(table.game.events))
        brought = await tables.import_record(tables.export(table, "json"), "game.json")
        assert len({each.commitment for each in (table, branch, brought)}) == 3
        for each in (branch, brought):
            (promise,) = each.promises
            assert 0 < promise.at <= len(table.game.events) and not promise.published
            assert promise.scheme == "hmac-sha256"
            over = await play_randomly(tables, each, random.Random(3))
            game, promises = read(tables.export(over, "json"), "json")
            finding = shuffles.check(game, promises)
            assert finding.verdict == shuffles.PARTLY and finding.checked > 0

    with_tables(file, look)


def read(content: str, form: str) -> tuple[Game, tuple[Promise, ...]]:
    """The game of a record, and how it was shuffled."""
    if form == "json":
        return record.with_shuffles(content, packaged())
    score = capitan.from_capitan(content)
    return score.game, score.shuffles
