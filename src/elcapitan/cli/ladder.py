"""`elcapitan ladder`: rate all levels and any other players, over hours if need be, and write the page about it.

Every match is an arena in a folder of its own, so an interrupted command continues when it is given again, and
`elcapitan arena` with the same options writes the report of a match. Matches take turns: each has one deal before any
has two, and then those go on that have taken the least time.

Who plays in each game and how it ended is also kept in a small file, from which another machine goes on.
"""

import contextlib
import heapq
import re
import shlex
import time
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from elcapitan.bots.registry import LEVELS
from elcapitan.cli.arena import CHANGED, print_stopped
from elcapitan.cli.arena_folder import GAMES, open_folder
from elcapitan.cli.command_line import INTERRUPTED, BadFile, BadInput, Terminal, terminal
from elcapitan.cli.options import MOST_GAMES, Jobs, Seed, Tiles, number_option, some_seed, tile_names, value_option
from elcapitan.cli.record_files import write_text
from elcapitan.cli.study import ALL_PLAYERS, read_players
from elcapitan.errors import BadRecord
from elcapitan.experiments.arena.games import Config, Played
from elcapitan.experiments.arena.kept_games import playing_sources
from elcapitan.experiments.arena.ladder import Entrant, Match, matches, outcome_of, page
from elcapitan.experiments.arena.ladder_games import (
    LARGEST,
    Key,
    Line,
    MatchGames,
    key_of,
    read_games,
    read_lines,
    to_line,
    write_lines,
)
from elcapitan.experiments.arena.tournament import check, play_arena
from elcapitan.players.seats import split
from elcapitan.text.catalogue import _

LADDER_HELP: Final = _(
    "Let all levels, or the computer players that are named, play against one another, two kinds at a time, and write "
    "a page with their ratings and matches. Matches take turns, so that the page is meaningful at any time; quick ones "
    "come to --games before slow ones. The same command continues after an interruption; a higher --games extends all "
    "matches."
)
USUAL_SEED: Final = 7
LONGEST: Final = 10_000  # minutes
FIELDS: Final = {  # of a submission
    "name": re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}"),
    "player": re.compile(r"[ -{}~]{1,200}"),  # any of ASCII but what would end a cell of a table
    "repository": re.compile(r"https://[!-'*-;=?-{}~]{1,200}"),
    "commit": re.compile(r"[0-9a-f]{40}"),
    "script": re.compile(r"[a-z0-9_]+(/[a-z0-9_]+)*\.py"),
    "players": re.compile(r"[2-5](,[2-5])*"),
}
OPTIONAL: Final = {"players"}


def ladder(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help=_("Where games are kept."), show_default=False)],
    bots: Annotated[
        str | None,
        value_option(
            "--bots", "BOTS", _("Computer players by name, with commas between them; all levels if not given.")
        ),
    ] = None,
    more: Annotated[
        str | None,
        value_option("--more", "BOTS", _("Further computer players, such as cmd:COMMAND or py:MODULE:CLASS.")),
    ] = None,
    submissions: Annotated[
        Path | None,
        value_option(
            "--submissions", "FILE", _("Further computer players from a list like docs/ladder.toml. Their code is run.")
        ),
    ] = None,
    players: Annotated[
        str,
        value_option("--players", "N,N", _("Numbers of players, with commas between them."), read_players),
    ] = ALL_PLAYERS,
    tiles: Tiles = "none",
    games: Annotated[
        int,
        number_option("--games", "K", 1, MOST_GAMES, _("How many games of each match; rounded up to whole deals.")),
    ] = 100,
    seed: Seed = USUAL_SEED,
    jobs: Jobs = None,
    minutes: Annotated[
        int | None,
        number_option("--minutes", "N", 0, LONGEST, _("Stop after so many minutes; the same command continues.")),
    ] = None,
    results: Annotated[
        Path | None,
        value_option(
            "--results", "FILE", _("Also keep the results in this file; games that are in it are not played again.")
        ),
    ] = None,
    out: Annotated[
        Path | None,
        value_option("--page", "FILE", _("Write the page to this file instead of printing it.")),
    ] = None,
) -> None:
    """Play the games that are missing, and write the page about all."""
    screen, numbers = terminal(context), [int(number) for number in players.split(",")]
    cities = tile_names(tiles or "none")
    entrants = read_entrants(bots, more, submissions)
    run = LadderRun(folder, matches(entrants, numbers, cities), games, some_seed(seed), results)
    run.check()
    screen.compile_rules()
    complete = run.play(screen, jobs, float("inf") if minutes is None else 60.0 * minutes)
    kept = run.kept()
    run.write_results(kept)
    played = {match: list(there.outcomes.values()) for match, there in kept.items()}
    if any(played.values()):
        options: dict[str, object] = {"--bots": bots, "--more": more, "--submissions": submissions}
        options |= {"--players": players, "--tiles": ",".join(cities), "--games": games}
        options |= {"--seed": run.seed, "--results": results, "--page": out}
        words = ["elcapitan", "ladder", str(folder)]
        words += [word for option, value in options.items() if value not in (None, "") for word in (option, str(value))]
        today = datetime.now(UTC).date().isoformat()
        _output(page(played, entrants, seed=run.seed, command=shlex.join(words), date=today), out)
    if not complete:
        print_stopped(screen, *run.progress(kept))
        screen.say(screen.text("Run the same command again to continue."), error=True)
        raise typer.Exit(INTERRUPTED)


