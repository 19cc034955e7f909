"""What processes are asked to do in tests."""

import os
import sys
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

from elcapitan.service import bot_worker


def ready(stops: Connection) -> None:
    """Begin without the rules."""
    threading.Thread(target=bot_worker.obey_stops, args=(stops,), daemon=True).start()


def load_for_ever(_stops: Connection) -> None:
    """Never get ready."""
    time.sleep(600)


def here(_question: object) -> int:
    """Which process this is."""
    return os.getpid()


def has_loaded(module: str) -> bool:
    """Whether a module is loaded in this process."""
    return module in sys.modules


def die(_question: object) -> int:
    """End without a word."""
    os._exit(3)


def fail(_question: object) -> int:
    """Make a mistake."""
    raise RuntimeError("a mistake")


def sleep(_question: object) -> int:
    """Never answer."""
    time.sleep(600)
    return 0


def think(begun: Path) -> int:
    """Tell that thinking has begun, and think until the time is over or nobody waits; which process this is."""
    begun.touch()
    while not bot_worker.out_of_time():
        time.sleep(0.005)
    return os.getpid()
