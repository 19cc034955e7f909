"""The files of an SQLite database: only their owner may read them, and one server at a time may use them."""

import contextlib
import errno
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from elcapitan.errors import BadDatabase

PRIVATE: Final = 0o600  # mode of a file: its owner may read and write it
PRIVATE_FOLDER: Final = 0o700
BESIDE: Final = ("", "-wal", "-shm", "-journal")  # what SQLite keeps beside a database, by the end of its name
COPIES: Final = "{stem}-*-????-??-??-??????*{suffix}"  # that we made of it
LOCK: Final = ".lock"  # end of the name of a file that a server locks
TAKEN: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)  # another process has the lock

logger = logging.getLogger(__name__)


def create_private(file: Path) -> None:
    """Create an empty file that only its owner may read, unless there is one."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))


def make_private(file: Path) -> None:
    """Let only the owner read a database, what SQLite keeps beside it, and the copies made of it.

    Files of other owners stay as they are.
    """
    copies = file.parent.glob(COPIES.format(stem=file.stem, suffix=file.suffix))
    for each in (*(file.with_name(f"{file.name}{end}") for end in BESIDE), *copies):
        with contextlib.suppress(OSError):
            if each.stat().st_mode & 0o777 & ~PRIVATE:
                each.chmod(PRIVATE)


@contextlib.contextmanager
def for_one_server(file: Path | None) -> Iterator[None]:
    """Lock a database file for a server; raise `BadDatabase` if another server has it.

    The operating system gives the lock back when the process ends, however it ends. Commands that look at games or
    copy them do not ask for it.
    """
    if file is None:
        yield
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        lock = os.open(file.with_name(f"{file.name}{LOCK}"), os.O_CREAT | os.O_RDWR, PRIVATE)
    except OSError as error:
        raise BadDatabase("bad-database", database=file, problem=error.strerror) from None
    try:
        _lock(lock, file)
        yield
    finally:
        os.close(lock)


def _lock(descriptor: int, file: Path) -> None:
    """Lock an open file; where a file system has no locks, do without."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - only there

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - not on Windows

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in TAKEN:
            raise BadDatabase("in-use", database=file) from None
        logger.warning("%s cannot be locked, so nothing keeps a second server from it: %s", file, error)
