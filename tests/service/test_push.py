"""Web Push: what is encrypted for whom, who is told and when, and what becomes of addresses that are gone."""

import asyncio
import logging
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from tests.push_service import Browser, PushService, decode, encode, push_service
from tests.service.table_helpers import following, settings_for, with_tables
from tests.service.test_webhook import whole_turn

from elcapitan.errors import BadSetup, NoSuchGame, NoSuchKey, TooMuch
from elcapitan.service import FRIEND, HUMAN, Table, Tables, push_messages
from elcapitan.service.keys import HOST, WATCH
from elcapitan.service.open_table import CHANGES_AT_ONCE
from elcapitan.service.push_messages import ServerKey, encrypted
from elcapitan.service.turn_notifier import MOST_SUBSCRIPTIONS, PAUSES, PRESENT_SECONDS, PushAddress
from elcapitan.service.webhook import WebhookSender
from elcapitan.store.push_store import PushStore

Database = str | Path
NO_ADDRESS = "is not a push address"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


# ---------------------------------------------------------------------------------------------------- encrypting


def test_a_message_is_encrypted_as_in_the_example_of_the_standard() -> None:
    """All of this stands in RFC 8291, section 5."""
    browser = push_messages.Browser.read(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    number = int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    own = ec.derive_private_key(number, ec.SECP256R1())
    sent = encrypted(b"When I grow up, I want to be a watermelon", browser, own, decode("DGv6ra1nlYgDCS1FRnbzlw"))
    assert encode(sent) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_every_message_is_encrypted_anew() -> None:
    browser = Browser()
    read = push_messages.Browser.read(browser.public_key, browser.secret)
    one, other = (encrypted(b"the same", read) for _ in range(2))
    assert one != other and browser.decrypt(one) == browser.decrypt(other) == b"the same"


def test_a_key_of_a_server_is_the_same_after_it_was_stored() -> None:
    key = ServerKey.new()
    assert ServerKey.read(key.stored).public == key.public and len(decode(key.public)) == 65
    with pytest.raises(ValueError, match="deserialize"):
        ServerKey.read(b"nothing")


@pytest.mark.parametrize(
    ("public_key", "secret"),
    [
        ("", ""),
        ("?", "AAECAwQFBgcICQoLDA0ODw"),
        (encode(b"\4" + bytes(64)), "AAECAwQFBgcICQoLDA0ODw"),  # not on the curve
        (Browser().public_key, "AAEC"),
        (Browser().public_key, "ä" * 22),
        (Browser().public_key, "AAECAwQFBgcICQoLDA0ODw" + "=" * 99),
        (Browser().public_key + "A" * 99, "AAECAwQFBgcICQoLDA0ODw"),
    ],
    ids=["empty", "no base64", "not on the curve", "short secret", "no ASCII", "long secret", "long key"],
)
def test_keys_that_no_browser_has(file: Path, public_key: str, secret: str) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        key = await tables.keys.link(table.id, "seat-1")
        to = PushAddress("https://push.example/x", public_key, secret)
        with pytest.raises(BadSetup, match=NO_ADDRESS):
            await tables.push.subscribe(table.id, [key], to, "en")

    with_tables(file, look, bots=False)


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("", NO_ADDRESS),
        ("http://push.example/x", NO_ADDRESS),
        (" https://push.example/x", NO_ADDRESS),
        ("file:///etc/passwd", "is not an address for notifications"),
        ("https://push.example/" + "x" * 500, "is not an address for notifications"),
        ("https://user:word@push.example/", "is not an address for notifications"),
        ("https://127.0.0.1/", "inside the network of this server"),
        ("http://localhost:8000/", "inside the network of this server"),
        ("https://169.254.169.254/latest", "inside the network of this server"),
        ("https://push.example:6379/", "uses another port than 80, 443"),
    ],
)
def test_addresses_of_no_push_service(file: Path, address: str, problem: str) -> None:
    browser = Browser()

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, FRIEND))
        key = await tables.keys.link(table.id, "seat-1")
        to = PushAddress(address, browser.public_key, browser.secret)
        with pytest.raises(BadSetup, match=problem):
            await tables.push.subscribe(table.id, [key], to, "en")
        assert await PushStore(tables.store).of_game(table.id) == []

    with_tables(file, look, bots=False)


