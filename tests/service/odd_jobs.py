"""What processes are asked to do in tests; it loads nothing, so that they start at once."""

import os
import sys
import time


def ready(_lifeline: object) -> None:
    """Begin without the rules."""


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
