"""Tells a webhook whose turn it is. Calls are repeated if they fail, and delay nothing else.

Of each table only the newest turn matters: a call that is overtaken is not repeated.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final

from elcapitan.background_tasks import cancel_and_wait
from elcapitan.error_messages import REASONS
from elcapitan.service.open_table import OpenTable
from elcapitan.service.settings import Plan
from elcapitan.service.webhook import USUAL_PORTS, CallFailed, WebhookSender, check_target
from elcapitan.text.catalogue import translator

PAUSES: Final = (2.0, 10.0, 60.0)  # seconds after a failure; then it is given up
TITLE: Final = "El Capitán"

Message = dict[str, Any]
Send = Callable[[str, Message], Awaitable[None]]
Sleep = Callable[[float], Awaitable[None]]
logger = logging.getLogger(__name__)


class TurnNotifier:
    """Calls the webhooks of all tables."""

    def __init__(
        self,
        address: str = "",
        *,
        anywhere: bool = False,
        ports: Collection[int] = (),
        send: Send | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.address = address.rstrip("/")  # the address of this server, for links
        self._anywhere = anywhere  # whether machines of the own network may be called too
        self._ports = USUAL_PORTS | frozenset(ports)
        self.sender = WebhookSender(anywhere=anywhere, ports=self._ports)
        self._send = send or self.sender.send
        self._sleep = sleep
        self._newest: dict[str, tuple[str, Message]] = {}  # for each game: the address and the message
        self._calls: dict[str, asyncio.Task[None]] = {}

    def notify(self, table: OpenTable) -> None:
        """Call the webhook of a table at which another person is to decide."""
        seat = table.state.deciding_person
        if not table.plan.webhook or seat is None:
            self._newest.pop(table.id, None)  # its turn is over
            return
        self._newest[table.id] = table.plan.webhook, self._message(table, seat)
        if table.id not in self._calls:
            self._calls[table.id] = asyncio.create_task(self._run(table.id))

    def check(self, plan: Plan) -> None:
        """Raise `BadSetup` for an address that would never be called."""
        if plan.webhook:
            check_target(plan.webhook, anywhere=self._anywhere, ports=self._ports)

    async def finish(self) -> None:
        """Wait until every call has succeeded or was given up."""
        while calls := list(self._calls.values()):
            await asyncio.wait(calls)

    async def close(self) -> None:
        """Cancel all calls that are under way or queued."""
        await cancel_and_wait(*self._calls.values())

    def _message(self, table: OpenTable, seat: int) -> Message:
        """Return the message: a sentence under the names that Discord, Slack and ntfy look for, and the facts."""
        sentence = sentence_of(table.plan, seat)
        link = {"link": f"{self.address}/games/{table.id}"} if self.address else {}
        return {
            "content": sentence,
            "allowed_mentions": {"parse": []},  # a merchant called @everyone mentions nobody
            "text": sentence.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
            "title": TITLE,
            "message": sentence,
            "game": table.id,
            "seat": seat,
            "name": table.plan.seats[seat].name,
            "phase": table.state.dealt.game.phase,
            **link,
        }

    async def _run(self, game: str) -> None:
        """Send the newest message of a game, until there is none left."""
        try:
            while message := self._newest.get(game):
                await self._send_message(game, message)
                if self._newest.get(game) is message:
                    del self._newest[game]
        finally:
            del self._calls[game]

    async def _send_message(self, game: str, message: tuple[str, Message]) -> None:
        """Send a message, several times if calls fail, unless it is overtaken."""
        for pause in (*PAUSES, None):
            try:
                await self._send(*message)
                return
            except CallFailed as error:
                logger.info("the address of game %s was not told whose turn it is: %s", game, error)
            except Exception:
                logger.exception("the address of game %s was not told whose turn it is", game)
            if pause is not None:
                await self._sleep(pause)
            if self._newest.get(game) is not message:
                return


def sentence_of(plan: Plan, seat: int) -> str:
    """Say whose turn it is, in the language of the table."""
    t, name = translator(plan.language), plan.seats[seat].name
    unnamed = t.template(REASONS["not-your-turn"])
    told = t.text("{name}, it is your turn.", name=name) if name else unnamed.format(seat=seat + 1)
    return f"{plan.title}: {told}" if plan.title else told
