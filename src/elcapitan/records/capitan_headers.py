"""The headers of a game in text form: those that say what is played, and any others, which are kept as they are."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from elcapitan.actions.text import Reader, short_city
from elcapitan.board.board_file import short
from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import CITY_NAMES, SEATS
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.game.game import RULES_VERSION, Game
from elcapitan.game.setup import FEWEST, Setup
from elcapitan.records import shuffles as shuffling
from elcapitan.records.shuffles import Promise

NEEDED: Final = ("Rules", "Players", "Board", "First")
OPTIONAL: Final = ("Tiles", "Options", "Shuffles", "Result")
KNOWN: Final = {name.casefold(): name for name in (*NEEDED, *OPTIONAL)}
UNFINISHED: Final = "*"
MOST_HEADERS: Final = 100  # headers of a game record; an export has about twelve
LONGEST_HEADER: Final = 10_000  # characters of one header; one shuffle takes about 130

# Runs of usual characters are taken as a whole: a repeated alternation would remember every character.
_HEADER = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"([^"\\\n]*+(?:\\["\\][^"\\\n]*+)*+)"\s*\]')
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_YES_NO: Final = {"yes": True, "no": False}


def write(game: Game, free: Mapping[str, str], shuffles: Sequence[Promise] = ()) -> str:
    """Write the headers of a game, one a line, the free ones last."""
    setup = game.setup
    known = {
        "Rules": RULES_VERSION,
        "Players": str(setup.players),
        "Tiles": ", ".join(short_city(CITY_NAMES.index(tile)) for tile in setup.tiles),
        "Board": game.figures.name,
        "First": str(setup.first + 1),
        "Options": ", ".join(f"{name} = {'yes' if on else 'no'}" for name, on in setup.unusual.items()),
        "Shuffles": shuffling.to_text(shuffles),
        "Result": ", ".join(map(str, game.money)) if game.over else "",
    }
    for name, value in free.items():
        if name.casefold() in KNOWN or not _NAME.fullmatch(name) or "\n" in value:
            raise BadRecord("bad-header-value", value=f"[{name} {value!r}]")
    return "\n".join(_header(name, value) for name, value in {**known, **free}.items() if value or name in free)


def _header(name: str, value: str) -> str:
    """Write one header, with its value escaped."""
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{value}"]'


def read(reader: Reader) -> tuple[dict[str, tuple[str, int]], dict[str, str]]:
    """Read all headers: the known ones with their lines, and the free ones."""
    known: dict[str, tuple[str, int]] = {}
    free: dict[str, str] = {}
    line, counted = 1, 0  # lines are counted as they come, up to a place in the text
    while reader.sees("["):
        line, counted = line + reader.text.count("\n", counted, reader.at), reader.at
        if len(known) + len(free) == MOST_HEADERS:
            raise BadRecord("too-many-headers", line=line, most=MOST_HEADERS)
        match = _HEADER.match(reader.text, reader.at, reader.at + LONGEST_HEADER)
        if match is None:
            _refuse_header(reader, line)
        name, value = match.group(1), re.sub(r"\\(.)", r"\1", match.group(2))
        name = KNOWN.get(name.casefold(), name)
        if name in known or name in free:
            raise BadRecord("header-twice", line=line, name=name)
        if name in KNOWN.values():
            known[name] = value, line
        else:
            free[name] = value
        reader.at = match.end()
        reader.skip_space()
    for name in NEEDED:
        if name not in known:
            raise BadRecord("header-missing", name=name)
    return known, free


def _refuse_header(reader: Reader, line: int) -> NoReturn:
    """Raise `BadRecord` for a text that begins like a header, but is too long or malformed."""
    end = reader.at + LONGEST_HEADER
    if len(reader.text) > end and "\n" not in reader.text[reader.at : end]:
        raise BadRecord("header-too-long", line=line, most=LONGEST_HEADER)
    raise BadRecord("bad-header", line=line, example='[Players "4"]')


def set_up(known: Mapping[str, tuple[str, int]], figures: Figures) -> Game:
    """Set up the game that the headers describe."""
    rules, line = known["Rules"]
    if rules != RULES_VERSION:
        raise BadRecord("other-rules", line=line, found=short(rules), wanted=RULES_VERSION)
    board, line = known["Board"]
    if board != figures.name:
        raise BadRecord("other-board", line=line, found=short(board), wanted=figures.name)
    values = {name: value for name, (value, _) in known.items()}
    header = "Players"
    try:
        players = _number(values["Players"], FEWEST, SEATS)
        header = "First"
        first = _number(values["First"], 1, players) - 1
        header = "Tiles"
        tiles = _tiles(values.get("Tiles", ""))
        Setup.of(players, tiles, first)
        header = "Options"
        return Game.bare(players, tiles, first=first, options=_options(values.get("Options", "")), figures=figures)
    except ElCapitanError as error:
        raise BadRecord.because(error, line=known[header][1]) from None


def _number(value: str, least: int, most: int) -> int:
    """Read a header whose value is a number of seats."""
    reader = Reader(value)
    number = reader.number(least, most)
    reader.finish()
    return number


def _tiles(value: str) -> list[str]:
    """Read a header that lists cities."""
    reader = Reader(value)
    tiles = [] if reader.done else [CITY_NAMES[reader.city()]]
    while reader.skip(","):
        tiles.append(CITY_NAMES[reader.city()])
    reader.finish()
    return tiles


def _options(value: str) -> dict[str, bool]:
    """Read a header that lists table options."""
    options: dict[str, bool] = {}
    for entry in filter(None, (part.strip() for part in value.split(","))):
        name, _, answer = (part.strip() for part in entry.partition("="))
        if answer not in _YES_NO:
            raise ElCapitanError("bad-value", key=name, found=short(answer), known=", ".join(_YES_NO))
        options[name] = _YES_NO[answer]
    return options


def promises(known: Mapping[str, tuple[str, int]], game: Game) -> tuple[Promise, ...]:
    """Read how the cards of the complete game were shuffled."""
    text, line = known.get("Shuffles", ("", 0))
    try:
        return shuffling.from_text(text, len(game.events))
    except BadRecord as error:
        raise BadRecord.because(error, line=line) from None


def check_result(known: Mapping[str, tuple[str, int]], game: Game) -> None:
    """Raise `BadRecord` if there is a result that is not that of the complete game."""
    result, line = known.get("Result", (UNFINISHED, 0))
    if result == UNFINISHED:
        return
    if not game.over:
        raise BadRecord("result-too-early", line=line)
    found = [part.strip() for part in result.split(",")]
    if found != [str(money) for money in game.money]:
        raise BadRecord("other-result", line=line, found=short(result), wanted=", ".join(map(str, game.money)))
