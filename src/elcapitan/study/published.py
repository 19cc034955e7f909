"""Published games: what tables of people ended with."""

import functools
import tomllib
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class PublishedGame:
    """One game as its players reported it."""

    players: int
    money: tuple[int, ...]  # at the end, the winner first
    after_paydays: tuple[tuple[int, ...], ...]  # money less debt after the first paydays, as far as it is reported
    first_plays: bool  # whether everybody played for the first time


@dataclass(frozen=True)
class Published:
    """All that is known about games between people."""

    games: tuple[PublishedGame, ...]
    least_rounds: int  # of a phase
    usual_rounds: tuple[int, int]

    def with_players(self, players: int) -> tuple[PublishedGame, ...]:
        """The games of so many players."""
        return tuple(game for game in self.games if game.players == players)


@functools.cache
def published() -> Published:
    """The published games, as they stand in the data file."""
    content = tomllib.loads(
        (resources.files("elcapitan") / "data" / "published_games.toml").read_text(encoding="utf-8")
    )
    fewest, most = content["rounds"]["usual"]
    return Published(
        games=tuple(
            PublishedGame(
                players=game["players"],
                money=tuple(game["money"]),
                after_paydays=tuple(map(tuple, game["after_paydays"])),
                first_plays=game["first_plays"],
            )
            for game in content["games"]
        ),
        least_rounds=content["rounds"]["least"],
        usual_rounds=(fewest, most),
    )
