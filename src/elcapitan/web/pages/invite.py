"""Inviting friends: a link for every seat that somebody is to come to, one to watch by, and one's own for the phone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

import segno
from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from elcapitan.errors import BadDatabase, ElCapitanError
from elcapitan.service import Table
from elcapitan.service.access import HOST, WATCH, role_seat, seat_role
from elcapitan.service.plan import FRIEND, SUBSTITUTE
from elcapitan.service.seat_names import is_printable
from elcapitan.text.levels import level_name
from elcapitan.web.access import Host, NotForYou, Player, address, own_seat, roles_at, shown_for, tables
from elcapitan.web.environment import page
from elcapitan.web.pages.doing import REFUSED, done
from elcapitan.web.pages.numbers import Number, Whole
from elcapitan.web.pages.setting_up import LONGEST_NAME, LONGEST_TITLE
from elcapitan.web.pages.start import levels
from elcapitan.web.scene.sight import called
from elcapitan.web.viewer import Viewer

router = APIRouter(prefix="/games/{name}")
FREE, HERE, AWAY, STOOD_IN = "free", "here", "away", "stood-in"
EVERYBODY: Final = "friends"  # asks for a link for every friend

Text = Annotated[str, Form()]


@dataclass(frozen=True)
class Link:
    """A link as it is shown this once."""

    address: str
    picture: Markup


@dataclass(frozen=True)
class Guest:
    """A seat that a friend comes to."""

    seat: int
    role: str
    name: str
    colour: int
    state: str  # free, here, away or stood-in
    level: str  # of whoever stands in


def linked(request: Request, token: str, *, again: bool = False) -> Link:
    """A link with a key, and its picture for a phone; the key stands behind the # and is never sent by itself."""
    found = f"{address(request)}/join{'?again=1' if again else ''}#{token}"
    drawn = segno.make(found, error="m", micro=False).svg_inline(border=3, omitsize=True, svgclass="qr", lineclass=None)
    return Link(found, Markup(drawn))


# ------------------------------------------------------------------------------------------------------- the host


@router.get("/invite")
async def invite(request: Request, name: str, who: Host) -> HTMLResponse:
    """Who is to come, and who is there."""
    return _invitations(request, await tables(request).get(name), who, {})


@router.post("/invite")
async def make_links(request: Request, name: str, who: Host, role: Text) -> Response:
    """Make a link for a role, or for every friend; it can be seen only now."""
    table = await tables(request).get(name)
    waiting = [guest.role for guest in guests(table, who) if guest.state == FREE]
    wanted = waiting if role == EVERYBODY else [role]
    allowed = {WATCH, *(guest.role for guest in guests(table, who))}
    if not allowed.issuperset(wanted):
        raise NotForYou
    links = {each: linked(request, await tables(request).key(name, each)) for each in wanted}
    return _invitations(request, table, who, links)


def _invitations(request: Request, table: Table, who: Viewer, links: Mapping[str, Link]) -> HTMLResponse:
    """The page for the host."""
    return page(
        request,
        "pages/invite.html",
        table=table,
        guests=guests(table, who),
        links=links,
        watch=WATCH,
        everybody=EVERYBODY,
        levels=levels(who.t),
        substitute=SUBSTITUTE,
        longest_title=LONGEST_TITLE,
    )


def guests(table: Table, who: Viewer) -> list[Guest]:
    """Everybody who comes by link."""
    names = called(table, who.t)
    return [
        Guest(
            seat=number,
            role=seat_role(number),
            name=names[number],
            colour=table.colour_of(number),
            state=_state(table, number),
            level=level_name(seat.stand_in, who.t) if seat.stand_in else "",
        )
        for number, seat in enumerate(table.plan.seats)
        if seat.player == FRIEND
    ]


def _state(table: Table, seat: int) -> str:
    """Whether somebody has come."""
    if table.plan.seats[seat].free:
        return FREE
    if table.plan.seats[seat].stand_in:
        return STOOD_IN
    return HERE if seat in table.present else AWAY


