"""Playing: what is legal, acting, taking back, asking the others to go back, and hints."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from elcapitan.bots.registry import LEVELS
from elcapitan.errors import BadBot
from elcapitan.web.api.answering import GameSeen, Hint, Possibilities
from elcapitan.web.api.asking import HIGHEST_NUMBER, Acting, Answering, TakingBack, Wishing
from elcapitan.web.api.deeds import numbers
from elcapitan.web.api.describing import from_a_move, from_legal_actions, of_a_game, sent_to_a_game
from elcapitan.web.api.entering import Anybody, Player
from elcapitan.web.api.games import JSON, UNSTORED, seen
from elcapitan.web.api.seeing import possibilities, suggested
from elcapitan.web.api.telling import dumped
from elcapitan.web.disconnects import CLIENT_GONE, while_connected

router = APIRouter(prefix="/games/{game}")


@router.get(
    "/actions",
    response_model=Possibilities,
    responses={200: {"links": from_legal_actions()}, **of_a_game()},
)
async def legal(who: Anybody) -> Response:
    """Everything the rules allow now, each action as number, text and typed form; nothing when the game is over.

    A voyage of the pirate by cards is listed piece by piece, as in the bot protocol.
    """
    content = dumped(possibilities(await who.table(), who.rights))
    return Response(content.encode(), media_type=JSON, headers=UNSTORED)


@router.post(
    "/actions",
    response_model=GameSeen,
    responses={200: {"links": from_a_move("undo")}, **sent_to_a_game(409)},
)
async def act(who: Player, wanted: Acting) -> Response:
    """Act: one action or several of the same turn, all of them or, if one is not legal, none."""
    figures = (await who.table()).game.figures
    played = [number for deed in wanted.actions for number in numbers(deed, figures)]
    return seen(await who.tables.act(who.game, wanted.number, played, who.rights.seats), who)


@router.post(
    "/undo",
    response_model=GameSeen,
    responses={200: {"links": from_a_move("redo", "undo")}, **sent_to_a_game(409)},
)
async def undo(who: Player, wanted: TakingBack) -> Response:
    """Take back actions of the running turn, no further than to a card that was turned up."""
    return seen(await who.tables.undo(who.game, wanted.number, wanted.count, who.rights.seats), who)


@router.post(
    "/redo",
    response_model=GameSeen,
    responses={200: {"links": from_a_move("undo")}, **sent_to_a_game(409)},
)
async def redo(who: Player, wanted: TakingBack) -> Response:
    """Do again what was taken back."""
    return seen(await who.tables.redo(who.game, wanted.number, wanted.count, who.rights.seats), who)


@router.post("/wish", response_model=GameSeen, responses=sent_to_a_game(409))
async def wish(who: Player, wanted: Wishing) -> Response:
    """Ask the others to go back to an earlier moment: it happens when everybody concerned agrees."""
    seat = who.seat(wanted.seat)
    return seen(await who.tables.ask_undo(who.game, wanted.number, seat, wanted.at), who)


@router.post("/wish/answer", response_model=GameSeen, responses=sent_to_a_game(409))
async def answer(who: Player, wanted: Answering) -> Response:
    """Agree to such a wish, or not; whoever wished can withdraw it."""
    seat = who.seat(wanted.seat)
    return seen(await who.tables.answer_undo(who.game, wanted.number, seat, yes=wanted.yes), who)


@router.get("/hint", response_model=Hint, responses=of_a_game(409, 503))
async def hint(
    request: Request,
    who: Player,
    number: Annotated[
        int | None, Query(ge=0, le=HIGHEST_NUMBER, description="Of the table; the current one if not given")
    ] = None,
    level: Annotated[
        str | None,
        Query(min_length=1, max_length=30, pattern="^[a-z]+$", description="Who is asked; the strongest if not given"),
    ] = None,
) -> Response:
    """What a computer player would do in your place."""
    table = await who.table()
    if level is not None and level not in LEVELS:
        raise BadBot("unknown-bot", found=level, known=", ".join(LEVELS))
    at = table.number if number is None else number
    found = await while_connected(request, who.tables.hint(who.game, at, level, who.rights.seats))
    if found is None:
        return Response(status_code=CLIENT_GONE)
    content = dumped({"number": at, "suggestions": [suggested(each, table) for each in found]})
    return Response(content.encode(), media_type=JSON, headers=UNSTORED)
