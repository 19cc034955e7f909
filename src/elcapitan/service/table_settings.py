"""The settings of a table: who sits where, what is played, how it is shown. Some can change during a game.

A seat belongs to a person at the host's screen ("human"), to a person who comes by link ("friend"), or to a level of
the computer players. A level can stand in for an absent person; the seat stays that person's.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from elcapitan.board.board_file import nearest, short
from elcapitan.bots import registry
from elcapitan.engine.vocabulary import COLOURS, PLAYERS_WITH_TWO_COLOURS
from elcapitan.errors import BadBot, BadSetup, Ended
from elcapitan.game.setup import DEFAULTS, Setup
from elcapitan.players.seats import is_foreign
from elcapitan.service.seat_names import check_names, numbered, tidy, tidy_name, visible
from elcapitan.service.webhook import checked_address
from elcapitan.text.catalogue import DEFAULT, LANGUAGES, _, translator
from elcapitan.text.names import COLOUR_NAMES, PALETTE

HUMAN: Final = "human"
FRIEND: Final = "friend"
PERSONS: Final = (HUMAN, FRIEND)
SUBSTITUTE: Final = "helmsman"  # the level that stands in unless another is chosen
FORECASTS: Final = ("off", "own", "all")
PACES: Final = {"slow": 1.6, "normal": 0.6, "fast": 0.25, "instant": 0.0}  # seconds that one turn is shown
TITLE_LENGTH: Final = 80
HOST_LABEL: Final = _("Host")  # before what a host without a seat says
CLOCKS: Final = ("turn", "bank")
LONGEST: Final = 30 * 24 * 3600  # seconds on a clock
PAYDAY_REST: Final = "payday_rest"  # stored with a clock: for how many seconds it rests after a payday
TELLING: Final = 15  # seconds that pages take to tell a payday: WHOLE in static/table/stage.js
# What can be changed during a game: of the table, and of all seats, by the name of the list and of the field.
OF_SEATS: Final = {
    "names": "name",
    "players": "player",
    "stand_ins": "stand_in",
    "free": "free",
    "late": "late",
    "ready": "ready",
}
OF_TABLE: Final = (
    "forecast",
    "hints",
    "pace",
    "title",
    "chat",
    "what_if",
    "clock",
    "webhook",
    "language",
    "ended",
    "rematch",
)
FIXED: Final = ("private_to",)  # settings that never change
SETTINGS: Final = (*OF_TABLE, *OF_SEATS)


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: who plays it, what it is called, and its colour."""

    player: str = HUMAN  # or FRIEND, or a level of the computer players; in old games also with a budget
    name: str = ""  # without one, it is called by its colour
    colour: int = 0  # of the palette
    stand_in: str = ""  # a level that plays for a person who is absent
    free: bool = False  # whether its person was removed, and the next who comes by a new link takes it
    late: bool = False  # whether a level stands in because the time of the turn was out, until that turn is over
    neutral: int | None = None  # of the palette: its second colour in a game for two; any that is free if not chosen
    ready: bool = False  # whether its person has said so in the waiting room

    @property
    def person(self) -> bool:
        """Whether it belongs to a person, present or not."""
        return self.player in PERSONS

    @property
    def decides(self) -> str:
        """Who decides for it now: HUMAN, FRIEND or a level."""
        return self.stand_in or self.player


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long people may think: so many seconds for each turn, or for all turns together and some more for each."""

    kind: str  # of CLOCKS
    seconds: int
    increment: int = 0  # seconds that a turn adds to a bank


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The settings of a table."""

    seats: tuple[Seat, ...]
    tiles: tuple[str, ...] = ()
    options: Mapping[str, bool] = field(default_factory=dict)
    first: int | None = None  # drawn by lot if not given
    seed: int | None = None  # any if not given; settings read from a table never tell it
    forecast: str = "all"  # whose payday is foretold, of FORECASTS
    hints: bool = True
    pace: str = "normal"  # of the computer players, of PACES
    title: str = ""
    chat: bool = True
    what_if: bool = True  # whether players may try moves on private boards
    private_to: str = ""  # whose what-if board this is, by the role at the real game
    clock: TimeControl | None = None
    webhook: str = ""  # an address that is told whose turn it is, and that only the host may see
    language: str = DEFAULT  # of what is told there
    ended: bool = False  # by the host, before the game was over
    rematch: str = ""  # the id of the game that the same people play next

    def human(self, seat: int) -> bool:
        """Whether a person decides for a seat, and no computer player stands in."""
        return self.seats[seat].decides in PERSONS

    @property
    def persons(self) -> frozenset[int]:
        """The seats that belong to persons, present or not."""
        return frozenset(number for number, seat in enumerate(self.seats) if seat.person)

    @property
    def company(self) -> bool:
        """Whether any seat is for a person who comes by link."""
        return any(seat.player == FRIEND for seat in self.seats)

    def palette(self) -> tuple[int, ...]:
        """The colour of the palette for each colour of the game; neutral ones that were not chosen get a free one."""
        own = tuple(seat.colour for seat in self.seats)
        if len(own) > PLAYERS_WITH_TWO_COLOURS:
            return own
        chosen = [seat.neutral for seat in self.seats]
        free = iter([colour for colour in range(COLOURS) if colour not in (*own, *chosen)])
        return own + tuple(next(free) if colour is None else colour for colour in chosen)


