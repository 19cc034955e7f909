"""What can go wrong, each with a reason that a program can test and a sentence that a person can read.

An error carries a code and arguments. The sentence is made from them only when somebody asks, so that it can be made
in any language: the templates below are the English ones, and their translations are found by these texts.
"""

from collections.abc import Callable
from typing import Final

REASONS: Final = {
    # Files.
    "no-file": "There is no file {file}.",
    "unreadable": "{file} cannot be read: {problem}.",
    "not-toml": "{file} is not a TOML file: {problem}.",
    # The shape of a board file.
    "missing": "In {file}, {key} is missing.",
    "unknown-key": "In {file}, {key} is not a known key; the nearest is {nearest}.",
    "unknown-city": "In {file}, {key} names {city}, which is no city that belongs there; the nearest is {nearest}.",
    "not-a-table": "In {file}, {key} must be a table.",
    "not-a-list": "In {file}, {key} must be a list.",
    "not-a-figure": "In {file}, {key} must be written as {{ is = ..., source = ... }}.",
    "not-text": "In {file}, {key} must be a text in quotation marks.",
    "not-a-number": "In {file}, {key} has {found} where a whole number is wanted.",
    "wrong-count": "In {file}, {key} must have {wanted} entries, not {found}.",
    "bad-name": "In {file}, {key} is {found}, but must be lower-case letters, digits and hyphens, {most} at most.",
    "unknown-source": "In {file}, {key} is {found}, but must be one of {known}.",
    # The numbers of a board file.
    "out-of-range": "In {file}, {key} has {found}, but only {least} to {most} is possible.",
    "falls": "In {file}, {key} falls from {before} to {after}, but its numbers must not fall.",
    "first-not-zero": "In {file}, {key} begins with {found}, but the first site of every city bears 0.",
    "too-early": "In {file}, {key} has a shut-down site on site {found}, but there can be none before site {least}.",
    "twice": "In {file}, {key} has {found} twice.",
    "dark-triangle": "In {file}, {key} puts the triangle on site {found}, which is dark already.",
    "wrong-place": "In {file}, {key} must be a row from 1 to 3 and a column from {first} to {last}.",
    "place-taken": "In {file}, {key} is already the place of {city}.",
    "not-a-pair": "In {file}, {key} must name two different cities, as in {example}.",
    "pair-twice": "In {file}, {key} is a second card for a pair of cities that has one already.",
    "too-much-money": "In {file}, the figures of {key} let up to {most} florins into play, but {limit} is the limit.",
}


class ElCapitanError(Exception):
    """Anything this package refuses: a code from REASONS and the arguments of its sentence."""

    def __init__(self, reason: str, **arguments: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.arguments = arguments

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """What went wrong, as one sentence; `translate` maps an English template to another language."""
        return translate(REASONS[self.reason]).format(**self.arguments)

    def __str__(self) -> str:
        """The sentence in English."""
        return self.sentence()


class BadBoard(ElCapitanError):
    """A board file that cannot be played with: the file, the dotted key in it ("" for the whole file) and why."""

    def __init__(self, file: str, key: str, reason: str, **arguments: object) -> None:
        super().__init__(reason, file=file, key=key, **arguments)
        self.args = (file, key, reason)  # so that it can be pickled: these go to the constructor again
        self.file = file
        self.key = key