@router.post("/stand-in")
async def stand_in(request: Request, name: str, who: Host, seat: Number, level: Text = "") -> Response:
    """Let a computer player stand in for somebody, or hand the seat back."""
    return await done(request, name, who, tables(request).stand_in(name, seat, level or None), "/invite")


@router.post("/remove")
async def remove(request: Request, name: str, who: Host, seat: Number) -> Response:
    """Take the seat away from somebody."""
    return await done(request, name, who, tables(request).remove(name, seat), "/invite")


@router.post("/end")
async def end(request: Request, name: str, who: Host) -> Response:
    """End the game before it is over."""
    return await done(request, name, who, tables(request).end(name))


# ---------------------------------------------------------------------------------------------------- one's own seat


@router.get("/seat")
async def my_seat(request: Request, name: str, who: Player) -> HTMLResponse:
    """How to go on playing on another device."""
    return await _own(request, name, who)


@router.post("/seat")
async def move(request: Request, name: str, who: Player, role: Text, how: Text = "link") -> HTMLResponse:
    """Make a link or a phrase for one's own seat; it can be seen only now."""
    if role not in await own_roles(request, name, who):
        raise NotForYou
    house, shown = tables(request), shown_for(request, name)
    if how == "phrase":
        return await _own(request, name, who, phrase=(role, await house.phrase(name, role, shown)))
    return await _own(request, name, who, link=(role, linked(request, await house.key(name, role, shown), again=True)))


async def own_roles(request: Request, name: str, who: Viewer) -> list[str]:
    """The roles a caller can move to another device, host and seats: those of the keys shown, within their rights."""
    seats = who.rights.seats if who.rights else frozenset()
    held = await roles_at(request, name)
    return sorted(role for role in held if role == HOST or role_seat(role) in seats)


async def _own(
    request: Request,
    name: str,
    who: Viewer,
    link: tuple[str, Link] | None = None,
    phrase: tuple[str, str] | None = None,
) -> HTMLResponse:
    """The page about one's own seat."""
    table = await tables(request).get(name)
    held = await own_roles(request, name, who)
    named = [(role, *_titled(role, table, who)) for role in held]
    return page(request, "pages/seat.html", table=table, roles=named, link=link, phrase=phrase)


def _titled(role: str, table: Table, who: Viewer) -> tuple[str, int | None]:
    """What a role is called, and its colour."""
    seat = role_seat(role)
    if seat is None:
        return who.t.text("You are the host of this table"), None
    return called(table, who.t)[seat], table.colour_of(seat)


@router.get("/name")
async def ask_name(request: Request, name: str, who: Player, seat: Whole) -> HTMLResponse:
    """Whoever is new says how they want to be called."""
    table = await tables(request).get(name)
    own_seat(who, table, seat)
    return _asked(request, table, seat, table.names()[seat], called(table, who.t))


@router.post("/name")
async def give_name(request: Request, name: str, who: Player, seat: Number, wanted: Text = "") -> Response:
    """Be called by another name."""
    table = await tables(request).get(name)
    own_seat(who, table, seat)
    wanted = " ".join(wanted.split())
    if len(wanted) > LONGEST_NAME or not is_printable(wanted):
        mistake = who.t.text("A name has {most} letters at most.", most=LONGEST_NAME)
        return _asked(request, table, seat, wanted, called(table, who.t), mistake)
    try:
        await tables(request).rename(name, seat, wanted)
    except BadDatabase:
        raise
    except ElCapitanError as error:
        return _asked(request, table, seat, wanted, called(table, who.t), error.sentence(who.t.template))
    return RedirectResponse(f"/games/{name}", 303)


def _asked(request: Request, table: Table, seat: int, wanted: str, names: list[str], mistake: str = "") -> HTMLResponse:
    """The page that asks for a name."""
    return page(
        request,
        "pages/name.html",
        REFUSED if mistake else 200,
        table=table,
        seat=seat,
        wanted=wanted,
        colour=table.colour_of(seat),
        others=[(each, table.colour_of(number)) for number, each in enumerate(names) if number != seat],
        mistake=mistake,
        longest_name=LONGEST_NAME,
    )
