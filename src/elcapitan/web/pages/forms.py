"""What pages share: the types of the values in addresses and forms, and the response to a change of a table."""

from collections.abc import Awaitable
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BeforeValidator
from starlette.convertors import Convertor, register_url_convertor

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.errors import BadDatabase, ElCapitanError, NoRules
from elcapitan.service import NoSuchGame, StaleVersion, Table
from elcapitan.untrusted_input import whole_number
from elcapitan.web.auth import tables
from elcapitan.web.render import Notice, current_table, page, table_fragment
from elcapitan.web.view.help_topics import ROOM, page_topics
from elcapitan.web.view.table_view import table_view
from elcapitan.web.view.waiting import room_view
from elcapitan.web.viewer import Viewer

HIGHEST: Final = 2**31 - 1  # of any number on a page: events, entries, seats, steps of the guide
LONGEST_TURN: Final = 100  # actions sent at once


def _read(value: object) -> object:
    """Read the digits of a number, with a minus sign or without. Raises `ValueError` for anything else."""
    if not isinstance(value, str):
        return value
    number = whole_number(value.removeprefix("-"), HIGHEST)
    if number is None:
        raise ValueError
    return -number if value.startswith("-") else number


Whole = Annotated[int, BeforeValidator(_read)]  # a number in a query or an address
Number = Annotated[Whole, Form()]
SomeSeat = Annotated[Whole | None, Form()]
Text = Annotated[str, Form()]


class _NumberInPath(Convertor[int]):
    """A number as a part of an address, `{name:number}`; an address with more digits is not found."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        """Read the number from an address."""
        number = whole_number(value, HIGHEST)
        assert number is not None  # nine digits are no more than that
        return number

    def to_string(self, value: int) -> str:
        """Write the number into an address."""
        return str(value)


register_url_convertor("number", _NumberInPath())


def action_numbers(text: str) -> list[int]:
    """Read the numbers of actions that a form sends. Raises `HTTPException` for anything else, or too many."""
    wanted = [whole_number(word, N_ACTIONS - 1) for word in text.split(maxsplit=LONGEST_TURN - 1)]
    found = [action for action in wanted if action is not None]
    if len(found) < len(wanted):
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY)
    return found


# --------------------------------------------------------------------------------------------------------- responses


def status_of(error: ElCapitanError) -> int:
    """Return the status of a page that shows an error."""
    if isinstance(error, BadDatabase | NoRules):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.CONFLICT if isinstance(error, StaleVersion) else HTTPStatus.UNPROCESSABLE_ENTITY


async def outcome(
    request: Request, name: str, who: Viewer, change: Awaitable[Table]
) -> tuple[Table, Notice | None, int]:
    """Await a change of a table; return the table, the reason if the change was refused, and the status."""
    try:
        return await change, None, HTTPStatus.OK
    except NoSuchGame:
        raise
    except ElCapitanError as error:
        return await tables(request).get(name), Notice.of(error, who.t), status_of(error)


async def respond(request: Request, name: str, who: Viewer, change: Awaitable[Table], to: str = "") -> Response:
    """Await a change of a table and show the table after it; if it is refused, with the reason and its rule."""
    table, notice, status = await outcome(request, name, who, change)
    if request.headers.get("hx-request"):
        return HTMLResponse(table_fragment(table, who, notice) if notice else current_table(table, who), status)
    if notice:
        return table_page(request, table, who, notice, status)
    return RedirectResponse(f"/games/{name}{to}", 303)


def answer_page(request: Request, table: Table, answer: str, moves: str, heading: str = "") -> HTMLResponse:
    """Answer with a fragment that scripts show over a table; as a page with its buttons if no script has asked for it.

    `moves` is where the addresses begin to which the buttons send actions; `heading` is "Your turn" if not given.
    """
    if request.headers.get("hx-request"):
        return HTMLResponse(answer)
    return page(request, "pages/answer.html", answer=answer, number=table.number, moves=moves, heading=heading)


def table_page(
    request: Request, table: Table, who: Viewer, notice: Notice | None = None, status: int = 200
) -> HTMLResponse:
    """Answer with the whole page of a table; before the game has begun, with the waiting room."""
    if not table.begun:
        return page(
            request,
            "pages/room.html",
            status,
            view=room_view(table, who),
            notice=notice,
            topics=page_topics(who.t, ROOM),
        )
    view = table_view(table, who)
    return page(
        request,
        "pages/table.html",
        status,
        table=table,
        view=view,
        notice=notice,
        live=not table.over or view.by_link,  # people may go on talking after the end
        now=round(1000 * table.read_at.timestamp()),  # clocks count by the time of the server
    )
