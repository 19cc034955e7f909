"""Write and read games as text for people: headers, the deal, a line for each turn, comments and variations.

    [Rules "1"]
    [Players "3"]
    [Board "mediterranean"]
    [First "1"]
    [Date "2024-05-01"]

    deal +Marseille/3 +Napoli/1 +Tunis/3 +Athina/2
         +Marseille-Napoli +Napoli-Tunis +Venezia-Tanger +Athina-Tunis +Marseille-Tunis +Napoli-Alexandria

    1.1 seat 1: buy Marseille/3; sail Marseille/3; build 2 {takes the second site}
      (1.1 seat 1: build 1)
      end +Venezia/2
    1.1 seat 2: buy Napoli/1; ...
    payday 1 seat 2: repay 10

The grammar in EBNF, with `action`, `card`, `city` and `seat` as in `actions.text`; white space does not matter, and
a semicolon counts as white space:

    game      = { header } { comment } [ deal line ] ;
    header    = "[" name '"' value '"' "]" ;      (* a backslash before " and before a backslash *)
    deal      = "deal" { "+" card } ;             (* four destination cards, six links *)
    line      = { marker | action | chance | comment | variation } ;
    marker    = ( phase "." round | "payday" phase ) "seat" seat ":" ;
    chance    = "+" card ;                        (* a card that was turned up *)
    comment   = "{" any text without } "}" ;
    variation = "(" line ")" ;                    (* another way to go on, instead of what stands before it *)

Rules, Players, Board and First must be there; Tiles, Options, Shuffles (see `records.shuffles`) and Result may be; all
other headers are free. A marker tells whose turn it is and is checked. Variations are checked like the game itself.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeAlias, Union

from elcapitan.actions.text import Reader, read_action, voyage_to_text
from elcapitan.actions.union import is_voyage_piece
from elcapitan.board.figures import Figures, packaged
from elcapitan.engine.vocabulary import CARDS, DESTINATIONS, NAMING, PHASES, SEATS, STAGE_NAMES
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.game.game import Act, Deal, Game, Reveal
from elcapitan.records import capitan_headers as headers
from elcapitan.records.shuffles import Promise

MOST_DEEP: Final = 20  # variations inside variations
MOST_VARIATIONS: Final = 1000  # variations in a game record: the game is copied for each
MOST_PIECES: Final = 50_000  # actions, cards, markers and comments in a record; a long game has 2,000
MOST_ROUNDS: Final = 99_999
AFTER_PAYDAY: Final = ("settling", STAGE_NAMES[NAMING])

_COMMENT = re.compile(r"\{([^}]*)\}")

Note: TypeAlias = Union[str, "Line"]


@dataclass
class Item:
    """Something that happens, and what stands behind it: comments, and variations that begin before it."""

    event: Act | Reveal
    notes: list[Note] = field(default_factory=list)


@dataclass
class Line:
    """A line of play, the main one or a variation, with the comments at its beginning."""

    comments: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


@dataclass
class Score:
    """A game with comments, variations and free headers."""

    game: Game  # the main line, played
    line: Line
    headers: dict[str, str] = field(default_factory=dict)
    shuffles: tuple[Promise, ...] = ()  # what is told about how its cards were shuffled

    @classmethod
    def of(cls, game: Game, headers: Mapping[str, str] | None = None, shuffles: Sequence[Promise] = ()) -> "Score":
        """Make a score without comments from a game."""
        items = [Item(event) for event in game.events if not isinstance(event, Deal)]
        return cls(game, Line(items=items), dict(headers or {}), tuple(shuffles))


# ----------------------------------------------------------------------------------------------------------- writing


def to_capitan(score: Score | Game, free: Mapping[str, str] | None = None, shuffles: Sequence[Promise] = ()) -> str:
    """The text of a game; a game without comments may be given `free` headers, and how it was shuffled."""
    if isinstance(score, Game):
        score = Score.of(score, free, shuffles)
    parts = [headers.write(score.game, score.headers, score.shuffles)]
    start = fresh(score.game)
    comments = [_comment(comment) for comment in score.line.comments]
    if comments:
        parts.append("\n".join(comments))
    if start.dealt:
        deal = start.events[0]
        assert isinstance(deal, Deal)
        parts.append(_deal(deal, start.figures))
    turns = _Writer(start).write(Line(items=score.line.items))
    if turns:
        parts.append("\n".join(turns))
    return "\n\n".join(parts) + "\n"


def fresh(game: Game) -> Game:
    """Return the same game right after its deal."""
    return Game.replay(game.setup, game.events[:1], game.figures)


def marker(game: Game) -> str:
    """Write whose turn it is; an empty text while a card is to be turned up."""
    if game.seat is None:
        return ""
    when = f"payday {game.phase}" if game.stage in AFTER_PAYDAY else f"{game.phase}.{game.round}"
    return f"{when} seat {game.seat + 1}"


def _deal(deal: Deal, figures: Figures) -> str:
    """Write the opening display on two lines."""
    rows = (" ".join(f"+{figures.cards[card]}" for card in cards) for cards in (deal.destination, deal.link))
    return "deal " + "\n     ".join(rows)


def _comment(text: str) -> str:
    """Write a comment in braces."""
    text = text.strip()
    if "}" in text:
        raise BadRecord("bad-header-value", value=text)
    return f"{{{text}}}"


class _Writer:
    """Writes a line of play; `game` stands at its beginning and is played on."""

    def __init__(self, game: Game, indent: str = "") -> None:
        self.game = game
        self.indent = indent
        self.lead = indent  # of the line of text being written
        self.lines: list[str] = []
        self.words: list[str] = []  # of the line of text being written
        self.turn = ""

    def write(self, line: Line) -> list[str]:
        """Write the whole game and return its lines."""
        self.words += map(_comment, line.comments)
        for item in line.items:
            self.begin(item.event)
            self.words.append(_word(item.event, self.game.figures))
            before = self.game.copy() if item.notes else self.game
            self.game.apply(item.event)
            for note in item.notes:
                if isinstance(note, str):
                    self.words.append(_comment(note))
                else:
                    self.variation(note, before.copy())
        self.flush(self.indent)
        return self.lines

    def begin(self, event: Act | Reveal) -> None:
        """Start a new line of text for every turn; within a turn, separate actions by semicolons."""
        if self.game.seat is not None and marker(self.game) != self.turn:
            self.turn = marker(self.game)
            self.flush(self.indent)
            self.words.append(self.turn + ":")
        elif isinstance(event, Act) and self.words and self.words[-1] != self.turn + ":":
            self.words[-1] += ";"

    def flush(self, lead: str) -> None:
        """End the line of text; the next one is indented by so much."""
        if self.words:
            self.lines.append(self.lead + " ".join(self.words))
        self.words = []
        self.lead = lead

    def variation(self, line: Line, game: Game) -> None:
        """Write a variation on lines of its own; what follows it is indented below its turn."""
        self.flush(self.indent + "  ")
        inner = _Writer(game, self.indent + "   ").write(line) or [self.indent + "   "]
        inner[0] = f"{self.indent}  ({inner[0][len(self.indent) + 3 :]}"
        inner[-1] += ")"
        self.lines += inner


def _word(event: Act | Reveal, figures: Figures) -> str:
    """Write an event: an action, or + and a card."""
    if isinstance(event, Reveal):
        return f"+{figures.cards[event.card]}"
    return voyage_to_text(event.numbers, figures)


# ----------------------------------------------------------------------------------------------------------- reading


def from_capitan(text: str, figures: Figures | None = None) -> Score:
    """Read a game, checking every action, card and marker of it and of its variations."""
    return _Parser(text, figures or packaged()).score()


class _Parser:
    """Reads one text; everything refused is refused with the line it stands on."""

    def __init__(self, text: str, figures: Figures) -> None:
        self.reader = Reader(text.removeprefix("\ufeff"))
        self.figures = figures
        self.at = 0  # where the thing begins that is being read
        self.pieces = 0  # read so far
        self.variations = 0

    def score(self) -> Score:
        """Parse the whole text."""
        try:
            known, free = headers.read(self.reader)
            game = headers.set_up(known, self.figures)
            comments = self.comments()
            self.deal(game)
            line = self.line(game, 0)
            self.at = self.reader.at
            if not self.reader.done:
                self.refuse("out-of-place", found=self.reader.lump())
            headers.check_result(known, game)
            promises = headers.promises(known, game)
        except BadRecord:
            raise
        except ElCapitanError as error:
            raise BadRecord.because(error, line=self.line_number(error)) from None
        return Score(game, Line(comments + line.comments, line.items), free, promises)

    def line_number(self, error: ElCapitanError) -> int:
        """Return the line to report: that of the bad word, or of the action that is not legal."""
        at = self.reader.at if "at" in error.arguments else self.at
        return self.reader.text.count("\n", 0, at) + 1

    def refuse(self, reason: str, **arguments: object) -> NoReturn:
        """Raise `BadRecord` for the line that is being read."""
        raise ElCapitanError(reason, **arguments)

    def comments(self) -> list[str]:
        """Parse all comments that come next."""
        found = []
        while self.reader.sees("{"):
            self.count_piece()
            found.append(self.comment())
        return found

    def count_piece(self) -> None:
        """Count the next piece of the text; refuse the record if there are too many."""
        self.at = self.reader.at
        self.pieces += 1
        if self.pieces > MOST_PIECES:
            self.refuse("too-many-pieces", most=MOST_PIECES)

    def comment(self) -> str:
        """Parse a comment in braces."""
        match = _COMMENT.match(self.reader.text, self.reader.at)
        if match is None:
            self.refuse("never-closed", found="{")
        self.reader.at = match.end()
        self.reader.skip_space()
        return match.group(1).strip()

    def deal(self, game: Game) -> None:
        """Parse the deal; without one the game has not begun."""
        self.at = self.reader.at
        if not self.reader.skip_word("deal"):
            return
        cards: list[int] = []
        while self.reader.skip("+") and len(cards) < CARDS:  # more are out of place
            cards.append(self.reader.card(self.figures))
        game.deal([card for card in cards if card < DESTINATIONS], [card for card in cards if card >= DESTINATIONS])

    def line(self, game: Game, depth: int) -> Line:
        """Parse a line of play up to its end, and play it in `game`."""
        line, reader = Line(), self.reader
        notes: list[Note] | list[str] = line.comments
        while not (reader.done or reader.sees(")")):
            self.count_piece()
            if reader.skip(";"):
                continue
            if reader.sees("{"):
                notes.append(self.comment())
            elif reader.sees("("):
                if not line.items:
                    self.refuse("out-of-place", found="(")
                line.items[-1].notes.append(self.variation(game, depth + 1))
            elif reader.text[reader.at].isdigit() or reader.peek_word() == "payday":
                self.marker(game)
            else:
                line.items.append(self.item(game))
                notes = line.items[-1].notes
        return line

    def variation(self, game: Game, depth: int) -> Line:
        """Parse a variation: another line of play instead of the last event."""
        if depth > MOST_DEEP:
            self.refuse("too-deep", most=MOST_DEEP)
        self.variations += 1
        if self.variations > MOST_VARIATIONS:
            self.refuse("too-many-variations", most=MOST_VARIATIONS)
        begin = self.at
        self.reader.symbol("(")
        other = game.copy()
        other.take_back()
        line = self.line(other, depth)
        self.at = begin
        if not self.reader.skip(")"):
            self.refuse("never-closed", found="(")
        return line

    def marker(self, game: Game) -> None:
        """Parse whose turn it is, and check that it is true."""
        reader = self.reader
        if reader.skip_word("payday"):
            when = f"payday {reader.number(1, PHASES)}"
        else:
            phase = reader.number(1, PHASES)
            reader.symbol(".")
            when = f"{phase}.{reader.number(1, MOST_ROUNDS)}"
        if not reader.skip_word("seat"):
            reader.fail("symbol-wanted", wanted="seat", found=reader.lump())
        found = f"{when} seat {reader.number(1, SEATS)}"
        reader.symbol(":")
        if found != marker(game):
            self.refuse("other-turn", found=found, wanted=marker(game) or "+")

    def item(self, game: Game) -> Item:
        """Parse a card that is turned up, or an action, and play it in `game`."""
        event: Act | Reveal
        if self.reader.skip("+"):
            event = Reveal(self.reader.card(self.figures))
        else:
            numbers = read_action(self.reader, self.figures)
            if len(numbers) == 1 and is_voyage_piece(numbers[0]):
                self.refuse("voyage-in-one", example="pirate cards Napoli/1, Napoli-Tunis > Tunis: 1")
            event = Act(-1 if game.seat is None else game.seat, tuple(numbers))
        game.apply(event)
        return Item(event)