# ------------------------------------------------------------------------------------------------- who is told


async def subscribed(
    tables: Tables, service: PushService, table: Table, role: str, name: str, status: int = 201
) -> str:
    """A person with a key to a role who wants to be told; their key."""
    key = await tables.keys.link(table.id, role)
    await tables.push.subscribe(table.id, [key], PushAddress(**service.endpoint(name, status)), "en")
    return key


async def addresses(tables: Tables, table: Table) -> set[str]:
    """The names of all who are told of a table."""
    found = await PushStore(tables.store).of_game(table.id)
    return {each.subscription.address.split("/")[-2] for each in found}


def test_the_person_of_a_seat_is_told_that_it_is_their_turn(database: Database) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> str:
            service.server_key = await tables.push.public_key()
            table = await tables.create(settings_for(HUMAN, FRIEND, title="Friday “ä”"))
            await subscribed(tables, service, table, "seat-1", "friend")
            await subscribed(tables, service, table, HOST, "host")
            table = await whole_turn(tables, table)
            await tables.push.finish()
            assert [name for name, _said in service.told] == ["friend"]
            await whole_turn(tables, table)
            await tables.push.finish()
            return table.id

        game = with_tables(database, look, bots=False, local_webhooks=True)
        said = {"title": "Friday “ä”", "body": "It is your turn.", "game": game}
        assert service.told == [("friend", said), ("host", said)], "no word of the position"
        assert "sub=" not in service.headers[0]["authorization"]


def test_messages_are_in_the_language_of_the_browser_and_have_a_title(file: Path) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            key = await tables.keys.link(table.id, "seat-1")
            await tables.push.subscribe(table.id, [key], PushAddress(**service.endpoint("one")), "fr")
            await whole_turn(tables, table)
            await tables.push.finish()

        with_tables(file, look, bots=False, local_webhooks=True, address="https://capitan.example")
        ((_name, said),) = service.told
        assert (said["title"], said["body"]) == ("El Capitán", "C’est à vous de jouer.")  # noqa: RUF001
        claims = service.headers[0]["authorization"].split(".")[1]
        assert b'"sub":"https://capitan.example"' in decode(claims), "whom to write to about this server"


def test_only_a_key_to_a_seat_lets_one_subscribe(file: Path) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(FRIEND, FRIEND))
            other = await tables.create(settings_for(HUMAN, FRIEND))
            to = PushAddress(**service.endpoint("nobody"))
            foreign = await tables.keys.link(other.id, "seat-1")
            watch, host = await tables.keys.link(table.id, WATCH), await tables.keys.link(table.id, HOST)
            for tokens in ([], ["nothing"], [foreign], [watch], [host]):  # this host plays no seat
                with pytest.raises(NoSuchKey):
                    await tables.push.subscribe(table.id, tokens, to, "en")
                with pytest.raises(NoSuchKey):
                    await tables.push.unsubscribe(table.id, tokens, to.address)
            assert await addresses(tables, table) == set()
            with pytest.raises(NoSuchGame):
                await tables.push.subscribe("nowhere", [host], to, "en")

        with_tables(file, look, bots=False, local_webhooks=True)


def test_a_browser_is_told_once_however_it_has_come(database: Database) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            to = PushAddress(**service.endpoint("laptop"))
            keys = [await tables.keys.link(table.id, role) for role in (HOST, "seat-1", "seat-1")]
            for _ in range(2):
                await tables.push.subscribe(table.id, keys, to, "en")
            stored = await PushStore(tables.store).of_game(table.id)
            assert sorted(each.role for each in stored) == ["host", "seat-1"]
            for _ in range(2):
                table = await whole_turn(tables, table)
                await tables.push.finish()
            assert len(service.told) == 2
            await tables.push.unsubscribe(table.id, keys[1:], to.address)
            assert [each.role for each in await PushStore(tables.store).of_game(table.id)] == ["host"]
            await whole_turn(tables, table)
            await tables.push.finish()
            assert len(service.told) == 2, "not for the seat that was given up"

        with_tables(database, look, bots=False, local_webhooks=True)


