"""What may be decided at a table: moves, undo votes, chat, settings, and what happens when time is out.

Each decision checks whether it may happen and writes what happens into a draft, for `Writer.commit`. Where several
errors are possible, the game is checked first, then the seat, then the number.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from elcapitan.engine.actions import END
from elcapitan.errors import (
    BadDatabase,
    BadLine,
    BadSetup,
    ElCapitanError,
    Ended,
    IllegalAction,
    LogFull,
    NoSuchGame,
    NotYourTurn,
    NoUndoVote,
    StaleVersion,
    TooMuch,
)
from elcapitan.position.planned_turn import planned_turn, turn_to_plan
from elcapitan.service.bots import Bots
from elcapitan.service.commit import Draft, Step, Writer
from elcapitan.service.dealt_game import DealtGame
from elcapitan.service.log import Answer, Ask, Hold, Lapse, LogEntry, Prepare, Redo, Undo
from elcapitan.service.open_table import OpenTable, Using
from elcapitan.service.seat_names import tidy
from elcapitan.service.table import GameSummary
from elcapitan.service.table_settings import SUBSTITUTE, TableSettings, with_seat
from elcapitan.store.game_store import ChatLine, GameStore

MOST_ENTRIES: Final = 20_000  # entries of a game's log; then players' moves alone are written. Long games have hundreds
MOST_HOST_ENTRIES: Final = 22_000  # entries up to which the host can still remove players and change settings
LONGEST_LINE: Final = 300  # characters of a line of the chat
MOST_LINES: Final = 10  # lines of one seat within a minute
MINUTE: Final = timedelta(minutes=1)
MOST_PREPARED: Final = 40  # actions of a turn that is prepared: longer than any turn that makes sense
ROUND: Final = 60.0  # seconds after which all times are checked again, also because a machine may have been asleep
AGAIN: Final = 5.0  # seconds after trouble

logger = logging.getLogger(__name__)

# --------------------------------------------------------------------------------------------------------------- checks


def check_may_move(table: OpenTable, number: int, seats: Collection[int] | None) -> None:
    """Check that the game is open, a person of these seats is to move, and the number is current, in this order.

    Raises `NoSuchGame`, `Ended`, `NotYourTurn` or `StaleVersion`.
    """
    if table.closed:
        raise NoSuchGame(table.id)
    check_playing(table)
    deciding, settings = table.state.dealt.game.seat, table.settings
    if deciding is not None and not settings.human(deciding):
        raise NotYourTurn("computer-to-move", seat=deciding + 1)
    if deciding is not None and seats is not None and deciding not in seats:
        raise NotYourTurn("not-your-turn", seat=deciding + 1)
    check_number(table, number, table.state.moved)


def check_number(table: OpenTable, number: int, since: int) -> None:
    """Raise `StaleVersion` for what was decided before entry `since`. Notes after it change nothing about it."""
    if not since <= number <= table.number:
        raise StaleVersion


def check_playing(table: OpenTable) -> None:
    """Raise `Ended` if the host has ended the game, `NotYourTurn` if it has not begun."""
    if table.settings.ended:
        raise Ended
    if table.state.waiting:
        raise NotYourTurn("not-begun")


def check_change(table: OpenTable, seat: int | None) -> None:
    """Count a change by a seat, or by the host, that does not move the game on.

    Raises `LogFull` or `TooMuch` if there were too many, in all or lately. They are counted for each seat and the host,
    so that a player cannot use up the changes of the others, nor those by which the host removes that player.
    """
    if table.number >= (MOST_HOST_ENTRIES if seat is None else MOST_ENTRIES):
        raise LogFull
    if seconds := table.allowances[seat].take():
        raise TooMuch("too-many-changes", seconds)


def check_seat(settings: TableSettings, seat: int, *, person: bool = False) -> int:
    """Return the seat. Raises `BadSetup` if the table has none such, or it is not a person's and that is wanted."""
    if type(seat) is not int or not 0 <= seat < len(settings.seats):
        raise BadSetup("not-a-seat", seat=seat + 1 if type(seat) is int else repr(seat)[:20])
    if person and not settings.seats[seat].person:
        raise BadSetup("no-person-there", player=settings.seats[seat].player)
    return seat


