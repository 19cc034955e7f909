"""Coming to a table by a link or by a phrase.

The key stands behind the # of a link, which no browser sends to anybody. A script shows it in a header and is told what
it opens; it is posted, and the seat taken, only by a click, unless the browser has the seat already. Where no script
runs, the link can be pasted.
"""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.errors import NoSuchKey
from elcapitan.service import Table
from elcapitan.service.access import HOST, role_seat
from elcapitan.web.access import bearer, remember, roles, tables
from elcapitan.web.environment import page, rendered
from elcapitan.web.scene.sight import called
from elcapitan.web.viewer import Viewer, viewer

router = APIRouter()
FORBIDDEN: Final = 403
Text = Annotated[str, Form()]


@router.get("/join")
async def door(request: Request, again: bool = False) -> HTMLResponse:
    """The page that a link leads to; for a script that shows the key of the link, the part that says what it opens."""
    shown = bearer(request)
    if shown:
        return await _what_it_opens(request, shown[0], again=again)
    return page(request, "pages/join.html", again=again, mistake="", phrase="")


async def _what_it_opens(request: Request, key: str, *, again: bool) -> HTMLResponse:
    """Say what a key opens and ask for a click; nothing is taken yet."""
    who = viewer(request)
    try:
        game, role = await tables(request).opened(key)
    except NoSuchKey as error:
        mistake = error.sentence(who.t.template)
        part = rendered("parts/door.html", who, again=again, mistake=mistake, phrase="")
        return HTMLResponse(part, FORBIDDEN)
    table = await tables(request).get(game)
    known = role in (await roles(request)).get(game, ())
    sentence, title = _offer(table, role, who), table.plan.title
    part = rendered("parts/invited.html", who, title=title, sentence=sentence, key=key, again=again, known=known)
    return HTMLResponse(part)


def _offer(table: Table, role: str, who: Viewer) -> str:
    """What somebody gets who takes a link."""
    seat = role_seat(role)
    if seat is not None:
        return who.t.text("This link gives you the seat of {name}.", name=called(table, who.t)[seat])
    if role == HOST:
        return who.t.text("This link makes you the host of the table.")
    return who.t.text("With this link you watch the table.")


@router.post("/join")
async def join(request: Request, key: Text = "", phrase: Text = "", again: Annotated[bool, Form()] = False) -> Response:
    """Take a seat, or look on: the key is remembered, and leads to its table; who is new is asked for a name."""
    try:
        if phrase.strip():
            game, role, token = await tables(request).by_phrase(phrase)
        else:
            token = token_of(key)
            game, role = await tables(request).by_token(token)
    except NoSuchKey as error:
        sentence = error.sentence(viewer(request).t.template)
        return page(request, "pages/join.html", FORBIDDEN, again=again, mistake=sentence, phrase=phrase)
    seat = role_seat(role)
    known = again or bool(phrase.strip()) or seat is None
    response = RedirectResponse(f"/games/{game}" if known else f"/games/{game}/name?seat={seat}", 303)
    await remember(request, response, game, token)
    return response


def token_of(link: str) -> str:
    """The key of a link, or of the end of one."""
    return link.strip().rpartition("#")[2]
