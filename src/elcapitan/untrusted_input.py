"""Bounds on text from outside: the digits of a number, and the size and depth of JSON before it is parsed."""

import re
from typing import Final

MOST_DIGITS: Final = 20  # digits of any number; the largest that means anything is a seed below 2**64
MOST_DEPTH: Final = 32  # levels of nesting in a JSON document; a game record with a trace has seven
MOST_CONTAINERS: Final = 100_000  # objects and arrays in a JSON document; a long record with a trace has 12,000
MOST_COMMAS: Final = 300_000  # commas in a JSON document; such a record has about sixty thousand
OPENING: Final = "[{"
_NO_BRACKETS: Final = re.compile(r"[^\[\]{}]+")


def whole_number(text: str, most: int) -> int | None:
    """Read a whole number from 0 to `most`, written in ASCII digits; None for any other text.

    The length is bounded before the digits are converted: Python raises an error for more than 4,300 digits, and up to
    there the time grows with the square of the length.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        return None
    number = int(text)
    return number if number <= most else None


def too_complex(text: str) -> bool:
    """Whether JSON is nested too deep or has too many parts. For text that is no JSON, either answer may come.

    The time grows with the length of the text, and nothing but copies of it is kept.
    """
    if _count(text, OPENING) <= MOST_DEPTH and text.count(",") <= MOST_COMMAS:
        return False
    bare = _outside_strings(text)
    opened = _count(bare, OPENING)
    if opened > MOST_CONTAINERS or bare.count(",") > MOST_COMMAS:
        return True
    if opened < _count(bare, "]}"):
        return False  # more is closed than was opened: the parser refuses it
    return _depth(_NO_BRACKETS.sub("", bare)) > MOST_DEPTH


def _outside_strings(text: str) -> str:
    """Leave out everything between quotation marks."""
    return "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])


def _count(text: str, letters: str) -> int:
    """How often some letters occur."""
    return sum(map(text.count, letters))


def _depth(brackets: str) -> int:
    """How many brackets are open at the same time, at most."""
    deepest = depth = 0
    for bracket in brackets:
        depth += 1 if bracket in OPENING else -1
        deepest = max(deepest, depth)
    return deepest
