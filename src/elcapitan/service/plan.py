"""What a table agrees on before and during a game: who sits where, what is played, how it is shown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from elcapitan.board_file import nearest, short
from elcapitan.bots import registry
from elcapitan.engine.vocabulary import COLOURS, NEUTRAL
from elcapitan.errors import BadBot, BadSetup
from elcapitan.seats import is_program
from elcapitan.setup import Setup

HUMAN: Final = "human"
FORECASTS: Final = ("off", "own", "all")
PACES: Final = {"slow": 1.6, "normal": 0.8, "fast": 0.25, "instant": 0.0}  # seconds from one move to the next
NAME_LENGTH: Final = 40
TITLE_LENGTH: Final = 80
SETTINGS: Final = ("forecast", "hints", "pace", "title", "names", "players")  # what can be changed during a game


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: who plays it, what it is called, and its colour."""

    player: str = HUMAN  # or a level of the computer players, such as "captain" or "admiral:ms=800"
    name: str = ""  # without one, it is called by its colour
    colour: int = 0  # of the palette


@dataclass(frozen=True, slots=True)
class Plan:
    """What a table agrees on."""

    seats: tuple[Seat, ...]
    tiles: tuple[str, ...] = ()
    options: Mapping[str, bool] = field(default_factory=dict)
    first: int | None = None  # drawn by lot if not given
    seed: int | None = None  # any if not given; a plan that is read from a table never tells it
    forecast: str = "all"  # whose payday is foretold, of FORECASTS
    hints: bool = True
    pace: str = "normal"  # of the computer players, of PACES
    title: str = ""

    def human(self, seat: int) -> bool:
        """Whether a person plays a seat."""
        return self.seats[seat].player == HUMAN

    def palette(self) -> tuple[int, ...]:
        """The colour of the palette for each colour of the game; with two players neutral ones take what is free."""
        own = tuple(seat.colour for seat in self.seats)
        if len(own) > NEUTRAL:
            return own
        return own + tuple(colour for colour in range(COLOURS) if colour not in own)[: len(own)]


def checked(plan: Plan) -> Plan:
    """The plan with its texts tidied; `BadSetup` or `BadBot` if nobody could play like this."""
    Setup.of(len(plan.seats), plan.tiles, plan.first or 0, plan.options)
    for seat in plan.seats:
        check_player(seat.player)
        if type(seat.colour) is not int or not 0 <= seat.colour < COLOURS:
            raise BadSetup("bad-colour", found=short(seat.colour), most=COLOURS - 1)
    if len({seat.colour for seat in plan.seats}) < len(plan.seats):
        raise BadSetup("colour-twice")
    _check_choice("forecast", plan.forecast, FORECASTS)
    _check_choice("pace", plan.pace, tuple(PACES))
    _check_choice("hints", plan.hints, (True, False))
    seats = tuple(replace(seat, name=tidy_name(seat.name)) for seat in plan.seats)
    return replace(plan, seats=seats, tiles=tuple(plan.tiles), title=tidy(plan.title, TITLE_LENGTH))


def check_player(player: str) -> None:
    """Refuse whom nobody knows; programs too, because a page must not start any on the machine that serves it."""
    if is_program(player):
        raise BadBot("no-program-here", found=short(player))
    if player != HUMAN:
        registry.create(player).close()


def _check_choice(name: str, found: object, known: Sequence[object]) -> None:
    """Refuse a value that is not one of those known."""
    if found not in known:
        raise BadSetup("bad-value", key=name, found=short(found), known=", ".join(map(str, known)))


def tidy(text: str, most: int) -> str:
    """A text on one line, without control characters, of a length that can be shown."""
    shown = "".join(letter if letter.isprintable() else " " for letter in str(text))
    return " ".join(shown.split())[:most].rstrip()


def tidy_name(name: str) -> str:
    """What a merchant can be called: in lists of names, commas stand between them."""
    return tidy(name.replace(",", " "), NAME_LENGTH)


def changed(plan: Plan, settings: Mapping[str, Any]) -> Plan:
    """The plan with other settings; names and players are given for all seats."""
    for name in settings:
        if name not in SETTINGS:
            raise BadSetup("no-such-setting", found=short(name), nearest=nearest(str(name)[:99], SETTINGS))
    direct = {name: value for name, value in settings.items() if name not in ("names", "players")}
    seats = plan.seats
    for key, values in (("name", settings.get("names")), ("player", settings.get("players"))):
        if values is not None:
            if len(values) != len(seats):
                raise BadSetup("wrong-seats", found=len(values), wanted=len(seats))
            seats = tuple(replace(seat, **{key: value}) for seat, value in zip(seats, values, strict=True))
    return checked(replace(plan, **direct, seats=seats))


def settings_of(plan: Plan, names: Iterable[str]) -> dict[str, Any]:
    """Some settings of a plan, as they are noted."""
    seats = {"names": [seat.name for seat in plan.seats], "players": [seat.player for seat in plan.seats]}
    return {name: seats[name] if name in seats else getattr(plan, name) for name in names}


def to_json(plan: Plan) -> dict[str, Any]:
    """What is stored of a plan; what is played (tiles, options, who begins) is stored with the game."""
    return {
        "seats": [{"player": seat.player, "name": seat.name, "colour": seat.colour} for seat in plan.seats],
        "forecast": plan.forecast,
        "hints": plan.hints,
        "pace": plan.pace,
        "title": plan.title,
    }


def from_json(content: Mapping[str, Any], setup: Setup) -> Plan:
    """The plan that was stored."""
    return Plan(
        seats=tuple(Seat(**seat) for seat in content["seats"]),
        tiles=setup.tiles,
        options=setup.options,
        first=setup.first,
        forecast=content["forecast"],
        hints=content["hints"],
        pace=content["pace"],
        title=content["title"],
    )
