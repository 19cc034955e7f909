"""The folder of an arena: every game is written when it is finished, and the same command goes on from there.

    arena.json      what decides the games: another arena is refused here, and a running one has it locked
    games.jsonl     the result of each game, one in a line; as they finish, and in the end in the order of the schedule
    games/          every game as a record

A program that is killed loses the games that it is playing. Of a line that it was writing nothing is kept.
"""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

from elcapitan.board.board_file import short
from elcapitan.cli.command_line import BadFile, BadInput, json_text, writing
from elcapitan.cli.options import HIGHEST_SEED
from elcapitan.cli.record_files import write_text
from elcapitan.errors import BadRecord
from elcapitan.experiments.arena.games import Config, GameResult, Played
from elcapitan.experiments.arena.kept_games import LONGEST_LINE, plan_of, playing_sources, read_result
from elcapitan.store.file_lock import try_lock
from elcapitan.untrusted_input import too_complex

PLAN: Final = "arena.json"
RESULTS: Final = "results.json"  # the figures, the same on every machine
GAMES: Final = "games.jsonl"
RECORDS: Final = "games"
DRAFT: Final = re.compile(r"\.[a-z0-9-]+\.(json|jsonl|svg|html)\.\d+")  # what `write_text` leaves when it is killed
LONGEST_PLAN: Final = 1 << 20  # bytes
LONGEST_VALUE: Final = 1000  # characters of a value that are shown
VALUES: Final = ("bots", "players", "tiles", "board", "seed")  # of a plan, named as the options of the command
SWITCHES: Final = {  # table options: how they are chosen, and the value that chooses them
    "buy_before_loan": ("--buy-before-loan", True),
    "reopen_shuts": ("--no-reopen-shuts", False),
    "pirate_before_loan": ("--pirate-before-loan", True),
}


def seed_in(folder: Path) -> int | None:
    """Return the seed of the arena in a folder, if there is one, to go on with it."""
    try:
        with (folder / PLAN).open("rb") as file:
            seed = _read_plan(file).get("seed")
    except (OSError, ValueError):
        return None
    return seed if type(seed) is int and 0 <= seed <= HIGHEST_SEED else None


@contextlib.contextmanager
def open_folder(folder: Path, config: Config) -> Iterator["ArenaFolder"]:
    """Create the folder of an arena, or find the games that are in it; no other process can open it meanwhile.

    Raises `BadInput` if another arena was or is played there, and `BadFile` if its games are damaged.
    """
    path = folder / PLAN
    if not path.exists() and ((folder / RESULTS).exists() or any((folder / RECORDS).glob("*"))):
        raise BadInput("results-there", folder=folder)
    with contextlib.ExitStack() as stack:
        with writing(folder):
            (folder / RECORDS).mkdir(parents=True, exist_ok=True)
            plan = stack.enter_context(path.open("a+b"))
        yield _opened(folder, config, plan)


def _opened(folder: Path, config: Config, plan: IO[bytes]) -> "ArenaFolder":
    """Lock and check a folder, and read its games."""
    if not try_lock(plan.fileno(), folder / PLAN):
        raise BadInput("arena-in-use", folder=folder)
    wanted, sources = plan_of(config), playing_sources()
    if not _games_begun(folder):
        with writing(folder / PLAN):
            plan.truncate(0)
            plan.write(json_text({**wanted, "sources": sources}).encode())
            plan.flush()
        _remove_drafts(folder)
        return ArenaFolder(folder, (), sources, changed=False)
    try:
        plan.seek(0)
        found = _read_plan(plan)
    except ValueError:
        raise BadInput("not-an-arena", file=folder / PLAN) from None
    _check_same(folder, found, wanted)
    kept = _read_games(folder / GAMES, config)
    if (least := max((game.number for game in kept), default=0) + 1) > config.scheduled:
        raise BadInput("arena-too-long", folder=folder, wanted=config.games, least=least)
    _remove_drafts(folder)
    return ArenaFolder(folder, kept, str(found.get("sources")), changed=found.get("sources") != sources)