def _output(text: str, out: Path | None) -> None:
    """Write the page to a file, or print it."""
    if out:
        write_text(out, text)
    else:
        print(text, end="")  # noqa: T201 - not to be wrapped


@dataclass(frozen=True)
class LadderRun:
    """The matches of a ladder, and where their games are kept."""

    folder: Path
    matches: list[Match]
    games: int  # of each match, before they are rounded up to whole deals
    seed: int
    results: Path | None = None  # the file with the results, of other matches, too

    def check(self) -> None:
        """Raise `BadInput` or `BadBot` if the matches cannot be played."""
        if not self.matches:
            raise BadInput("lonely-ladder")
        for match in self.matches:
            check(match.config(self.games, self.seed))

    def progress(self, kept: Mapping[Match, MatchGames]) -> tuple[int, int]:
        """Return how many games were played, and how many that makes when all are played."""
        played = sum(len(there.outcomes) for there in kept.values())
        missing = [_missing(match.config(self.games, self.seed), there.outcomes) for match, there in kept.items()]
        return played, played + sum(missing)

    def play(self, screen: Terminal, jobs: int | None, seconds: float) -> bool:
        """Play all matches in turns, until the time is up or Ctrl-C; return whether all were played.

        A turn doubles the deals of a match, from one. It is for the match that has taken the least time in this run,
        or, as at first, that has the fewest deals.
        """
        end = time.monotonic() + seconds
        kept = self.kept()
        self._warn(screen, kept)
        with screen.games_bar() as bar:
            played, scheduled = self.progress(kept)
            task = bar.add_task(screen.text("Games"), total=scheduled, completed=played)
            known = {match: set(there.outcomes) for match, there in kept.items()}
            turns = [(0.0, 1, place) for place in range(len(self.matches))]
            while turns:
                spent, deals, place = heapq.heappop(turns)
                match = self.matches[place]
                config = match.config(min(self.games, deals * match.players), self.seed)
                if _missing(config, known[match]):
                    begun = time.monotonic()
                    if begun >= end:
                        return False
                    if not self._play_turn(match, config, known[match], jobs, end, lambda: bar.advance(task)):
                        return False
                    spent += time.monotonic() - begun
                if config.games < self.games:
                    heapq.heappush(turns, (spent, 2 * deals, place))
        return True

    def _play_turn(
        self, match: Match, config: Config, known: set[int], jobs: int | None, end: float, advance: Callable[[], object]
    ) -> bool:
        """Play the games of one match that are not known yet; return whether there was time for all."""
        with open_folder(self.folder / match.folder, match.config(MOST_GAMES, self.seed)) as opened:

            def finished(played: Played) -> None:
                opened.add(played)
                known.add(played.result.number)
                advance()
                if time.monotonic() >= end:
                    raise KeyboardInterrupt

            known.update(game.number for game in opened.kept)
            return not play_arena(config, jobs=jobs, with_records=True, watch=finished, skipped=known).stopped

    def _warn(self, screen: Terminal, kept: Mapping[Match, MatchGames]) -> None:
        """Say if rules or computer players have changed since games were played."""
        sources = playing_sources()
        if any(there.outcomes and there.sources != sources for there in kept.values()):
            screen.say(screen.text(CHANGED, folder=self.results or self.folder), error=True)

    def kept(self) -> dict[Match, MatchGames]:
        """Read the games of all matches: those of the file, and those of the folder that are not in it."""
        with self._reading_results() as lines:
            found = {
                match: read_games(lines[key], match, self.seed)
                if (key := key_of(match, self.seed)) in lines
                else MatchGames(playing_sources())
                for match in self.matches
            }
        for match, there in found.items():
            folder = self.folder / match.folder
            if (folder / GAMES).exists():
                with open_folder(folder, match.config(MOST_GAMES, self.seed)) as opened:
                    outcomes = {game.number: outcome_of(game) for game in opened.kept} | there.outcomes
                found[match] = MatchGames(there.sources if there.outcomes else opened.sources, outcomes)
        return found

    def write_results(self, kept: Mapping[Match, MatchGames]) -> None:
        """Write these games to the file, if there is one; what it has of other matches stays."""
        if not self.results:
            return
        with self._reading_results() as lines:
            content = {key: line.content for key, line in lines.items()}
        for match, there in kept.items():
            if there.outcomes:
                content[key_of(match, self.seed)] = to_line(match, self.seed, there)
        if content:
            write_text(self.results, write_lines(content))

    @contextlib.contextmanager
    def _reading_results(self) -> Iterator[Mapping[Key, Line]]:
        """Parse the file with results; an error about its content is raised again with its name."""
        content = _read_bounded(self.results) if self.results else b""
        try:
            yield read_lines(content)
        except BadRecord as error:
            raise BadFile(str(self.results), error) from None


