"""Games that come in and go out: records as JSON and as text for people."""

import json
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from elcapitan.bots import registry
from elcapitan.errors import BadBot, BadRecord
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.notation import capitan, record
from elcapitan.players.seats import split
from elcapitan.service.plan import HUMAN, Plan, Seat, check_player
from elcapitan.service.table import Table

FORMATS: Final = ("capitan", "json")
MOST_BYTES: Final = 5_000_000  # some hundred times a long game
PLAYERS: Final = "Seats"  # the headers of a game in text form
TITLE: Final = "Title"
NAMES: Final = "Names"


@dataclass(frozen=True)
class Brought:
    """A game from a record, and what the record tells of the table."""

    game: Game
    players: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    title: str = ""

    def plan(self) -> Plan:
        """A table for it: people in all seats for which the record names nobody who can play here."""
        count = self.game.players
        players = [_playable(player) for player in self.players] if len(self.players) == count else [HUMAN] * count
        names = (*self.names, *[""] * count)[:count]
        setup = self.game.setup
        return Plan(
            seats=tuple(Seat(players[seat], names[seat], seat) for seat in range(count)),
            tiles=setup.tiles,
            options=setup.options,
            first=setup.first,
            title=self.title,
        )


def _playable(player: str) -> str:
    """Who plays a seat; a level without its budget, and a person for whoever cannot play here."""
    if registry.level_of(player) in registry.LEVELS:
        return registry.level_of(player)
    try:
        check_player(player)
    except BadBot:
        return HUMAN
    return player


def read(content: str | bytes, filename: str, figures: Figures) -> Brought:
    """The game of a record, every line of it checked; the name of its file, if it has one, tells its form."""
    if len(content) > MOST_BYTES:
        raise BadRecord("record-too-long", most=MOST_BYTES)
    text = _text(content, filename)
    form = PurePath(filename).suffix.lower().removeprefix(".") if filename else _form_of(text)
    if form not in FORMATS:
        raise BadRecord("not-a-record", file=filename)
    if form == "json":
        parsed = record.parsed(text)
        return Brought(record.from_json(parsed, figures), record.seats_in(parsed))
    score = capitan.from_capitan(text, figures)
    headers = score.headers
    names = tuple(name.strip() for name in headers.get(NAMES, "").split(","))
    return Brought(score.game, split(headers.get(PLAYERS, "")), names, headers.get(TITLE, ""))


def _form_of(text: str) -> str:
    """The form of a record without a file name, as somebody has pasted it."""
    return "json" if text.lstrip().startswith("{") else "capitan"


def _text(content: str | bytes, filename: str) -> str:
    """What stands in a file."""
    if isinstance(content, str):
        return content
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord("unreadable", file=filename, problem="UTF-8") from None


def export(table: Table, form: str) -> str:
    """The record of a table, as the content of a file: "capitan" or "json"."""
    players = [HUMAN if seat.person else seat.player for seat in table.plan.seats]
    if form == "json":
        return json.dumps(record.to_json(table.game, seats=players, shuffles=table.promises), ensure_ascii=False) + "\n"
    if form != "capitan":
        raise BadRecord("not-a-record", file=form)
    headers = {
        TITLE: table.plan.title,
        "Date": table.created.astimezone().date().isoformat(),
        NAMES: ", ".join(table.names()) if any(table.names()) else "",
        PLAYERS: ", ".join(players),
    }
    told = {name: value for name, value in headers.items() if value}
    return capitan.to_capitan(table.game, told, table.promises)
