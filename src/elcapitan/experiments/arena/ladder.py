"""The ladder: every two computer players against each other at tables of several sizes, and their ratings on a page.

A match is an arena: one player of the one kind, and players of the other kind in all other seats. With more than two
players both ways are played, so that every kind is once alone against every other.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

from elcapitan.experiments.arena.games import Config, GameResult, LineUp, standing
from elcapitan.experiments.arena.report import fault_sentence
from elcapitan.experiments.arena.summary import Fault, Rating, clustered_share, mean_ranks, rate
from elcapitan.game.game import RULES_VERSION
from elcapitan.text.catalogue import DEFAULT, translator

TABLES: Final = {2: "Two players", 3: "Three players", 4: "Four players", 5: "Five players"}
SHOWN: Final = 12  # digits of a commit
_STRANGE: Final = re.compile(r"[^A-Za-z0-9.@=-]+")  # in names of folders

HEAD: Final = """\
# The ladder

How strong computer players are: {games:,} games of [the arena](arena.md), by rules {rules}, on the board {board}
{tiles}, with seed {seed}, as of {date}. Each match has {spread} of them; quick ones may have more, as
matches take turns by time. This command has written the page, and goes on where it stopped:

```sh
{command}
```

`make ladder` plays for all levels and submissions, and `make ladder ARGS="--games 400 --minutes 60"` more, for an hour.
Results are kept in [ladder-games.jsonl](ladder-games.jsonl), so anybody can go on from here, on any machine.

## Ratings

