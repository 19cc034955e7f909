"""The games of a ladder in one file, which is small enough to be kept with a repository.

Each match is a line of JSON: its name, its plan as in the `arena.json` of an arena, the digest of the sources by which
its first game was played, and its games in the order of the schedule. A game is the ranks of its seats, such as 2314,
or - if it was not played; `faults` says by game and seat who has forfeited, and why. The same games make the same file.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from elcapitan.errors import BadRecord
from elcapitan.experiments.arena.games import fixture, standing
from elcapitan.experiments.arena.kept_games import plan_of
from elcapitan.experiments.arena.ladder import Match, Outcome
from elcapitan.untrusted_input import too_complex

LARGEST: Final = 1 << 24  # bytes of a file; a game has up to six, and a match some four hundred more
MISSING: Final = "-"  # a game that was not played

Key = tuple[str, int]  # the name of a match, and its seed


@dataclass(frozen=True)
class MatchGames:
    """The games of a match, and the digest of the sources by which the first was played."""

    sources: str
    outcomes: dict[int, Outcome] = field(default_factory=dict)  # by number


def key_of(match: Match, seed: int) -> Key:
    """Return what tells the lines of a file apart."""
    return match.folder, seed


class Line(NamedTuple):
    """A line of a file: its number, from 1, and what it holds."""

    number: int
    content: dict[str, Any]


def write_lines(lines: Mapping[Key, Mapping[str, Any]]) -> str:
    """Return the text of a file; lines are in the order of their keys."""
    return "".join(json.dumps(lines[key]) + "\n" for key in sorted(lines))


def read_lines(file: bytes) -> dict[Key, Line]:
    """Parse a file; raise `BadRecord` if a line is no match. Its plan and games are not checked yet."""
    try:
        text = file.decode()
    except UnicodeDecodeError:
        raise BadRecord("not-ladder-games") from None
    if len(file) > LARGEST:
        raise BadRecord("not-ladder-games")
    found: dict[Key, Line] = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1):
        content = _parsed(line)
        plan = content.get("plan")
        key = (content.get("match"), plan.get("seed") if isinstance(plan, dict) else None)
        if not (isinstance(key[0], str) and type(key[1]) is int) or key in found:
            raise BadRecord("not-ladder-games", line=number)
        found[key[0], key[1]] = Line(number, content)
    return found


def _parsed(line: str) -> dict[str, Any]:
    """Parse a line; an empty object if it is none."""
    try:
        content = None if too_complex(line) else json.loads(line)
    except ValueError:
        content = None
    return content if isinstance(content, dict) else {}


def to_line(match: Match, seed: int, games: MatchGames) -> dict[str, Any]:
    """Return a match with its games as a line of a file."""
    outcomes = games.outcomes
    numbers = range(max(outcomes, default=-1) + 1)
    written = ["".join(map(str, outcomes[number].ranks)) if number in outcomes else MISSING for number in numbers]
    faults = {str(number): list(outcomes[number].faults) for number in sorted(outcomes) if any(outcomes[number].faults)}
    return {
        "match": match.folder,
        "plan": plan_of(match.config(1, seed)),
        "sources": games.sources,
        "games": " ".join(written),
        **({"faults": faults} if faults else {}),
    }


def read_games(line: Line, match: Match, seed: int) -> MatchGames:
    """Read the games of a match; raise `BadRecord` if they were played in other ways or cannot be games of it."""
    try:
        return _games_in(line.content, match, seed)
    except BadRecord as error:
        raise BadRecord.because(error, line=line.number) from None


def _games_in(content: Mapping[str, Any], match: Match, seed: int) -> MatchGames:
    """Check the plan of a match, and read its games."""
    config = match.config(1, seed)
    if content["plan"] != plan_of(config):
        raise BadRecord("other-ladder-games")
    sources, written, faults = content.get("sources"), content.get("games"), content.get("faults", {})
    if not (isinstance(sources, str) and isinstance(written, str) and isinstance(faults, dict)):
        raise BadRecord("not-ladder-games")
    faults, outcomes = dict(faults), {}
    for number, ranks in enumerate(written.split()):
        if ranks != MISSING:
            game = fixture(config, number)
            why = _read_faults(faults.pop(str(number), [None] * match.players), match.players)
            outcomes[number] = Outcome(number, game.deal, game.bots, _read_ranks(ranks, why), why)
    if faults:
        raise BadRecord("not-ladder-games")
    return MatchGames(sources, outcomes)


def _read_ranks(written: str, faults: Sequence[str | None]) -> tuple[int, ...]:
    """Read the ranks of a game; raise `BadRecord` if it cannot have ended so."""
    if len(written) == len(faults) and written.isascii() and written.isdecimal():
        ranks = [int(rank) for rank in written]
        if standing([-rank for rank in ranks], faults)[0] == ranks:
            return tuple(ranks)
    raise BadRecord("not-ladder-games")


def _read_faults(written: Any, players: int) -> tuple[str | None, ...]:
    """Read why seats have forfeited a game."""
    if not isinstance(written, list) or len(written) != players:
        raise BadRecord("not-ladder-games")
    if not all(each is None or (isinstance(each, str) and each) for each in written):
        raise BadRecord("not-ladder-games")
    return tuple(written)