def _missing(config: Config, known: Collection[int]) -> int:
    """Return how many games of a match are not known."""
    return config.scheduled - sum(number < config.scheduled for number in known)


def _read_bounded(path: Path) -> bytes:
    """Read a file with results, or a little more than it can have; nothing if there is none."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise BadRecord("unreadable", file=path, problem=error.strerror or error) from None


def read_entrants(bots: str | None, more: str | None, submissions: Path | None) -> list[Entrant]:
    """Read who plays; raise `BadInput` if a player is named twice."""
    specs = [*(split(bots) if bots is not None else LEVELS), *split(more or "")]
    entrants = [Entrant(spec, spec) for spec in specs]
    if submissions:
        entrants += read_submissions(submissions)
    for key in ("name", "spec"):
        known: set[str] = set()
        for each in entrants:
            if getattr(each, key) in known:
                raise BadInput("twice-on-the-ladder", found=getattr(each, key))
            known.add(getattr(each, key))
    return entrants


def read_submissions(file: Path) -> list[Entrant]:
    """Read a list of submissions; raise `BadInput` if it cannot be read."""
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput("no-submissions", file=file, problem=getattr(error, "strerror", None) or error) from None
    listed = content.get("submission", [])
    if not isinstance(listed, list) or set(content) - {"submission"}:
        raise BadInput("no-submissions", file=file, problem="[[submission]]")
    return [_read_submission(file, number, each) for number, each in enumerate(listed, start=1)]


def _read_submission(file: Path, number: int, submission: Any) -> Entrant:
    """Read one submission: of a commit elsewhere, or trained by a script of this repository."""
    fields = submission if isinstance(submission, dict) else {}
    origin = {"script"} if "script" in fields else {"repository", "commit"}
    known = {"name", "player", *origin, *OPTIONAL}
    for key in (*FIELDS, *fields):
        value = fields.get(key)
        if key not in fields and (key not in known or key in OPTIONAL):
            continue
        if key not in known or not isinstance(value, str) or not FIELDS[key].fullmatch(value):
            raise BadInput("bad-submission", file=file, number=number, key=key)
    found = Entrant(fields["name"], fields["player"], **{key: fields[key] for key in origin})
    return replace(found, tables=frozenset(map(int, fields["players"].split(",")))) if "players" in fields else found
