"""Options that several commands share, and how their values are read.

Values are read here and not by Typer, so that a wrong one gets a sentence in the reader's language.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from elcapitan.board.board_file import nearest
from elcapitan.cli.command_line import BadInput
from elcapitan.engine.vocabulary import OPTION_NAMES, SEATS, TILE_NAMES
from elcapitan.text.catalogue import _
from elcapitan.text.rulebook import plain
from elcapitan.untrusted_input import whole_number

if TYPE_CHECKING:
    pass

HIGHEST_SEED: Final = 2**64 - 1
FEWEST_PLAYERS: Final = 2
EASY_SEEDS: Final = 1_000_000  # random seeds are short, so that they can be passed on
MOST_JOBS: Final = 1024
MOST_GAMES: Final = 100_000_000
MOST_SECONDS: Final = 3600
WHOLE_BOARD: Final = ("all", "none")
SHORTEST_HASH: Final = 8  # digits: no two hashes begin alike by chance
LONGEST_HASH: Final = 64
HEX: Final = frozenset("0123456789abcdef")


def whole(option: str, least: int, most: int) -> Callable[[str], int]:
    """Create a parser of whole numbers for an option."""

    def read(text: str) -> int:
        number = whole_number(str(text), most)
        if number is None or number < least:
            raise BadInput("not-whole", option=option, least=least, most=most, found=str(text))
        return number

    return read


def one_of(option: str, known: Sequence[str]) -> Callable[[str], str]:
    """Create a parser for an option that takes one of some words."""

    def read(text: str) -> str:
        if text not in known:
            raise BadInput("not-one-of", option=option, known=", ".join(known), found=text)
        return text

    return read


def commitment(option: str) -> Callable[[str], str]:
    """Create a parser for a hash, or for enough of its beginning to recognise it."""

    def read(text: str) -> str:
        digits = text.strip().lower()
        if not SHORTEST_HASH <= len(digits) <= LONGEST_HASH or not set(digits) <= HEX:
            raise BadInput("not-a-hash", option=option, least=SHORTEST_HASH, most=LONGEST_HASH, found=text)
        return digits

    return read


def read_tiles(text: str) -> str:
    """Parse a list of cities of the expansion: `all`, `none`, or names in any case; returns their full names."""
    return ",".join(tile_names(text))


def tile_names(text: str) -> tuple[str, ...]:
    """Return the cities of the expansion that a text names, from north to south."""
    if plain(text.strip()) in WHOLE_BOARD:
        return TILE_NAMES if plain(text.strip()) == "all" else ()
    found = {_tile(word.strip()) for word in text.split(",") if word.strip()}
    return tuple(name for name in TILE_NAMES if name in found)


def _tile(word: str) -> str:
    """Find a city of the expansion by name; Islas may be left out."""
    for name in TILE_NAMES:
        if plain(word) in (plain(name), plain(name).removeprefix("islas ")):
            return name
    raise BadInput("bad-tile", found=word, nearest=nearest(word, TILE_NAMES))


def value_option(name: str, metavar: str, text: str, parser: Callable[[str], object] | None = None) -> Any:
    """Declare an option that takes a value."""
    return typer.Option(name, metavar=metavar, parser=parser, help=text)


def number_option(name: str, metavar: str, least: int, most: int, text: str) -> Any:
    """Declare an option that takes a whole number."""
    return value_option(name, metavar, text, whole(name, least, most))


def choice_option(name: str, known: Sequence[str], text: str) -> Any:
    """Declare an option that takes one of some words."""
    return value_option(name, "|".join(known), text, one_of(name, known))


Players = Annotated[
    int,
    number_option("--players", "N", FEWEST_PLAYERS, SEATS, _("How many merchants play: two to five.")),
]
Tiles = Annotated[
    str,
    value_option(
        "--tiles",
        "CITIES",
        _("Cities of the expansion: Porto, Lisboa, Canarias, with commas between them; all or none."),
        read_tiles,
    ),
]
Seed = Annotated[
    int | None,
    number_option(
        "--seed", "S", 0, HIGHEST_SEED, _("Whole number that decides all chance; the same seed gives the same cards.")
    ),
]
First = Annotated[
    int | None,
    number_option(
        "--first", "N", 1, SEATS, _("Who begins: 1 for the first merchant, and so on; drawn by lot if not given.")
    ),
]
Jobs = Annotated[
    int | None,
    number_option("--jobs", "N", 1, MOST_JOBS, _("How many games to play at a time; one for each core if not given.")),
]
BotSeconds = Annotated[
    int,
    number_option("--bot-seconds", "N", 1, MOST_SECONDS, _("How many seconds your own bot may take for a decision.")),
]
RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help=_("Game record."), show_default=False)]
BoardFile = Annotated[Path | None, value_option("--board", "FILE", _("Use the figures of this board file."))]
BuyBeforeLoan = Annotated[
    bool,
    typer.Option(
        "--buy-before-loan", help=_("Table option: cards may be bought before a loan in the same turn (G-06).")
    ),
]
NoReopenShuts = Annotated[
    bool,
    typer.Option("--no-reopen-shuts", help=_("Table option: re-opening on a dark site shuts nothing down (G-13).")),
]
PirateBeforeLoan = Annotated[
    bool,
    typer.Option(
        "--pirate-before-loan", help=_("Table option: the pirate may be moved before a loan in the same turn (G-45).")
    ),
]
Json = Annotated[bool, typer.Option("--json", help=_("Print JSON for programs."))]


def table_options(*, buy: bool, no_reopen_shuts: bool, pirate: bool) -> dict[str, bool]:
    """Return the table options by name, from those of a command."""
    return {"buy_before_loan": buy, "reopen_shuts": not no_reopen_shuts, "pirate_before_loan": pirate}


def option_bits(options: Mapping[str, bool]) -> int:
    """Encode table options for the engine."""
    return sum(OPTION_NAMES[name] for name, chosen in options.items() if chosen)


def tile_bits(tiles: str) -> int:
    """Encode the cities of the expansion for the engine."""
    return sum(1 << TILE_NAMES.index(name) for name in tile_names(tiles or "none"))


def some_seed(seed: int | None) -> int:
    """Return the seed given, or a random one that is short enough to be passed on."""
    return secrets.randbelow(EASY_SEEDS) if seed is None else seed


def check_first(first: int | None, players: int) -> None:
    """Raise `BadInput` if the starting merchant is not in the game."""
    if first is not None and first > players:
        raise BadInput("not-whole", option="--first", least=1, most=players, found=first)
