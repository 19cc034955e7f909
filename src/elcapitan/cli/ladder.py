"""`elcapitan ladder`: rate all levels and any other players, over hours if need be, and write the page about it.

Every match is an arena in a folder of its own, so an interrupted command continues when it is given again, and
`elcapitan arena` with the same options writes the report of a match. Matches take turns: every match has some games
before one has many.
"""

import re
import shlex
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from elcapitan.bots.registry import LEVELS
from elcapitan.cli.arena import CHANGED, print_stopped
from elcapitan.cli.arena_folder import GAMES, ArenaFolder, open_folder
from elcapitan.cli.command_line import INTERRUPTED, BadInput, Terminal, terminal
from elcapitan.cli.options import MOST_GAMES, Jobs, Seed, Tiles, number_option, some_seed, tile_names, value_option
from elcapitan.cli.record_files import write_text
from elcapitan.cli.study import ALL_PLAYERS, read_players
from elcapitan.experiments.arena.games import Config, GameResult, Played
from elcapitan.experiments.arena.ladder import Entrant, Match, matches, page
from elcapitan.experiments.arena.tournament import check, play_arena
from elcapitan.players.seats import split
from elcapitan.text.catalogue import _

LADDER_HELP: Final = _(
    "Let all levels, or the computer players that are named, play against one another, two kinds at a time, and write "
    "a page with their ratings and matches. Matches take turns, so that the page is meaningful at any time. The same "
    "command continues after an interruption; a higher --games extends all matches."
)
FIRST_TURN: Final = 10  # games of every match before any has more; then twice as many, and so on
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
        number_option("--minutes", "N", 1, LONGEST, _("Stop after so many minutes; the same command continues.")),
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
    run = LadderRun(folder, matches(entrants, numbers, cities), games, some_seed(seed))
    run.check()
    screen.compile_rules()
    complete = run.play(screen, jobs, float("inf") if minutes is None else 60.0 * minutes)
    played = run.kept()
    if any(played.values()):
        options: dict[str, object] = {"--bots": bots, "--more": more, "--submissions": submissions}
        options |= {"--players": players, "--tiles": ",".join(cities), "--games": games}
        options |= {"--seed": run.seed, "--page": out}
        words = ["elcapitan", "ladder", str(folder)]
        words += [word for option, value in options.items() if value not in (None, "") for word in (option, str(value))]
        today = datetime.now(UTC).date().isoformat()
        _output(page(played, entrants, seed=run.seed, command=shlex.join(words), date=today), out)
    if not complete:
        print_stopped(screen, sum(map(len, played.values())), run.scheduled)
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

    @property
    def scheduled(self) -> int:
        """The number of games of all matches."""
        return sum(self._config(match).scheduled for match in self.matches)

    def _config(self, match: Match) -> Config:
        """Return the whole arena of a match."""
        return match.config(self.games, self.seed)

    def check(self) -> None:
        """Raise `BadInput` or `BadBot` if the matches cannot be played."""
        if not self.matches:
            raise BadInput("lonely-ladder")
        for match in self.matches:
            check(self._config(match))

    def play(self, screen: Terminal, jobs: int | None, seconds: float) -> bool:
        """Play all matches turn by turn, until the time is up or Ctrl-C; return whether all were played."""
        end = time.monotonic() + seconds
        with screen.games_bar() as bar:
            before = sum(map(len, self.kept().values()))
            task = bar.add_task(screen.text("Games"), total=self.scheduled, completed=before)
            changed = False
            for turn in turns(self.games):
                for match in self.matches:
                    with open_folder(self.folder / match.folder, self._config(match)) as opened:
                        if opened.changed and not changed:
                            screen.say(screen.text(CHANGED, folder=self.folder), error=True)
                        changed = changed or opened.changed
                        done = _play_turn(opened, match.config(turn, self.seed), jobs, end, lambda: bar.advance(task))
                    if not done:
                        return False
        return True

    def kept(self) -> dict[Match, Sequence[GameResult]]:
        """Read the games of all matches."""
        found: dict[Match, Sequence[GameResult]] = {}
        for match in self.matches:
            folder = self.folder / match.folder
            if (folder / GAMES).exists():
                with open_folder(folder, self._config(match)) as opened:
                    found[match] = opened.kept
            else:
                found[match] = ()
        return found


def turns(games: int) -> Iterator[int]:
    """Yield how many games a match has after each turn."""
    turn = FIRST_TURN
    while turn < games:
        yield turn
        turn *= 2
    yield games


def _play_turn(
    opened: ArenaFolder, config: Config, jobs: int | None, end: float, advance: Callable[[], object]
) -> bool:
    """Play the games of one match that are missing; return whether there was time for all."""
    kept = [game for game in opened.kept if game.number < config.scheduled]
    if len(kept) == config.scheduled:
        return True
    if time.monotonic() >= end:
        return False

    def finished(played: Played) -> None:
        opened.add(played)
        advance()
        if time.monotonic() >= end:
            raise KeyboardInterrupt

    return play_arena(config, jobs=jobs, with_records=True, watch=finished, kept=kept).complete


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
