"""Game records in files: which form a file has is told by its name."""

import json
import os
from pathlib import Path

from elcapitan.cli.mistakes import BadFile, BadInput
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.notation import capitan, record

FORMS = (".json", ".capitan")


def read(path: Path, figures: Figures) -> Game:
    """The game of a record, every line of it checked."""
    form = form_of(path)
    content = _content(path)
    try:
        return record.from_json(content, figures) if form == ".json" else capitan.from_capitan(content, figures).game
    except ElCapitanError as error:
        raise BadFile(str(path), error) from None


def _content(path: Path) -> str:
    """What stands in a file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadRecord("no-file", file=path) from None
    except UnicodeDecodeError:
        raise BadRecord("unreadable", file=path, problem="UTF-8") from None
    except OSError as error:
        raise BadRecord("unreadable", file=path, problem=error.strerror or error) from None


def form_of(path: Path) -> str:
    """The form of a record by the name of its file."""
    if path.suffix not in FORMS:
        raise BadInput("not-a-record", file=path)
    return path.suffix


def as_text(game: Game, form: str, *, trace: bool = False) -> str:
    """A game as the content of a file."""
    if form == ".json":
        return json.dumps(record.to_json(game, trace=trace), ensure_ascii=False) + "\n"
    return capitan.to_capitan(game)


def write(path: Path, game: Game, *, trace: bool = False) -> None:
    """Write a record; the old content of the file is lost only when the new one is there."""
    write_text(path, as_text(game, form_of(path), trace=trace))


def write_text(path: Path, content: str) -> None:
    """Replace the content of a file as a whole."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(content, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BadInput("cannot-write", file=path, problem=error.strerror or error) from None
