"""The start page with the list of games, and exporting, importing and deleting a game."""

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from babel.dates import format_datetime
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData, UploadFile

from elcapitan.errors import BadDatabase, ElCapitanError, NoRules, TooMuch
from elcapitan.service import FRIEND, GameSummary
from elcapitan.service.keys import Rights, rights_of
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import level_name
from elcapitan.web.auth import Host, Visitor, forget_keys, needs_no_key, redirect_to_own_table, roles, tables
from elcapitan.web.long_requests import MEDIA_TYPES, record_response
from elcapitan.web.pages.friends import reach, table_for_friends
from elcapitan.web.render import Notice, page
from elcapitan.web.view.context import merchant_names
from elcapitan.web.viewer import viewer

router = APIRouter()


@dataclass(frozen=True)
class ListedSeat:
    """A merchant in the list of games."""

    name: str
    colour: int  # of the palette
    kind: str  # the level of a computer player; empty for people
    money: int


@dataclass(frozen=True)
class ListedGame:
    """A game in the list of games."""

    id: str
    title: str
    seats: tuple[ListedSeat, ...]
    state: str  # phase and round, or how it ended
    waits: bool  # whether the caller is to move
    waiting: bool  # whether people gather in its waiting room
    host: bool  # whether the caller may delete it
    over: bool
    changed: datetime
    when: str


async def game_list(request: Request) -> list[ListedGame]:
    """List the caller's games, the latest first: those they have keys for, or all where no key is needed."""
    held, everything = await roles(request), needs_no_key(request)
    games = []
    for summary in await tables(request).summaries(None if everything else set(held)):
        rights = rights_of(held.get(summary.id, ()), summary.settings)
        if rights is None and everything:
            rights = Rights(host=True, seats=summary.settings.persons)
        if rights is not None and not summary.settings.private_to:
            games.append(listed_game(summary, viewer(request).t, rights))
    return sorted(games, key=lambda game: game.changed, reverse=True)


def listed_game(summary: GameSummary, t: Translator, rights: Rights) -> ListedGame:
    """Describe a game in the reader's language."""
    seats = tuple(
        ListedSeat(name, seat.colour, "" if seat.person else level_name(seat.player, t), money)
        for name, seat, money in zip(
            merchant_names(summary.settings, t), summary.settings.seats, summary.money, strict=True
        )
    )
    return ListedGame(
        id=summary.id,
        title=summary.settings.title,
        seats=seats,
        state=_state(summary, seats, t),
        waits=summary.waits_for_people and summary.deciding in rights.seats,
        waiting=summary.waiting,
        host=rights.host,
        over=summary.over or summary.settings.ended,
        changed=summary.changed,
        when=format_datetime(summary.changed.astimezone(), "short", locale=t.language),
    )


def _state(summary: GameSummary, seats: tuple[ListedSeat, ...], t: Translator) -> str:
    """Say in a few words how far a game has come, or how it ended."""
    if summary.settings.ended and not summary.over:
        return t.text("The host has ended this game.")
    if summary.over:
        most = max(seat.money for seat in seats)
        winners = [seat.name for seat in seats if seat.money == most]
        if len(winners) > 1:
            return t.text("Finished: {who} share the victory.", who=", ".join(winners))
        return t.text("Finished: {who} has won.", who=winners[0])
    if summary.waiting:
        friends = [seat for seat in summary.settings.seats if seat.player == FRIEND]
        come = sum(not seat.free for seat in friends)
        return t.text("Waiting room; friends here: {come} of {friends}", come=come, friends=len(friends))
    where = t.text("Phase {phase}, round {round}", phase=summary.phase, round=summary.round)
    if summary.deciding is None:
        return where
    return t.text("{where}: {who}'s turn", where=where, who=seats[summary.deciding].name)


@router.get("/")
async def start(request: Request) -> HTMLResponse:
    """Show the start page with the list of games."""
    return await _start_page(request)


@router.get("/games/{name}/export/{form}")
async def export(request: Request, name: str, form: str, _who: Visitor) -> Response:
    """Download a game as a file."""
    if form not in MEDIA_TYPES:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    table = await tables(request).get(name)
    attachment = {"Content-Disposition": f'attachment; filename="elcapitan-{table.id}.{form}"'}
    return await record_response(tables(request), table, form, attachment)


@router.post("/games/import")
async def import_game(request: Request) -> Response:
    """Import a game from a file or from a text; refuse an invalid record with the reason."""
    t = viewer(request).t
    async with request.form() as sent:
        content, filename = await _uploaded(sent)
    if not content.strip():
        return await _start_page(request, Notice(t.text("Choose a file, or paste the text of a game.")))
    try:
        table = await tables(request).import_record(content, filename)
    except (BadDatabase, NoRules, TooMuch):
        raise
    except ElCapitanError as error:
        return await _start_page(request, Notice.of(error, t), "" if filename else content.decode())
    return await redirect_to_own_table(request, table)


async def _uploaded(sent: FormData) -> tuple[bytes, str]:
    """Return content and name of the file that was sent, or the text that was pasted if there is no file."""
    file = sent.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return await file.read(), file.filename
    return str(sent.get("text") or "").encode(), ""


async def _start_page(request: Request, mistake: Notice | None = None, pasted: str = "") -> HTMLResponse:
    """Answer with the start page; after an import that was refused, with the mistake and the text that was pasted."""
    status = HTTPStatus.UNPROCESSABLE_ENTITY if mistake else HTTPStatus.OK
    return page(
        request,
        "pages/start.html",
        status,
        games=await game_list(request),
        mistake=mistake,
        pasted=pasted,
        reach=reach(request),
        compiling=tables(request).rules.progress,
        made_for=table_for_friends(),
    )


@router.post("/games/{name}/delete")
async def delete(request: Request, name: str, _who: Host) -> Response:
    """Delete a game and its log."""
    await tables(request).delete(name)
    response = RedirectResponse("/", 303)
    forget_keys(request, response, name)
    return response
