"""Coming to a table by a link or by a phrase.

The key stands behind the # of a link, which no browser sends to anybody; a script of ours posts it. Where none runs,
the link can be pasted.
"""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.errors import NoSuchKey
from elcapitan.service.access import role_seat
from elcapitan.web.access import remember, tables
from elcapitan.web.environment import page
from elcapitan.web.viewer import viewer

router = APIRouter()
FORBIDDEN: Final = 403
Text = Annotated[str, Form()]


@router.get("/join")
async def door(request: Request, again: bool = False) -> HTMLResponse:
    """The page that a link leads to."""
    return page(request, "pages/join.html", again=again, mistake="", phrase="")


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
    remember(request, response, game, token)
    return response


def token_of(link: str) -> str:
    """The key of a link, or of the end of one."""
    return link.strip().rpartition("#")[2]
