"""The clerk: takes a step on a table, writes down what happened, and only then lets it be so.

Whatever the clerk has begun it brings to its end, even if whoever wanted it goes away meanwhile, so that a table in
memory and its log never part. If another process has written to the same log, the clerk goes on from what it wrote.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, TypeVar

from elcapitan.engine import warm_up
from elcapitan.errors import NoSuchGame, StaleMove
from elcapitan.figures import Figures
from elcapitan.game import RULES_VERSION
from elcapitan.history import turn_of
from elcapitan.meanwhile import charged_call, charged_task
from elcapitan.service import paperwork
from elcapitan.service import plan as plans
from elcapitan.service.course import Course
from elcapitan.service.entries import Happening, Note
from elcapitan.service.live import Live
from elcapitan.service.minutes import Minutes, heard_all
from elcapitan.service.plan import Plan
from elcapitan.service.process_clock import Now, ProcessClock
from elcapitan.service.talk import KEPT
from elcapitan.service.tallies import Tallies
from elcapitan.store.shelf import Entry, Sheet, Shelf, Snapshot

LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"  # none that looks like another
ID_LENGTH: Final = 12  # 60 bits: nobody finds a game by guessing

Origin = tuple[str, int]  # the game a table branched off, and after how many events
Step = Callable[[Course], list[Happening]]
Result = TypeVar("Result")


def _nobody_told(_live: Live) -> None:
    """Nobody wants to hear of a table."""


class Clerk:
    """Writes and reads the logs of one shelf."""

    def __init__(self, shelf: Shelf, figures: Figures) -> None:
        self.figures = figures
        self._clock = ProcessClock()
        self.now: Now = self._clock
        self.tallies = Tallies()
        self.turned: Callable[[Live], None] = _nobody_told  # hears when another person is to decide after what it wrote
        self._shelf = shelf
        self._work: set[asyncio.Task[Any]] = set()
        self._rules: asyncio.Task[None] | None = None

    async def set_clock(self) -> None:
        """Begin no earlier than what was written last in an unfinished game, whatever the wall clock says."""
        latest = await self._shelf.latest()
        if latest:
            self._clock.not_before(latest)

    async def rules_ready(self) -> None:
        """Wait until the compiled rules are loaded, which takes a second and must not happen in the loop."""
        if self._rules is None:
            self._rules = asyncio.create_task(asyncio.to_thread(warm_up.load))
        await asyncio.shield(self._rules)

    async def load(self, game: str) -> Live:
        """A table from the shelf, its log played again."""
        sheet, log, snapshot = await self._shelf.read(game)
        await self.rules_ready()
        replay = charged_call(paperwork.played_again)
        course, minutes = await asyncio.to_thread(replay, sheet, log, snapshot, self.figures)
        return Live(sheet, course, minutes, await self._shelf.talk(game, KEPT))

    async def add(self, plan: Plan, course: Course, happened: Sequence[Happening], origin: Origin | None) -> Live:
        """A new game, with what has happened in it."""
        now = self.now()
        if plan.clock:
            happened = [*happened, Note(plans.settings_of(plan, ["clock"]))]
        minutes = heard_all(Minutes(), happened, now, course)
        sheet = Sheet(
            id="".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH)),
            created=now,
            changed=now,
            rules=RULES_VERSION,
            board=self.figures.name,
            setup=paperwork.setup_to_json(course.setup),
            plan=plans.to_json(plan),
            length=len(happened),
            over=course.game.over or plan.ended,
            standing=paperwork.standing(course, minutes),
            origin=origin[0] if origin else None,
            origin_event=origin[1] if origin else None,
        )
        log = paperwork.log_of(happened, 0, now, self.figures)
        await self.wholly(self._shelf.add(sheet, log, paperwork.snapshot_of(course, sheet.length)))
        return Live(sheet, course, minutes)

    async def take(self, live: Live, step: Step) -> None:
        """Take a step on a table whose lock is held; on a copy first, so that nothing has happened if it fails.

        Whoever stood in because the time of a turn was out leaves with that turn.
        """
        with self.tallies.moves.timed():
            course, plan = live.course.copy(), live.plan
            happened = step(course)
            if turn_of(course.game.position) != turn_of(live.course.game.position) and (back := plans.turn_over(plan)):
                plan = plans.changed(plan, back)
                happened = [*happened, Note(plans.settings_of(plan, back))]
            await self._write(live, course, plan, happened)

    async def note(self, live: Live, settings: Mapping[str, Any]) -> None:
        """Change the settings of a table whose lock is held; those that are as wished already are no news."""
        plan = plans.changed(live.plan, settings)
        if plan != live.plan:
            await self._write(live, live.course, plan, [Note(plans.settings_of(plan, settings))])

    async def _write(self, live: Live, course: Course, plan: Plan, happened: Sequence[Happening]) -> None:
        """Write down what happened, and then let it be so."""
        before, deciding = live.sheet, live.deciding_person
        now = max(self.now(), before.changed)  # the clock of another process may be a little ahead of ours
        minutes = heard_all(live.minutes, happened, now, course)
        sheet = replace(
            before,
            changed=now,
            plan=before.plan if plan is live.plan else plans.to_json(plan),
            length=before.length + len(happened),
            over=course.game.over or plan.ended,
            standing=paperwork.standing(course, minutes),
        )
        log = paperwork.log_of(happened, before.length, now, self.figures)
        moved = minutes.moved > live.minutes.moved
        snapshot = paperwork.snapshot_of(course, sheet.length) if moved else None
        await self._append(live, sheet, log, snapshot)
        live.become(sheet, course, minutes)
        if live.deciding_person != deciding:
            self.turned(live)

    async def _append(self, live: Live, sheet: Sheet, log: Sequence[Entry], snapshot: Snapshot | None) -> None:
        """Write to the log; whoever finds that somebody else has written gets to know what, and nothing is written."""
        try:
            await self._shelf.append(live.number, sheet, log, snapshot)
        except StaleMove:
            await self.follow(live)
            raise
        except NoSuchGame:
            live.close()
            raise

    async def catch_up(self, live: Live, number: int | None = None) -> None:
        """Let a table be as its log is by now; at once if it knows so many entries already."""
        async with live.lock:
            if number is None or live.number < number:
                with suppress(NoSuchGame):
                    await self.follow(live)

    async def follow(self, live: Live) -> None:
        """Do on a table whose lock is held what others have written meanwhile."""
        try:
            sheet, log = await self._shelf.read_since(live.id, live.number)
            if not log:
                return
            played = paperwork.played_on(live.course, live.minutes, log)
            if played:
                live.become(sheet, *played)
            else:
                fresh = await self.load(live.id)
                live.become(fresh.sheet, fresh.course, fresh.minutes)
        except NoSuchGame:
            live.close()
            raise

    async def wholly(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do something to its end, even if whoever waits for it is called away."""
        task = charged_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait until everything begun is done."""
        rules = [self._rules] if self._rules else []
        await asyncio.gather(*self._work, *rules, return_exceptions=True)
        await self._shelf.finish()
