"""An address that is told whose turn it is: what it hears, again and again if need be, and who is never called."""

import asyncio
import http.server
import ipaddress
import json
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.service.table_helpers import settings_for, with_tables

from elcapitan.errors import BadSetup
from elcapitan.service import FRIEND, HUMAN, Seat, Table, Tables, TableSettings, webhook
from elcapitan.service.turn_notifier import PAUSES, Message, Sleep, TurnNotifier, sentence_of
from elcapitan.service.webhook import (
    MOST_SLOW,
    USUAL_PORTS,
    CallFailed,
    CallSlots,
    NoSlot,
    WebhookSender,
    checked_address,
    is_inside,
    is_public,
)

HOOK = "https://hooks.example/secret"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


# ------------------------------------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "address",
    [
        "",
        HOOK,
        "http://example.org",
        "https://example.org:8443/a/b?c=d",
        "https://[2600::1]/x",
        "  http://example.org  ",
    ],
)
def test_addresses(address: str) -> None:
    assert checked_address(address) == address.strip()


@pytest.mark.parametrize(
    "address",
    [
        "ftp://example.org/x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "example.org",
        "https://",
        "https:///x",
        "https://user:password@example.org/",
        "https://@example.org/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://example.org:x/",
        "https://exa mple.org/",
        "https://example.org/\r\nX: y",
        "https://exämple.org/",
        "https://[::1/",
        "https://example.org/" + "x" * 500,
    ],
)
def test_what_is_no_address_is_refused_when_it_is_set(file: Path, address: str) -> None:
    with pytest.raises(BadSetup, match="is not an address for notifications"):
        checked_address(address)

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        with pytest.raises(BadSetup):
            await tables.change(table.id, webhook=address)

    with_tables(file, look, bots=False)


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",  # where clouds tell machines their secrets
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%1",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "192.0.0.1",
        "192.0.0.192",  # where one cloud tells machines their secrets
        "192.0.2.1",
        "192.88.99.1",
        "168.63.129.16",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "0.1.2.3",
        "100.127.255.255",
        "fec0::1",
        "feff::1",
        "3fff::1",
        "3fff:fff::1",
        "2001:db8::1",
        "2001:0:5db8:d822::",  # Teredo, whatever is inside
        "2002:5db8:d822::",  # 6to4, whatever is inside
        "64:ff9b:1::808:808",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::c000:201",
        "::ffff:8.8.8.8",
        "::8.8.8.8",
        "::ffff:0:8.8.8.8",
        "100::1",
        "5f00::1",
        "4000::1",
        "fd00:ec2::254",
    ],
)
def test_numbers_that_are_not_called(number: str) -> None:
    assert not is_public(ipaddress.ip_address(number))


@pytest.mark.parametrize(
    "number",
    ["93.184.216.34", "8.8.8.8", "168.63.129.17", "192.0.1.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::808:808"],
)
def test_numbers_that_are_called(number: str) -> None:
    assert is_public(ipaddress.ip_address(number))


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:8080/", "http://localhost/", "http://LOCALHOST./x", "http://[::1]/", "http://nas.local/"],
)
def test_addresses_of_the_own_network_are_refused_when_they_are_set(file: Path, address: str) -> None:
    assert is_inside(address) and not is_inside(HOOK)

    async def look(tables: Tables) -> None:
        with pytest.raises(BadSetup, match="inside the network of this server"):
            await tables.create(settings_for(HUMAN, FRIEND, webhook=address))
        table = await tables.create(settings_for(HUMAN, FRIEND))
        with pytest.raises(BadSetup, match="inside the network of this server"):
            await tables.change(table.id, webhook=address)

    with_tables(file, look, bots=False)

    async def allowed() -> None:
        async with Tables.open(file, bots=False, local_webhooks=True) as tables:
            (summary,) = await tables.summaries()
            assert (await tables.change(summary.id, webhook=address)).settings.webhook == address

    asyncio.run(allowed())


