"""Actions as text: written from their numbers, and read back word by word.

The number is what the engine takes (see `engine.actions`), the typed form is what JSON records hold, the text is what
people write. Only a voyage of the pirate by cards is several numbers in a row, one for each card and one for the
landing; it is one typed form and one text. The text form, in EBNF:

    action   = "buy" card | "sail" leg
             | ( "build" | "reopen" ) site [ "neutral" ] | "fortress"
             | ( "loan" | "repay" | "extend" ) amount
             | "end" | "pass" | "starter" [ "seat" ] seat
             | "pirate" ( "free" | "money" ) city berth
             | "pirate" "cards" leg { "," leg } ":" berth
             | "pirate" "by" leg | "pirate" "land" berth ;   (* the pieces of a voyage by cards, one by one *)
    leg      = destination            (* used as destination card *)
             | destination "~" city   (* used as sea-route card *)
             | link ">" city ;        (* used from its other city *)
    card     = destination | link ;
    destination = city "/" seals ;
    link     = city "-" city ;
    berth    = space [ ">" space ] ;  (* the pirate's space; where the ship there is shifted to *)

Sites count from 1 to 12, harbour spaces from 1 to 3 and seats, in text only, from 1 to 5.

A `Reader` stands somewhere in a text. Each method takes what it is named after and moves on, or raises `BadText` with
the place, what was found there and the nearest thing that would do. White space between words does not matter, nor
do capitals.
"""

import functools
import re
from collections.abc import Collection, Sequence
from typing import Final, NoReturn, assert_never

from elcapitan.actions import union as act
from elcapitan.actions.typed import KEYS, PIRATE_BY, find_leg
from elcapitan.board.board_file import nearest
from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import CARDS, CITIES, CITY_NAMES, DESTINATIONS, MOST_FLORINS, SEATS, SITES, SPACES
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


def to_text(number: int, figures: Figures) -> str:  # noqa: PLR0912 - one branch for each family
    """The text of any action number, pieces of a voyage included."""
    amounts = figures.board.loan_amount
    match action := act.decode(number, figures):
        case act.Buy(card):
            return f"buy {figures.cards[card]}"
        case act.Sail(leg):
            return f"sail {_leg_to_text(leg, figures)}"
        case act.Build(site, neutral):
            return f"build {site + 1}" + (" neutral" if neutral else "")
        case act.Reopen(site, neutral):
            return f"reopen {site + 1}" + (" neutral" if neutral else "")
        case act.BuildFortress():
            return "fortress"
        case act.TakeLoan(kind):
            return f"loan {amounts[kind]}"
        case act.End():
            return "end"
        case act.Pass():
            return "pass"
        case act.Repay(kind):
            return f"repay {amounts[kind]}"
        case act.Extend(kind):
            return f"extend {amounts[kind]}"
        case act.NameStarter(seat):
            return f"starter seat {seat + 1}"
        case act.MovePirateFree(city, berth):
            return f"pirate free {short_city(city)} {_berth_to_text(berth)}"
        case act.MovePirateForMoney(city, berth):
            return f"pirate money {short_city(city)} {_berth_to_text(berth)}"
        case act.SailPirate(leg):
            return f"pirate by {_leg_to_text(leg, figures)}"
        case act.LandPirate(berth):
            return f"pirate land {_berth_to_text(berth)}"
        case _:
            assert_never(action)


def voyage_to_text(numbers: Sequence[int], figures: Figures) -> str:
    """The text of the numbers of one action: a whole voyage of the pirate by cards, or a single number."""
    if len(numbers) == 1:
        return to_text(numbers[0], figures)
    legs, berth = act.decode_voyage(numbers, figures)
    return f"pirate cards {', '.join(_leg_to_text(leg, figures) for leg in legs)}: {_berth_to_text(berth)}"


def _leg_to_text(leg: act.Leg, figures: Figures) -> str:
    """A card and, unless it is used as destination card, where it leads."""
    match use := leg.use:
        case "destination":
            return figures.cards[leg.card]
        case "route":
            return f"{figures.cards[leg.card]} ~ {short_city(leg.city)}"
        case "link":
            return f"{figures.cards[leg.card]} > {short_city(leg.city)}"
        case _:
            assert_never(use)