def checked(settings: TableSettings, before: TableSettings | None = None) -> TableSettings:
    """Return the settings with their texts tidied. Raises `BadSetup` or `BadBot` if they are invalid.

    What the settings `before` a change had stays valid: old games have computer players with budgets, and names that
    are alike.
    """
    Setup.of(len(settings.seats), settings.tiles, settings.first or 0, settings.options)
    known = {level for seat in (before.seats if before else ()) for level in (seat.player, seat.stand_in)} - {*PERSONS}
    for seat in settings.seats:
        if seat.player not in known:
            check_player(seat.player)
        _check_stand_in(seat, known)
    _check_colours(settings.seats)
    _check_choice("forecast", settings.forecast, FORECASTS)
    _check_choice("pace", settings.pace, tuple(PACES))
    for name in ("hints", "chat", "what_if", "ended"):
        _check_choice(name, getattr(settings, name), (True, False))
    _check_choice("language", settings.language, LANGUAGES)
    _check_clock(settings.clock)
    seats = _named(settings.seats, map(tidy_name, (seat.name for seat in settings.seats)))
    _check_names(seats, before.seats if before else ())
    title, webhook = tidy(settings.title, TITLE_LENGTH), checked_address(settings.webhook)
    return replace(settings, seats=seats, tiles=tuple(settings.tiles), title=title, webhook=webhook)


def _check_colours(seats: Sequence[Seat]) -> None:
    """Raise `BadSetup` for a colour that does not exist or is chosen twice, and for neutral ones of more than two."""
    neutral = [seat.neutral for seat in seats if seat.neutral is not None]
    if neutral and len(seats) > PLAYERS_WITH_TWO_COLOURS:
        raise BadSetup("neutral-for-two")
    colours = [*(seat.colour for seat in seats), *neutral]
    for colour in colours:
        if type(colour) is not int or not 0 <= colour < COLOURS:
            raise BadSetup("bad-colour", found=short(colour), most=COLOURS - 1)
    if len(set(colours)) < len(colours):
        raise BadSetup("colour-twice")


def _named(seats: Sequence[Seat], names: Iterable[str]) -> tuple[Seat, ...]:
    """Return the same seats with other names."""
    return tuple(replace(seat, name=name) for seat, name in zip(seats, names, strict=True))


def with_distinct_names(settings: TableSettings) -> TableSettings:
    """Number the names of an imported game that are alike, and remove their invisible characters."""
    reserved = reserved_names([seat.colour for seat in settings.seats])
    names = numbered([visible(seat.name) for seat in settings.seats], reserved)
    return replace(settings, seats=_named(settings.seats, names))


def _check_names(seats: Sequence[Seat], before: Sequence[Seat]) -> None:
    """Raise `BadSetup` for new names that look like the name or colour of another seat, or like "Host"."""
    names = [seat.name for seat in seats]
    changed = [number for number, name in enumerate(names) if not before or name != before[number].name]
    check_names(names, reserved_names([seat.colour for seat in seats]), changed)