def stands_for(monkeypatch: pytest.MonkeyPatch, *numbers: str) -> None:
    """Let every name stand for these numbers."""

    def found(_name: str, port: int, **_options: Any) -> list[tuple[Any, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port)) for number in numbers]

    monkeypatch.setattr(socket, "getaddrinfo", found)


def called(address: str, **settings: Any) -> str:
    """The number that is called for an address."""

    async def look() -> str:
        return await WebhookSender(**settings).called(urlsplit(address))

    return asyncio.run(look())


def tell(address: str, news: Message, **settings: Any) -> None:
    """Post news to an address."""

    async def send() -> None:
        await WebhookSender(**settings).send(address, news)

    asyncio.run(send())


def test_a_name_must_stand_for_public_numbers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stands_for(monkeypatch, "93.184.216.34", "8.8.8.8")
    assert called(HOOK) == "93.184.216.34"
    stands_for(monkeypatch, "93.184.216.34", "10.0.0.1")
    with pytest.raises(CallFailed, match="not a public address"):
        called(HOOK)
    with pytest.raises(CallFailed, match="not a public address"):
        tell(HOOK, {})
    assert called(HOOK, anywhere=True) == "93.184.216.34"


@pytest.mark.parametrize("port", [22, 25, 2375, 6379, 8080, 65535])
def test_other_ports_are_called_only_if_they_are_allowed(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    stands_for(monkeypatch, "93.184.216.34")
    address = f"http://example.org:{port}/x"
    with pytest.raises(CallFailed, match="not an allowed port"):
        called(address)
    with pytest.raises(CallFailed, match="not an allowed port"):
        called(address, anywhere=True)  # a machine outside is none of the own network
    assert called(address, ports=USUAL_PORTS | {port}) == "93.184.216.34"
    for usual in ("http://example.org", "http://example.org:443/", "https://example.org:80/"):
        assert called(usual) == "93.184.216.34"
    stands_for(monkeypatch, "192.168.1.5")
    assert called(address, anywhere=True) == "192.168.1.5", "at home everything has a port of its own"


def test_other_ports_are_refused_when_they_are_set(file: Path) -> None:
    other = "https://example.org:8443/x"

    async def look(tables: Tables) -> None:
        with pytest.raises(BadSetup, match="uses another port than 80, 443"):
            await tables.create(settings_for(HUMAN, FRIEND, webhook=other))
        table = await tables.create(settings_for(HUMAN, FRIEND))
        with pytest.raises(BadSetup, match="uses another port than 80, 443"):
            await tables.change(table.id, webhook=other)

    with_tables(file, look, bots=False)

    async def allowed(tables: Tables) -> None:
        (summary,) = await tables.summaries()
        assert (await tables.change(summary.id, webhook=other)).settings.webhook == other

    with_tables(file, allowed, bots=False, webhook_ports=[8443])

    async def later(tables: Tables) -> None:
        """What was allowed once does not keep the host from changing something else."""
        (summary,) = await tables.summaries()
        assert (await tables.change(summary.id, pace="slow")).settings.webhook == other

    with_tables(file, later, bots=False)


# --------------------------------------------------------------------------------------------------------- a call


class Listener(http.server.BaseHTTPRequestHandler):
    """Hears what is posted; answers with the status that the path names."""

    heard: list[tuple[str, dict[str, str], Any]]

    def do_POST(self) -> None:
        """Something is told."""
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.heard.append((self.path, dict(self.headers), content))
        status = int(self.path.rpartition("/")[2])
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/200")
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@contextmanager
def listening() -> Iterator[tuple[str, list[tuple[str, dict[str, str], Any]]]]:
    """Somebody who hears what is posted; the address and what was heard."""
    handler = type("Hearing", (Listener,), {"heard": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}", handler.heard  # type: ignore[attr-defined]
        server.shutdown()


def test_what_is_posted() -> None:
    with listening() as (address, heard):
        tell(f"{address}/a/b?c=d/200", {"content": "¡Hola!"}, anywhere=True)
    ((path, headers, content),) = heard
    assert (path, content) == ("/a/b?c=d/200", {"content": "¡Hola!"})
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    assert headers["Host"] == urlsplit(address).netloc
    assert headers["X-Message"] == "{{.message}}", "an ntfy server shows the sentence"


@pytest.mark.parametrize("status", [302, 307, 400, 404, 500])
def test_answers_that_are_none(status: int) -> None:
    with listening() as (address, heard):
        with pytest.raises(CallFailed, match=f"status {status}"):
            tell(f"{address}/{status}", {}, anywhere=True)
        assert len(heard) == 1, "nobody is followed elsewhere"


def test_own_machines_are_not_called() -> None:
    with listening() as (address, heard):
        with pytest.raises(CallFailed, match="not a public address"):
            tell(f"{address}/200", {})
        assert heard == []


def test_who_does_not_listen() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(CallFailed):
            tell(f"http://127.0.0.1:{taken.getsockname()[1]}/", {}, anywhere=True)
    with pytest.raises(CallFailed):
        tell("https://nobody.invalid/", {}, anywhere=True)


def test_who_answers_letter_by_letter_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "LIMIT", 0.3)
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def dribble() -> None:
            line, _ = server.accept()
            with line:
                while not done.wait(0.02):
                    try:
                        line.sendall(b"H")
                    except OSError:
                        return

        thread = threading.Thread(target=dribble, daemon=True)
        thread.start()
        with pytest.raises(CallFailed):
            tell(f"http://127.0.0.1:{server.getsockname()[1]}/", {}, anywhere=True)
        done.set()
        thread.join(5)


def test_a_call_must_be_who_it_says_it_is() -> None:
    """An address with https that does not speak it is told nothing."""
    with listening() as (address, heard):
        with pytest.raises(CallFailed):
            tell(address.replace("http:", "https:") + "/200", {}, anywhere=True)
        assert heard == []


def test_nothing_is_written_into_a_request() -> None:
    """Not even by an address that came into the database before addresses were checked."""
    with listening() as (address, heard):
        for odd in (f"{address}/200 HTTP/1.1\r\nX: y", f"{address}/ü/200", "file:///etc/passwd", ""):
            with pytest.raises(CallFailed):
                tell(odd, {}, anywhere=True)
        assert heard == []


# --------------------------------------------------------------------------------------------------- calls that hang


def test_sixty_that_hang_do_not_delay_one_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted by calls, not by the clock: the honest one is told while all others still wait for an answer."""
    monkeypatch.setattr(webhook, "LIMIT", 60.0)

    async def look() -> None:
        open_lines: list[asyncio.StreamWriter] = []

        async def hang(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            open_lines.append(writer)

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            writer.close()

        hanging = await asyncio.start_server(hang, "127.0.0.1", 0)
        honest = await asyncio.start_server(answer, "127.0.0.2", 0)
        here, there = (server.sockets[0].getsockname()[1] for server in (hanging, honest))
        sender = WebhookSender(anywhere=True)
        calls = [asyncio.create_task(sender.send(f"http://127.0.0.1:{here}/{n}", {})) for n in range(60)]
        async with asyncio.timeout(50):
            while len(open_lines) < webhook.CALLS_PER_TARGET:
                await asyncio.sleep(0.01)
            await sender.send(f"http://127.0.0.2:{there}/", {})
        assert not any(call.done() for call in calls)
        assert len(open_lines) == webhook.CALLS_PER_TARGET, "one target has so many calls at a time"
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        await sender.send(f"http://127.0.0.2:{there}/", {})
        for line in open_lines:
            line.close()
        for server in (hanging, honest):
            server.close()

    asyncio.run(look())


def test_names_that_hang_do_not_delay_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of names that never answers keeps a few threads busy, and no more after the first time."""
    monkeypatch.setattr(webhook, "LIMIT", 0.05)
    done = threading.Event()
    asked: list[str] = []

    def found(name: str, port: int, **_options: Any) -> list[tuple[Any, ...]]:
        asked.append(name)
        if name.startswith("slow"):
            done.wait(100)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port))]

    monkeypatch.setattr(socket, "getaddrinfo", found)

    async def look() -> None:
        sender = WebhookSender()
        names = [f"https://slow{number}.example/" for number in range(webhook.MOST_LOOKUPS)]
        first = await asyncio.gather(*(sender.called(urlsplit(name)) for name in names), return_exceptions=True)
        assert {str(error) for error in first} == {"lookup takes too long"}
        monkeypatch.setattr(webhook, "LIMIT", 60.0)
        again = [asyncio.create_task(sender.called(urlsplit(name))) for name in names * 4]
        await asyncio.sleep(0)
        async with asyncio.timeout(50):
            assert await sender.called(urlsplit("https://honest.example/")) == "93.184.216.34"
        assert len(asked) == webhook.MOST_LOOKUPS + webhook.SLOW_LOOKUPS + 1
        done.set()
        await asyncio.gather(*again, return_exceptions=True)

    asyncio.run(look())


