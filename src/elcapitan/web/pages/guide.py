"""The first-game guide: a recorded game to play along with, explained at its instructive moments.

The game is data/guide.capitan, a real one. Its comments mark the moments: {see NAME} shows the position and goes on by
itself, {do NAME} waits until the learner makes the very move that comes next. NAME is a lesson of `guide_lessons`.
"""

import functools
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from importlib import resources
from typing import Final

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.game.game import Act, Game
from elcapitan.records import capitan
from elcapitan.service import HUMAN, Seat, Table, Tables, TableSettings
from elcapitan.web.auth import redirect_to_own_table, tables
from elcapitan.web.pages.forms import Text, Whole
from elcapitan.web.pages.guide_lessons import LESSONS, Lesson
from elcapitan.web.pages.new_game import MERCHANTS, USUAL_LEVEL
from elcapitan.web.render import page
from elcapitan.web.view.table_view import TableView, table_at_payday, table_view
from elcapitan.web.viewer import Viewer, viewer


async def wait_for_rules(request: Request) -> None:
    """Wait until the rules are loaded: the guide's game is played by them."""
    await tables(request).rules.wait()


router = APIRouter(dependencies=[Depends(wait_for_rules)])
PLAY_ON: Final = "starter"  # the lesson from which a learner who has finished may play on: the second phase begins
LEARNER: Final = 0  # the learner's seat
TOLD: Final = {"payday": 1, "payday-two": 2}  # lessons about a payday, which is told on the table itself
DO: Final = "do"
ALWAYS: Final = datetime(2000, 1, 1, tzinfo=UTC)  # a recorded game has no age


# --------------------------------------------------------------------------------------------------------- the game


@dataclass(frozen=True)
class GuideStep:
    """One moment of the guide."""

    number: int  # from 1
    name: str
    at: int  # events that have happened
    action: int | None  # the action that the learner is to play; None if there is only something to read

    @property
    def lesson(self) -> Lesson:
        """Return the text of this moment."""
        return LESSONS[self.name]


@functools.cache
def score() -> capitan.Score:
    """Read the game with its comments, and check every action of it."""
    file = resources.files("elcapitan") / "data" / "guide.capitan"
    return capitan.from_capitan(file.read_text(encoding="utf-8"))


@functools.cache
def steps() -> tuple[GuideStep, ...]:
    """Return all moments in order."""
    line = score().line
    marks = [(1, comment) for comment in line.comments]
    for at, item in enumerate(line.items, start=2):  # the deal is the first event
        marks += [(at, note) for note in item.notes if isinstance(note, str)]
    return tuple(_marked_step(number, at, mark) for number, (at, mark) in enumerate(marks, start=1))


def _marked_step(number: int, at: int, mark: str) -> GuideStep:
    """Read the comment that marks a moment."""
    kind, _space, name = mark.strip().partition(" ")
    return GuideStep(number, name, at, _next_action(at) if kind == DO else None)


def _next_action(at: int) -> int:
    """Return the learner's action that comes next in the record."""
    event = score().line.items[at - 1].event
    assert isinstance(event, Act)
    assert event.seat == LEARNER
    (number,) = event.numbers
    return number


@functools.cache
def game_at(at: int) -> Game:
    """Return the game after `at` events; not to be changed."""
    game = score().game.copy()
    game.take_back(len(game.events) - at)
    return game


def table_at(step: GuideStep) -> Table:
    """Return the guide's table at a moment: the learner against computer players."""
    setup = score().game.setup
    players = [HUMAN if seat == LEARNER else USUAL_LEVEL for seat in range(setup.players)]
    seats = tuple(Seat(player, MERCHANTS[seat], seat) for seat, player in enumerate(players))
    return Table(
        id="guide",
        settings=TableSettings(seats, first=setup.first, hints=False),
        game=game_at(step.at),
        number=step.number,
        created=ALWAYS,
        changed=ALWAYS,
        turn_begins=step.at,
        undoable=0,
        redoable=0,
        thinking=False,
    )


# --------------------------------------------------------------------------------------------------------- the pages


@router.get("/guide")
async def begin() -> RedirectResponse:
    """Redirect to the first moment."""
    return RedirectResponse("/guide/1", 303)


@router.get("/guide/{number:number}")
async def show(request: Request, number: int) -> HTMLResponse:
    """Show a moment of the guide."""
    return _page(request, _step(number))


@router.post("/guide/{number:number}/act")
async def act(request: Request, number: int, actions: Text = "") -> Response:
    """Go on to the next moment if the learner has played the action that was asked for."""
    step = _step(number)
    if step.action is not None and actions.split() == [str(step.action)]:
        return RedirectResponse(f"/guide/{step.number + 1}", 303)
    return _page(request, step, wrong=True)


@router.get("/guide/{number:number}/ways/{city}")
async def routes() -> Response:
    """Answer with nothing: the guide looks for no routes to a city."""
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.get("/guide/{number:number}/payday/{held}")
async def payday(request: Request, number: int, held: Whole) -> HTMLResponse:
    """Show a payday of the guide's game on its table, beside the lesson."""
    step = _step(number)
    shown = table_at_payday(table_at(step), viewer(request), held, _base(step))
    if shown is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return _page(request, step, view=shown)


@router.post("/guide/{number:number}/play")
async def play_on(request: Request, number: int) -> Response:
    """Leave the guide and play its game on from here."""
    record = Tables.export(table_at(_step(number)), "capitan")
    return await redirect_to_own_table(request, await tables(request).import_record(record, "guide.capitan"))


def _step(number: int) -> GuideStep:
    """Return the moment with this number."""
    if not 1 <= number <= len(steps()):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return steps()[number - 1]


def _page(request: Request, step: GuideStep, *, wrong: bool = False, view: TableView | None = None) -> HTMLResponse:
    """Show the table at a moment, and the lesson beside it."""
    t = viewer(request).t
    return page(
        request,
        "pages/guide.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        step=step,
        steps=len(steps()),
        title=t.template(step.lesson.title),
        words=t.template(step.lesson.words),
        wrong=wrong,
        view=view or view_of(step, viewer(request)),
        notice=None,
        play_on=next(each.number for each in steps() if each.name == PLAY_ON),
    )


def view_of(step: GuideStep, who: Viewer) -> TableView:
    """Return the view of the table at a moment, which offers only the action that is asked for, or tells a payday."""
    if step.name in TOLD:
        shown = table_at_payday(table_at(step), who, TOLD[step.name], _base(step))
        assert shown is not None
        return shown
    only = () if step.action is None else (step.action,)
    return table_view(table_at(step), who, only=only, base=_base(step))


def _base(step: GuideStep) -> str:
    """Return where the addresses of a moment begin."""
    return f"/guide/{step.number}"
