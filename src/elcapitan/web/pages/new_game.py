"""Creating a game: the form for it with its defaults, and the settings that follow from what was filled in.

A form is kept as it was sent, so that nothing is lost when something in it is wrong. Every mistake is one sentence and
belongs to a field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from elcapitan.bots.registry import AT_TABLES
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.engine.vocabulary import OPTION_NAMES, SEATS, TILE_NAMES
from elcapitan.errors import BadSetup, ElCapitanError
from elcapitan.game.setup import DEFAULTS, FEWEST
from elcapitan.service import Seat, TableSettings
from elcapitan.service.seat_names import alike, check_names, is_printable
from elcapitan.service.table_settings import FRIEND, HUMAN, LONGEST, PERSONS, TimeControl, reserved_names
from elcapitan.service.webhook import checked_address
from elcapitan.text.catalogue import Translator, _
from elcapitan.text.names import COLOUR_NAMES, PALETTE, about_level, level_name
from elcapitan.untrusted_input import whole_number
from elcapitan.web.auth import redirect_to_own_table, server_settings, tables
from elcapitan.web.pages.forms import status_of
from elcapitan.web.render import page
from elcapitan.web.view.help_topics import NEW_GAME, page_topics
from elcapitan.web.viewer import viewer

router = APIRouter()
EMPTY: Final = "empty"
USUAL_LEVEL: Final = "captain"
USUAL_SEATS: Final = (HUMAN, USUAL_LEVEL, USUAL_LEVEL, USUAL_LEVEL, EMPTY)
MERCHANTS: Final = ("Inês", "Marco", "Leyla", "Youssef", "Despina")  # what merchants are called who have no name
COLOURS: Final = tuple(COLOUR_NAMES[name] for name in PALETTE)
FORECASTS: Final = {
    "all": _("everyone's"),
    "own": _("only your own"),
    "off": _("no one's"),
}
PACES: Final = {
    "slow": _("slow"),
    "normal": _("normal"),
    "fast": _("fast"),
    "instant": _("instant"),
}
USUAL_FORECAST, USUAL_PACE = "all", "normal"
NO_CLOCK: Final = "none"
CLOCKS: Final = {
    NO_CLOCK: _("no clock"),
    "turn": _("per turn"),
    "bank": _("for the whole game"),
}
UNITS: Final = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}
UNIT_NAMES: Final = {
    "seconds": _("seconds"),
    "minutes": _("minutes"),
    "hours": _("hours"),
    "days": _("days"),
}
DRAWN: Final = "drawn"
LONGEST_NAME: Final = 20
LONGEST_TITLE: Final = 60
# What each tile brings, and each table option, with the rule that tells more.
TILES: Final = {
    "Porto": (_("Three harbours and the highest payments; what closes here is gone for good."), "PORTO-01"),
    "Lisboa": (_("Building costs next to nothing, and Lisboa pays you on the spot."), "LISB-03"),
    "Islas Canarias": (_("A ship that arrives here sends the pirate to collect money from the others."), "CANA-02"),
}
OPTIONS: Final = {
    "buy_before_loan": (
        _("Cards may be bought before a loan"),
        _("Usually a turn with a loan contains nothing else."),
        "G-06",
    ),
    "reopen_shuts": (
        _("Re-opening on a dark site closes the front warehouse"),
        _("Just as building there does. Otherwise, re-opening closes nothing."),
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


@dataclass
class SeatRow:
    """One seat as it stands in the form."""

    player: str
    name: str
    colour: int
    neutral: int | None = None  # in a game for two; any that is free if not chosen
    name_error: str = ""
    colour_error: str = ""
    neutral_error: str = ""


@dataclass
class NewGameForm:
    """The whole form as it was filled in, with its mistakes."""

    rows: list[SeatRow]
    tiles: tuple[str, ...] = ()
    options: Mapping[str, bool] = field(default_factory=lambda: dict(DEFAULTS))
    first: str = DRAWN
    forecast: str = USUAL_FORECAST
    hints: bool = True
    pace: str = USUAL_PACE
    seed: str = ""
    title: str = ""
    chat: bool = True
    clock: str = NO_CLOCK
    time: str = "10"
    unit: str = "minutes"
    more: str = "30"  # for every turn, where there is so much for the whole game
    more_unit: str = "seconds"
    webhook: str = ""
    errors: dict[str, str] = field(default_factory=dict)  # by field, those of the rows apart

    @property
    def mistakes(self) -> list[tuple[str, str]]:
        """Return all mistakes with their fields, from top to bottom."""
        found = [("player0", self.errors["seats"])] if "seats" in self.errors else []
        for number, row in enumerate(self.rows):
            found += [(f"name{number}", row.name_error)] if row.name_error else []
            found += [(f"colour{number}", row.colour_error)] if row.colour_error else []
            found += [(f"neutral{number}", row.neutral_error)] if row.neutral_error else []
        return found + [(name, sentence) for name, sentence in self.errors.items() if name != "seats"]


def default_form() -> NewGameForm:
    """Return the form as it is first shown: one person against three computer players."""
    return NewGameForm([SeatRow(player, "", number) for number, player in enumerate(USUAL_SEATS)])


def quick_settings() -> TableSettings:
    """Return the settings of the table that one click creates."""
    seats = [player for player in USUAL_SEATS if player != EMPTY]
    return TableSettings(tuple(Seat(player, MERCHANTS[number], number) for number, player in enumerate(seats)))


def form_from_request(sent: Mapping[str, Sequence[str]]) -> NewGameForm:
    """Read a form; replace a value that the page does not offer by the default."""

    def one(name: str, usual_value: str = "") -> str:
        return next(iter(sent.get(name, ())), usual_value)

    def among(name: str, known: Mapping[str, object], usual_value: str) -> str:
        value = one(name, usual_value)
        return value if value in known else usual_value

    rows = [
        _row(number, *(one(f"{key}{number}") for key in ("player", "name", "colour", "neutral")))
        for number in range(SEATS)
    ]
    return NewGameForm(
        rows,
        tiles=tuple(tile for tile in TILE_NAMES if tile in sent.get("tiles", ())),
        options={name: name in sent.get("options", ()) for name in OPTION_NAMES},
        first=one("first", DRAWN),
        forecast=among("forecast", FORECASTS, USUAL_FORECAST),
        hints="hints" in sent,
        pace=among("pace", PACES, USUAL_PACE),
        seed=one("seed").strip(),
        title=" ".join(one("title").split()),
        chat="chat" in sent or "friends" not in sent,  # a form without that part wants what is usual
        clock=among("clock", CLOCKS, NO_CLOCK),
        time=one("time").strip(),
        unit=among("unit", UNITS, "minutes"),
        more=one("more", "0").strip(),
        more_unit=among("more_unit", UNITS, "seconds"),
        webhook=one("webhook").strip(),
    )


def _row(number: int, player: str, name: str, colour: str, neutral: str) -> SeatRow:
    """Read one seat of a form."""
    known = player in PERSONS or player in AT_TABLES
    own, second = whole_number(colour, SEATS - 1), whole_number(neutral, SEATS - 1)
    return SeatRow(player if known else EMPTY, " ".join(name.split()), number if own is None else own, second)


def settings_of(form: NewGameForm, t: Translator) -> TableSettings | None:
    """Return the settings that a form asks for; None if it has mistakes, which are then in the form."""
    taken = [number for number, row in enumerate(form.rows) if row.player != EMPTY]
    if len(taken) < FEWEST:
        form.errors["seats"] = BadSetup("bad-players", found=len(taken)).sentence(t.text)
    seats = [form.rows[number] for number in taken]
    names = _names(form.rows, taken)
    _check_names(seats, names, t)
    _check_colours(seats, t)
    first = _first(form, taken, t)
    seed = _seed(form, t)
    clock = _clock(form, t)
    webhook = _webhook(form, t)
    if len(form.title) > LONGEST_TITLE or not form.title.isprintable():
        form.errors["title"] = t.text("A title has {most} letters at most.", most=LONGEST_TITLE)
    if form.mistakes:
        return None
    return TableSettings(
        seats=tuple(_seat(row, name, two=len(seats) == FEWEST) for row, name in zip(seats, names, strict=True)),
        tiles=form.tiles,
        options=dict(form.options),
        first=first,
        seed=seed,
        forecast=form.forecast,
        hints=form.hints,
        pace=form.pace,
        title=form.title,
        chat=form.chat,
        clock=clock,
        webhook=webhook,
        language=t.language,
    )


def _seat(row: SeatRow, name: str, *, two: bool) -> Seat:
    """Return a seat; one for a friend is free until a friend takes it. Of two players each has a neutral colour."""
    return Seat(row.player, name, row.colour, free=row.player == FRIEND, neutral=row.neutral if two else None)


def _names(rows: Sequence[SeatRow], taken: Sequence[int]) -> list[str]:
    """Return all names; a seat without one gets a name that no other seat has."""
    given = [name for number in taken if 0 < len(name := rows[number].name) <= LONGEST_NAME]
    free = [name for name in MERCHANTS if not any(alike(name, other) for other in given)]
    preferred = {number: MERCHANTS[number] for number in taken if MERCHANTS[number] in free}
    names = []
    for number in taken:
        name = rows[number].name or preferred.get(number, "")
        if not name:
            name = next(other for other in free if other not in preferred.values())
            free.remove(name)
        names.append(name)
    return names


def _check_names(seats: Sequence[SeatRow], names: Sequence[str], t: Translator) -> None:
    """Check that names are short and visible, and that no two look alike."""
    reserved = reserved_names([row.colour for row in seats])
    for number, (row, name) in enumerate(zip(seats, names, strict=True)):
        if len(name) > LONGEST_NAME or not is_printable(name):
            row.name_error = t.text("A name has {most} letters at most.", most=LONGEST_NAME)
            continue
        try:
            check_names([other[:LONGEST_NAME] for other in names[: number + 1]], reserved, [number])
        except BadSetup as error:
            row.name_error = error.sentence(t.text)


def _check_colours(seats: Sequence[SeatRow], t: Translator) -> None:
    """Check that every seat has a colour of its own [SET-02], and of two players a neutral one too [TWO-02]."""
    for number, row in enumerate(seats):
        if row.colour in [other.colour for other in seats[:number]]:
            colour = t.template(COLOURS[row.colour])
            row.colour_error = t.text("{colour} is already taken.", colour=colour)
        others = [*(other.colour for other in seats), *(other.neutral for other in seats[:number])]
        if len(seats) == FEWEST and row.neutral is not None and row.neutral in others:
            row.neutral_error = t.text("{colour} is already taken.", colour=t.template(COLOURS[row.neutral]))


def _first(form: NewGameForm, taken: Sequence[int], t: Translator) -> int | None:
    """Return the starting seat, counted among those that play; None if it is to be drawn."""
    if form.first == DRAWN:
        return None
    first = whole_number(form.first, SEATS - 1)
    if first in taken:
        return taken.index(first)
    form.errors["first"] = t.text("That seat is empty and cannot start.")
    return None


def _seed(form: NewGameForm, t: Translator) -> int | None:
    """Return the seed of the cards, if one was given."""
    if not form.seed:
        return None
    seed = whole_number(form.seed, HIGHEST_SEED)
    if seed is None:
        problem = BadSetup("bad-seed", found=form.seed[:LONGEST_TITLE], most=HIGHEST_SEED)
        form.errors["seed"] = problem.sentence(t.text)
    return seed


def _clock(form: NewGameForm, t: Translator) -> TimeControl | None:
    """Return the time limit, if there is one."""
    if form.clock == NO_CLOCK:
        return None
    time, more = _seconds(form.time, form.unit), _seconds(form.more, form.more_unit) if form.clock == "bank" else 0
    if time is None or more is None or not 1 <= time <= LONGEST or more > LONGEST:
        form.errors["time"] = t.text("Enter a whole number for the clock, thirty days at most.")
        return None
    return TimeControl(form.clock, time, more)


def _seconds(number: str, unit: str) -> int | None:
    """Convert a number of seconds, minutes, hours or days to seconds; None if it is no number."""
    count = whole_number(number, LONGEST)
    return None if count is None else count * UNITS[unit]


def _webhook(form: NewGameForm, t: Translator) -> str:
    """Return the address that is called when it is a person's turn."""
    try:
        return checked_address(form.webhook)
    except BadSetup as error:
        form.errors["webhook"] = error.sentence(t.text)
        return ""


