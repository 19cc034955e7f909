"""Options that several commands share, and how their values are read.

Values are read here and not by Typer, so that a wrong one gets a sentence in the reader's language.
"""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from elcapitan.board_file import nearest
from elcapitan.cli.mistakes import BadInput
from elcapitan.digits import whole_number
from elcapitan.engine.vocabulary import BUY_BEFORE_LOAN, REOPEN_SHUTS, SEATS, TILE_NAMES
from elcapitan.text.catalogue import _
from elcapitan.text.rulebook import plain

HIGHEST_SEED: Final = 2**64 - 1
FEWEST_PLAYERS: Final = 2
EASY_SEEDS: Final = 1_000_000  # a seed nobody asked for is short, so that it can be passed on
MOST_JOBS: Final = 1024
MOST_SECONDS: Final = 3600
WHOLE_BOARD: Final = ("all", "none")
SHORTEST_HASH: Final = 8  # digits that nobody finds twice by chance
LONGEST_HASH: Final = 64
HEX: Final = frozenset("0123456789abcdef")


def whole(option: str, least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers for an option."""

    def read(text: str) -> int:
        number = whole_number(str(text), most)
        if number is None or number < least:
            raise BadInput("not-whole", option=option, least=least, most=most, found=str(text))
        return number

    return read


def one_of(option: str, known: Sequence[str]) -> Callable[[str], str]:
    """A reader of one of some words for an option."""

    def read(text: str) -> str:
        if text not in known:
            raise BadInput("not-one-of", option=option, known=", ".join(known), found=text)
        return text

    return read


def commitment(option: str) -> Callable[[str], str]:
    """A reader of hashes, or of enough of their beginning to know them again."""

    def read(text: str) -> str:
        digits = text.strip().lower()
        if not SHORTEST_HASH <= len(digits) <= LONGEST_HASH or not set(digits) <= HEX:
            raise BadInput("not-a-hash", option=option, least=SHORTEST_HASH, most=LONGEST_HASH, found=text)
        return digits

    return read


def read_tiles(text: str) -> str:
    """Cities of the expansion, with commas between them: `all`, `none`, or names in any case; as full names."""
    return ",".join(tile_names(text))


def tile_names(text: str) -> tuple[str, ...]:
    """The cities of the expansion that a text names, from north to south."""
    if plain(text.strip()) in WHOLE_BOARD:
        return TILE_NAMES if plain(text.strip()) == "all" else ()
    found = {_tile(word.strip()) for word in text.split(",") if word.strip()}
    return tuple(name for name in TILE_NAMES if name in found)


def _tile(word: str) -> str:
    """One city of the expansion; Canarias will do."""
    for name in TILE_NAMES:
        if plain(word) in (plain(name), plain(name).removeprefix("islas ")):
            return name
    raise BadInput("bad-tile", found=word, nearest=nearest(word, TILE_NAMES))


Players = Annotated[
    int,
    typer.Option(
        "--players",
        metavar="N",
        parser=whole("--players", FEWEST_PLAYERS, SEATS),
        help=_("How many merchants play: two to five."),
    ),
]
Tiles = Annotated[
    str,
    typer.Option(
        "--tiles",
        metavar="CITIES",
        parser=read_tiles,
        help=_("Cities of the expansion: Porto, Lisboa, Canarias, with commas between them; all or none."),
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="S",
        parser=whole("--seed", 0, HIGHEST_SEED),
        help=_("Whole number that decides all chance; the same seed gives the same cards."),
    ),
]
First = Annotated[
    int | None,
    typer.Option(
        "--first",
        metavar="N",
        parser=whole("--first", 1, SEATS),
        help=_("Who begins: 1 for the first merchant, and so on; drawn by lot if not given."),
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        parser=whole("--jobs", 1, MOST_JOBS),
        help=_("How many games to play at a time; one for each core if not given."),
    ),
]
BotSeconds = Annotated[
    int,
    typer.Option(
        "--bot-seconds",
        metavar="N",
        parser=whole("--bot-seconds", 1, MOST_SECONDS),
        help=_("How many seconds your own bot may take for a decision."),
    ),
]
BoardFile = Annotated[
    Path | None,
    typer.Option("--board", metavar="FILE", help=_("Use the figures of this board file.")),
]
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
Json = Annotated[bool, typer.Option("--json", help=_("Print JSON for programs."))]


def option_bits(*, buy_before_loan: bool, no_reopen_shuts: bool) -> int:
    """The table options as the engine takes them."""
    return (BUY_BEFORE_LOAN if buy_before_loan else 0) | (0 if no_reopen_shuts else REOPEN_SHUTS)


def tile_bits(tiles: str) -> int:
    """The cities of the expansion as the engine takes them."""
    return sum(1 << TILE_NAMES.index(name) for name in tile_names(tiles or "none"))


def some_seed(seed: int | None) -> int:
    """The seed given, or one by chance."""
    return secrets.randbelow(EASY_SEEDS) if seed is None else seed


def check_first(first: int | None, players: int) -> None:
    """Refuse a merchant who is not there."""
    if first is not None and first > players:
        raise BadInput("not-whole", option="--first", least=1, most=players, found=first)