def test_slots_are_bounded_and_given_back() -> None:
    async def look() -> None:
        slots = CallSlots(6, per_target=2, slow=1, queue=3)
        held = [await slots.acquire("a") for _ in range(2)]
        waiting = asyncio.create_task(slots.acquire("a"))
        await asyncio.sleep(0)
        assert not waiting.done()
        with pytest.raises(NoSlot):
            await slots.acquire("a")
        held.append(await slots.acquire("b"))
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        for target in ("slow1", "slow2"):
            slots.took_too_long(target)
        held.append(await slots.acquire("slow1"))
        second = asyncio.create_task(slots.acquire("slow2"))
        await asyncio.sleep(0)
        assert not second.done(), "those that were slow share one slot here"
        held.append(await slots.acquire("quick"))
        for release in held:
            release()
        (await second)()
        slots.was_quick("slow2")
        for number in range(3 * MOST_SLOW):
            slots.took_too_long(str(number))
        assert not slots.users
        assert sum(slots.is_slow(str(number)) for number in range(3 * MOST_SLOW)) == MOST_SLOW
        async with asyncio.timeout(50):
            for target in ("a", "a", "b", "b", "c", str(3 * MOST_SLOW - 1)):
                await slots.acquire(target)  # all six are free again, and so is the one for slow targets

    asyncio.run(look())


