"""Inviting people to a table by links, and joining a table by a link or a phrase.

There is a link for every seat that a friend is to take, one to watch, and one for moving one's own seat to another
device. The key stands behind the # of a link, which no browser sends to a server. A script shows it in a header and
gets what it opens; the seat is taken only by a click, unless the browser has it already. Where no script runs, the link
can be pasted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

import segno
from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from elcapitan.errors import BadDatabase, ElCapitanError, NoSuchKey
from elcapitan.service import Table
from elcapitan.service.keys import HOST, WATCH, role_seat, seat_role
from elcapitan.service.seat_names import is_printable
from elcapitan.service.table_settings import FRIEND, SUBSTITUTE
from elcapitan.text.names import level_name
from elcapitan.web.auth import (
    Host,
    NotAllowed,
    Player,
    bearer,
    join_links,
    own_seat,
    remember_key,
    roles,
    roles_at,
    shown_for,
    tables,
)
from elcapitan.web.pages.forms import Number, Text, Whole, respond
from elcapitan.web.pages.friends import EVERYBODY, reach
from elcapitan.web.pages.new_game import LONGEST_NAME, LONGEST_TITLE, levels
from elcapitan.web.render import page, rendered
from elcapitan.web.view.context import merchant_names
from elcapitan.web.view.waiting import FREE, is_taken, room_view, seat_state
from elcapitan.web.viewer import Viewer, viewer

router = APIRouter()


@dataclass(frozen=True)
class Link:
    """A link with its QR code. It is shown only once, because only a hash of its key is stored."""

    address: str
    picture: Markup


@dataclass(frozen=True)
class Guest:
    """A seat for a friend who comes by a link."""

    seat: int
    role: str
    name: str
    colour: int
    state: str  # free, here, away, ready or stood-in
    level: str  # of the computer player that stands in


def draw_links(request: Request, token: str, *, again: bool = False) -> tuple[Link, ...]:
    """Make a link with a key, and its QR code, for each address of this server."""
    return tuple(Link(each, _qr_code(each)) for each in join_links(request, token, again=again))


def _qr_code(link: str) -> Markup:
    """Draw a link for the camera of a phone."""
    drawn = segno.make(link, error="m", micro=False).svg_inline(border=3, omitsize=True, svgclass="qr", lineclass=None)
    return Markup(drawn)


# ------------------------------------------------------------------------------------------------------- the host


@router.get("/games/{name}/invite")
async def invite(request: Request, name: str, who: Host) -> HTMLResponse:
    """Show the host which seats are taken, and by whom."""
    return _invite_page(request, await tables(request).get(name), who, {})


@router.post("/games/{name}/invite")
async def make_links(request: Request, name: str, who: Host, role: Text) -> Response:
    """Make a link for a role, or for every friend who has not come. It is shown only in this response."""
    table = await tables(request).get(name)
    waiting = [guest.role for guest in guests(table, who) if guest.state == FREE]
    wanted = waiting if role == EVERYBODY else [role]
    allowed = {WATCH, *(guest.role for guest in guests(table, who))}
    if not allowed.issuperset(wanted):
        raise NotAllowed
    links = {each: draw_links(request, await tables(request).keys.link(name, each)) for each in wanted}
    return _invite_page(request, table, who, links)


def _invite_page(request: Request, table: Table, who: Viewer, links: Mapping[str, tuple[Link, ...]]) -> HTMLResponse:
    """Answer with the host's page about seats and links."""
    return page(
        request,
        "pages/invite.html",
        table=table,
        view=room_view(table, who) if table.waiting else None,
        guests=guests(table, who),
        links=links,
        reach=reach(request),
        watch=WATCH,
        everybody=EVERYBODY,
        levels=levels(request, who.t),
        substitute=SUBSTITUTE,
        longest_title=LONGEST_TITLE,
    )


def guests(table: Table, who: Viewer) -> list[Guest]:
    """Return the seats of all friends who come by a link."""
    names = merchant_names(table.settings, who.t)
    return [
        Guest(
            seat=number,
            role=seat_role(number),
            name=names[number],
            colour=table.colour_of(number),
            state=seat_state(table, number),
            level=level_name(seat.stand_in, who.t) if seat.stand_in else "",
        )
        for number, seat in enumerate(table.settings.seats)
        if seat.player == FRIEND
    ]


