"""Following a table as it changes, and talking at it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response

from elcapitan.errors import ElCapitanError, NoSuchGame
from elcapitan.service import Table
from elcapitan.web.api.answering import Talk
from elcapitan.web.api.asking import Saying
from elcapitan.web.api.describing import MESSAGE, of_a_game, sent_to_a_game
from elcapitan.web.api.entering import Anybody, Visitor, with_key
from elcapitan.web.api.games import JSON, UNSTORED
from elcapitan.web.api.refusing import Unwelcome, refusal, speaking
from elcapitan.web.api.seeing import said
from elcapitan.web.api.telling import Known, chronicle, dumped
from elcapitan.web.streams import EventStream

router = APIRouter(prefix="/games/{game}")
STREAM: Final = "text/event-stream"


@router.get(
    "/events",
    response_class=Response,
    responses={
        200: {
            "description": "Messages with JSON as data; one called `end` says that the key opens nothing any more",
            "content": {STREAM: {"schema": MESSAGE}},
        },
        **of_a_game(),
    },
)
async def events(
    request: Request,
    who: Anybody,
    since: Annotated[
        str | None,
        Query(
            pattern="^[0-9]{1,9}(-[0-9a-f]{12}-[0-9]{1,9})?$",
            description="What is known: the id of a message, or a number of events; everything up to now if not given",
        ),
    ] = None,
    once: Annotated[bool, Query(description="Whether the stream ends after its first message")] = False,
    last_event_id: Annotated[
        str | None, Header(description="The same as `since`, which browsers send by themselves")
    ] = None,
) -> Response:
    """Follow the table: a message at once, and one after every change. While it is open, your seats are present."""
    last = since if last_event_id is None else last_event_id
    return EventStream(_messages(request, who, last, once=once))


async def _messages(request: Request, who: Visitor, last: str | None, *, once: bool) -> AsyncGenerator[bytes, None]:
    """The messages for somebody who knows the table up to an id; whose key is taken away is told so."""
    known: Known | None = None
    try:
        async with aclosing(who.tables.follow(who.game, who.rights.seats)) as changes:
            async for _change in changes:
                who = await with_key(who.tables, who.game, who.key)
                table = await who.table()
                news = chronicle(table)
                known = known or (news.known_by(last) if last else None) or news.now()
                yield news.message(known, table, who.rights)
                known = news.now()
                if once:
                    return
    except NoSuchGame:  # it was thrown away meanwhile
        return
    except ElCapitanError as error:
        data = dumped({"error": refusal(error, speaking(request))})
        yield f"event: end\ndata: {data}\n\n".encode()


@router.get("/chat", response_model=Talk, responses=of_a_game())
async def talk(who: Anybody) -> Response:
    """What was said last at the table."""
    return _talk(await who.table())


@router.post("/chat", response_model=Talk, responses=sent_to_a_game())
async def say(who: Anybody, wanted: Saying) -> Response:
    """Say something to everybody at the table; for those who have a seat, and for the host."""
    if not who.rights.host and not who.rights.seats:
        raise Unwelcome("players-only")
    silent = wanted.seat is None and len(who.rights.seats) != 1  # a host with no seat, or with several
    seat = None if silent else who.seat(wanted.seat)
    return _talk(await who.tables.say(who.game, seat, wanted.text))


def _talk(table: Table) -> Response:
    """The last lines."""
    content = dumped({"chat": table.plan.chat, "lines": [said(line) for line in table.talk]})
    return Response(content.encode(), media_type=JSON, headers=UNSTORED)