def test_a_seat_has_so_many_browsers_and_the_oldest_goes(database: Database) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            await subscribed(tables, service, table, HOST, "host")
            for number in range(MOST_SUBSCRIPTIONS + 2):
                await subscribed(tables, service, table, "seat-1", f"n{number}")
            kept = {f"n{number}" for number in range(2, MOST_SUBSCRIPTIONS + 2)}
            assert await addresses(tables, table) == {"host", *kept}

        with_tables(database, look, bots=False, local_webhooks=True)


def test_subscriptions_end_with_the_key_and_with_the_game(database: Database) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND, FRIEND))
            for role in (HOST, "seat-1", "seat-2"):
                await subscribed(tables, service, table, role, role)
            await tables.remove(table.id, 1)
            assert await addresses(tables, table) == {"host", "seat-2"}
            await tables.delete(table.id)
            assert await addresses(tables, table) == set()

        with_tables(database, look, bots=False, local_webhooks=True)


def test_a_player_who_is_removed_is_not_told_any_more(file: Path) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            await subscribed(tables, service, table, "seat-1", "old")
            for _turn in range(2):
                table = await whole_turn(tables, table)
                await tables.push.finish()  # a message is dropped if the turn is over before it is sent
            assert [name for name, _said in service.told] == ["old"]
            await tables.remove(table.id, 1)
            key = await tables.keys.link(table.id, "seat-1")
            await tables.keys.by_token(key)
            await whole_turn(tables, await tables.get(table.id))
            await tables.push.finish()
            assert len(service.told) == 1

        with_tables(file, look, bots=False, local_webhooks=True)


# ------------------------------------------------------------------------------------------------------- when


def noting(tables: Tables, *, wait: bool = False) -> list[float]:
    """The pauses that are made; nobody waits for them, or for ever."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await (asyncio.Event().wait() if wait else asyncio.sleep(0))

    tables.push.sleep = sleep
    return pauses


@pytest.mark.parametrize("players", [(HUMAN, FRIEND), (HUMAN, HUMAN)])
def test_who_has_the_table_open_is_told_after_a_while(file: Path, players: tuple[str, ...]) -> None:
    role = "seat-1" if FRIEND in players else HOST
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(*players))
            await subscribed(tables, service, table, role, "phone")
            pauses = noting(tables, wait=True)
            async with following(tables, table.id, frozenset({1})) as versions:
                await anext(versions)
                table = await whole_turn(tables, table)
                while not pauses:
                    await asyncio.sleep(0)
                assert pauses == [PRESENT_SECONDS]
                noting(tables)
                table = await whole_turn(tables, table)  # they have acted meanwhile
                await tables.push.finish()
                told = [name for name, _said in service.told]
                assert told == ([] if role == "seat-1" else ["phone"]), "the host is asked again, for the other seat"
                await whole_turn(tables, table)
                await tables.push.finish()
                assert len(service.told) == len(told) + 1, "they have not acted"

        with_tables(file, look, bots=False, local_webhooks=True)


def test_it_is_told_again_if_the_push_service_is_busy(file: Path) -> None:
    with push_service() as service:
        service.answers = {"busy": [429, 503], "dead": [500] * 9, "never": [403]}

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            for name in service.answers:
                await subscribed(tables, service, table, "seat-1", name)
            pauses = noting(tables)
            await whole_turn(tables, table)
            await tables.push.finish()
            assert sorted(pauses) == sorted([*PAUSES[:2], *PAUSES])
            assert await addresses(tables, table) == {"busy", "dead", "never"}

        with_tables(file, look, bots=False, local_webhooks=True)
        told = [name for name, _said in service.told]
        assert {name: told.count(name) for name in told} == {"busy": 3, "dead": 4, "never": 1}


@pytest.mark.parametrize("status", [404, 410])
def test_an_address_that_is_gone_is_deleted_everywhere(database: Database, status: int) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table, other = [await tables.create(settings_for(HUMAN, FRIEND)) for _ in range(2)]
            for each in (table, other):
                await subscribed(tables, service, each, "seat-1", "gone", status)
            await subscribed(tables, service, table, "seat-1", "there")
            table = await whole_turn(tables, table)
            await tables.push.finish()
            assert await addresses(tables, table) == {"there"}
            assert await addresses(tables, other) == set()
            table = await whole_turn(tables, await whole_turn(tables, table))
            await tables.push.finish()
            assert table.deciding == 1, "the game goes on"
            assert [name for name, _said in service.told].count("gone") == 1

        with_tables(database, look, bots=False, local_webhooks=True)


def test_an_address_that_leads_inside_is_not_called(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One that was allowed once, or whose name stands for another machine now."""
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            await subscribed(tables, service, table, "seat-1", "inside")

        with_tables(file, look, bots=False, local_webhooks=True)

        async def later(tables: Tables) -> None:
            (game,) = await tables.summaries()
            noting(tables)
            await whole_turn(tables, await tables.get(game.id))
            await tables.push.finish()

        with caplog.at_level(logging.INFO):
            with_tables(file, later, bots=False)
        assert service.told == []
        assert caplog.text.count("not a public address") == 1 + len(PAUSES)