# ------------------------------------------------------------------------------------------------------- moves and chat


def move(draft: Draft, number: int, seats: Collection[int] | None, step: Step, *arguments: object) -> None:
    """Let the person who is to move take a step. Whatever does not move the game on is limited."""
    check_may_move(draft.table, number, seats)
    seat = draft.state.dealt.game.seat
    draft.take_free_seat(seat)
    draft.play(step, *arguments)
    if any(isinstance(entry, Hold | Undo | Redo) for entry in draft.entries):
        check_change(draft.table, seat)


def prepare(draft: Draft, seat: int, actions: Sequence[int]) -> None:
    """Prepare the next turn of a person, or the running one that is not begun, in the place of what was prepared.

    No actions forget it. Raises `IllegalAction` if the actions would not be legal one after another in that turn.
    """
    settings, dealt = draft.state.settings, draft.state.dealt
    check_playing(draft.table)
    check_seat(settings, seat, person=True)
    numbers = tuple(map(int, actions))
    if numbers:
        ahead = turn_to_plan(dealt.game, seat, begun=dealt.turn_begun)
        if ahead is None or dealt.problem:
            raise NotYourTurn("turn-begun" if seat == dealt.game.seat else "nothing-to-prepare")
        if len(numbers) > MOST_PREPARED or END in numbers:
            raise IllegalAction("turn-too-long", "", most=MOST_PREPARED)
        if problem := planned_turn(ahead, numbers).problem:
            raise problem
    if numbers != draft.state.prepared.get(seat, ()):
        draft.take_free_seat(seat)
        check_change(draft.table, seat)
        draft.play(lambda _dealt: [Prepare(seat, numbers)])


def say(draft: Draft, seat: int | None, text: str) -> None:
    """Add a line to the chat, from a seat or from a person without one. Raises `BadLine` if it is not allowed."""
    settings, now = draft.state.settings, draft.now
    if seat is not None:
        check_seat(settings, seat)
    if not settings.chat:
        raise BadLine("no-chat")
    if len(text) > 2 * LONGEST_LINE or len(line := tidy(text, 2 * LONGEST_LINE)) > LONGEST_LINE:
        raise BadLine("line-too-long", most=LONGEST_LINE)
    if not line:
        raise BadLine("empty-line")
    if sum(each.seat == seat and now - each.at < MINUTE for each in draft.table.chat) >= MOST_LINES:
        raise BadLine("too-many-lines")
    draft.chat.append(ChatLine(0, now, seat, line))


# ----------------------------------------------------------------------------------------------------------- undo votes
#
# To go back across turns and cards, a seat asks, the persons concerned vote, and the game goes back if all agree. A
# card that was turned up since then concerns every other person at the table; without one, those who have acted since.
# Who must agree is stored when the vote begins, and nothing changes it: not a computer player who stands in, nor
# another person who takes the seat and then answers. Computer players agree to everything. Any move ends a vote, and so
# does time: silence never agrees.


def _check_voter(draft: Draft, seat: int) -> None:
    """Check that the game goes on and the seat is a person's, and note that it is taken."""
    draft.take_free_seat(seat)
    check_playing(draft.table)
    check_seat(draft.state.settings, seat, person=True)


def ask_undo(draft: Draft, number: int, seat: int, at: int) -> None:
    """Ask to go back to when `at` events had happened, or go back if that concerns no other person."""
    _check_voter(draft, seat)
    if not draft.state.settings.human(seat):
        raise NotYourTurn("computer-to-move", seat=seat + 1)
    check_number(draft.table, number, draft.state.moved)

    def step(dealt: DealtGame) -> list[LogEntry]:
        moment = dealt.moment(at)
        check_change(draft.table, seat)
        others = draft.state.must_be_asked(seat, moment)
        return [Ask(seat, moment, tuple(sorted(others))), *([] if others else dealt.back(seat, moment))]

    draft.play(step)