@router.post("/games/{name}/stand-in")
async def stand_in(
    request: Request, name: str, who: Host, seat: Number, level: Text = "", back: Text = "invite"
) -> Response:
    """Let a computer player stand in for a person, or hand the seat back; then go back to the links or the table."""
    to = "/invite" if back == "invite" else ""
    return await respond(request, name, who, tables(request).stand_in(name, seat, level or None), to)


@router.post("/games/{name}/remove")
async def remove(request: Request, name: str, who: Host, seat: Number) -> Response:
    """Remove a person from their seat."""
    return await respond(request, name, who, tables(request).remove(name, seat), "/invite")


@router.post("/games/{name}/end")
async def end(request: Request, name: str, who: Host) -> Response:
    """End the game before it is over."""
    return await respond(request, name, who, tables(request).end(name))


# ---------------------------------------------------------------------------------------------------- one's own seat


@router.get("/games/{name}/seat")
async def my_seat(request: Request, name: str, who: Player) -> HTMLResponse:
    """Show how to move one's seat to another device."""
    return await _seat_page(request, name, who)


@router.post("/games/{name}/seat")
async def move(request: Request, name: str, who: Player, role: Text, how: Text = "link") -> HTMLResponse:
    """Make a link or a phrase for one's own seat. It is shown only in this response."""
    if role not in await own_roles(request, name, who):
        raise NotAllowed
    shown = shown_for(request, name)
    if how == "phrase":
        return await _seat_page(request, name, who, phrase=(role, await tables(request).keys.phrase(name, role, shown)))
    key = await tables(request).keys.link(name, role, shown)
    return await _seat_page(request, name, who, links=(role, draw_links(request, key, again=True)))


async def own_roles(request: Request, name: str, who: Viewer) -> list[str]:
    """Return the roles that a caller can move to another device: those of the keys shown, within their rights."""
    held = await roles_at(request, name)
    return sorted(role for role in held if role == HOST or role_seat(role) in who.seats)


async def _seat_page(
    request: Request,
    name: str,
    who: Viewer,
    links: tuple[str, tuple[Link, ...]] | None = None,
    phrase: tuple[str, str] | None = None,
) -> HTMLResponse:
    """Answer with the page about one's own seat."""
    table = await tables(request).get(name)
    held = await own_roles(request, name, who)
    named = [(role, *_role_name(role, table, who)) for role in held]
    return page(request, "pages/seat.html", table=table, roles=named, links=links, phrase=phrase, reach=reach(request))


def _role_name(role: str, table: Table, who: Viewer) -> tuple[str, int | None]:
    """Return the name and colour of a role."""
    seat = role_seat(role)
    if seat is None:
        return who.t.text("You are the host of this table"), None
    return merchant_names(table.settings, who.t)[seat], table.colour_of(seat)


@router.get("/games/{name}/name")
async def ask_name(request: Request, name: str, who: Player, seat: Whole) -> HTMLResponse:
    """Ask a new player for their name."""
    table = await tables(request).get(name)
    own_seat(who, table, seat)
    return _name_page(request, table, who, seat, table.names()[seat])


@router.post("/games/{name}/name")
async def give_name(request: Request, name: str, who: Player, seat: Number, wanted: Text = "") -> Response:
    """Change the name of one's own seat."""
    table = await tables(request).get(name)
    own_seat(who, table, seat)
    wanted = " ".join(wanted.split())
    if len(wanted) > LONGEST_NAME or not is_printable(wanted):
        mistake = who.t.text("A name has {most} letters at most.", most=LONGEST_NAME)
        return _name_page(request, table, who, seat, wanted, mistake)
    try:
        await tables(request).rename(name, seat, wanted)
    except BadDatabase:
        raise
    except ElCapitanError as error:
        return _name_page(request, table, who, seat, wanted, error.sentence(who.t.text))
    return RedirectResponse(f"/games/{name}", 303)


