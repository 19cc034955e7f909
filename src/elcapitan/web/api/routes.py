"""The operations of the API: games and keys, playing, following and talking, and what only the host may do."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import Response
from pydantic import TypeAdapter

from elcapitan.bots.registry import AT_TABLES, LEVELS
from elcapitan.engine.vocabulary import COLOURS
from elcapitan.errors import BadBot
from elcapitan.service import Seat, Table, TableSettings, TimeControl, role_seat, seat_role
from elcapitan.service.keys import HOST, WATCH
from elcapitan.text.names import about_level, level_name
from elcapitan.web.api.app import (
    MESSAGE,
    SENT,
    AnyCaller,
    Caller,
    Host,
    Player,
    SeatPath,
    from_a_new_game,
    from_legal_actions,
    of_a_game,
    refusals,
    sent_to_a_game,
    table_seen,
)
from elcapitan.web.api.errors import BadRequest, translator_of
from elcapitan.web.api.requests import (
    HIGHEST_NUMBER,
    PLAYER,
    Acting,
    Answering,
    Joining,
    NewGame,
    NewKey,
    Nothing,
    Saying,
    StandingIn,
    TakingBack,
    Wishing,
    numbers_of_sent,
)
from elcapitan.web.api.responses import (
    ChancesJson,
    CreatedJson,
    HintJson,
    JoinedJson,
    LevelsJson,
    MadeKeyJson,
    PossibilitiesJson,
    TalkJson,
    chances_to_json,
    legal_to_json,
    line_to_json,
    suggestion_to_json,
)
from elcapitan.web.api.stream import messages, stream_of
from elcapitan.web.auth import join_link, server_settings, tables
from elcapitan.web.long_requests import CLIENT_GONE, EventStream, record_response, while_connected

router = APIRouter()
GAME: Final = "/games/{game}"
JSON: Final = "application/json"
STREAM: Final = "text/event-stream"
POSSIBILITIES: Final = TypeAdapter(PossibilitiesJson)
HINT: Final = TypeAdapter(HintJson)
CHANCES: Final = TypeAdapter(ChancesJson)
TALK: Final = TypeAdapter(TalkJson)


def _json(content: bytes) -> Response:
    """Answer with JSON that no cache keeps."""
    return Response(content, media_type=JSON, headers={"Cache-Control": "no-store"})


def _seen(table: Table, caller: Caller) -> Response:
    """Answer with the table as the caller sees it, encoded once for all who see the same."""
    return _json(stream_of(table).state(table, caller.rights))


# ----------------------------------------------------------------------------------------------------- games and keys


@router.get("/levels", response_model=LevelsJson, responses=refusals(429))
async def levels(request: Request) -> LevelsJson:
    """The levels of the computer players, which can be given a seat or stand in for a person."""
    t = translator_of(request)
    boards = tables(request).writer.figures.boards
    return {
        "levels": [
            {"name": name, "title": level_name(name, t), "about": about_level(name, boards, t)} for name in AT_TABLES
        ]
    }


@router.post(
    "/games",
    status_code=201,
    response_model=CreatedJson,
    responses={201: {"links": from_a_new_game()}, **refusals(403, *SENT, 422, 429)},
)
async def create(request: Request, wanted: NewGame) -> CreatedJson:
    """Set a table up. The answer has all keys to it, which are not told again."""
    if wanted.seed is not None and server_settings(request).public:
        raise BadRequest("no-seed-here")
    all_tables = tables(request)
    table = await all_tables.create(_settings(wanted, translator_of(request).language))
    host_key, watch_key = await all_tables.keys.link(table.id, HOST), await all_tables.keys.link(table.id, WATCH)
    seat_keys = {seat: await all_tables.keys.link(table.id, seat_role(seat)) for seat in sorted(table.settings.persons)}
    return {
        "game": table.id,
        "number": table.number,
        "host_key": host_key,
        "watch_key": watch_key,
        "seat_keys": [{"seat": seat, "key": key, "link": join_link(request, key)} for seat, key in seat_keys.items()],
        "link": join_link(request, host_key),
        "watch_link": join_link(request, watch_key),
    }


def _settings(wanted: NewGame, language: str) -> TableSettings:
    """Make the settings of a table that a program wants. A seat without a colour gets the first that is free."""
    chosen = [seat.colour for seat in wanted.seats]
    free = iter([colour for colour in range(COLOURS) if colour not in chosen])
    return TableSettings(
        seats=tuple(
            Seat(seat.player, seat.name, next(free) if seat.colour is None else seat.colour) for seat in wanted.seats
        ),
        tiles=tuple(wanted.tiles),
        options=wanted.options.model_dump(exclude_none=True),
        first=wanted.first,
        seed=wanted.seed,
        forecast=wanted.forecast,
        hints=wanted.hints,
        pace=wanted.pace,
        title=wanted.title,
        chat=wanted.chat,
        clock=TimeControl(**wanted.clock.model_dump()) if wanted.clock else None,
        webhook=wanted.webhook,
        language=language,
    )


@router.post("/join", response_model=JoinedJson, responses=refusals(404, *SENT, 422, 429))
async def join(request: Request, wanted: Joining) -> JoinedJson:
    """Find out which game and which seat a key or a phrase opens."""
    if wanted.key is not None and wanted.phrase is None:
        key = wanted.key
        game, role = await tables(request).keys.by_token(key)
    elif wanted.phrase is not None and wanted.key is None:
        game, role, key = await tables(request).keys.by_phrase(wanted.phrase)
    else:
        raise BadRequest("key-or-phrase")
    return {"game": game, "role": role, "seat": role_seat(role), "key": key}


@router.get(GAME, responses={**table_seen(), **of_a_game()})
async def view(caller: AnyCaller) -> Response:
    """The table as it stands: the position, whose turn it is, who is there, and the result at the end."""
    return _seen(await caller.table(), caller)


@router.get(
    f"{GAME}/export/{{form}}",
    response_class=Response,
    responses={
        200: {
            "description": "The record",
            "content": {"text/plain": {"schema": {"type": "string"}}, JSON: {"schema": {"type": "object"}}},
        },
        **of_a_game(),
    },
)
async def export(
    caller: AnyCaller, form: Annotated[Literal["capitan", "json"], Path(description="For people or for programs")]
) -> Response:
    """The record of the game so far. Of a game that is over it also has key (or seed) and salt of the shuffle."""
    return await record_response(caller.tables, await caller.table(), form)


@router.post(f"{GAME}/keys", status_code=201, response_model=MadeKeyJson, responses=sent_to_a_game())
async def make_key(request: Request, caller: AnyCaller, wanted: NewKey) -> MadeKeyJson:
    """Make a further key: the host for any role, others for their own seat, to move it to another device."""
    if not caller.rights.host and role_seat(wanted.role) not in caller.rights.seats:
        raise BadRequest("host-only")
    make = caller.tables.keys.link if wanted.kind == "link" else caller.tables.keys.phrase
    key = await make(caller.game, wanted.role, [caller.key])
    return {
        "role": wanted.role,
        "kind": wanted.kind,
        "key": key,
        "link": join_link(request, key) if wanted.kind == "link" else "",
    }


# ------------------------------------------------------------------------------------------------------------ playing


@router.get(
    f"{GAME}/actions",
    response_model=PossibilitiesJson,
    responses={200: {"links": from_legal_actions()}, **of_a_game()},
)
async def legal(caller: AnyCaller) -> Response:
    """Everything the rules allow now, each action as number, text and typed form; nothing when the game is over.

    A voyage of the pirate by cards is listed piece by piece, as in the bot protocol.
    """
    return _json(POSSIBILITIES.dump_json(legal_to_json(await caller.table(), caller.rights)))


@router.post(f"{GAME}/actions", responses={**table_seen("undo"), **sent_to_a_game(409)})
async def act(caller: Player, wanted: Acting) -> Response:
    """Act: one action or several of the same turn, all of them or, if one is not legal, none."""
    figures = (await caller.table()).game.figures
    numbers = [number for action in wanted.actions for number in numbers_of_sent(action, figures)]
    return _seen(await caller.tables.act(caller.game, wanted.number, numbers, caller.rights.seats), caller)


@router.post(f"{GAME}/undo", responses={**table_seen("redo", "undo"), **sent_to_a_game(409)})
async def undo(caller: Player, wanted: TakingBack) -> Response:
    """Take back actions of the running turn, no further than to a card that was turned up."""
    return _seen(await caller.tables.undo(caller.game, wanted.number, wanted.count, caller.rights.seats), caller)


@router.post(f"{GAME}/redo", responses={**table_seen("undo"), **sent_to_a_game(409)})
async def redo(caller: Player, wanted: TakingBack) -> Response:
    """Do again what was taken back."""
    return _seen(await caller.tables.redo(caller.game, wanted.number, wanted.count, caller.rights.seats), caller)


@router.post(f"{GAME}/wish", responses={**table_seen(), **sent_to_a_game(409)})
async def wish(caller: Player, wanted: Wishing) -> Response:
    """Ask the others to go back to an earlier moment: it happens when all concerned agree."""
    seat = caller.seat(wanted.seat)
    return _seen(await caller.tables.ask_undo(caller.game, wanted.number, seat, wanted.at), caller)


@router.post(f"{GAME}/wish/answer", responses={**table_seen(), **sent_to_a_game(409)})
async def answer(caller: Player, wanted: Answering) -> Response:
    """Agree to such a wish, or not; the one who wished can withdraw it."""
    seat = caller.seat(wanted.seat)
    return _seen(await caller.tables.answer_undo(caller.game, wanted.number, seat, yes=wanted.yes), caller)


@router.get(f"{GAME}/hint", response_model=HintJson, responses=of_a_game(409, 503))
async def hint(
    request: Request,
    caller: Player,
    number: Annotated[
        int | None, Query(ge=0, le=HIGHEST_NUMBER, description="Of the table; the current one if not given")
    ] = None,
    level: Annotated[
        str | None,
        Query(min_length=1, max_length=30, pattern=PLAYER, description="Who is asked; the strongest if not given"),
    ] = None,
) -> Response:
    """What a computer player would do in your place."""
    table = await caller.table()
    if level is not None and level not in AT_TABLES:
        raise BadBot("unknown-bot", found=level, known=", ".join(LEVELS))
    at = table.number if number is None else number
    found = await while_connected(request, caller.tables.hint(caller.game, at, level, caller.rights.seats))
    if found is None:
        return Response(status_code=CLIENT_GONE)
    return _json(HINT.dump_json({"number": at, "suggestions": [suggestion_to_json(each, table) for each in found]}))


@router.get(f"{GAME}/chances", response_model=ChancesJson, responses=of_a_game(409, 503))
async def chances(request: Request, caller: AnyCaller) -> Response:
    """The chances of all seats to win, and the money that they can expect at the end."""
    found = await while_connected(request, caller.tables.chances(caller.game))
    if found is None:
        return Response(status_code=CLIENT_GONE)
    return _json(CHANCES.dump_json(chances_to_json(*found)))


# ---------------------------------------------------------------------------------------------- following and talking


@router.get(
    f"{GAME}/events",
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
    caller: AnyCaller,
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
    return EventStream(messages(request, caller, last, once=once))


@router.get(f"{GAME}/chat", response_model=TalkJson, responses=of_a_game())
async def talk(caller: AnyCaller) -> Response:
    """What was said last at the table."""
    return _talk(await caller.table())


@router.post(f"{GAME}/chat", response_model=TalkJson, responses=sent_to_a_game())
async def say(caller: AnyCaller, wanted: Saying) -> Response:
    """Say something to all at the table; for those who have a seat, and for the host."""
    if not caller.rights.host and not caller.rights.seats:
        raise BadRequest("players-only")
    silent = wanted.seat is None and len(caller.rights.seats) != 1  # a host with no seat, or with several
    seat = None if silent else caller.seat(wanted.seat)
    return _talk(await caller.tables.say(caller.game, seat, wanted.text))


def _talk(table: Table) -> Response:
    """Answer with the last lines of the chat."""
    return _json(TALK.dump_json({"chat": table.settings.chat, "lines": [line_to_json(line) for line in table.chat]}))


# -------------------------------------------------------------------------------------------- what only the host may do


@router.post(f"{GAME}/seats/{{seat}}/stand-in", responses={**table_seen(), **sent_to_a_game(409)})
async def stand_in(caller: Host, seat: SeatPath, wanted: StandingIn) -> Response:
    """Let a computer player stand in for an absent person, or hand the seat back. Only the host can do this."""
    return _seen(await caller.tables.stand_in(caller.game, seat, wanted.level), caller)


@router.post(f"{GAME}/seats/{{seat}}/remove", responses={**table_seen(), **sent_to_a_game(409)})
async def remove(caller: Host, seat: SeatPath, wanted: Nothing) -> Response:
    """Take a seat away: its keys open nothing any more. A new key gives it to another person. Only the host can."""
    del wanted
    return _seen(await caller.tables.remove(caller.game, seat), caller)


@router.post(f"{GAME}/end", responses={**table_seen(), **sent_to_a_game(409)})
async def end(caller: Host, wanted: Nothing) -> Response:
    """End the game before it is over: nothing can be played any more. Only the host can do this."""
    del wanted
    return _seen(await caller.tables.end(caller.game), caller)
