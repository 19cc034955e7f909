"""Going on with an arena: what decides its games, and reading the results of those that were played before.

A game is decided by the plan and its number alone, so games that are kept and games that follow make the same arena as
if all were played at once. Results are checked against the schedule, because their file may come from a stranger.
"""

import functools
import hashlib
from collections.abc import Iterator
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from elcapitan.bots.network import board_digest
from elcapitan.bots.registry import data_files
from elcapitan.engine.vocabulary import PHASES
from elcapitan.errors import BadRecord
from elcapitan.experiments.arena.games import Config, GameResult, Merchant, fixture
from elcapitan.experiments.arena.tournament import MOST_GAMES, digest
from elcapitan.game.game import RULES_VERSION
from elcapitan.position.ledger import SOURCES

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FORMAT: Final = "elcapitan-arena-plan/1"
LONGEST_LINE: Final = 1 << 20  # bytes of a result; one has some two thousand
LARGEST_NUMBER: Final = 1_000_000  # of florins, actions, rounds or loans in a result; real ones have four digits
PLAYING: Final = ("bots", "engine")  # packages that decide how computer players play


def plan_of(config: Config) -> dict[str, Any]:
    """Return what decides every game of an arena; how many are played is no part of it."""
    files = sorted({file for bot in config.bots for file in data_files(bot, config.players)})
    return {
        "format": FORMAT,
        "rules": RULES_VERSION,
        "bots": list(config.bots),
        "players": config.players,
        "tiles": list(config.setup.tiles),
        "options": dict(config.setup.options),
        "board": f"{config.figures.name.partition('@')[0]}@{board_digest(config.figures.boards)}",
        "seed": config.seed,
        "data": {file: _file_digest(file) for file in files},
    }


def playing_sources() -> str:
    """Return a digest of the sources of rules and computer players; where it differs, games may differ."""
    root = resources.files("elcapitan")
    return "-".join(digest(root / package) for package in PLAYING)


def _file_digest(name: str) -> str:
    """Return a digest of a data file of the package."""
    return hashlib.sha256((resources.files("elcapitan") / "data" / name).read_bytes()).hexdigest()[:16]


def read_result(line: bytes, config: Config) -> GameResult:
    """Read the result of a game of an arena, written as JSON; raise `BadRecord` if it cannot be one."""
    try:
        result = _reader().validate_json(line, strict=True)
    except ValueError:
        raise BadRecord("not-an-arena-result") from None
    if not _fits(result, config):
        raise BadRecord("not-an-arena-result")
    return result


@functools.cache
def _reader() -> "TypeAdapter[GameResult]":
    """Return the parser of results."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - slow to import

    return TypeAdapter(GameResult)


def _fits(result: GameResult, config: Config) -> bool:
    """Whether a result belongs to a game of the schedule, or of a longer one, and its numbers are possible."""
    if not 0 <= result.number < 2 * MOST_GAMES:
        return False
    game = fixture(config, result.number)
    told = (result.deal, result.seed, result.line_up, result.rotation, tuple(each.bot for each in result.merchants))
    return (
        told == (game.deal, game.seed, game.line_up, game.rotation, game.bots)
        and 0 <= result.first < config.players
        and len(result.rounds) == PHASES
        and all(_possible(each, seat, result.first, config.players) for seat, each in enumerate(result.merchants))
        and all(abs(number) <= LARGEST_NUMBER for number in _numbers(result))
    )


def _possible(merchant: Merchant, seat: int, first: int, players: int) -> bool:
    """Whether the parts of a merchant's result fit together."""
    return (
        (merchant.seat, merchant.position) == (seat, (seat - first) % players)
        and 1 <= merchant.rank <= players
        and 0 <= merchant.win <= 1
        and len(merchant.paid) == len(merchant.after_paydays) == PHASES
        and tuple(merchant.sources) == SOURCES
    )


def _numbers(result: GameResult) -> Iterator[int]:
    """Yield all numbers of a result that the schedule does not decide."""
    yield from (result.actions, *result.rounds)
    for each in result.merchants:
        yield from (each.money, each.loans, *each.paid, *each.after_paydays, *each.sources.values())