def _name_page(request: Request, table: Table, who: Viewer, seat: int, wanted: str, mistake: str = "") -> HTMLResponse:
    """Answer with the page that asks for a name."""
    names = merchant_names(table.settings, who.t)
    return page(
        request,
        "pages/name.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if mistake else HTTPStatus.OK,
        table=table,
        seat=seat,
        wanted=wanted,
        colour=table.colour_of(seat),
        others=[(each, table.colour_of(number)) for number, each in enumerate(names) if number != seat],
        mistake=mistake,
        longest_name=LONGEST_NAME,
    )


# ----------------------------------------------------------------------------------------------------------- joining


@router.get("/join")
async def join_page(request: Request, again: bool = False) -> HTMLResponse:
    """Show the page that a link leads to; to a script that shows a key, only what the key opens."""
    shown = bearer(request)
    if shown:
        return await _show_invitation(request, shown[0], again=again)
    return page(request, "pages/join.html", again=again, mistake="", phrase="")


async def _show_invitation(request: Request, key: str, *, again: bool) -> HTMLResponse:
    """Say what a key opens and ask for a click; the seat is not taken yet."""
    who = viewer(request)
    try:
        game, role = await tables(request).keys.opened(key)
    except NoSuchKey as error:
        mistake = error.sentence(who.t.text)
        part = rendered("parts/ask_for_key.html", who, again=again, mistake=mistake, phrase="")
        return HTMLResponse(part, HTTPStatus.FORBIDDEN)
    table = await tables(request).get(game)
    known = role in (await roles(request)).get(game, ())
    taken = not known and not again and is_taken(table, role)
    return HTMLResponse(
        rendered("parts/invited.html", who, **_invitation(table, role, who, key, taken=taken), known=known, again=again)
    )


def _invitation(table: Table, role: str, who: Viewer, key: str, *, taken: bool) -> dict[str, object]:
    """Return what a page says about a link, also whether another browser has taken its seat already."""
    here = role_seat(role) in table.present
    return {
        "title": table.settings.title,
        "sentence": _invitation_words(table, role, who),
        "key": key,
        "taken": taken,
        "here": here,
    }


def _invitation_words(table: Table, role: str, who: Viewer) -> str:
    """Say what a role lets its holder do."""
    seat = role_seat(role)
    if seat is not None:
        return who.t.text("This link gives you the seat of {name}.", name=merchant_names(table.settings, who.t)[seat])
    if role == HOST:
        return who.t.text("This link makes you the host of the table.")
    return who.t.text("This link lets you watch the game.")


@router.post("/join")
async def join(
    request: Request,
    key: Text = "",
    phrase: Text = "",
    again: Annotated[bool, Form()] = False,
    sure: Annotated[bool, Form()] = False,
) -> Response:
    """Store a key in the cookie and redirect to its table; a new player is asked for a name first.

    If another browser has taken the seat already, the caller is asked whether they are `sure` that it is theirs.
    """
    try:
        if phrase.strip():
            game, role, token = await tables(request).keys.by_phrase(phrase)
        else:
            token = token_of(key)
            game, role = await tables(request).keys.opened(token)
            first = await tables(request).keys.take_seat(game, role)
            if not (first or again or sure or role in (await roles(request)).get(game, ())):
                table = await tables(request).get(game)
                if is_taken(table, role):
                    said = _invitation(table, role, viewer(request), token, taken=True)
                    return page(request, "pages/taken.html", HTTPStatus.CONFLICT, **said, known=False, again=False)
    except NoSuchKey as error:
        sentence = error.sentence(viewer(request).t.text)
        return page(request, "pages/join.html", HTTPStatus.FORBIDDEN, again=again, mistake=sentence, phrase=phrase)
    seat = role_seat(role)
    known = again or sure or bool(phrase.strip()) or seat is None
    response = RedirectResponse(f"/games/{game}" if known else f"/games/{game}/name?seat={seat}", 303)
    await remember_key(request, response, game, token)
    return response


def token_of(link: str) -> str:
    """Return the key of a link, or of its end if only that was pasted."""
    return link.strip().rpartition("#")[2]