def reserved_names(colours: Sequence[int]) -> list[list[str]]:
    """Return the names each seat cannot have, in any language: "Host", and the colours of the other seats."""
    return [
        [
            translator(language).template(message)
            for language in LANGUAGES
            for message in (HOST_LABEL, *(COLOUR_NAMES[PALETTE[colour]] for colour in colours if colour != own))
        ]
        for own in colours
    ]


def check_player(player: str) -> None:
    """Raise `BadBot` for an unknown player.

    Programs, Python players and budgets are refused too: a request must not run code of its choice on the server, nor
    say how long it thinks.
    So are strengths between those of AT_TABLES, which are all that pages and the API offer.
    """
    if player in PERSONS or player in registry.AT_TABLES:
        return
    if is_foreign(player):
        raise BadBot("no-program-here", found=short(player))
    registry.create(player).close()
    level = registry.level_of(player)
    if registry.LEVELS[level].as_strong:
        raise BadBot("other-strength-here", step=registry.STRENGTH_STEP, example=registry.STRENGTH_EXAMPLE)
    raise BadBot("no-budget-here", level=level)


def check_level(level: str) -> None:
    """Raise `BadBot` unless this is a level of the computer players."""
    if level in PERSONS:
        raise BadBot("unknown-bot", found=level, known=", ".join(registry.LEVELS))
    check_player(level)


def _check_stand_in(seat: Seat, known: Collection[str]) -> None:
    """Raise `BadBot` or `BadSetup` for a stand-in that is no known level, or whose seat has no person."""
    for name in ("free", "late", "ready"):
        _check_choice(name, getattr(seat, name), (True, False))
    if seat.stand_in:
        if seat.stand_in not in known:
            check_level(seat.stand_in)
        if not seat.person:
            raise BadSetup("no-person-there", player=seat.player)


def _clock_of(content: Mapping[str, Any]) -> TimeControl:
    """Read a clock from its JSON form. Raises `BadSetup` for unknown keys."""
    known = ("kind", "seconds", "increment")
    for name in content:
        _check_choice("clock", name, known)
    return TimeControl(content.get("kind", ""), content.get("seconds", 0), content.get("increment", 0))


def _check_clock(clock: TimeControl | None) -> None:
    """Raise `BadSetup` for a clock with impossible values."""
    if clock is None:
        return
    if not isinstance(clock, TimeControl):
        raise BadSetup("bad-value", key="clock", found=short(clock), known=", ".join(CLOCKS))
    _check_choice("clock", clock.kind, CLOCKS)
    for name, least in (("seconds", 1), ("increment", 0)):
        found = getattr(clock, name)
        if type(found) is not int or not least <= found <= LONGEST:
            raise BadSetup("bad-count", key=name, found=short(found), least=least, most=LONGEST)


def _check_choice(name: str, found: object, known: Sequence[object]) -> None:
    """Raise `BadSetup` for a value that is not one of those known."""
    if found not in known:
        raise BadSetup("bad-value", key=name, found=short(found), known=", ".join(map(str, known)))


def for_branch(settings: TableSettings, seats: Iterable[Seat], private_to: str = "") -> TableSettings:
    """Return the settings for a branch of a game: all persons at one screen, no clock and no webhook.

    A what-if board is private to a role of that game, and has none of its own.
    """
    alone = tuple(
        Seat(HUMAN if seat.person else registry.at_table(seat.player), seat.name, seat.colour, neutral=seat.neutral)
        for seat in seats
    )
    seated = replace(settings, seats=alone, clock=None, webhook="", ended=False, rematch="")
    return replace(seated, private_to=private_to, what_if=not private_to)


def for_rematch(settings: TableSettings) -> TableSettings:
    """Return the settings for another game of the same people, in which the next seat begins.

    Persons play again for whom a computer player stood in. The seat of a friend is free until that friend comes.
    """
    seats = tuple(
        Seat(
            seat.player if seat.person else registry.at_table(seat.player),
            seat.name,
            seat.colour,
            free=seat.player == FRIEND,
            neutral=seat.neutral,
        )
        for seat in settings.seats
    )
    first = ((settings.first or 0) + 1) % len(seats)
    again = replace(settings, seats=seats, first=first, seed=None, ended=False, rematch="")
    return replace(again, private_to="", what_if=settings.what_if or bool(settings.private_to))


