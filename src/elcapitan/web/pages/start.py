"""The start page, and setting a table up."""

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from elcapitan.bots.registry import LEVELS
from elcapitan.engine.vocabulary import OPTION_NAMES, SEATS, TILE_NAMES
from elcapitan.errors import BadSetup, ElCapitanError
from elcapitan.service import Plan
from elcapitan.service.plan import FRIEND
from elcapitan.text.catalogue import Translator, _
from elcapitan.text.levels import level_name
from elcapitan.web.access import house, tables, to_own_table
from elcapitan.web.environment import page
from elcapitan.web.pages import setting_up
from elcapitan.web.pages.doing import REFUSED, status_of
from elcapitan.web.pages.games import shelf
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
}
assert set(TILES) == set(TILE_NAMES)
assert set(OPTIONS) == set(OPTION_NAMES)


@router.get("/")
async def start(request: Request) -> HTMLResponse:
    """The start page."""
    return page(request, "pages/start.html", games=await shelf(request), mistake=None, pasted="")


@router.post("/games/quick")
async def play_now(request: Request) -> Response:
    """A table in one click."""
    return await _created(request, setting_up.quick_plan())


@router.get("/new")
async def new(request: Request) -> HTMLResponse:
    """The form to set a table up with."""
    return _form(request, setting_up.usual())


@router.post("/games")
async def create(request: Request) -> Response:
    """Set a table up, or say what is wrong with the form."""
    async with request.form() as sent:
        keys = list(sent.keys())
        form = setting_up.received({key: [str(value) for value in sent.getlist(key)] for key in keys})
    t = viewer(request).t
    if form.seed and house(request).public:
        form.errors["seed"] = BadSetup("no-seed-here").sentence(t.template)
    plan = setting_up.plan_of(form, t)
    if plan is None:
        return _form(request, form, REFUSED)
    try:
        return await _created(request, plan)
    except ElCapitanError as error:
        form.errors["table"] = error.sentence(t.template)
        return _form(request, form, status_of(error))


async def _created(request: Request, plan: Plan) -> Response:
    """To the new table; where friends are to come, to their links first."""
    table = await tables(request).create(plan)
    friends = any(seat.player == FRIEND for seat in plan.seats)
    return await to_own_table(request, table, "/invite" if friends else "")


def _form(request: Request, form: setting_up.Form, status: int = 200) -> HTMLResponse:
    """The page with the form."""
    t = viewer(request).t
    return page(
        request,
        "pages/new.html",
        status,
        form=form,
        levels=levels(t),
        colours=[t.template(colour) for colour in setting_up.COLOURS],
        merchants=setting_up.MERCHANTS,
        tiles=[(name, t.template(words), rule) for name, (words, rule) in TILES.items()],
        options=[(key, t.template(name), t.template(words), rule) for key, (name, words, rule) in OPTIONS.items()],
        forecasts=_named(setting_up.FORECASTS, t),
        paces=_named(setting_up.PACES, t),
        clocks=_named(setting_up.CLOCKS, t),
        units=_named(setting_up.UNIT_NAMES, t),
        seeds=not house(request).public,
        drawn=setting_up.DRAWN,
        longest_name=setting_up.LONGEST_NAME,
        longest_title=setting_up.LONGEST_TITLE,
        seats=SEATS,
    )


def levels(t: Translator) -> list[tuple[str, str, str]]:
    """The levels of the computer players: key, name, and what each sees."""
    return [(key, level_name(key, t), t.template(level.about)) for key, level in LEVELS.items()]


def _named(choices: dict[str, str], t: Translator) -> list[tuple[str, str]]:
    """Choices with their names in the reader's language."""
    return [(key, t.template(name)) for key, name in choices.items()]
