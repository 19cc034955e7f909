"""Reading words, numbers, cities and cards out of a text, from left to right.

A reader stands somewhere in a text. Each method takes what it is named after and moves on, or raises `BadText` with
the place, what was found there and the nearest thing that would do. White space between words does not matter, nor
do capitals.
"""

import functools
import re
from collections.abc import Collection
from typing import Final, NoReturn

from elcapitan.board.board_file import nearest
from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import CARDS, CITIES, CITY_NAMES, DESTINATIONS
from elcapitan.errors import BadText
from elcapitan.untrusted_input import whole_number

SHORT_NAMES: Final = {"Islas Canarias": "Canarias"}  # in text; JSON has the full names
MOST_SHOWN: Final = 60  # characters of a bad text in a sentence
LONGEST_PIECE: Final = 400  # characters matched at a time: a match holds up all threads, and the longest name has 30

_SPACE = re.compile(r"\s*")
_SPACES = re.compile(r"\s")
_LUMP = re.compile(r"[^\s,;:{}()>~+\[\]]+|\S?")  # something to show where something else was wanted
_WORD = re.compile(r"[^\W\d_]*")
_NUMBER = re.compile(r"[0-9]+")
_SEALS = re.compile(r"[^\W_]*")
_CARD = re.compile(r"(?:[^\W\d_]+(?:\s*[-/]\s*[^\W_]+)*)|\S?")


def short_city(city: int) -> str:
    """A city's name in text."""
    return SHORT_NAMES.get(CITY_NAMES[city], CITY_NAMES[city])


def _spellings() -> dict[str, int]:
    """Every way to write a city, in small letters."""
    full = {name.casefold(): city for city, name in enumerate(CITY_NAMES)}
    return full | {short.casefold(): CITY_NAMES.index(name) for name, short in SHORT_NAMES.items()}


_SPELLINGS: Final = _spellings()
_CITY = re.compile(
    "|".join(re.escape(name).replace(r"\ ", r"\s+") + r"(?!\w)" for name in _SPELLINGS), re.IGNORECASE | re.ASCII
)


class Reader:
    """A place in a text."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self.skip_space()

    def skip_space(self) -> None:
        """Move on to the next character that is no white space."""
        while (end := self._match(_SPACE, self.at).end()) == self.at + LONGEST_PIECE:
            self.at = end
        self.at = end

    def _match(self, pattern: re.Pattern[str], at: int) -> re.Match[str]:
        """Match a pattern that matches anything, in the next few characters."""
        match = pattern.match(self.text, at, at + LONGEST_PIECE)
        assert match is not None
        return match

    def fail(self, reason: str, at: int | None = None, **arguments: object) -> NoReturn:
        """Refuse what stands here, or at another place."""
        if at is not None:
            self.at = at
        line, start = self.text, 0
        if len(line) > MOST_SHOWN:  # of a long text only the surroundings are shown
            start = max(line.rfind("\n", 0, self.at) + 1, self.at - MOST_SHOWN // 2)
            line = line[start : start + MOST_SHOWN].split("\n")[0]
        raise BadText(_SPACES.sub(" ", line), self.at - start + 1, reason, **arguments)

    def lump(self, pattern: re.Pattern[str] = _LUMP) -> str:
        """What stands here, to be shown: a word, a symbol, or nothing at all."""
        return self._match(pattern, self.at).group()[:MOST_SHOWN]

    @property
    def done(self) -> bool:
        """Whether nothing more comes."""
        return self.at == len(self.text)

    def sees(self, symbol: str) -> bool:
        """Whether a symbol comes next."""
        return self.text.startswith(symbol, self.at)

    def skip(self, symbol: str) -> bool:
        """Take a symbol if it comes next."""
        if not self.sees(symbol):
            return False
        self.at += len(symbol)
        self.skip_space()
        return True

    def symbol(self, symbol: str) -> None:
        """Take a symbol, or fail if another one stands here."""
        if not self.skip(symbol):
            self.fail("symbol-wanted", wanted=symbol, found=self.lump())

    def finish(self) -> None:
        """The text ends here."""
        if not self.done:
            self.fail("too-much", found=self.lump())

    def peek_word(self) -> str:
        """The word that comes next, in small letters; nothing if it is no word."""
        return self._match(_WORD, self.at).group().casefold()

    def skip_word(self, word: str) -> bool:
        """Take a word if it comes next."""
        if self.peek_word() != word:
            return False
        self.at = self._match(_WORD, self.at).end()
        self.skip_space()
        return True

    def word(self, known: Collection[str]) -> str:
        """Take one of the known words."""
        word = self.peek_word()
        if not word:
            self.fail("word-wanted", found=self.lump(), known=", ".join(known))
        if word not in known:
            self.fail("unknown-word", found=self.lump(), nearest=nearest(word, known))
        self.skip_word(word)
        return word

    def number(self, least: int, most: int) -> int:
        """Take a number within bounds."""
        match = _NUMBER.match(self.text, self.at, self.at + LONGEST_PIECE)
        number = whole_number(match.group(), most) if match else None
        if match is None or number is None or number < least:
            self.fail("number-wanted", found=self.lump(), least=least, most=most)
        self.at = match.end()
        self.skip_space()
        return number

    def city(self) -> int:
        """Take the name of a city."""
        city = self._skip_city()
        if city is None:
            found = self.lump()
            self.fail("city-wanted", found=found, nearest=nearest(found.title(), map(short_city, range(CITIES))))
        return city

    def _skip_city(self) -> int | None:
        """Take the name of a city if one comes next."""
        match = _CITY.match(self.text, self.at, self.at + LONGEST_PIECE)
        if match is None:
            return None
        self.at = match.end()
        self.skip_space()
        return _SPELLINGS[" ".join(match.group().casefold().split())]

    def card(self, figures: Figures) -> int:
        """Take the name of a sailing card; the cities of a link in either order."""
        start, card = self.at, None
        city = self._skip_city()
        if city is not None and self.skip("-"):
            card = _links(figures).get(frozenset((city, self._skip_city())))
        elif city is not None and self.skip("/"):
            seals = self._match(_SEALS, self.at)
            name = f"{CITY_NAMES[city]}/{seals.group().casefold()}"
            card = figures.cards.index(name) if name in figures.cards else None
            self.at = seals.end()
            self.skip_space()
        if card is None:
            self.at = start
            found = self.lump(_CARD)
            self.fail("card-wanted", found=found, nearest=nearest(found.title(), figures.cards))
        return card


@functools.cache
def _links(figures: Figures) -> dict[frozenset[int | None], int]:
    """The cards that link two cities, by these."""
    cities = figures.board.card_city
    return {frozenset(cities[card].tolist()): card for card in range(DESTINATIONS, CARDS)}