def changed(settings: TableSettings, changes: Mapping[str, Any]) -> TableSettings:
    """Return checked settings after a change. Names, players and the like are given for all seats.

    Raises `BadSetup`, `BadBot` or `Ended`.
    """
    for name in changes:
        if name not in SETTINGS:
            raise BadSetup("no-such-setting", found=short(name), nearest=nearest(str(name), SETTINGS))
    if settings.ended and changes.get("ended", True) is not True:
        raise Ended  # what was face down has been published
    return checked(applied(settings, changes), settings)


def applied(settings: TableSettings, changes: Mapping[str, Any]) -> TableSettings:
    """Return the settings after a change, unchecked: one from the log was checked before it was written."""
    direct = {name: value for name, value in changes.items() if name in OF_TABLE}
    if isinstance(direct.get("clock"), Mapping):
        direct["clock"] = _clock_of(direct["clock"])
    seats = settings.seats
    for name, key in OF_SEATS.items():
        if changes.get(name) is not None:
            seats = _with(seats, key, changes[name])
    return replace(settings, **direct, seats=seats)


def _with(seats: tuple[Seat, ...], key: str, values: Sequence[Any]) -> tuple[Seat, ...]:
    """Give each seat another value. A seat of a computer player has no stand-in."""
    if len(values) != len(seats):
        raise BadSetup("wrong-seats", found=len(values), wanted=len(seats))
    changed = [replace(seat, **{key: value}) for seat, value in zip(seats, values, strict=True)]
    return tuple(seat if seat.person else Seat(seat.player, seat.name, seat.colour) for seat in changed)


def with_seat(settings: TableSettings, seat: int, **values: Any) -> dict[str, Any]:
    """Return the change of settings that changes one seat and leaves the others as they are."""
    names = {key: name for name, key in OF_SEATS.items()}
    return {
        names[key]: [value if number == seat else getattr(each, key) for number, each in enumerate(settings.seats)]
        for key, value in values.items()
    }


def turn_over(settings: TableSettings) -> dict[str, Any]:
    """Return the change that hands a seat back when its turn is over, if a level stood in because time was out."""
    late = [number for number, seat in enumerate(settings.seats) if seat.late]
    return with_seat(settings, late[0], stand_in="", late=False) if late else {}


def settings_of(settings: TableSettings, names: Iterable[str]) -> dict[str, Any]:
    """Return some settings as the log stores them; with a clock also who plays, which decides whose time runs."""
    wanted = list(names)
    if "clock" in wanted:
        wanted += [name for name in ("players", "stand_ins") if name not in wanted]
    noted: dict[str, Any] = {}
    for name in wanted:
        key = OF_SEATS.get(name)
        noted[name] = [getattr(seat, key) for seat in settings.seats] if key else getattr(settings, name)
    if noted.get("clock") is not None:
        noted["clock"] = asdict(noted["clock"])
        noted[PAYDAY_REST] = TELLING
    return noted


def to_json(settings: TableSettings) -> dict[str, Any]:
    """Return the settings as they are stored. Tiles, options and who begins are stored with the set-up."""
    seats = [asdict(seat) for seat in settings.seats]
    for seat in (each for each in seats if each["neutral"] is None):  # as in games from before it could be chosen
        del seat["neutral"]
    kept = {name: getattr(settings, name) for name in (*OF_TABLE, *FIXED)}
    return {"seats": seats, **kept, "clock": asdict(settings.clock) if settings.clock else None}


def from_json(content: Mapping[str, Any], setup: Setup) -> TableSettings:
    """Read stored settings. Older ones lack what there was not yet."""
    kept = {name: content[name] for name in (*OF_TABLE, *FIXED) if name in content}
    if kept.get("clock") is not None:
        kept["clock"] = TimeControl(**kept["clock"])
    seats = tuple(Seat(**seat) for seat in content["seats"])
    return TableSettings(seats=seats, tiles=setup.tiles, options=setup.options, first=setup.first, **kept)


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """Return a set-up as it is stored."""
    return {
        "players": setup.players,
        "tiles": list(setup.tiles),
        "first": setup.first,
        "options": dict(setup.options),
    }


def setup_from_json(content: Mapping[str, Any]) -> Setup:
    """Read a stored set-up, which was checked before. Options that came later are as usual."""
    options = {**DEFAULTS, **content["options"]}
    return Setup(content["players"], tuple(content["tiles"]), content["first"], options)
