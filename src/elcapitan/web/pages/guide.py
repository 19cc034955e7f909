"""The first-game guide: a recorded game to play along with, explained at its instructive moments."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.web.access import tables, to_own_table
from elcapitan.web.environment import page
from elcapitan.web.fragments import payday_fragment
from elcapitan.web.pages.guide_game import Step, record_at, steps, table_at
from elcapitan.web.pages.numbers import Whole
from elcapitan.web.scene import Scene, scene
from elcapitan.web.viewer import Viewer, viewer

router = APIRouter()
NOT_FOUND, REFUSED = 404, 422
PLAY_ON: Final = "starter"  # from here whoever has finished may play on: the second phase begins


@router.get("/guide")
async def begin() -> RedirectResponse:
    """The first moment."""
    return RedirectResponse("/guide/1", 303)


@router.get("/guide/{number:number}")
async def show(request: Request, number: int) -> HTMLResponse:
    """A moment of the guide."""
    return _page(request, _step(number))


@router.post("/guide/{number:number}/act")
async def act(request: Request, number: int, actions: Annotated[str, Form()] = "") -> Response:
    """The learner has made a move: on with the game if it is the one that was asked for."""
    step = _step(number)
    if step.deed is not None and actions.split() == [str(step.deed)]:
        return RedirectResponse(f"/guide/{step.number + 1}", 303)
    return _page(request, step, wrong=True)


@router.get("/guide/{number:number}/ways/{city}")
async def ways() -> Response:
    """Ways to a city are not looked for here: the guide knows where to go."""
    return Response(status_code=204)


@router.get("/guide/{number:number}/payday/{held}")
async def payday(request: Request, number: int, held: Whole) -> HTMLResponse:
    """A payday of the guide's game, step by step."""
    found = payday_fragment(table_at(_step(number)), viewer(request), held)
    if found is None:
        raise HTTPException(NOT_FOUND)
    return HTMLResponse(found)


@router.post("/guide/{number:number}/play")
async def play_on(request: Request, number: int) -> Response:
    """Leave the guide and play its game on from here."""
    table = await tables(request).bring(record_at(_step(number)), "guide.capitan")
    return await to_own_table(request, table)


def _step(number: int) -> Step:
    """The moment with this number."""
    if not 1 <= number <= len(steps()):
        raise HTTPException(NOT_FOUND)
    return steps()[number - 1]


def _page(request: Request, step: Step, *, wrong: bool = False) -> HTMLResponse:
    """The table at a moment, and beside it what is to be said."""
    t = viewer(request).t
    return page(
        request,
        "pages/guide.html",
        REFUSED if wrong else 200,
        step=step,
        steps=len(steps()),
        title=t.template(step.lesson.title),
        words=t.template(step.lesson.words),
        wrong=wrong,
        scene=scene_of(step, viewer(request)),
        notice=None,
        play_on=next(each.number for each in steps() if each.name == PLAY_ON),
    )


def scene_of(step: Step, who: Viewer) -> Scene:
    """The table at a moment; nothing can be done at it but what the learner is to do."""
    only = () if step.deed is None else (step.deed,)
    return scene(table_at(step), who, only=only, base=f"/guide/{step.number}")
