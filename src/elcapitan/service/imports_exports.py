"""Imports and exports of games: records as JSON and as text for people.

Imported games are read, checked and replayed in a thread of their own, a few at a time.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from elcapitan.background_tasks import BoundedThreads
from elcapitan.board.figures import Figures
from elcapitan.bots import registry
from elcapitan.errors import BadBot, BadRecord
from elcapitan.game.game import Game
from elcapitan.game.history import Event
from elcapitan.game.setup import Setup
from elcapitan.players.seats import split
from elcapitan.records import capitan
from elcapitan.records import json_record as record
from elcapitan.records.shuffles import any_key
from elcapitan.service.dealt_game import DealtGame, taken_over
from elcapitan.service.log import LogEntry
from elcapitan.service.table import Table
from elcapitan.service.table_settings import HUMAN, Seat, TableSettings, check_player, checked, with_distinct_names

FORMATS: Final = ("capitan", "json")
MOST_BYTES: Final = 5_000_000  # some hundred times a long game
PLAYERS: Final = "Seats"  # the headers of a game in text form
TITLE: Final = "Title"
NAMES: Final = "Names"
IMPORT_THREADS: Final = 1  # games read at the same time: each takes some milliseconds, or memory if it is hostile
MOST_IMPORTS: Final = 8  # games that wait to be read, each of 4 MB at most

Begun = tuple[DealtGame, list[LogEntry]]


@dataclass(frozen=True)
class ImportedGame:
    """A game from a record, and what the record says about the table."""

    game: Game
    players: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    title: str = ""

    def settings(self) -> TableSettings:
        """Return settings for it, with persons in all seats whose player cannot play here."""
        count = self.game.players
        players = [_playable(player) for player in self.players] if len(self.players) == count else [HUMAN] * count
        names = (*self.names, *[""] * count)[:count]
        setup = self.game.setup
        return TableSettings(
            seats=tuple(Seat(players[seat], names[seat], seat) for seat in range(count)),
            tiles=setup.tiles,
            options=setup.options,
            first=setup.first,
            title=self.title,
        )


def _playable(player: str) -> str:
    """Return who plays a seat: a level without its budget, or a person if the player cannot play here."""
    if registry.level_of(player) in registry.LEVELS:
        return registry.at_table(player)
    try:
        check_player(player)
    except BadBot:
        return HUMAN
    return player


def read(content: str | bytes, filename: str, figures: Figures) -> ImportedGame:
    """Read a record and check every line. The suffix of its file name, if it has one, says in which form it is."""
    if len(content) > MOST_BYTES:
        raise BadRecord("record-too-long", most=MOST_BYTES)
    text = _text(content, filename)
    form = PurePath(filename).suffix.lower().removeprefix(".") if filename else _form_of(text)
    if form not in FORMATS:
        raise BadRecord("not-a-record", file=filename)
    if form == "json":
        parsed = record.parsed(text)
        return ImportedGame(record.from_json(parsed, figures), record.seats_in(parsed))
    score = capitan.from_capitan(text, figures)
    headers = score.headers
    names = tuple(name.strip() for name in headers.get(NAMES, "").split(","))
    return ImportedGame(score.game, split(headers.get(PLAYERS, "")), names, headers.get(TITLE, ""))


def _form_of(text: str) -> str:
    """Return the form of a record without a file name, as when it was pasted."""
    return "json" if text.lstrip().startswith("{") else "capitan"


def _text(content: str | bytes, filename: str) -> str:
    """Decode the content of a file. Raises `BadRecord` if it is not UTF-8."""
    if isinstance(content, str):
        return content
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord("unreadable", file=filename, problem="UTF-8") from None


def export(table: Table, form: str) -> str:
    """Return the record of a table in one of FORMATS."""
    players = [HUMAN if seat.person else seat.player for seat in table.settings.seats]
    if form == "json":
        return json.dumps(record.to_json(table.game, seats=players, shuffles=table.promises), ensure_ascii=False) + "\n"
    if form != "capitan":
        raise BadRecord("not-a-record", file=form)
    headers = {
        TITLE: table.settings.title,
        "Date": table.created.astimezone().date().isoformat(),
        NAMES: ", ".join(table.names()) if any(table.names()) else "",
        PLAYERS: ", ".join(players),
    }
    told = {name: value for name, value in headers.items() if value}
    return capitan.to_capitan(table.game, told, table.promises)


class Imports:
    """Reads and replays games for all tables. Methods raise `TooMuch` if too many games wait."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        self._threads = BoundedThreads("imports", IMPORT_THREADS, MOST_IMPORTS, "too-many-imports")

    async def read(self, content: str | bytes, filename: str) -> tuple[TableSettings, DealtGame, list[LogEntry]]:
        """Read a record and replay its game; return settings for a table, the game, and its log."""
        return await self._threads.run(self._read, content, filename)

    async def replay(self, setup: Setup, events: Sequence[Event]) -> Begun:
        """Replay the beginning of a game, to be continued with new cards; return the game and its log."""
        return await self._threads.run(taken_over, setup, self._figures, events, any_key())

    def close(self) -> None:
        """End the thread that reads games."""
        self._threads.close()

    def _read(self, content: str | bytes, filename: str) -> tuple[TableSettings, DealtGame, list[LogEntry]]:
        imported = read(content, filename, self._figures)
        settings = checked(with_distinct_names(imported.settings()))
        return settings, *taken_over(imported.game.setup, self._figures, imported.game.events, any_key())
