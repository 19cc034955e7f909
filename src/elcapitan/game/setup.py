"""What a table agrees on before a game: how many play, which tiles lie out, who begins, and the table options."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.board.board_file import nearest, short
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS, OPTION_NAMES, SEATS, TILE_NAMES
from elcapitan.errors import BadSetup

FEWEST: Final = 2
DEFAULTS: Final = {name: bool(DEFAULT_OPTIONS & bit) for name, bit in OPTION_NAMES.items()}


@dataclass(frozen=True, slots=True)
class Setup:
    """A game that can be set up; `Setup.of` checks."""

    players: int
    tiles: tuple[str, ...]  # in the order of TILE_NAMES
    first: int  # the starting player, from 0
    options: Mapping[str, bool]  # every option of OPTION_NAMES

    @classmethod
    def of(cls, players: int, tiles: Sequence[str], first: int, options: Mapping[str, bool] | None = None) -> "Setup":
        """Check a set-up [SET-01, SET-11, EXP-01, D-15]."""
        if not _whole(players) or not FEWEST <= players <= SEATS:
            raise BadSetup("bad-players", found=short(players))
        if not _whole(first) or not 0 <= first < players:
            raise BadSetup("bad-first", found=short(first), least=0, most=players - 1)
        for tile in tiles:
            if tile not in TILE_NAMES:
                raise BadSetup("bad-tile", found=short(tile), nearest=nearest(str(tile), TILE_NAMES))
        if len(set(tiles)) < len(tiles):
            raise BadSetup("tile-twice", found=next(tile for tile in tiles if list(tiles).count(tile) > 1))
        for name, chosen in (options or {}).items():
            if name not in OPTION_NAMES:
                raise BadSetup("bad-option", found=short(name), nearest=nearest(str(name), OPTION_NAMES))
            if not isinstance(chosen, bool):
                raise BadSetup("bad-option-value", name=name, found=short(chosen))
        ordered = tuple(tile for tile in TILE_NAMES if tile in tiles)
        return cls(players, ordered, first, {**DEFAULTS, **(options or {})})

    @classmethod
    def of_position(cls, s: State) -> "Setup":
        """The set-up of a game that has come to a position; its starting player is that of the running phase."""
        tiles = tuple(name for number, name in enumerate(TILE_NAMES) if int(s.tiles) >> number & 1)
        options = {name: bool(int(s.options) & bit) for name, bit in OPTION_NAMES.items()}
        return cls(int(s.players), tiles, int(s.starter), options)

    def starting_with(self, first: int) -> "Setup":
        """The same with another starting player."""
        return Setup(self.players, self.tiles, first, self.options)

    @property
    def tile_bits(self) -> int:
        """The tiles as the engine takes them."""
        return sum(1 << TILE_NAMES.index(tile) for tile in self.tiles)

    @property
    def option_bits(self) -> int:
        """The options as the engine takes them."""
        return sum(OPTION_NAMES[name] for name, chosen in self.options.items() if chosen)

    @property
    def unusual(self) -> dict[str, bool]:
        """The options that differ from the default."""
        return {name: chosen for name, chosen in self.options.items() if chosen != DEFAULTS[name]}


def _whole(number: object) -> bool:
    """A whole number; true and false, which Python counts as numbers, are none."""
    return isinstance(number, int) and not isinstance(number, bool)


def checked_seed(seed: int | None) -> int:
    """Check a seed for the cards of a game; without one, draw any."""
    if seed is None:
        return secrets.randbelow(HIGHEST_SEED + 1)
    if type(seed) is not int or not 0 <= seed <= HIGHEST_SEED:
        raise BadSetup("bad-seed", found=short(seed), most=HIGHEST_SEED)
    return seed


def hashed(seed: int, what: object) -> int:
    """A number that the seed decides, the same on every machine and in every version."""
    return int.from_bytes(hashlib.sha256(f"{seed} {what}".encode()).digest())


def starter_of(seed: int, players: int) -> int:
    """The seat that begins, where the seed also draws who does."""
    return hashed(seed, "first") % players