def answer_undo(draft: Draft, number: int, seat: int, *, yes: bool) -> None:
    """Agree to a vote, or end it; the seat that asked can end it too.

    The person of a seat can answer while a computer player stands in.
    """
    _check_voter(draft, seat)
    vote, opened = draft.state.undo_vote_at(draft.now), draft.state.vote
    if vote is None or opened is None:
        raise NoUndoVote("no-wish")
    check_number(draft.table, number, opened.number)
    if seat not in vote.waiting and (yes or seat not in {vote.seat} | vote.agreed):
        raise NoUndoVote("not-asked", seat=seat + 1)
    goes_back = yes and vote.waiting == {seat}
    draft.play(lambda dealt: [Answer(seat, yes), *(dealt.back(vote.seat, vote.at) if goes_back else [])])


def lapse_undo(draft: Draft) -> None:
    """End a vote whose time is out."""
    vote, due = draft.state.vote, draft.state.vote_due
    if vote and due and due <= draft.now:
        draft.play(lambda _dealt: [Lapse(vote.seat)])


# ----------------------------------------------------------------------------------------------------------------- time


def time_out(draft: Draft) -> None:
    """End an undo vote, and end the turn of a late person by the action they hold, if their time is really out.

    If they hold none, a computer player stands in for the rest of the turn, or for good if there was time for all
    turns together.
    """
    lapse_undo(draft)
    clocks, dealt = draft.state.clocks, draft.state.dealt
    if not clocks.clock or not clocks.due or clocks.due > draft.now:
        return
    seat = dealt.game.seat
    if seat is None or dealt.problem:  # a game that can only be looked at
        return
    if dealt.held_action is not None:
        draft.play(DealtGame.play_held)
        return
    late = clocks.clock.kind == "turn"
    draft.change(with_seat(draft.state.settings, seat, stand_in=SUBSTITUTE, late=late))


class Timeouts:
    """Knows when a clock runs out or an undo vote lapses at each table, and lets it happen.

    A table need not be in memory meanwhile: the rows of games say too when time is out. Where several processes share a
    database, each reads those rows now and then, because the process that knew of a time may be gone; if two commit at
    the same table, the second is refused.
    """

    def __init__(self, store: GameStore, writer: Writer, bots: Bots, using: Using) -> None:
        self._store = store
        self._writer = writer
        self._bots = bots
        self._using = using
        self._due: dict[str, datetime] = {}
        self._changed = asyncio.Event()

    def watch(self, table: OpenTable) -> None:
        """Note when time is out at a table, which was loaded or has changed."""
        due = None if table.closed else table.state.due
        if due != self._due.get(table.id):
            self._due.pop(table.id, None)
            if due is not None:
                self._due[table.id] = due
            self.check_now()

    def forget(self, game: str) -> None:
        """Drop a game that was deleted, whether its table is in memory or not."""
        self._due.pop(game, None)

    def check_now(self) -> None:
        """Let `run` compare all times with the clock at once."""
        self._changed.set()

    async def run(self) -> None:
        """Handle every table whose time is out, until cancelled."""
        await self._read()
        while True:
            self._changed.clear()
            now = self._writer.now()
            for game in [game for game, due in self._due.items() if due <= now]:
                await self._handle(game)
            left = [(due - self._writer.now()).total_seconds() for due in self._due.values()]
            try:
                async with asyncio.timeout(max(0.0, min([ROUND, *left]))):
                    await self._changed.wait()
            except TimeoutError:
                if self._store.shared:
                    await self._read()

    async def _read(self) -> None:
        """Read from the rows of games when time is out."""
        try:
            for game in map(GameSummary.of, await self._store.rows(unfinished=True)):
                if game.due:
                    self._due[game.id] = game.due
        except BadDatabase as error:
            logger.warning("nobody knows yet whose time is out: %s", error)

    async def _handle(self, game: str) -> None:
        """Handle a table whose time is out, unless the game was deleted meanwhile. Logs errors and goes on."""
        if self._due.pop(game, None) is None:
            return
        try:
            async with self._using(game) as table:
                with suppress(StaleVersion):  # something has happened elsewhere
                    await self._writer.commit(table, time_out)
                self.watch(table)
                self._bots.wake(table)
        except NoSuchGame:
            pass
        except ElCapitanError as error:
            logger.warning("nobody stands in at game %s: %s", game, error)
            await asyncio.sleep(AGAIN)
            await self._read()
        except Exception:
            logger.exception("the clocks of game %s are not looked at any more", game)
