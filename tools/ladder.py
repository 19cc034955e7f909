"""Measure the ladder of levels: one player of a level against the level below in all other seats.

`python tools/ladder.py FOLDER` plays with two to five players, without and with the expansion, and prints the figures
as Markdown for docs/levels.md. Every match is an arena in a folder of its own inside FOLDER, so an interrupted command
continues when it is given again, and `elcapitan arena` with the same options writes the report of a match. Matches
take turns: every match has some games before one has many.
"""

import argparse
import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from elcapitan.bots.registry import LEVELS
from elcapitan.cli.arena_folder import GAMES, ArenaFolder, open_folder
from elcapitan.cli.command_line import INTERRUPTED
from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.errors import ElCapitanError
from elcapitan.experiments.arena.games import Config, Played
from elcapitan.experiments.arena.summary import between, percent, summarise
from elcapitan.experiments.arena.tournament import Results, check, compile_rules, play_arena

FIRST_TURN: Final = 10  # games of every match before any has more; then twice as many, and so on
SEATS: Final = {2: "two players", 3: "three players", 4: "four players", 5: "five players"}
BOARDS: Final = {"": (), "all": TILE_NAMES}  # cities of the expansion by the end of a folder's name


@dataclass(frozen=True)
class Match:
    """One player of a level against the level below, with some number of players on one of the boards."""

    upper: str
    lower: str
    players: int
    board: str  # of BOARDS

    @property
    def name(self) -> str:
        """The name of its folder."""
        words = [self.upper, self.lower, str(self.players), self.board]
        return "-".join(filter(None, words)).replace(":", "_")

    def config(self, games: int, seed: int) -> Config:
        """Return its arena."""
        return Config((self.upper, self.lower), self.players, BOARDS[self.board], games, seed)


def main(arguments: Sequence[str]) -> int:
    """Play the games that are missing, and print what came of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--levels", default=",".join(LEVELS), help="from the weakest to the strongest")
    parser.add_argument("--players", default=",".join(map(str, SEATS)), help="numbers of players")
    parser.add_argument("--games", type=int, default=400, help="of each match, rounded up to whole deals")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, help="games at a time; one for each core if not given")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="end with the first game that is over after this time"
    )
    chosen = parser.parse_args(arguments)
    levels, seats = chosen.levels.split(","), [int(each) for each in chosen.players.split(",")]
    matches = [
        Match(upper, lower, players, board)
        for board in BOARDS
        for lower, upper in pairwise(levels)
        for players in seats
    ]
    try:
        for match in matches:
            check(match.config(chosen.games, chosen.seed))
        compile_rules()
        complete = play(chosen.folder, matches, chosen.games, chosen.seed, chosen.jobs, 60 * chosen.minutes)
        sys.stdout.write(tables(chosen.folder, matches, seats, chosen.games, chosen.seed))
    except ElCapitanError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0 if complete else INTERRUPTED


def play(folder: Path, matches: Sequence[Match], games: int, seed: int, jobs: int | None, seconds: float) -> bool:
    """Play all matches turn by turn, until the time is up or Ctrl-C; return whether all were played."""
    end = time.monotonic() + seconds
    for turn in turns(games):
        for match in matches:
            with open_folder(folder / match.name, match.config(games, seed)) as opened:
                if not _play_turn(opened, match.config(turn, seed), jobs, end):
                    return False
        sys.stderr.write(f"Every match has {turn} games.\n")
    return True


def turns(games: int) -> Iterator[int]:
    """Yield how many games a match has after each turn."""
    turn = FIRST_TURN
    while turn < games:
        yield turn
        turn *= 2
    yield games


def _play_turn(opened: ArenaFolder, config: Config, jobs: int | None, end: float) -> bool:
    """Play the games of one match that are missing; return whether there was time for all."""
    kept = [game for game in opened.kept if game.number < config.scheduled]
    if len(kept) == config.scheduled:
        return True
    if time.monotonic() >= end:
        return False

    def finished(played: Played) -> None:
        opened.add(played)
        if time.monotonic() >= end:
            raise KeyboardInterrupt

    return play_arena(config, jobs=jobs, with_records=True, watch=finished, kept=kept).complete


def tables(folder: Path, matches: Sequence[Match], seats: Sequence[int], games: int, seed: int) -> str:
    """Return a table of all matches for each board: the share of games that the one player won, and of how many."""
    heads = "".join(f" {SEATS[players]} | games |" for players in seats)
    lines: list[str] = []
    for board, cities in BOARDS.items():
        lines += [
            "",
            f"With {', '.join(cities) or 'the base board'}:",
            "",
            f"| |{heads}",
            "|---|" + "---:|---:|" * len(seats),
        ]
        rows: dict[str, str] = {}
        for match in matches:
            if match.board == board:
                title = f"| `{match.upper}` against `{match.lower}` |"
                rows[title] = rows.get(title, "") + _cells(folder / match.name, match.config(games, seed))
        lines += [title + cells for title, cells in rows.items()]
    return "\n".join(lines[1:]) + "\n"


def _cells(folder: Path, config: Config) -> str:
    """Return the cells of one match; empty ones if it has no games."""
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(open_folder(folder, config)).kept if (folder / GAMES).exists() else ()
    if not kept:
        return " | |"
    games = tuple(sorted(kept, key=lambda game: game.number))
    share = summarise(Results(config, games)).bots[0].share
    interval = between(share.low, share.high).replace("\N{EN DASH}", " to ")
    return f" {percent(share.mean)} ({interval}) | {len(games)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
