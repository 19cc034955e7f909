"""What only the host of a table can do: let somebody stand in, remove a player, end the game."""

from fastapi import APIRouter
from fastapi.responses import Response

from elcapitan.web.api.answering import GameSeen
from elcapitan.web.api.asking import Nothing, StandingIn
from elcapitan.web.api.describing import sent_to_a_game
from elcapitan.web.api.entering import Host, SeatPath
from elcapitan.web.api.games import seen

router = APIRouter(prefix="/games/{game}")


@router.post("/seats/{seat}/stand-in", response_model=GameSeen, responses=sent_to_a_game(409))
async def stand_in(who: Host, seat: SeatPath, wanted: StandingIn) -> Response:
    """Let a computer player stand in for an absent person, or hand the seat back. Only the host can do this."""
    return seen(await who.tables.stand_in(who.game, seat, wanted.level), who)


@router.post("/seats/{seat}/remove", response_model=GameSeen, responses=sent_to_a_game(409))
async def remove(who: Host, seat: SeatPath, wanted: Nothing) -> Response:
    """Take a seat away: its keys open nothing any more. A new key gives it to somebody else. Only the host can."""
    del wanted
    return seen(await who.tables.remove(who.game, seat), who)


@router.post("/end", response_model=GameSeen, responses=sent_to_a_game(409))
async def end(who: Host, wanted: Nothing) -> Response:
    """End the game before it is over: nothing can be played any more. Only the host can do this."""
    del wanted
    return seen(await who.tables.end(who.game), who)