class ArenaFolder:
    """The open folder of an arena: the games that were in it, and writing those that follow."""

    def __init__(self, folder: Path, kept: tuple[GameResult, ...], sources: str, *, changed: bool) -> None:
        self.path = folder
        self.kept = kept
        self.sources = sources  # the digest of rules and computer players when the first game was played
        self.changed = changed  # whether rules or computer players were changed since

    def add(self, played: Played) -> None:
        """Write a game that is finished: its record, then its result, so that a result always has a record."""
        if played.record:
            write_text(self.path / RECORDS / f"game-{played.result.number + 1:06d}.json", played.record)
        path = self.path / GAMES
        with writing(path), path.open("ab") as file:
            file.write(_line(played.result).encode())

    def put_in_order(self, games: Iterable[GameResult]) -> None:
        """Write the results of all games once more, in this order."""
        write_text(self.path / GAMES, "".join(map(_line, games)))


def _line(result: GameResult) -> str:
    """Return a result as a line of JSON."""
    return json.dumps(result.to_json(), ensure_ascii=False) + "\n"


def _games_begun(folder: Path) -> bool:
    """Whether there is a result of a game."""
    try:
        with (folder / GAMES).open("rb") as file:
            return file.readline(LONGEST_LINE + 1) != b""
    except FileNotFoundError:
        return False
    except OSError as error:
        raise BadRecord("unreadable", file=folder / GAMES, problem=error.strerror or error) from None


def _remove_drafts(folder: Path) -> None:
    """Delete files that a killed arena had not written to their end."""
    for place in (folder, folder / RECORDS):
        with writing(place):
            for path in place.iterdir():
                if DRAFT.fullmatch(path.name):
                    path.unlink()


def _read_plan(file: IO[bytes]) -> dict[str, Any]:
    """Parse the plan of an arena; raise `ValueError` if it is none."""
    text = file.read(LONGEST_PLAN).decode()
    if too_complex(text) or not isinstance(content := json.loads(text), dict):
        raise ValueError
    return content


def _check_same(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise `BadInput`, which names what differs, if other games were played in a folder."""
    tables = all(isinstance(found.get(key), dict) for key in ("options", "data"))
    if found.get("format") != wanted["format"] or not tables:
        raise BadInput("not-an-arena", file=folder / PLAN)
    if found.get("rules") != wanted["rules"]:
        raise BadInput("arena-other-rules", folder=folder, found=_shown(found.get("rules")), wanted=wanted["rules"])
    for key in VALUES:
        if found.get(key) != wanted[key]:
            values = {"found": _shown(found.get(key)), "wanted": _shown(wanted[key])}
            raise BadInput("other-arena", folder=folder, option=f"--{key}", **values)
    for name, (option, chosen) in SWITCHES.items():
        if found["options"].get(name) != wanted["options"][name]:
            reason = "arena-without-option" if wanted["options"][name] is chosen else "arena-with-option"
            raise BadInput(reason, folder=folder, option=option)
    for file, content in wanted["data"].items():
        if found["data"].get(file) != content:
            raise BadInput("arena-other-data", folder=folder, file=file)


def _shown(value: object) -> str:
    """Format a value of a plan as it is written on the command line; what is no such value is shortened."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = ",".join(value) or "none"
    fit = isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_VALUE
    return str(value) if fit else short(value)


def _read_games(path: Path, config: Config) -> tuple[GameResult, ...]:
    """Read all results; the end of a line that was not written to its end is cut off."""
    found: dict[int, GameResult] = {}
    whole = 0  # bytes of all lines so far
    with writing(path), path.open("r+b") as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
            if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                file.truncate(whole)
                break
            whole += len(line)
            try:
                result = read_result(line, config)
                if result.number in found:
                    raise BadRecord("not-an-arena-result")
            except BadRecord as error:
                raise BadFile(str(path), BadRecord.because(error, line=number)) from None
            found[result.number] = result
    return tuple(found.values())