# ------------------------------------------------------------------------------------------------------- the herald


class Post:
    """Takes what a notifier sends, and refuses as often as it is told to."""

    def __init__(self, refusals: int = 0) -> None:
        self.refusals = refusals
        self.sent: list[tuple[str, Message]] = []
        self.pauses: list[float] = []
        self.held = asyncio.Event()
        self.held.set()

    async def send(self, address: str, news: Message) -> None:
        """Take something, or refuse it."""
        await self.held.wait()
        self.sent.append((address, news))
        if len(self.sent) <= self.refusals:
            raise CallFailed("busy")

    async def pause(self, seconds: float) -> None:
        """Wait no longer than to note it."""
        self.pauses.append(seconds)
        await asyncio.sleep(0)

    def notifier(self, house: str = "", sleep: Sleep | None = None) -> TurnNotifier:
        """A notifier that sends by this."""
        return TurnNotifier(house, send=self.send, sleep=sleep or self.pause)


async def whole_turn(tables: Tables, table: Table) -> Table:
    seat, dice = table.deciding, random.Random(1)
    while table.deciding == seat:
        table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
    return table


def test_whoever_is_to_decide_is_told_once(file: Path) -> None:
    post = Post()

    async def look(tables: Tables) -> str:
        tables.use_notifier(post.notifier("https://capitan.example/"))
        table = await tables.create(settings_for(HUMAN, FRIEND, webhook=HOOK, title="Final <3"))
        await tables.notifier.finish()
        table = await tables.act(table.id, table.number, [table.game.legal()[0]])
        await tables.notifier.finish()
        assert len(post.sent) == 1, "the same person goes on"
        await tables.say(table.id, 0, "Ahoy")
        await tables.change(table.id, language="de", pace="slow")
        await whole_turn(tables, table)
        await tables.notifier.finish()
        return table.id

    game = with_tables(file, look)
    assert [address for address, _ in post.sent] == [HOOK, HOOK]
    first = post.sent[0][1]
    sentence = "Final <3: M0, it is your turn."
    assert first == {
        "content": sentence,
        "allowed_mentions": {"parse": []},
        "text": "Final &lt;3: M0, it is your turn.",
        "title": "El Capitán",
        "message": sentence,
        "game": game,
        "seat": 0,
        "name": "M0",
        "phase": 1,
        "link": f"https://capitan.example/games/{game}",
    }
    assert post.sent[1][1]["seat"] == 1 and post.sent[1][1]["name"] == "M1"


