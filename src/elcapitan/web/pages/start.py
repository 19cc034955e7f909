"""The start page, and creating a game."""

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from elcapitan.engine.vocabulary import OPTION_NAMES, SEATS, TILE_NAMES
from elcapitan.errors import BadSetup, ElCapitanError
from elcapitan.service import Plan
from elcapitan.service.settings import FRIEND
from elcapitan.text.catalogue import Translator, _
from elcapitan.web.auth import server_settings, tables, to_own_table
from elcapitan.web.pages import new_game_form
from elcapitan.web.pages.library import game_list
from elcapitan.web.pages.responses import REFUSED, status_of
from elcapitan.web.render import page
from elcapitan.web.viewer import viewer

router = APIRouter()

# What each tile brings, and each table option, with the rule that tells more.
TILES: Final = {
    "Porto": (_("Three harbours and the highest payments; what closes here is gone for good."), "PORTO-01"),
    "Lisboa": (_("Building costs next to nothing, and Lisboa pays you on the spot."), "LISB-03"),
    "Islas Canarias": (_("Whoever lands here sends the pirate out to collect from the others."), "CANA-02"),
}
OPTIONS: Final = {
    "buy_before_loan": (
        _("Cards may be bought before a loan"),
        _("Usually a turn with a loan contains nothing else."),
        "G-06",
    ),
    "reopen_shuts": (
        _("Re-opening on a dark site closes the front warehouse"),
        _("Just as building there does. Without this, re-opening harms nobody."),
        "G-13",
    ),
    "pirate_before_loan": (
        _("The pirate may be moved before a loan"),
        _("For money or with cards, in games with Islas Canarias. Usually a turn with a loan contains nothing else."),
        "G-45",
    ),
}
assert set(TILES) == set(TILE_NAMES)
assert set(OPTIONS) == set(OPTION_NAMES)


@router.get("/")
async def start(request: Request) -> HTMLResponse:
    """Show the start page with the list of games."""
    return page(request, "pages/start.html", games=await game_list(request), mistake=None, pasted="")


@router.post("/games/quick")
async def play_now(request: Request) -> Response:
    """Create a game with the usual settings."""
    return await _created(request, new_game_form.quick_plan())


@router.get("/new")
async def new(request: Request) -> HTMLResponse:
    """Show the form for a new game."""
    return _form(request, new_game_form.default_form())


@router.post("/games")
async def create(request: Request) -> Response:
    """Create a game, or show what is wrong with the form."""
    async with request.form() as sent:
        keys = list(sent.keys())
        form = new_game_form.form_from_request({key: [str(value) for value in sent.getlist(key)] for key in keys})
    t = viewer(request).t
    if form.seed and server_settings(request).public:
        form.errors["seed"] = BadSetup("no-seed-here").sentence(t.template)
    plan = new_game_form.plan_of(form, t)
    if plan is None:
        return _form(request, form, REFUSED)
    try:
        return await _created(request, plan)
    except ElCapitanError as error:
        form.errors["table"] = error.sentence(t.template)
        return _form(request, form, status_of(error))


async def _created(request: Request, plan: Plan) -> Response:
    """Create a table and redirect to it; to the links first if friends are to come."""
    table = await tables(request).create(plan)
    friends = any(seat.player == FRIEND for seat in plan.seats)
    return await to_own_table(request, table, "/invite" if friends else "")


def _form(request: Request, form: new_game_form.NewGameForm, status: int = 200) -> HTMLResponse:
    """Answer with the page that shows the form."""
    t = viewer(request).t
    return page(
        request,
        "pages/new.html",
        status,
        form=form,
        levels=new_game_form.levels(t),
        colours=[t.template(colour) for colour in new_game_form.COLOURS],
        merchants=new_game_form.MERCHANTS,
        tiles=[(name, t.template(words), rule) for name, (words, rule) in TILES.items()],
        options=[(key, t.template(name), t.template(words), rule) for key, (name, words, rule) in OPTIONS.items()],
        forecasts=_named(new_game_form.FORECASTS, t),
        paces=_named(new_game_form.PACES, t),
        clocks=_named(new_game_form.CLOCKS, t),
        units=_named(new_game_form.UNIT_NAMES, t),
        seeds=not server_settings(request).public,
        drawn=new_game_form.DRAWN,
        longest_name=new_game_form.LONGEST_NAME,
        longest_title=new_game_form.LONGEST_TITLE,
        seats=SEATS,
    )


def _named(choices: dict[str, str], t: Translator) -> list[tuple[str, str]]:
    """Translate the names of choices."""
    return [(key, t.template(name)) for key, name in choices.items()]
