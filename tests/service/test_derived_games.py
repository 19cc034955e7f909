"""What follows a finished game: rematches and who may sit there, the same deal again, and reviews."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.playing import random_game
from tests.service.table_helpers import settings_for, with_tables

from elcapitan.background_tasks import requester
from elcapitan.errors import BadSetup, NoSuchGame, TooMuch
from elcapitan.game.game import Reveal
from elcapitan.players.judge import Mistake
from elcapitan.records import capitan
from elcapitan.service import FRIEND, HUMAN, Seat, Table, Tables, derived_games
from elcapitan.service.bot_pool import REVIEW, BotPool
from elcapitan.service.derived_games import Reviews, keys_to_rematch, published_secret, rematch, same_deal
from elcapitan.service.table_settings import TimeControl

pytestmark = pytest.mark.compiled
MISTAKE = Mistake(0, 5, 2, (1, 2), 0.5, 0.2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


async def ended(tables: Tables, *players: str, **settings: Any) -> Table:
    """A game that its host has ended."""
    table = await tables.create(settings_for(*players, **settings))
    return await tables.end(table.id)


# ------------------------------------------------------------------------------------------------------------ rematches


def test_a_rematch_has_the_same_people_and_settings_and_the_next_seat_begins(file: Path) -> None:
    async def play(tables: Tables) -> None:
        clock = TimeControl("turn", 900)
        old = await ended(tables, HUMAN, FRIEND, "captain", first=2, title="Friday", forecast="own", clock=clock)
        await tables.stand_in(old.id, 1, "captain")
        new = await rematch(tables, old.id)
        assert new.id != old.id and not new.over
        assert (new.settings.first, new.game.setup.first, new.settings.title, new.settings.forecast) == (
            0,
            0,
            "Friday",
            "own",
        )
        assert new.settings.clock == clock and new.settings.rematch == ""
        assert new.settings.seats == (Seat(HUMAN, "M0", 0), Seat(FRIEND, "M1", 1, free=True), Seat("captain", "M2", 2))
        assert new.commitment != old.commitment, "the cards are shuffled anew"
        # The old table knows it, and a second click leads there too.
        assert (await tables.get(old.id)).settings.rematch == new.id
        assert (await rematch(tables, old.id)).id == new.id
        # If it is deleted, there can be another.
        await tables.delete(new.id)
        assert (await rematch(tables, old.id)).id not in (old.id, new.id)

    with_tables(file, play)
    assert with_tables(file, lambda tables: tables.summaries())[0].settings.seats  # the log can be read again


def test_two_clicks_at_once_open_one_rematch(file: Path) -> None:
    async def play(tables: Tables) -> None:
        old = await ended(tables, HUMAN, HUMAN)
        found = await asyncio.gather(*(rematch(tables, old.id) for _ in range(4)))
        chosen = (await tables.get(old.id)).settings.rematch
        assert {table.id for table in found} == {chosen}
        assert {each.id for each in await tables.summaries()} == {old.id, chosen}

    with_tables(file, play)


def test_a_game_that_is_not_over_has_no_rematch(file: Path) -> None:
    async def play(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, HUMAN))
        with pytest.raises(BadSetup, match="not over"):
            await rematch(tables, table.id)
        with pytest.raises(NoSuchGame):
            await keys_to_rematch(tables, table.id, ["seat-0"])

    with_tables(file, play)


def test_whoever_had_a_seat_has_it_again_and_no_other(file: Path) -> None:
    async def play(tables: Tables) -> None:
        old = await ended(tables, HUMAN, FRIEND, FRIEND, "captain")
        new = await rematch(tables, old.id)
        keys = await keys_to_rematch(tables, old.id, {"seat-1"})
        assert set(keys) == {"seat-1"}
        assert await tables.keys.opened(keys["seat-1"]) == (new.id, "seat-1")
        seats = (await tables.get(new.id)).settings.seats
        assert (seats[1].free, seats[2].free) == (False, True), "the seat is taken"
        assert set(await keys_to_rematch(tables, old.id, {"host", "watch", "seat-3"})) == {"host"}
        assert await keys_to_rematch(tables, old.id, {"watch"}) == {}

    with_tables(file, play)


def test_who_was_removed_from_a_rematch_does_not_come_back_by_the_old_table(file: Path) -> None:
    async def play(tables: Tables) -> None:
        old = await ended(tables, HUMAN, FRIEND, FRIEND)
        new = await rematch(tables, old.id)
        (key,) = (await keys_to_rematch(tables, old.id, {"seat-1"})).values()
        await tables.remove(new.id, 1)
        assert await tables.keys.opened_by([key]) == {}
        assert await keys_to_rematch(tables, old.id, {"seat-1"}) == {}
        assert set(await keys_to_rematch(tables, old.id, {"seat-2"})) == {"seat-2"}

    with_tables(file, play)


# -------------------------------------------------------------------------------------------------------- the same deal


@pytest.mark.parametrize("seed", [None, 7])
def test_the_same_deal_brings_the_same_cards_in_the_same_order(file: Path, seed: int | None) -> None:
    async def play(tables: Tables) -> None:
        old = await tables.create(
            settings_for(HUMAN, FRIEND, HUMAN, seed=seed, first=None, clock=TimeControl("turn", 900))
        )
        assert published_secret(old) is None, "nothing is published before the end"
        with pytest.raises(BadSetup, match="cannot be played again"):
            await same_deal(tables, old.id)
        played = []
        for _ in range(40):
            played.append(old.game.legal()[-1])
            old = await tables.act(old.id, old.number, played[-1:])
        assert sum(isinstance(event, Reveal) for event in old.game.events) > 5
        old = await tables.end(old.id)
        new = await same_deal(tables, old.id)
        assert new.origin == (old.id, 0)
        assert new.game.events[0] == old.game.events[0] and new.game.setup == old.game.setup
        assert [seat.player for seat in new.settings.seats] == [HUMAN, HUMAN, HUMAN] and new.settings.clock is None
        for action in played:
            new = await tables.act(new.id, new.number, [action])
        assert new.game.events == old.game.events

    with_tables(file, play, bots=False)


def test_a_game_that_was_shuffled_elsewhere_cannot_be_dealt_again(file: Path) -> None:
    async def play(tables: Tables) -> None:
        brought = await tables.import_record(capitan.to_capitan(random_game(3, seed=2)), "game.capitan")
        assert brought.over and published_secret(brought) is None
        begun = await tables.import_record(capitan.to_capitan(random_game(3, seed=2, most=20)), "game.capitan")
        assert published_secret(await tables.end(begun.id)) is None
        branched = await tables.branch(begun.id, 5)
        assert published_secret(await tables.end(branched.id)) is None

    with_tables(file, play, bots=False)


# -------------------------------------------------------------------------------------------------------------- reviews


class Pool(BotPool):
    """Processes that answer when a test says so."""

    def __init__(self) -> None:
        super().__init__(1)
        self.go = asyncio.Event()
        self.asked: list[int] = []  # priorities
        self.at_once = self.most_at_once = 0

    async def ask(self, answer: Callable[[Any], Any], question: Any, priority: int = 0) -> Any:
        assert answer.__name__ == "review" and question.events
        self.asked.append(priority)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.go.wait()
        self.at_once -= 1
        return MISTAKE


def test_a_game_is_reviewed_once_and_one_at_a_time(file: Path) -> None:
    async def play(tables: Tables) -> None:
        pool = Pool()
        reviews = Reviews(pool)
        games = [
            await tables.import_record(capitan.to_capitan(random_game(2, seed=seed)), "x.capitan") for seed in (1, 2)
        ]
        waiting = [asyncio.create_task(reviews.mistake(game)) for game in (*games, *games)]
        await asyncio.sleep(0.01)
        assert reviews.known(games[0].id) is None
        waiting[0].cancel()  # whoever goes away does not stop it for the others
        pool.go.set()
        assert await asyncio.gather(*waiting[1:]) == [MISTAKE] * 3
        assert pool.asked == [REVIEW, REVIEW] and pool.most_at_once == 1
        assert await reviews.mistake(games[0]) == reviews.known(games[0].id) == MISTAKE
        assert len(pool.asked) == 2
        await pool.close()

    with_tables(file, play, bots=False)


def test_one_address_does_not_keep_the_reviews_of_others_waiting(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived_games, "REVIEWS_PER_ADDRESS", 1)

    async def play(tables: Tables) -> None:
        pool = Pool()
        reviews = Reviews(pool)
        games = [
            await tables.import_record(capitan.to_capitan(random_game(2, seed=seed)), "x.capitan") for seed in (1, 2, 3)
        ]

        def ask(number: int, address: str) -> asyncio.Task[Mistake | None]:
            requester.set(address)
            return asyncio.create_task(reviews.mistake(games[number]))

        gone = ask(0, "192.0.2.1")
        await asyncio.sleep(0.01)
        gone.cancel()
        with pytest.raises(TooMuch):
            await ask(1, "192.0.2.1")
        others = [ask(0, "192.0.2.2"), ask(1, "192.0.2.2")]
        await asyncio.sleep(0.01)
        pool.go.set()
        assert await asyncio.gather(*others) == [MISTAKE] * 2
        assert await ask(2, "192.0.2.1") == MISTAKE, "those before have ended"

    with_tables(file, play, bots=False)


def test_too_many_reviews_are_refused_and_closing_ends_them(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived_games, "MOST_REVIEWS", 1)
    monkeypatch.setattr(derived_games, "REVIEWS_KEPT", 1)

    async def play(tables: Tables) -> None:
        pool = Pool()
        reviews = Reviews(pool)
        games = [
            await tables.import_record(capitan.to_capitan(random_game(2, seed=seed)), "x.capitan") for seed in (1, 2)
        ]
        first = asyncio.create_task(reviews.mistake(games[0]))
        await asyncio.sleep(0.01)
        with pytest.raises(TooMuch):
            await reviews.mistake(games[1])
        await reviews.close()
        with pytest.raises(asyncio.CancelledError):
            await first
        pool.go.set()
        for game in games:
            await reviews.mistake(game)
        assert reviews.known(games[0].id) is None, "the oldest is forgotten"
        unfinished = await tables.create(settings_for(HUMAN, HUMAN))
        with pytest.raises(BadSetup, match="not over"):
            await reviews.mistake(unfinished)
        await pool.close()

    with_tables(file, play, bots=False)
