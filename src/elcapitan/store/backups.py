"""Copies of a database file, consistent even while games go on."""

import contextlib
import os
import sqlite3
from datetime import datetime
from pathlib import Path

from elcapitan.errors import BadDatabase
from elcapitan.store.database import problem_of
from elcapitan.store.files import create_private


def back_up(file: Path, target: Path) -> None:
    """Copy a database file atomically. Raises `BadDatabase` if the target exists. Only its owner may read the copy."""
    if target.exists():
        raise BadDatabase("file-there", file=target)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        create_private(draft)
        address = f"{file.absolute().as_uri()}?mode=ro"
        with (
            contextlib.closing(sqlite3.connect(address, uri=True)) as source,
            contextlib.closing(sqlite3.connect(draft)) as copy,
        ):
            source.backup(copy)
        draft.replace(target)
    except (sqlite3.Error, OSError) as error:
        raise BadDatabase("bad-database", database=target, problem=problem_of(error)) from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def free_name(file: Path, why: str) -> Path:
    """Return an unused name beside a file that says when and why it was copied."""
    now = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    name, number = f"{file.stem}-{why}-{now}", 1
    target = file.with_name(f"{name}{file.suffix}")
    while target.exists():
        number += 1
        target = file.with_name(f"{name}-{number}{file.suffix}")
    return target
