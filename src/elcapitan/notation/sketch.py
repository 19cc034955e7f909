"""What a drawing says, word for word: lines of text become a `Sketch`, in which everything left out is still open.

Here only the writing is looked at. Whether such a position can be, and what follows for the parts that were left out,
is decided in `from_sketch`.

Each colour has one letter. The seats are Red, Yellow, Green, Blue and Purple, in clockwise order. With two players Red
and Yellow play, each with a neutral colour besides [TWO-02], which is written as the small letter of its owner.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NoReturn

from elcapitan.actions.text import Reader, short_city
from elcapitan.board.board_file import nearest, short
from elcapitan.board.figures import MOST_MONEY, Figures
from elcapitan.engine import vocabulary
from elcapitan.engine.vocabulary import NOBODY, two_colours
from elcapitan.errors import BadDrawing, BadText
from elcapitan.untrusted_input import whole_number

HEADLINE: Final = "4 players, phase 2, round 3, Y to move"
STAGES: Final = {
    "to move": vocabulary.START,
    "bought": vocabulary.BOUGHT,
    "under way": vocabulary.UNDER_WAY,
    "done": vocabulary.DONE,
    "settling": vocabulary.SETTLING,
    "naming": vocabulary.NAMING,
}
FREE_MOVES: Final = {"due": vocabulary.DUE, "made": vocabulary.MADE}
CARD_LISTS: Final = ("Display", "Discards", "Deck")
HARBOURS: Final = ("Bank", "Away")  # where ships are besides the cities
BONUS: Final = ("1st", "2nd", "3rd")
EMPTY: Final = ".:"  # a free site; the second where a house would shut the front
MOST_ROUNDS: Final = 9999
MOST_PIECES: Final = 99

SEAT_LETTERS: Final = "RYGBP"

Counts = tuple[int, int]  # of a main colour and of its neutral one


def seat_letters(players: int) -> str:
    """The letters of the seats, by seat."""
    return SEAT_LETTERS[:players]


def colour_letters(players: int) -> str:
    """The letters of all colours in play, by the number of the colour."""
    seats = seat_letters(players)
    return seats + seats.lower() if two_colours(players) else seats


@dataclass(frozen=True)
class DrawingLine:
    """One line of a drawing, without its comment."""

    number: int
    text: str

    def refuse(self, reason: str, **arguments: object) -> NoReturn:
        """Refuse the drawing because of this line."""
        raise BadDrawing(self.text, self.number, reason, **arguments)

    def refuse_words(self, found: str, example: str) -> NoReturn:
        """Refuse words that mean nothing where they stand."""
        self.refuse("strange-words", found=short(found), example=example)

    def check_room(self, found: int, most: int) -> None:
        """Refuse more things than there is room for."""
        if found > most:
            self.refuse("no-room", found=found, most=most)

    def whole(self, digits: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        number = whole_number(digits, most)
        if number is None or number < least:
            self.refuse("drawn-number", found=short(digits), least=least, most=most)
        return number

    def colour(self, letter: str, letters: str) -> int:
        """The number of a colour or a seat, from its letter."""
        if len(letter) != 1 or letter not in letters:
            self.refuse("drawn-colour", found=short(letter), letters=" ".join(letters))
        return letters.index(letter)


@dataclass
class DrawnMerchant:
    """What is said about one seat."""

    line: DrawingLine
    florins: int | None = None
    houses: Counts | None = None
    fortresses: int | None = None
    lost: Counts | None = None
    bonus: int | None = None  # 1 for the first card
    owes: Counter[tuple[int, int]] = field(default_factory=Counter)  # loan cards by amount and side
    hand: list[tuple[DrawingLine, int]] = field(default_factory=list)


@dataclass
class DrawnCity:
    """What is said about one city."""

    line: DrawingLine
    harbour: list[int] | None = None
    sites: list[int] = field(default_factory=list)
    closed: list[int] | None = None
    fortresses: list[int] | None = None
    transit: list[int] = field(default_factory=list)  # ships passing through


@dataclass
class Sketch:
    """Everything that is said, with the defaults of the headline: the first turn of an ordinary round."""

    line: DrawingLine  # the headline
    players: int
    phase: int = 1
    round_no: int = 2
    starter: int = 0
    seat: int | None = None
    stage: int = vocabulary.START
    passes: int = 0
    free_move: int = vocabulary.NOT_DUE
    pirate_used: int = 0
    pirate_at: int = NOBODY
    options: int = vocabulary.DEFAULT_OPTIONS
    merchants: dict[int, DrawnMerchant] = field(default_factory=dict)
    cities: dict[int, DrawnCity] = field(default_factory=dict)
    harbours: dict[str, list[tuple[DrawingLine, int]]] = field(default_factory=lambda: {name: [] for name in HARBOURS})
    cards: dict[str, list[tuple[DrawingLine, int]]] = field(default_factory=lambda: {name: [] for name in CARD_LISTS})

    @property
    def seats(self) -> str:
        """The letters of the seats."""
        return seat_letters(self.players)

    @property
    def colours(self) -> str:
        """The letters of the colours."""
        return colour_letters(self.players)


def sketch(text: str, figures: Figures) -> Sketch:
    """Read a drawing, or refuse it as `BadDrawing`."""
    lines = _lines(text)
    headline = next(lines, None)
    if headline is None:
        raise BadDrawing("", 0, "empty-drawing", example=HEADLINE)
    drawn = _read_headline(headline)
    for line in lines:
        _read_line(drawn, line, figures)
    return drawn


def _lines(text: str) -> Iterator[DrawingLine]:
    """The lines that say something, numbered as in the text."""
    for number, text_line in enumerate(text.splitlines(), start=1):
        said = " ".join(text_line.partition("#")[0].split())
        if said:
            yield DrawingLine(number, said)


# The headline.


def _read_headline(line: DrawingLine) -> Sketch:
    """How many players, whose turn in which round, and what of the turn is done."""
    first, *items = (item.strip() for item in line.text.split(","))
    found = re.fullmatch(r"([0-9]+) players", first)
    if not found:
        line.refuse("no-players", found=short(first), example=HEADLINE)
    drawn = Sketch(line, line.whole(found[1], 2, 5))
    said: set[str] = set()
    for item in items:
        for name, value in _headline_item(drawn, item).items():
            if name in said and name != "options":
                line.refuse("said-twice", found=short(item))
            said.add(name)
            setattr(drawn, name, value)
    return drawn


def _headline_item(drawn: Sketch, item: str) -> dict[str, int]:
    """The fields that an item of the headline sets."""
    for pattern, meaning in HEADLINE_ITEMS:
        found = pattern.fullmatch(item)
        if found:
            return meaning(drawn, found)
    return drawn.line.refuse_words(item, HEADLINE)


def _seat_and_stage(drawn: Sketch, found: re.Match[str]) -> dict[str, int]:
    """Who decides, and what has been done in this turn."""
    return {"seat": drawn.line.colour(found[1], drawn.seats), "stage": STAGES[found[2]]}


def _pirate_on_its_way(drawn: Sketch, found: re.Match[str]) -> dict[str, int]:
    """How far a voyage by cards has brought the pirate."""
    return {"pirate_at": _city_number(drawn.line, found[1]), "pirate_used": 1}


def _option(drawn: Sketch, found: re.Match[str]) -> dict[str, int]:
    """Read a table option of the headline."""
    bit = vocabulary.OPTION_NAMES[found[2]]
    return {"options": drawn.options | bit if found[1] == "with" else drawn.options & ~bit}


HEADLINE_ITEMS: Final[tuple[tuple[re.Pattern[str], Callable[[Sketch, re.Match[str]], dict[str, int]]], ...]] = (
    (re.compile("phase ([0-9]+)"), lambda d, m: {"phase": d.line.whole(m[1], 1, vocabulary.PHASES)}),
    (re.compile("round ([0-9]+)"), lambda d, m: {"round_no": d.line.whole(m[1], 0, MOST_ROUNDS)}),
    (re.compile(rf"(\S+) ({'|'.join(STAGES)})"), _seat_and_stage),
    (re.compile(r"after (\S+)"), lambda d, m: {"seat": d.line.colour(m[1], d.seats), "stage": vocabulary.REVEAL}),
    (re.compile("over"), lambda _d, _m: {"stage": vocabulary.OVER}),
    (re.compile(r"(\S+) first"), lambda d, m: {"starter": d.line.colour(m[1], d.seats)}),
    (re.compile("([0-9]+) pass(?:es)?"), lambda d, m: {"passes": d.line.whole(m[1], 0, d.players)}),
    (
        re.compile("free move (due|made)"),
        lambda _d, m: {"free_move": FREE_MOVES[m[1]]},
    ),
    (re.compile("pirate used"), lambda _d, _m: {"pirate_used": 1}),
    (re.compile("pirate at (.+)"), _pirate_on_its_way),
    (re.compile(f"(with|without) ({'|'.join(vocabulary.OPTION_NAMES)})"), _option),
)


# The other lines.


def _read_line(drawn: Sketch, line: DrawingLine, figures: Figures) -> None:
    """A merchant, a city, ships elsewhere, or cards: the first word tells."""
    first, _, rest = line.text.partition(" ")
    reader = Reader(line.text)
    if len(first) == 1:
        _read_merchant(drawn, line, line.colour(first, drawn.seats), rest, figures)
    elif cards := re.fullmatch(f"({'|'.join(CARD_LISTS)}) ?: ?(.*)", line.text):
        drawn.cards[cards[1]].extend((line, card) for card in _cards(line, cards[2], figures))
    elif ships := re.fullmatch(rf"({'|'.join(HARBOURS)})\b(.*)", line.text):
        drawn.harbours[ships[1]].extend((line, seat) for seat in _ships_elsewhere(drawn, line, ships[2].strip()))
    elif (city := _taken(reader.city)) is not None:
        _read_city(drawn, line, city, line.text[reader.at :])
    else:
        words = [*map(short_city, range(vocabulary.CITIES)), *HARBOURS, *(f"{word}:" for word in CARD_LISTS)]
        line.refuse("no-such-line", found=short(first), nearest=nearest(first, words), letters=" ".join(drawn.seats))


def _taken(take: Callable[[], int]) -> int | None:
    """What a reader takes, or None where it refuses."""
    try:
        return take()
    except BadText:
        return None


def _city_number(line: DrawingLine, name: str) -> int:
    """The number of a city, from its name."""
    reader = Reader(name)
    city = _taken(reader.city)
    if city is None or not reader.done:
        line.refuse("drawn-city", found=short(name), nearest=nearest(name, map(short_city, range(vocabulary.CITIES))))
    return city


def _read_merchant(drawn: Sketch, line: DrawingLine, seat: int, rest: str, figures: Figures) -> None:
    """What a merchant has; a second line for the same merchant adds to the first."""
    merchant = drawn.merchants.setdefault(seat, DrawnMerchant(line))
    for clause in rest.split(";"):
        word, _, tail = clause.strip().partition(" ")
        if word == "owes":
            _read_loans(merchant, line, tail, figures)
        elif word == "hand":
            merchant.hand.extend((line, card) for card in _cards(line, tail, figures))
        else:
            for quantity in clause.split(","):
                _read_quantity(drawn, merchant, line, quantity.strip())


def _read_quantity(drawn: Sketch, merchant: DrawnMerchant, line: DrawingLine, words: str) -> None:
    """Florins, pieces in stock, lost warehouses or a bonus card."""
    counted = re.fullmatch(r"(-?)([0-9]+)(?:\+([0-9]+))? (florins?|houses?|fortress(?:es)?|lost)", words)
    bonus = re.fullmatch(f"({'|'.join(BONUS)}) bonus", words)
    if bonus:
        _say(merchant, line, "bonus", BONUS.index(bonus[1]) + 1, words)
        return
    if not counted:
        line.refuse_words(words, f"{drawn.seats[0]} 9 florins, 4 houses, 1 fortress; owes 10; hand Marseille/3")
    minus, digits, neutral, what = counted.groups()
    pair = what == "lost" or what.startswith("house")
    if (neutral is not None and not (pair and two_colours(drawn.players))) or (minus and not what.startswith("florin")):
        line.refuse_words(words, "4 houses")
    if what.startswith("florin"):
        _say(merchant, line, "florins", line.whole(digits, 0, MOST_MONEY) * (-1 if minus else 1), words)
    elif pair:
        counts = (line.whole(digits, 0, MOST_PIECES), line.whole(neutral or "0", 0, MOST_PIECES))
        _say(merchant, line, "lost" if what == "lost" else "houses", counts, words)
    else:
        _say(merchant, line, "fortresses", line.whole(digits, 0, MOST_PIECES), words)


def _say(part: DrawnMerchant | DrawnCity, line: DrawingLine, name: str, value: object, words: str) -> None:
    """Note down one thing, which must not have been said before."""
    if getattr(part, name) is not None:
        line.refuse("said-twice", found=short(words))
    setattr(part, name, value)


def _read_loans(merchant: DrawnMerchant, line: DrawingLine, words: str, figures: Figures) -> None:
    """Loan cards: amounts, flipped ones with an exclamation mark, several alike with their number before."""
    amounts = [str(amount) for amount in figures.board.loan_amount]
    for word in words.split() or [""]:
        found = re.fullmatch(r"(?:([0-9]+)x)?([0-9]+)(!?)", word)
        if not found or found[2] not in amounts:
            line.refuse_words(word, f"owes {amounts[0]} 2x{amounts[vocabulary.LOANS - 1]}!")
        side = vocabulary.FLIPPED if found[3] else vocabulary.FACE_UP
        merchant.owes[amounts.index(found[2]), side] += line.whole(found[1] or "1", 1, MOST_PIECES)


def _cards(line: DrawingLine, words: str, figures: Figures) -> list[int]:
    """Sailing cards by name, with commas between them."""
    return [_card(line, name.strip(), figures) for name in words.split(",")] if words else []


def _card(line: DrawingLine, name: str, figures: Figures) -> int:
    """The number of a sailing card, from its name."""
    reader = Reader(name)
    card = _taken(lambda: reader.card(figures))
    if card is None or not reader.done:
        line.refuse("drawn-card", found=short(name), nearest=nearest(name, figures.cards))
    return card


def _ships_elsewhere(drawn: Sketch, line: DrawingLine, words: str) -> list[int]:
    """The ships at the bank or off the board."""
    found = re.fullmatch(r"\[([^\]]*)\]", words)
    if not found:
        line.refuse_words(words, f"{HARBOURS[0]} [{drawn.seats[0]}]")
    return [line.colour(letter, drawn.seats) for letter in "".join(found[1].split())]


# Cities.

CITY_PART: Final = re.compile(
    r"\[(?P<harbour>[^\]]*)\]|shut\((?P<shut>[^)]*)\)|forts\((?P<forts>[^)]*)\)|<\s*(?P<transit>\S)|(?P<site>[A-Za-z.:])|\s"
)


def _read_city(drawn: Sketch, line: DrawingLine, number: int, words: str) -> None:
    """What stands in a city: its parts may come in any order, and all may be left out."""
    if number in drawn.cities:
        line.refuse("said-twice", found=short(line.text))
    city = drawn.cities[number] = DrawnCity(line)
    at = 0
    while at < len(words):
        found = CITY_PART.match(words, at)
        if not found:
            line.refuse_words(words[at:], "Marseille [Y .] R G G . . forts(G .) shut(R)")
        _read_city_part(drawn, city, found)
        at = found.end()
    line.check_room(len(city.sites), vocabulary.SITES)


def _read_city_part(drawn: Sketch, city: DrawnCity, found: re.Match[str]) -> None:
    """Harbour, picture, fortress sites, a ship passing through, or a single site."""
    line, part = city.line, found.lastgroup
    inside = "".join(found[part].split()) if part else ""
    if part == "harbour":
        ships = [_occupant(drawn, line, letter) for letter in inside]
        line.check_room(len(ships), vocabulary.SPACES)
        _say(city, line, "harbour", ships, found[0])
    elif part == "shut":
        _say(city, line, "closed", [line.colour(letter, drawn.colours) for letter in inside], found[0])
    elif part == "forts":
        seats = [NOBODY if letter in EMPTY else line.colour(letter, drawn.seats) for letter in inside]
        line.check_room(len(seats), vocabulary.FORTRESS_SITES)
        _say(city, line, "fortresses", seats, found[0])
    elif part == "transit":
        city.transit.append(line.colour(inside, drawn.seats))
    elif part == "site":
        city.sites.append(NOBODY if inside in EMPTY else line.colour(inside, drawn.colours))


def _occupant(drawn: Sketch, line: DrawingLine, letter: str) -> int:
    """Who lies in a harbour space."""
    if letter in EMPTY:
        return NOBODY
    return vocabulary.PIRATE if letter == "*" else line.colour(letter, drawn.seats)
