"""The herald: tells an address outside whose turn it is, again and again if need be, and holds nobody up.

Of each table only the newest news matters: what is overtaken is not told any more.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final

from elcapitan.meanwhile import ended
from elcapitan.reasons import REASONS
from elcapitan.service.live import Live
from elcapitan.service.plan import Plan
from elcapitan.service.webhook import USUAL_PORTS, NotTold, WebhookSender, check_target
from elcapitan.text.catalogue import translator

PAUSES: Final = (2.0, 10.0, 60.0)  # seconds after a failure; then it is given up
TITLE: Final = "El Capitán"

News = dict[str, Any]
Send = Callable[[str, News], Awaitable[None]]
logger = logging.getLogger(__name__)


class Herald:
    """Tells addresses outside whose turn it is."""

    def __init__(
        self, house: str = "", *, anywhere: bool = False, ports: Collection[int] = (), send: Send | None = None
    ) -> None:
        self._house = house.rstrip("/")  # where people find this house, for links
        self._anywhere = anywhere  # whether machines of the own network may be told too
        self._ports = USUAL_PORTS | frozenset(ports)
        self._send = send or WebhookSender(anywhere=anywhere, ports=self._ports).send
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._newest: dict[str, tuple[str, News]] = {}  # for each game: the address and what it is to be told
        self._errands: dict[str, asyncio.Task[None]] = {}

    def proclaim(self, live: Live) -> None:
        """Somebody else is to decide at a table."""
        seat = live.deciding_person
        if not live.plan.webhook or seat is None:
            self._newest.pop(live.id, None)  # what was to be told is over
            return
        self._newest[live.id] = live.plan.webhook, self._news(live, seat)
        if live.id not in self._errands:
            self._errands[live.id] = asyncio.create_task(self._run(live.id))

    def check(self, plan: Plan) -> None:
        """Refuse an address that would not be told anything."""
        if plan.webhook:
            check_target(plan.webhook, anywhere=self._anywhere, ports=self._ports)

    async def leave(self) -> None:
        """Tell nothing more."""
        await ended(*self._errands.values())

    def _news(self, live: Live, seat: int) -> News:
        """What is told: a sentence under the names by which Discord, Slack and ntfy look for it, and the facts."""
        sentence = sentence_of(live.plan, seat)
        link = {"link": f"{self._house}/games/{live.id}"} if self._house else {}
        return {
            "content": sentence,
            "allowed_mentions": {"parse": []},  # a merchant called @everyone calls nobody
            "text": sentence.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
            "title": TITLE,
            "message": sentence,
            "game": live.id,
            "seat": seat,
            "name": live.plan.seats[seat].name,
            "phase": live.course.game.phase,
            **link,
        }

    async def _run(self, game: str) -> None:
        """Tell what is newest, until there is nothing left to tell."""
        try:
            while news := self._newest.get(game):
                await self._told(game, news)
                if self._newest.get(game) is news:
                    del self._newest[game]
        finally:
            del self._errands[game]

    async def _told(self, game: str, news: tuple[str, News]) -> None:
        """Tell something, several times if need be, unless it is overtaken."""
        for pause in (*PAUSES, None):
            try:
                await self._send(*news)
                return
            except NotTold as error:
                logger.info("the address of game %s was not told whose turn it is: %s", game, error)
            except Exception:
                logger.exception("the address of game %s was not told whose turn it is", game)
            if pause is not None:
                await self._sleep(pause)
            if self._newest.get(game) is not news:
                return


def sentence_of(plan: Plan, seat: int) -> str:
    """Whose turn it is, in the language of the table."""
    t, name = translator(plan.language), plan.seats[seat].name
    unnamed = t.template(REASONS["not-your-turn"])
    told = t.text("{name}, it is your turn.", name=name) if name else unnamed.format(seat=seat + 1)
    return f"{plan.title}: {told}" if plan.title else told