By the Plackett-Luce model of [openskill](https://openskill.me), which begins at 25, with two sigma: over all games, and
over those with so many players. To compare two players, look at their matches: with more than two at a table, both can
win more often than by chance where they are alone, so both ways are played.

"""
MATCHES: Final = """\

## {table}

How often one player of the row has won against players of the column in all other seats: percent, 95 % interval, and of
how many games. By chance it would be {chance:.0f} %.

"""
SUBMISSIONS: Final = """\

## Submissions

Do you have a player, [in Python or any other language](bots.md)? Add it to [ladder.toml](ladder.toml), with the address
of its public repository, the commit, and how it is named on the command line once that commit is installed. Then its
matches are played, and this page is renewed. Reference learners, trained by scripts of this repository, stand in the
same list.

"""


@dataclass(frozen=True)
class Entrant:
    """A player on the ladder."""

    name: str  # on the page
    spec: str  # as the arena takes it
    repository: str = ""  # of a submission
    commit: str = ""
    script: str = ""  # of this repository, if it has trained the player
    tables: frozenset[int] = frozenset(TABLES)  # numbers of players that it can play with

    @property
    def folder(self) -> str:
        """A name for folders; another commit is another player."""
        return _STRANGE.sub("_", f"{self.name}@{self.commit[:SHOWN]}" if self.commit else self.name)


@dataclass(frozen=True)
class Match:
    """One player against players of another kind, at a table of some size."""

    one: Entrant
    rest: Entrant
    players: int
    tiles: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return "-".join([self.one.folder, self.rest.folder, str(self.players), *map(str.lower, self.tiles)]).replace(
            " ", "_"
        )

    def config(self, games: int, seed: int) -> Config:
        """Return the arena that plays this match."""
        return Config((self.one.spec, self.rest.spec), self.players, self.tiles, games, seed)


@dataclass(frozen=True)
class Outcome:
    """What the page needs of a game."""

    number: int  # in the schedule of its match, from 0
    deal: int
    bots: LineUp  # by seat
    ranks: tuple[int, ...]  # by seat; equals share a rank, and who has forfeited comes last
    faults: tuple[str | None, ...]  # by seat: why it has forfeited

    @property
    def wins(self) -> list[float]:
        """The share of the victory of every seat."""
        return standing([-rank for rank in self.ranks], self.faults)[1]


def outcome_of(game: GameResult) -> Outcome:
    """Return what the page needs of a game."""
    ranks = tuple(merchant.rank for merchant in game.merchants)
    faults = tuple(merchant.fault for merchant in game.merchants)
    return Outcome(game.number, game.deal, tuple(merchant.bot for merchant in game.merchants), ranks, faults)


Played = Mapping[Match, Sequence[Outcome]]


def matches(entrants: Sequence[Entrant], numbers: Sequence[int], tiles: tuple[str, ...] = ()) -> list[Match]:
    """Return all matches of players that can sit at the same table, those at the smallest tables first."""
    return [
        Match(one, rest, players, tiles)
        for players in numbers
        for one, rest in (combinations(entrants, 2) if players == 2 else permutations(entrants, 2))
        if players in one.tables & rest.tables
    ]


def rated(played: Played, players: int | None = None) -> dict[str, Rating]:
    """Return the rating of every player, by spec, after the games of all tables or of one size.

    Matches take turns game by game.
    """
    chosen = [games for match, games in played.items() if players in (None, match.players)]
    in_turn = sorted(
        ((game.number, place, game) for place, games in enumerate(chosen) for game in games), key=lambda each: each[:2]
    )
    return rate(mean_ranks(zip(game.bots, game.ranks, strict=True)) for _number, _place, game in in_turn)


def page(played: Played, entrants: Sequence[Entrant], *, seed: int, command: str, date: str) -> str:
    """Write the page, in Markdown. There must be at least one game."""
    first = next(iter(played))
    numbers = sorted({match.players for match in played})
    overall = rated(played)
    order = sorted(entrants, key=lambda each: -overall[each.spec].mu if each.spec in overall else 0.0)
    counts = [len(games) for games in played.values()]
    head = HEAD.format(
        games=sum(map(len, played.values())),
        rules=RULES_VERSION,
        board=first.config(1, 0).figures.name,
        tiles=f"with {', '.join(first.tiles)}" if first.tiles else "without the expansion",
        seed=seed,
        date=date,
        spread=" to ".join(map(str, sorted({min(counts), max(counts)}))),
        command=command,
    )
    parts = [head, _ratings(played, order, numbers)]
    for players in numbers:
        there = [each for each in order if players in each.tables]
        parts += [MATCHES.format(table=TABLES[players], chance=100 / players), _matrix(played, there, players)]
    faults = [sentence for match, games in played.items() for sentence in _forfeits(match, games)]
    parts += ["\n## Forfeits\n\n", *(f"- {sentence}\n" for sentence in faults)] if faults else []
    return "".join([*parts, SUBMISSIONS, _submissions(order)])


def _forfeits(match: Match, games: Sequence[Outcome]) -> list[str]:
    """Describe how often either player of a match has forfeited, and why; the most frequent faults first."""
    counted = Counter(each for game in games for each in set(zip(game.bots, game.faults, strict=True)) if each[1])
    found = sorted(counted.items(), key=lambda each: (each[0][0] != match.one.spec, -each[1], str(each[0][1])))
    return [fault_sentence(translator(DEFAULT), bot, Fault(str(what), number)) for (bot, what), number in found]


def _ratings(played: Played, order: Sequence[Entrant], numbers: Sequence[int]) -> str:
    """Tabulate the ratings: over all games, and by number of players."""
    columns = [rated(played), *(rated(played, players) for players in numbers)]
    seats = {each.spec: 0 for each in order}
    for games in played.values():
        for game in games:
            for spec in set(game.bots):
                seats[spec] += 1
    rows = [
        [_named(each), *(str(column.get(each.spec, "")) for column in columns), f"{seats[each.spec]:,}"]
        for each in order
    ]
    return _table(["", "all", *(TABLES[players].lower() for players in numbers), "games"], rows)


def _matrix(played: Played, order: Sequence[Entrant], players: int) -> str:
    """Tabulate the matches at tables of one size: who is alone in rows, the others in columns."""
    there = {match: games for match, games in played.items() if match.players == players}
    cells = {(match.one, match.rest): _cell(match.one, games) for match, games in there.items()}
    if players == 2:  # each is alone
        cells |= {(match.rest, match.one): _cell(match.rest, games) for match, games in there.items()}
    rows = [[_named(one), *(cells.get((one, rest), "") for rest in order)] for one in order]
    return _table(["", *map(_named, order)], rows)


def _cell(one: Entrant, games: Sequence[Outcome]) -> str:
    """Format how often one player has won alone against another; empty if they have not met."""
    if not games:
        return ""
    in_order = sorted(games, key=lambda game: game.number)
    wins = [game.wins[game.bots.index(one.spec)] for game in in_order]
    share = clustered_share(wins, [game.deal for game in in_order])
    low, high = 100 * (share.low or 0.0), 100 * (1.0 if share.high is None else share.high)
    return f"{100 * share.mean:.0f} ({low:.0f} to {high:.0f}) of {len(games)}"


def _submissions(order: Sequence[Entrant]) -> str:
    """Tabulate where submissions come from."""
    rows = [
        [_named(each), _origin(each), ", ".join(map(str, sorted(each.tables))), f"`{each.spec}`"]
        for each in order
        if each.commit or each.script
    ]
    head = ["player", "from", "numbers of players", "on the command line"]
    return _table(head, rows) if rows else "There are none yet.\n"


def _origin(entrant: Entrant) -> str:
    """Link the commit of a submission, or the script that trains the player."""
    if entrant.script:
        return f"[{entrant.script}](../{entrant.script})"
    return f"[{entrant.commit[:SHOWN]}]({entrant.repository})"


def _named(entrant: Entrant) -> str:
    """Format the name of a player for a table."""
    return f"`{_in_cell(entrant.name)}`"


def _in_cell(text: str) -> str:
    """Keep a text in its cell."""
    return text.replace("|", "\\|")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format a table; all columns but the first are numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