def test_what_goes_wrong_does_not_reach_the_game(
    file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            await subscribed(tables, service, table, "seat-1", "one")

            async def fail(*_arguments: object) -> int:
                raise RuntimeError("a mistake")

            monkeypatch.setattr(WebhookSender, "post", fail)
            table = await whole_turn(tables, table)
            await tables.push.finish()
            assert table.deciding == 1

        with_tables(file, look, bots=False, local_webhooks=True)
        assert "a mistake" in caplog.text


def test_leaving_does_not_wait_for_a_push_service(file: Path) -> None:
    with push_service() as service:
        service.answers = {"busy": [503] * 9}

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            await subscribed(tables, service, table, "seat-1", "busy")
            await whole_turn(tables, table)
            while not service.told:
                await asyncio.sleep(0.01)

        with_tables(file, look, bots=False, local_webhooks=True)
        assert len(service.told) == 1


# -------------------------------------------------------------------------------------------- several processes


def test_the_key_of_the_server_is_made_once(database: Database) -> None:
    async def look() -> None:
        async with Tables.open(database, bots=False) as one, Tables.open(database, bots=False) as other:
            keys = await asyncio.gather(*(each.push.public_key() for each in (one, other, one, other)))
            assert len(set(keys)) == 1

    asyncio.run(look())

    async def later(tables: Tables) -> str:
        return await tables.push.public_key()

    assert with_tables(database, later, bots=False) == with_tables(database, later, bots=False)


def test_a_subscription_in_one_process_counts_in_all(shared: str) -> None:
    with push_service() as service:

        async def look() -> None:
            options = {"bots": False, "local_webhooks": True}
            async with (
                asyncio.timeout(60),
                Tables.open(shared, **options) as one,  # type: ignore[arg-type]
                Tables.open(shared, **options) as other,  # type: ignore[arg-type]
            ):
                table = await one.create(settings_for(HUMAN, FRIEND))
                table = await whole_turn(one, await whole_turn(one, table))
                await one.push.finish()
                assert one.in_memory[table.id].subscribers == ()
                await subscribed(other, service, table, "seat-1", "friend")
                while one.in_memory[table.id].subscribers is not None:
                    await asyncio.sleep(0.01)
                await whole_turn(one, table)
                await one.push.finish()
                assert [name for name, _said in service.told] == ["friend"]

        asyncio.run(look())


def test_pages_that_subscribe_again_use_up_no_changes(database: Database) -> None:
    """A page subscribes whenever it is loaded; only a changed subscription counts."""
    with push_service() as service:

        async def look(tables: Tables) -> None:
            table = await tables.create(settings_for(HUMAN, FRIEND))
            key = await tables.keys.link(table.id, HOST)
            to = PushAddress(**service.endpoint("host", 201))
            for _ in range(CHANGES_AT_ONCE + 50):
                await tables.push.subscribe(table.id, [key], to, "en")
            assert table.deciding == 0
            table = await tables.act(table.id, table.number, [table.game.legal()[0]])
            await tables.undo(table.id, table.number)

            async def change_it() -> None:
                for number in range(CHANGES_AT_ONCE + 50):
                    await tables.push.subscribe(table.id, [key], to, "en" if number % 2 else "de")

            with pytest.raises(TooMuch):
                await change_it()

        with_tables(database, look, bots=False, local_webhooks=True)