def levels(request: Request, t: Translator) -> list[tuple[str, str, str]]:
    """Return key, name and description of each computer player that can be chosen."""
    boards = tables(request).writer.figures.boards
    return [(key, level_name(key, t), about_level(key, boards, t)) for key in AT_TABLES]


# --------------------------------------------------------------------------------------------------------- the pages


@router.post("/games/quick")
async def play_now(request: Request) -> Response:
    """Create a game with the usual settings."""
    return await _create(request, quick_settings())


@router.get("/new")
async def new(request: Request) -> HTMLResponse:
    """Show the form for a new game."""
    return _form_page(request, default_form())


@router.post("/games")
async def create(request: Request) -> Response:
    """Create a game, or show what is wrong with the form."""
    async with request.form() as sent:
        keys = list(sent.keys())
        form = form_from_request({key: [str(value) for value in sent.getlist(key)] for key in keys})
    t = viewer(request).t
    if form.seed and server_settings(request).public:
        form.errors["seed"] = BadSetup("no-seed-here").sentence(t.text)
    settings = settings_of(form, t)
    if settings is None:
        return _form_page(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        return await _create(request, settings, links="role" in keys)
    except ElCapitanError as error:
        form.errors["table"] = error.sentence(t.text)
        return _form_page(request, form, status_of(error))


async def _create(request: Request, settings: TableSettings, *, links: bool = False) -> Response:
    """Create a table and redirect to it; if friends are to come, one with a waiting room, and to their links first.

    If `links` are wanted at once, the browser is to send the same form there, with the role that they are for.
    """
    friends = settings.company
    table = await tables(request).create(settings, waiting=friends)
    response = await redirect_to_own_table(request, table, "/invite" if friends else "")
    if friends and links:
        response.status_code = HTTPStatus.TEMPORARY_REDIRECT
    return response


def _form_page(request: Request, form: NewGameForm, status: int = 200) -> HTMLResponse:
    """Answer with the page that shows the form."""
    t = viewer(request).t
    return page(
        request,
        "pages/new.html",
        status,
        form=form,
        levels=levels(request, t),
        colours=[t.template(colour) for colour in COLOURS],
        merchants=MERCHANTS,
        tiles=[(name, t.template(words), rule) for name, (words, rule) in TILES.items()],
        options=[(key, t.template(name), t.template(words), rule) for key, (name, words, rule) in OPTIONS.items()],
        forecasts=_translated(FORECASTS, t),
        paces=_translated(PACES, t),
        clocks=_translated(CLOCKS, t),
        units=_translated(UNIT_NAMES, t),
        seeds=not server_settings(request).public,
        topics=page_topics(t, NEW_GAME),
        drawn=DRAWN,
        longest_name=LONGEST_NAME,
        longest_title=LONGEST_TITLE,
        seats=SEATS,
    )


def _translated(choices: dict[str, str], t: Translator) -> list[tuple[str, str]]:
    """Translate the names of choices."""
    return [(key, t.template(name)) for key, name in choices.items()]