def _berth_to_text(berth: act.Berth) -> str:
    """The pirate's space and, after >, the space the ship there is shifted to."""
    return f"{berth.space + 1}" if berth.shift is None else f"{berth.space + 1}>{berth.shift + 1}"


def from_text(text: str, figures: Figures) -> list[int]:
    """The numbers of an action in text: several for a voyage of the pirate by cards, one for any other."""
    reader = Reader(text)
    numbers = read_action(reader, figures)
    reader.finish()
    return numbers


def read_action(reader: Reader, figures: Figures) -> list[int]:
    """Take the numbers of an action from a text that may go on."""
    return [act.encode(action, figures) for action in _read(reader, figures)]


def _read(reader: Reader, figures: Figures) -> Sequence[act.Action]:
    """Take an action from a text: the pieces of a voyage of the pirate by cards, or a single action."""
    match reader.word(tuple(KEYS)):
        case "buy":
            return [act.Buy(reader.card(figures))]
        case "sail":
            return [act.Sail(_read_leg(reader, figures))]
        case "build":
            return [act.Build(*_read_house(reader))]
        case "reopen":
            return [act.Reopen(*_read_house(reader))]
        case "fortress":
            return [act.BuildFortress()]
        case "loan":
            return [act.TakeLoan(_read_loan(reader, figures))]
        case "end":
            return [act.End()]
        case "pass":
            return [act.Pass()]
        case "repay":
            return [act.Repay(_read_loan(reader, figures))]
        case "extend":
            return [act.Extend(_read_loan(reader, figures))]
        case "starter":
            reader.skip_word("seat")
            return [act.NameStarter(reader.number(1, SEATS) - 1)]
        case _:
            return _read_pirate(reader, figures)


def _read_house(reader: Reader) -> tuple[int, bool]:
    """The site of a warehouse, and whether it is neutral."""
    return reader.number(1, SITES) - 1, reader.skip_word("neutral")


def _read_loan(reader: Reader, figures: Figures) -> int:
    """The kind of loan that has the amount written here."""
    amounts: list[int] = figures.board.loan_amount.tolist()
    at, found = reader.at, reader.lump()
    amount = reader.number(0, MOST_FLORINS)
    if amount not in amounts:
        reader.fail("amount-wanted", at, found=found, known=", ".join(map(str, amounts)))
    return amounts.index(amount)


def _read_leg(reader: Reader, figures: Figures) -> act.Leg:
    """A card with its use."""
    at = reader.at
    card = reader.card(figures)
    use: act.Use
    if card >= DESTINATIONS:
        reader.symbol(">")
        use, city = "link", reader.city()
    elif reader.skip("~"):
        use, city = "route", reader.city()
    else:
        use, city = "destination", int(figures.board.card_city[card, 0])
    leg = find_leg(card, use, city, figures)
    if leg is None:
        reader.fail("wrong-link", at, card=figures.cards[card], city=short_city(city))
    return leg


def _read_berth(reader: Reader) -> act.Berth:
    """The pirate's space and the space the ship there is shifted to."""
    space, shift = reader.number(1, SPACES), None
    if reader.skip(">"):
        at = reader.at
        shift = reader.number(1, SPACES)
        if shift == space:
            reader.fail("same-space", at)
    return act.Berth(space - 1, None if shift is None else shift - 1)


def _read_pirate(reader: Reader, figures: Figures) -> Sequence[act.Action]:
    """What follows the word pirate."""
    match by := reader.word((*PIRATE_BY, "cards", "by", "land")):
        case "land":
            return [act.LandPirate(_read_berth(reader))]
        case "by":
            return [act.SailPirate(_read_leg(reader, figures))]
        case "free" | "money":
            city, berth = reader.city(), _read_berth(reader)
            return [act.MovePirateFree(city, berth) if by == "free" else act.MovePirateForMoney(city, berth)]
    legs = [act.SailPirate(_read_leg(reader, figures))]
    while len(legs) < CARDS and reader.skip(","):
        legs.append(act.SailPirate(_read_leg(reader, figures)))
    reader.symbol(":")
    return [*legs, act.LandPirate(_read_berth(reader))]
