"""Games: setting a table up, coming to one, looking at it, taking its record away."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from elcapitan.bots.registry import LEVELS
from elcapitan.engine.vocabulary import COLOURS
from elcapitan.service import Clock, Plan, Seat, Table, role_seat, seat_role
from elcapitan.service.access import HOST, WATCH
from elcapitan.text.levels import level_name
from elcapitan.web.access import house, tables
from elcapitan.web.api.answering import Created, GameSeen, Joined, Level, Levels, MadeKey, SeatKey
from elcapitan.web.api.asking import Joining, NewGame, NewKey, NewSeat
from elcapitan.web.api.describing import SENT, from_a_new_game, of_a_game, refusals, sent_to_a_game
from elcapitan.web.api.entering import Anybody, Visitor, link
from elcapitan.web.api.refusing import Unwelcome, speaking
from elcapitan.web.api.telling import chronicle
from elcapitan.web.meter import in_thread

router = APIRouter()
JSON: Final = "application/json"
MEDIA_TYPES: Final = {"capitan": "text/plain; charset=utf-8", "json": JSON}
UNSTORED: Final = {"Cache-Control": "no-store"}


@router.get("/levels", response_model=Levels, responses=refusals(429))
async def levels(request: Request) -> Levels:
    """The levels of the computer players, which can be given a seat or stand in for somebody."""
    t = speaking(request)
    known = [
        Level(name=name, title=level_name(name, t), about=t.template(level.about)) for name, level in LEVELS.items()
    ]
    return Levels(levels=known)


@router.post(
    "/games",
    status_code=201,
    response_model=Created,
    responses={201: {"links": from_a_new_game()}, **refusals(403, *SENT, 422, 429)},
)
async def create(request: Request, wanted: NewGame) -> Created:
    """Set a table up. The answer has all keys to it, which are not told again."""
    if wanted.seed is not None and house(request).public:
        raise Unwelcome("no-seed-here")
    shelf = tables(request)
    table = await shelf.create(_plan(wanted, speaking(request).language))
    host_key, watch_key = await shelf.key(table.id, HOST), await shelf.key(table.id, WATCH)
    seat_keys = {seat: await shelf.key(table.id, seat_role(seat)) for seat in sorted(table.plan.persons)}
    return Created(
        game=table.id,
        number=table.number,
        host_key=host_key,
        watch_key=watch_key,
        seat_keys=[SeatKey(seat=seat, key=key, link=link(request, key)) for seat, key in seat_keys.items()],
        link=link(request, host_key),
        watch_link=link(request, watch_key),
    )


def _plan(wanted: NewGame, language: str) -> Plan:
    """The plan of a table that a program wants."""
    chosen = [seat.colour for seat in wanted.seats]
    free = iter([colour for colour in range(COLOURS) if colour not in chosen])
    return Plan(
        seats=tuple(_seat(seat, next(free) if seat.colour is None else seat.colour) for seat in wanted.seats),
        tiles=tuple(wanted.tiles),
        options=wanted.options.model_dump(exclude_none=True),
        first=wanted.first,
        seed=wanted.seed,
        forecast=wanted.forecast,
        hints=wanted.hints,
        pace=wanted.pace,
        title=wanted.title,
        chat=wanted.chat,
        clock=Clock(**wanted.clock.model_dump()) if wanted.clock else None,
        webhook=wanted.webhook,
        language=language,
    )


def _seat(wanted: NewSeat, colour: int) -> Seat:
    """A seat of the plan."""
    return Seat(wanted.player, wanted.name, colour)


@router.post("/join", response_model=Joined, responses=refusals(404, *SENT, 422, 429))
async def join(request: Request, wanted: Joining) -> Joined:
    """Find out which game and which seat a key or a phrase opens."""
    shelf = tables(request)
    if wanted.key is not None and wanted.phrase is None:
        key = wanted.key
        game, role = await shelf.by_token(key)
    elif wanted.phrase is not None and wanted.key is None:
        game, role, key = await shelf.by_phrase(wanted.phrase)
    else:
        raise Unwelcome("key-or-phrase")
    return Joined(game=game, role=role, seat=role_seat(role), key=key)


@router.get("/games/{game}", response_model=GameSeen, responses=of_a_game())
async def view(who: Anybody) -> Response:
    """The table as it stands: the position, whose turn it is, who is there, and the result at the end."""
    return seen(await who.table(), who)


def seen(table: Table, who: Visitor) -> Response:
    """The table through somebody's eyes, encoded once for all who see the same."""
    return Response(chronicle(table).state(table, who.rights).encode(), media_type=JSON, headers=UNSTORED)


@router.get(
    "/games/{game}/export/{form}",
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
    who: Anybody, form: Annotated[Literal["capitan", "json"], Path(description="For people or for programs")]
) -> Response:
    """The record of the game so far. Of a game that is over it also has key (or seed) and salt of the shuffle."""
    record = await in_thread(who.tables.export, await who.table(), form)  # it is played again for that
    return Response(record, media_type=MEDIA_TYPES[form], headers=UNSTORED)


@router.post("/games/{game}/keys", status_code=201, response_model=MadeKey, responses=sent_to_a_game())
async def make_key(request: Request, who: Anybody, wanted: NewKey) -> MadeKey:
    """Make a further key: the host for anybody, others for their own seat, to move it to another device."""
    seat = role_seat(wanted.role)
    if not who.rights.host and seat not in who.rights.seats:
        raise Unwelcome("host-only")
    make = who.tables.key if wanted.kind == "link" else who.tables.phrase
    key = await make(who.game, wanted.role, [who.key])
    return MadeKey(
        role=wanted.role, kind=wanted.kind, key=key, link=link(request, key) if wanted.kind == "link" else ""
    )
