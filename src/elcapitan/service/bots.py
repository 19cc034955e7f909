"""The computer players of all tables: asked in other processes, and played a turn at a time, each in one commit.

A process plays at the tables where something was done in it. Where several processes share a database, any of them may
play, at the same table too: the commit of the later one is refused, and it leaves the table to the other. If a process
is gone before its computer players have moved, another notices, because each looks through all unfinished games now and
then. With jobs, processes that "ask" play nothing and those that "work" play what they are asked for, on any number of
machines.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Generic, Literal, TypeVar

from elcapitan.background_tasks import cancel_and_wait, charge_to, in_background, kept, run_unless
from elcapitan.board.figures import Figures, packaged
from elcapitan.bots import registry
from elcapitan.bots.chances import Chances
from elcapitan.errors import BadDatabase, BadSetup, ElCapitanError, NoRules, NoSuchGame, StaleVersion
from elcapitan.players.seats import Suggestion
from elcapitan.service.bot_pool import HINT, BotPool, NoAnswer
from elcapitan.service.bot_worker import (
    ChancesQuestion,
    HintQuestion,
    TurnQuestion,
    advise,
    decide,
    estimate,
    here,
)
from elcapitan.service.commit import Draft, Writer
from elcapitan.service.dealt_game import DealtGame
from elcapitan.service.open_table import OpenTable, Using
from elcapitan.service.table import GameSummary
from elcapitan.store.game_store import GameStore
from elcapitan.store.postgresql import Jobs

QUICK: Final = "captain"  # answers where no process can
AFTER_TROUBLE: Final = 5.0  # seconds until a computer player tries again
CHANCES: Final = "chances"  # in the cache of a table
ROUND: Final = 30.0  # seconds from one look through all games to the next

Part = Literal["ask", "work"]  # in jobs
Found = TypeVar("Found")
logger = logging.getLogger(__name__)


@dataclass
class _Question(Generic[Found]):
    """A question to a process, for all requests that ask the same; cancelled when none of them waits any more."""

    about: object  # those who ask about the same wait for the same answer
    task: asyncio.Task[Found]
    waiting: int = 0  # requests that wait for it

    async def answer(self) -> Found:
        """Wait for the answer."""
        self.waiting += 1
        try:
            return await asyncio.shield(self.task)
        finally:
            self.waiting -= 1
            if not self.waiting:
                self.task.cancel()

    @property
    def useless(self) -> bool:
        """Whether no answer will come, or an error has come."""
        done = self.task.done()
        return self.task.cancelling() > 0 or (done and (self.task.cancelled() or self.task.exception() is not None))


class Bots:
    """Asks computer players and commits their moves."""

    def __init__(self, store: GameStore, writer: Writer, processes: BotPool, using: Using) -> None:
        self.processes = processes
        self._store = store
        self._writer = writer
        self._using = using
        self._jobs: Jobs | None = None
        self._asks_others = False  # whether workers play, by jobs that this process asks for
        self._asking: set[asyncio.Task[None]] = set()  # jobs that are being asked for
        self._hints: dict[tuple[str, int | None], _Question[list[Suggestion]]] = {}  # by game and seat
        self._getting_ready: asyncio.Task[int] | None = None
        self._closed = False

    @property
    def _board(self) -> Figures | None:
        """The board, unless it is the packaged one, which every process has."""
        return None if self._writer.figures is packaged() else self._writer.figures

    def wake(self, table: OpenTable) -> None:
        """Start a task for a computer player if one is to decide and none runs; start a process if one will be."""
        if self._closed or table.state.dealt.game.over:
            return
        if table.bot_to_move and self._asks_others:
            self._ask_for_job(table)
        elif table.bot_to_move and not table.bots:
            table.bots = asyncio.create_task(self._play(table))
        elif not (
            self._getting_ready or self._asks_others or all(map(table.settings.human, range(len(table.settings.seats))))
        ):
            self._getting_ready = asyncio.create_task(self.processes.ask(here, None))

    async def close(self) -> None:
        """Start nothing more and end all processes."""
        self._closed = True
        if self._getting_ready:
            await cancel_and_wait(self._getting_ready)
        await self.processes.close()

    # ------------------------------------------------------------------------------------------------ moves

    async def _play(self, table: OpenTable) -> None:
        """Play turns of computer players until a person is to decide."""
        charge_to.set(None)  # this goes on when the request that began it has ended
        try:
            while table.bot_to_move:
                try:
                    await self._play_turn(table)
                except NoSuchGame:
                    return
                except StaleVersion:  # another process was quicker; the table is up to date again
                    if self._store.shared:
                        return
                except BadDatabase as error:
                    logger.warning("game %s waits: %s", table.id, error)
                    await asyncio.sleep(AFTER_TROUBLE)
                except Exception:
                    logger.exception("a computer player of game %s is stuck", table.id)
                    await asyncio.sleep(AFTER_TROUBLE)
        finally:
            table.bots = None

    async def _play_turn(self, table: OpenTable) -> None:
        """Ask a computer player for its turn, wait until it is due, and commit it as a whole.

        It is dropped if something else has happened meanwhile.
        """
        player, number = table.bot_to_move, table.state.moved
        if player is None:
            return
        actions = await self._ask(table, player)
        await table.pause()
        if actions:
            await self.act(table, player, number, actions)

    async def act(self, table: OpenTable, player: str, number: int, actions: Sequence[int]) -> bool:
        """Commit actions of a computer player; return False if something has happened since entry `number`."""

        def act_unless_late(draft: Draft) -> None:
            if table.bot_to_move == player and table.state.moved == number:
                draft.play(DealtGame.act, actions)

        return bool(await self._writer.commit(table, act_unless_late))

    async def _ask(self, table: OpenTable, player: str) -> Sequence[int]:
        """Return the actions of a computer player's turn; none if the table changes before it has answered."""
        dealt, number = table.state.dealt, table.state.moved
        seat = dealt.game.seat
        assert seat is not None  # a computer player is to decide
        question = TurnQuestion(player, dealt.game.view_for(seat).tobytes(), dealt.dice(number), self._board)

        def current() -> bool:
            return table.bot_to_move == player and table.state.moved == number

        return await run_unless(_until_false(table, current), self._answer(question)) or ()

    async def _answer(self, question: TurnQuestion) -> Sequence[int]:
        """Ask a process. If none can answer, a level that needs no search decides in this one."""
        try:
            with self._writer.metrics.thoughts.timed():
                return await self.processes.ask(decide, question)
        except NoAnswer:
            level = registry.LEVELS.get(registry.level_of(question.player))
            quick = question.player if level and level.search is None else QUICK
            return await asyncio.to_thread(decide, replace(question, player=quick))

    # ------------------------------------------------------------------------------------------------ hints

    async def advise(self, table: OpenTable, level: str | None) -> list[Suggestion]:
        """Return what a computer player would do in the place of the person who is to decide; nothing if that changes.

        There is one question for a seat at a time. Those who ask the same wait for the same answer; those who ask
        another level wait until it has come. When all who wait for an answer are cancelled, so is the question.
        """
        while True:
            seat, about = table.state.deciding_person, (table.state.moved, level)
            hint = self._hints.get((table.id, seat))
            if hint is None:
                hint = _Question(about, asyncio.create_task(self._suggest(table, level)))
                self._hints[table.id, seat] = hint
            if hint.about == about:
                break
            await asyncio.wait([hint.task])
        try:
            return await hint.answer()
        finally:
            if (hint.task.done() or not hint.waiting) and self._hints.get((table.id, seat)) is hint:
                del self._hints[table.id, seat]

    async def _suggest(self, table: OpenTable, level: str | None) -> list[Suggestion]:
        """Ask a process for a hint."""
        dealt, seat, number = table.state.dealt, table.state.deciding_person, table.state.moved
        question = HintQuestion(dealt.game.setup, tuple(dealt.game.events), level, dealt.dice(number), self._board)

        def current() -> bool:
            return table.state.deciding_person == seat and table.state.moved == number and not table.closed

        try:
            return await run_unless(_until_false(table, current), self.processes.ask(advise, question, HINT)) or []
        except NoAnswer:
            raise BadSetup("no-adviser") from None

    # ------------------------------------------------------------------------------------------------ win chances

    async def chances(self, table: OpenTable) -> Chances | None:
        """Return the chances of all seats as the game stands; None on a board that the network was not trained on.

        A process is asked once for each position; all who ask wait for the same answer. When all who wait for it are
        cancelled, so is the question.
        """
        number = table.state.moved
        asked: _Question[Chances | None] | None = table.cache.get(CHANCES)
        if asked is None or asked.about != number or asked.useless:
            asked = table.cache[CHANCES] = _Question(number, asyncio.create_task(self._estimate(table)))
        return await asked.answer()

    async def _estimate(self, table: OpenTable) -> Chances | None:
        """Ask a process for the chances."""
        charge_to.set(None)  # this goes on when the request that began it has ended
        question = ChancesQuestion(table.state.dealt.game.view_for(0).tobytes(), self._board)
        try:
            return await self.processes.ask(estimate, question, HINT)
        except NoAnswer:
            raise BadSetup("no-adviser") from None

    # ------------------------------------------------------------------------------------------------ unfinished games

    @asynccontextmanager
    async def at_work(self, part: Part | None) -> AsyncIterator[None]:
        """Let computer players play in all unfinished games: here, or by jobs that this process asks for or does."""
        if part is None:
            async with in_background(self._look_after()):
                yield
            return
        async with self._store.jobs(self._do_job) as jobs:
            self._jobs = jobs
            if part == "work":
                async with in_background(jobs.work()), in_background(self._look_after()):
                    yield
            else:
                self._asks_others = True
                yield
                await asyncio.gather(*self._asking, return_exceptions=True)

    def _ask_for_job(self, table: OpenTable) -> None:
        """Ask for a job, without waiting for the answer."""
        assert self._jobs
        kept(asyncio.create_task(self._jobs.ask(table.id, table.number)), self._asking)

    async def _do_job(self, game: str) -> None:
        """Let the computer players of a game play until a person is to decide."""
        with suppress(NoSuchGame):
            async with self._using(game) as table:
                await self._writer.catch_up(table)
                self.wake(table)
                if table.bots:
                    await asyncio.wait([table.bots])

    async def _look_after(self) -> None:
        """Let the computer players of unfinished games go on; again and again where other processes may fail."""
        try:
            await self._writer.rules.wait()
        except NoRules:
            return
        age = timedelta(0)
        while True:
            try:
                await self._go_on(age)
            except BadDatabase as error:
                logger.warning("unfinished games are not looked at: %s", error)
            if not self._store.shared:
                return
            await asyncio.sleep(ROUND)
            age = timedelta(seconds=ROUND)

    async def _go_on(self, age: timedelta) -> None:
        """Let the computer players go on where nothing has happened for a while, one game after another."""
        at_work = await self._jobs.games() if self._jobs else set()
        late = self._writer.now() - age
        for game in map(GameSummary.of, await self._store.rows(unfinished=True)):
            if not (game.waits_for_people or game.waiting) and game.id not in at_work and game.changed <= late:
                try:
                    await self._go_on_in(game)
                except ElCapitanError as error:
                    logger.warning("game %s cannot go on: %s", game.id, error)

    async def _go_on_in(self, game: GameSummary) -> None:
        """Let the computer players of one game go on."""
        if self._jobs:
            await self._jobs.ask(game.id, game.number)
        else:
            async with self._using(game.id) as table:
                await self._writer.catch_up(table, game.number)
                self.wake(table)


async def _until_false(table: OpenTable, current: Callable[[], bool]) -> None:
    """Wait until something is no longer true of a table."""
    with table.changes.subscribed() as changed:
        while current():
            changed.clear()
            await changed.wait()
