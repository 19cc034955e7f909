"""The computer players at all tables: asked in other processes, a turn at a time, and shown at the table's pace.

Where several processes share a database, any of them may let them play, at the same table too: the later one is
refused as anybody would be, and leaves the table to the other.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from elcapitan.bots import registry
from elcapitan.errors import BadDatabase, BadSetup, NoSuchGame, StaleMove
from elcapitan.figures import Figures, packaged
from elcapitan.meanwhile import charge_to, ended, unless
from elcapitan.players.hints import Suggestion
from elcapitan.service.bot_processes import HINT, NoAnswer, Workers
from elcapitan.service.clerk import Clerk
from elcapitan.service.course import Course
from elcapitan.service.live import Live
from elcapitan.service.plan import SUBSTITUTE
from elcapitan.service.worker import Doubt, Question, advise, decide, here

AFTER_TROUBLE: Final = 5.0  # seconds until a computer player tries again

logger = logging.getLogger(__name__)


@dataclass
class _Hint:
    """A hint that is being thought about."""

    about: tuple[int, str | None]  # the number of the last move, and the level that is asked
    task: asyncio.Task[list[Suggestion]]
    waiting: int = 0  # requests that wait for it


class Crew:
    """Asks computer players and does what they say."""

    def __init__(self, clerk: Clerk, workers: Workers, *, alone: bool = True) -> None:
        self.hand_over: Callable[[Live], None] | None = None  # who sees to it that they play, if not we
        self._clerk = clerk
        self._workers = workers
        self._alone = alone  # whether no other process lets them play
        self._hints: dict[tuple[str, int | None], _Hint] = {}  # by game and seat
        self._getting_ready: asyncio.Task[int] | None = None
        self._gone = False

    @property
    def _board(self) -> Figures | None:
        """The board, unless it is the one that workers know anyway."""
        return None if self._clerk.figures is packaged() else self._clerk.figures

    def wake(self, live: Live) -> None:
        """Set a computer player to work if one is to decide and none is at it; get ready if one will be."""
        if self._gone or live.course.game.over:
            return
        if live.to_think and self.hand_over:
            self.hand_over(live)
        elif live.to_think and not live.bots:
            live.bots = asyncio.create_task(self._play(live))
        elif not (self._getting_ready or self.hand_over or all(map(live.plan.human, range(len(live.plan.seats))))):
            self._getting_ready = asyncio.create_task(self._workers.ask(here, None))

    async def leave(self) -> None:
        """Think no more."""
        self._gone = True
        if self._getting_ready:
            await ended(self._getting_ready)
        await self._workers.close()

    async def advise(self, live: Live, level: str | None) -> list[Suggestion]:
        """What a computer player would do in the place of the person who is to decide; nothing if that changes first.

        There is one question for a seat at a time. Those who ask the same wait for the same answer; those who ask
        another level wait until it has come. When all who wait for an answer are cancelled, so is the question.
        """
        while True:
            seat, about = live.deciding_person, (live.moved, level)
            hint = self._hints.get((live.id, seat))
            if hint is None:
                hint = self._hints[live.id, seat] = _Hint(about, asyncio.create_task(self._suggest(live, level)))
            if hint.about == about:
                break
            await asyncio.wait([hint.task])
        hint.waiting += 1
        try:
            return await asyncio.shield(hint.task)
        finally:
            hint.waiting -= 1
            if hint.task.done() or not hint.waiting:
                hint.task.cancel()
                if self._hints.get((live.id, seat)) is hint:
                    del self._hints[live.id, seat]

    async def _suggest(self, live: Live, level: str | None) -> list[Suggestion]:
        """Ask for a hint."""
        course, seat, number = live.course, live.deciding_person, live.moved
        doubt = Doubt(course.setup, tuple(course.game.events), level, dice_of(course, number), self._board)

        def current() -> bool:
            return live.deciding_person == seat and live.moved == number and not live.closed

        try:
            return await unless(_until_false(live, current), self._workers.ask(advise, doubt, HINT)) or []
        except NoAnswer:
            raise BadSetup("no-adviser") from None

    async def _play(self, live: Live) -> None:
        """Computer players move, one action after another, until a person is to decide."""
        charge_to.set(None)  # this goes on when the request that began it has ended
        try:
            while live.to_think:
                try:
                    await self._play_turn(live)
                except NoSuchGame:
                    return
                except StaleMove:  # another process was quicker; the table is up to date again
                    if not self._alone:
                        return
                except BadDatabase as error:
                    logger.warning("game %s waits: %s", live.id, error)
                    await asyncio.sleep(AFTER_TROUBLE)
                except Exception:
                    logger.exception("a computer player of game %s is stuck", live.id)
                    await asyncio.sleep(AFTER_TROUBLE)
        finally:
            live.bots = None

    async def _play_turn(self, live: Live) -> None:
        """A computer player thinks about its turn and takes it, action by action, at the pace of the table.

        Every action carries the number it was thought of for. If something else happened meanwhile it is late, and
        refused with the rest of the turn.
        """
        player, number = live.to_think, live.moved
        if player is None:
            return
        for action in await self._thought(live, player):
            await live.pause()
            if not await self._clerk.wholly(self._act(live, player, number, action)):
                return
            number = live.moved

    async def _thought(self, live: Live, player: str) -> Sequence[int]:
        """What a computer player wants to do in its turn; nothing if the table changes before it has said so."""
        game, number = live.course.game, live.moved
        seat = game.seat
        assert seat is not None  # a computer player is to decide
        question = Question(player, game.view_for(seat).tobytes(), dice_of(live.course, number), self._board)

        def current() -> bool:
            return live.to_think == player and live.moved == number

        return await unless(_until_false(live, current), self._asked(question)) or ()

    async def _asked(self, question: Question) -> Sequence[int]:
        """Ask a computer player. If no process can answer, a level that needs no search decides in this one."""
        try:
            with self._clerk.tallies.thoughts.timed():
                return await self._workers.ask(decide, question)
        except NoAnswer:
            level = registry.LEVELS.get(question.player)
            quick = question.player if level and level.search is None else SUBSTITUTE
            return await asyncio.to_thread(decide, replace(question, player=quick))

    async def _act(self, live: Live, player: str, number: int, action: int) -> bool:
        """A computer player acts, unless its answer is late; whether it did."""
        async with live.lock:
            if live.to_think != player or live.moved != number:
                return False
            await self._clerk.take(live, lambda course: course.act([action]))
            return True


async def _until_false(live: Live, current: Callable[[], bool]) -> None:
    """Wait until something is no longer true of a table."""
    bell = live.listen()
    try:
        while current():
            bell.clear()
            await bell.wait()
    finally:
        live.leave(bell)


def dice_of(course: Course, number: int) -> int:
    """A seed for a computer player's dice, from which nobody finds the way back to the decks."""
    assert course.chance  # the game is dealt
    return course.chance.dice(number)
