"""Tells people whose turn it is: a webhook, and browsers by Web Push, also while no page is open.

Calls are repeated if they fail, and delay nothing else. Of each table only the newest turn matters: a call that is
overtaken is not repeated.

A browser chooses its push address, so that is called as a webhook is: by the same sender, with the same guard and
limits. A message says the title of the table and that it is the reader's turn, nothing else. An address that the push
service does not know any more is deleted.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from elcapitan.background_tasks import cancel_and_wait, kept
from elcapitan.board.board_file import short
from elcapitan.error_messages import REASONS
from elcapitan.errors import BadDatabase, BadSetup, NoSuchGame, NoSuchKey, TooMuch
from elcapitan.service.keys import KeyStore, hash_of, rights_of
from elcapitan.service.open_table import OpenTable, Using
from elcapitan.service.table_settings import TableSettings
from elcapitan.service.webhook import USUAL_PORTS, CallFailed, WebhookSender, check_target, checked_address, is_inside
from elcapitan.store.push_store import PushStore, Subscriber, Subscription, is_same
from elcapitan.text.catalogue import translator

if TYPE_CHECKING:
    from elcapitan.service.push_messages import ServerKey

PAUSES: Final = (2.0, 10.0, 60.0)  # seconds after a failure; then it is given up
TITLE: Final = "El Capitán"
MOST_SUBSCRIPTIONS: Final = 10  # browsers of one seat that are told by push; the oldest goes
LONGEST_PUBLIC_KEY: Final = 100  # characters of a browser's public key for push; usually 87
LONGEST_SECRET: Final = 40  # characters of the secret that a browser shares with the server; usually 22
PRESENT_SECONDS: Final = 60.0  # until a player is told by push who has the table open on some device
KEPT_SECONDS: Final = 24 * 3600  # for which a push service keeps a message for a browser that is off
TOPIC_LENGTH: Final = 32  # characters of a topic; of each a push service keeps only the newest message
VAPID: Final = "vapid"  # the name of the server's key
GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)  # answers about an address that will not come back
AGAIN: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, *range(500, 600)})  # answers after which a call is repeated

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
        if not table.settings.webhook or seat is None:
            self._newest.pop(table.id, None)  # its turn is over
            return
        self._newest[table.id] = table.settings.webhook, self._message(table, seat)
        if table.id not in self._calls:
            self._calls[table.id] = asyncio.create_task(self._run(table.id))

    def check(self, settings: TableSettings) -> None:
        """Raise `BadSetup` for an address that would never be called."""
        if settings.webhook:
            check_target(settings.webhook, anywhere=self._anywhere, ports=self._ports)

    async def finish(self) -> None:
        """Wait until every call has succeeded or was given up."""
        while calls := list(self._calls.values()):
            await asyncio.wait(calls)

    async def close(self) -> None:
        """Cancel all calls that are under way or queued."""
        await cancel_and_wait(*self._calls.values())

    def _message(self, table: OpenTable, seat: int) -> Message:
        """Return the message: a sentence under the names that Discord, Slack and ntfy look for, and the facts."""
        sentence = sentence_of(table.settings, seat)
        link = {"link": f"{self.address}/games/{table.id}"} if self.address else {}
        return {
            "content": sentence,
            "allowed_mentions": {"parse": []},  # a merchant called @everyone mentions nobody
            "text": sentence.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
            "title": TITLE,
            "message": sentence,
            "game": table.id,
            "seat": seat,
            "name": table.settings.seats[seat].name,
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


def sentence_of(settings: TableSettings, seat: int) -> str:
    """Say whose turn it is, in the language of the table."""
    t, name = translator(settings.language), settings.seats[seat].name
    unnamed = t.template(REASONS["not-your-turn"])
    told = t.text("{name}, it is your turn.", name=name) if name else unnamed.format(seat=seat + 1)
    return f"{settings.title}: {told}" if settings.title else told


# ------------------------------------------------------------------------------------------------------------ Web Push


@dataclass(frozen=True)
class PushAddress:
    """Where a browser wants to be told, as it wrote it."""

    address: str
    public_key: str
    secret: str


class PushNotifier:
    """Pushes messages to the browsers of players, for all tables."""

    def __init__(
        self,
        store: PushStore,
        sender: WebhookSender,
        keys: KeyStore,
        using: Using,
        contact: str = "",
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._store = store
        self._sender = sender
        self._keys = keys
        self._using = using
        # Push services want to know who runs a server; the address of a public one will do.
        self._contact = contact if contact.startswith("https:") else ""
        self.sleep = sleep
        self._key: ServerKey | None = None
        self._newest: dict[str, asyncio.Task[None]] = {}  # for each game, who tells its newest turn
        self._running: set[asyncio.Task[None]] = set()  # those too that are being cancelled

    # ---------------------------------------------------------------------------------------------- subscribing

    async def public_key(self) -> str:
        """Return the public key of this server, with which browsers subscribe."""
        return (await self._server_key()).public

    async def subscribe(self, game: str, tokens: Collection[str], to: PushAddress, language: str) -> None:
        """Store where the players with these tokens want to be told.

        Raises `NoSuchKey` if none of the tokens opens a seat, `BadSetup` for an address that cannot be used, and
        `TooMuch` if a seat changes it very often.
        """
        self._check(to)
        new = Subscription(to.address, to.public_key, to.secret, language, datetime.now(UTC))
        async with self._using(game) as table:
            roles = await self._playing(table, tokens)
            if not roles:
                raise NoSuchKey
            known = {each.role for each in await self._subscribers(table) if is_same(each.subscription, new)}
            if roles <= known:  # pages subscribe again whenever they are loaded
                return
            if seconds := table.allowances[min(seats_of(min(roles), table.settings))].take():
                raise TooMuch("too-many-changes", seconds)
            await self._store.add(game, [hash_of(token) for token in tokens], roles, new, MOST_SUBSCRIPTIONS)
            table.forget_keys()

    async def unsubscribe(self, game: str, tokens: Collection[str], address: str) -> None:
        """Delete where the players with these tokens were told. Raises `NoSuchKey` if none opens a seat."""
        async with self._using(game) as table:
            roles = await self._playing(table, tokens)
            if not roles:
                raise NoSuchKey
            await self._store.remove(game, address, roles)
            table.forget_keys()

    async def _playing(self, table: OpenTable, tokens: Collection[str]) -> set[str]:
        """Return those roles of these tokens that decide for a seat."""
        return {role for role in await self._keys.roles(table, tokens) if seats_of(role, table.settings)}

    def _check(self, to: PushAddress) -> None:
        """Raise `BadSetup` if nothing could be sent to a browser."""
        from elcapitan.service.push_messages import Browser  # noqa: PLC0415 - see `_server_key`

        address = checked_address(to.address)
        if address != to.address or not (address.startswith("https:") or is_inside(address)):
            raise BadSetup("bad-push", found=short(to.address))
        self._sender.check(address)
        try:
            if len(to.public_key) > LONGEST_PUBLIC_KEY or len(to.secret) > LONGEST_SECRET:
                raise ValueError
            Browser.read(to.public_key, to.secret)
        except ValueError:
            raise BadSetup("bad-push", found=short(to.public_key)) from None

    async def _server_key(self) -> "ServerKey":
        """Return the key of this server, the same in all processes of a database."""
        # Most servers push nothing, and what encrypts takes a while to load.
        from elcapitan.service.push_messages import ServerKey  # noqa: PLC0415

        if self._key is None:
            self._key = ServerKey.read(await self._store.server_key(VAPID, lambda: ServerKey.new().stored))
        return self._key

    # -------------------------------------------------------------------------------------------------- telling

    def notify(self, table: OpenTable) -> None:
        """Tell the person who is to decide at a table now; one who has it open somewhere only after a while."""
        if overtaken := self._newest.pop(table.id, None):
            overtaken.cancel()
        seat = table.state.deciding_person
        if seat is None or table.subscribers == ():
            return
        present = seat in table.presence.present if table.settings.company else bool(table.changes)
        telling = asyncio.create_task(self._tell(table.id, seat, PRESENT_SECONDS if present else 0.0))
        self._newest[table.id] = kept(telling, self._running)
        telling.add_done_callback(lambda done: self._forget(table.id, done))

    def _forget(self, game: str, done: asyncio.Task[None]) -> None:
        """Forget a task that has ended."""
        if self._newest.get(game) is done:
            del self._newest[game]

    async def finish(self) -> None:
        """Wait until every message was sent or given up."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self) -> None:
        """Cancel all messages that are under way or wait."""
        await cancel_and_wait(*self._running)

    async def _tell(self, game: str, seat: int, after: float) -> None:
        """Tell a seat after some seconds that it is its turn, if it still is."""
        try:
            if after:
                await self.sleep(after)
            title, found = await self._subscriptions(game, seat)
            await asyncio.gather(*(self._push(game, title, each) for each in found))
        except NoSuchGame:
            pass
        except BadDatabase as error:
            logger.warning("the players of game %s were not told whose turn it is: %s", game, error)
        except Exception:
            logger.exception("the players of game %s were not told whose turn it is", game)

    async def _subscriptions(self, game: str, seat: int) -> tuple[str, list[Subscription]]:
        """Return the title of a table, and where the person of a seat wants to be told; nowhere if others decide."""
        async with self._using(game) as table:
            found = await self._subscribers(table)
            if table.state.deciding_person != seat:
                return "", []
            wanted = (each.subscription for each in found if seat in seats_of(each.role, table.settings))
            return table.settings.title or TITLE, list({each.address: each for each in wanted}.values())

    async def _subscribers(self, table: OpenTable) -> tuple[Subscriber, ...]:
        """Return all subscriptions of a table, and keep them with it."""
        if table.subscribers is not None:
            return table.subscribers
        before = table.key_changes
        found = tuple(await self._store.of_game(table.id))
        if table.key_changes == before:
            table.subscribers = found
        return found

    async def _push(self, game: str, title: str, to: Subscription) -> None:
        """Send a message to one browser, several times if that fails."""
        for pause in (*PAUSES, None):
            if await self._settled(game, title, to) or pause is None:
                return
            await self.sleep(pause)

    async def _settled(self, game: str, title: str, to: Subscription) -> bool:
        """Send a message once; return False if it is worth another try. Deletes an address that is gone."""
        try:
            status = await self._send(game, title, to)
        except CallFailed as error:
            logger.info("a browser at game %s was not told whose turn it is: %s", game, error)
            return False
        if not 200 <= status < 300:
            logger.info("a browser at game %s was not told whose turn it is: status %s", game, status)
        if status in GONE:
            await self._remove(game, to)
        return status not in AGAIN

    async def _remove(self, game: str, gone: Subscription) -> None:
        """Delete an address that the push service does not know any more."""
        await self._store.remove_everywhere(gone.address)
        async with self._using(game) as table:
            table.forget_keys()

    async def _send(self, game: str, title: str, to: Subscription) -> int:
        """Send a message once and return the status of the answer."""
        from elcapitan.service.push_messages import Browser, encrypted  # noqa: PLC0415 - see `_server_key`

        words = translator(to.language).text("It is your turn.")
        content = json.dumps({"title": title, "body": words, "game": game}, ensure_ascii=False).encode()
        parts = urlsplit(to.address)
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(KEPT_SECONDS),
            "Urgency": "high",
            "Topic": sha256(game.encode()).hexdigest()[:TOPIC_LENGTH],
            "Authorization": (await self._server_key()).authorization(
                f"{parts.scheme}://{parts.netloc}", time.time(), self._contact
            ),
        }
        return await self._sender.post(to.address, headers, encrypted(content, Browser.read(to.public_key, to.secret)))


def seats_of(role: str, settings: TableSettings) -> frozenset[int]:
    """Return the seats that a role decides for; the host's are those that the host plays."""
    rights = rights_of([role], settings)
    return rights.seats if rights else frozenset()
