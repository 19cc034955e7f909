"""A whole game played by programs, and every answer of it searched for what is face down.

An answer may depend in nothing on what is face down: so whatever can be asked is asked twice, the second time with
another key behind the cards, and each pair of answers must be the same, byte for byte.
"""

import asyncio
import random
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from tests.api.visiting import API, Stream, application, asked, wanted

from elcapitan.engine.vocabulary import DESTINATIONS
from elcapitan.game.game import Game
from elcapitan.records.shuffles import any_key
from elcapitan.service import Tables
from elcapitan.service.dealer import KeyedDealer

ASKED = ("", "/actions", "/chat", "/export/json", "/export/capitan", "/events?once=true&since=0", "/events?once=true")
EVERY = 37  # moves, so that the test does not take too long


def order_of(dealer: Game) -> list[list[int]]:
    """The cards of both decks as they will come up."""
    state = dealer.position
    ends = zip((0, DESTINATIONS), state.deck_left, strict=True)
    return [state.deck[first : first + int(left)].tolist() for first, left in ends]


async def everything(app: FastAPI, made: dict[str, Any]) -> list[bytes]:
    """All that anybody can ask about a table, encoded anew."""
    app.state.tables.in_memory[made["game"]].cache.clear()
    keys = [made["host_key"], made["watch_key"], *(each["key"] for each in made["seat_keys"])]
    replies = [await asked(app, f"{API}/games/{made['game']}{path}", key) for key in keys for path in ASKED]
    assert all(reply.status == 200 for reply in replies)
    return [reply.content for reply in replies]


async def check_moment(app: FastAPI, made: dict[str, Any]) -> list[bytes]:
    """Nothing that can be asked depends on the order of what is face down."""
    tables: Tables = app.state.tables
    live = tables.in_memory[made["game"]]
    answers = await everything(app, made)
    dealer, order = live.state.dealt.dealer, order_of(live.state.dealt.arranged)
    assert isinstance(dealer, KeyedDealer)
    try:
        live.state.dealt.dealer = KeyedDealer(any_key())
        if sum(map(len, order)) > 3:
            assert order != order_of(live.state.dealt.arranged)
        others = await everything(app, made)
    finally:
        live.state.dealt.dealer = dealer
    assert answers == others
    return answers


def test_no_answer_of_a_whole_game_tells_what_is_face_down(tmp_path: Path) -> None:
    async def work() -> None:
        app, dice = application(tmp_path), random.Random(3)
        async with app.router.lifespan_context(app):
            await play(app, dice)

    async def play(app: FastAPI, dice: random.Random) -> None:
        made = (await asked(app, f"{API}/games", "", wanted("friend", "human", tiles=["Islas Canarias"]))).json
        place, host = f"{API}/games/{made['game']}", made["host_key"]
        keys = {each["seat"]: each["key"] for each in made["seat_keys"]}
        streams = [Stream(app, f"{place}/events?since=0", key) for key in (made["watch_key"], *keys.values())]
        secrets = secrets_of(app, made["game"])
        said: list[bytes] = [str(made).encode()]
        moves = 0
        while (possible := (await asked(app, f"{place}/actions", host)).json)["actions"]:
            choice = dice.choice(possible["actions"])
            sent = {"number": possible["number"], "actions": [choice[dice.choice(("action", "text", "typed"))]]}
            reply = await asked(app, f"{place}/actions", keys[possible["deciding"]], sent)
            assert reply.status == 200, reply.content
            said.append(reply.content)
            if moves % EVERY == 0 and not reply.json["result"]:
                said += await check_moment(app, made)
            moves += 1
        over = reply.json
        assert over["result"] and over["deciding"] is None
        for stream in streams:
            while not (message := await stream.message())["state"]["result"]:
                pass
            running, _end, _last = stream.reply.content.rpartition(b"\nid: ")
            said.append(running)
            assert message["state"]["events"] == over["events"]
            await stream.leave()
        assert not [secret for secret in secrets if any(secret in each for each in said)]
        told = (await asked(app, f"{place}/export/json", host)).content  # now it is time to tell them
        assert all(secret in told for secret in secrets)

    asyncio.run(work())


def secrets_of(app: FastAPI, game: str) -> set[bytes]:
    """What the shuffle comes from, and what it was salted with."""
    tables: Tables = app.state.tables
    promise = tables.in_memory[game].state.dealt.promises[-1]
    assert len(promise.key) == 64
    return {promise.key.encode(), promise.salt.encode()}
