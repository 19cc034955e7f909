"""Locks on files, by which processes keep out of each other's way."""

import errno
import logging
import sys
from pathlib import Path
from typing import Final

TAKEN: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)  # another process has the lock

logger = logging.getLogger(__name__)


def try_lock(descriptor: int, file: Path) -> bool:
    """Lock an open file; return whether no other process has it. Where a file system has no locks, do without."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - only there

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - not on Windows

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in TAKEN:
            return False
        logger.warning("%s cannot be locked, so nothing keeps a second program from it: %s", file, error)
    return True