def test_nobody_is_told_of_computer_players(file: Path) -> None:
    post = Post()

    async def look(tables: Tables) -> None:
        tables.use_notifier(post.notifier())
        table = await tables.create(settings_for("captain", FRIEND, webhook=HOOK))
        await tables.notifier.finish()
        assert post.sent == []
        table = await tables.change(table.id, players=[HUMAN, FRIEND])
        await tables.notifier.finish()
        assert [news["seat"] for _, news in post.sent] == [0] and "link" not in post.sent[0][1]
        await tables.stand_in(table.id, 0, "captain")
        await tables.end(table.id)
        await tables.notifier.finish()
        assert len(post.sent) == 1

    with_tables(file, look, bots=False)


@pytest.mark.parametrize(("refusals", "calls"), [(1, 2), (3, 4), (99, 4)])
def test_it_is_told_again_after_a_while(file: Path, refusals: int, calls: int) -> None:
    post = Post(refusals)

    async def look(tables: Tables) -> None:
        tables.use_notifier(post.notifier())
        await tables.create(settings_for(HUMAN, FRIEND, webhook=HOOK))
        await tables.notifier.finish()

    with_tables(file, look, bots=False)
    assert len(post.sent) == calls and post.pauses == list(PAUSES)[: calls - 1]


def test_only_the_newest_is_told(file: Path) -> None:
    post = Post()

    async def look(tables: Tables) -> None:
        tables.use_notifier(post.notifier())
        post.held.clear()
        table = await tables.create(settings_for(HUMAN, FRIEND, webhook=HOOK))
        for _ in range(4):  # nobody waits for an address that does not answer
            table = await whole_turn(tables, table)
        assert post.sent == []
        post.held.set()
        await tables.notifier.finish()
        assert [news["seat"] for _, news in post.sent] == [0, table.deciding]

    with_tables(file, look, bots=False)


def test_what_goes_wrong_does_not_reach_the_game(file: Path) -> None:
    calls = []

    async def send(address: str, _news: Message) -> None:
        calls.append(address)
        raise RuntimeError("a mistake")

    async def look(tables: Tables) -> None:
        tables.use_notifier(TurnNotifier(send=send, sleep=Post().pause))
        table = await tables.create(settings_for(HUMAN, FRIEND, webhook=HOOK))
        await whole_turn(tables, table)
        await tables.notifier.finish()

    with_tables(file, look, bots=False)
    assert calls


def test_leaving_does_not_wait_for_an_address(file: Path) -> None:
    post = Post(99)

    async def look(tables: Tables) -> None:
        tables.use_notifier(post.notifier(sleep=asyncio.sleep))
        await tables.create(settings_for(HUMAN, FRIEND, webhook=HOOK))
        while not post.sent:
            await asyncio.sleep(0.01)

    with_tables(file, look, bots=False)
    assert len(post.sent) == 1


def test_what_is_said() -> None:
    assert sentence_of(settings_for(HUMAN, FRIEND), 1) == "M1, it is your turn."
    assert sentence_of(TableSettings((Seat(), Seat(FRIEND, colour=1))), 1) == "It is seat 2's turn."
