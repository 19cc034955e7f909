"""Exceptions of this package: each has a reason code for programs and a sentence for people.

An error carries a code and arguments. The sentence is made from them when it is shown, so that it can be made in any
language: the English templates of `error_messages` are the keys of their translations.
"""

from collections.abc import Callable
from typing import Any

from elcapitan.error_messages import REASONS, REFUSALS

Tell = Callable[..., str]  # fills the arguments of an English template in, in some language


def in_english(template: str, /, **arguments: object) -> str:
    """Fill the arguments of a template in."""
    return template.format(**arguments)


class ElCapitanError(Exception):
    """Anything this package refuses: a code from REASONS and the arguments of its sentence."""

    def __init__(self, reason: str, **arguments: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.arguments = arguments

    def sentence(self, tell: Tell = in_english) -> str:
        """Return the message as one sentence; `tell` may be the method `text` of a translator."""
        return tell(self.template, **self.arguments)

    @property
    def template(self) -> str:
        """The English sentence with its arguments left open."""
        return REASONS[self.reason]

    def __str__(self) -> str:
        """Return the message in English."""
        return self.sentence()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the constructor, whose arguments differ from class to class."""
        return _copied, (type(self), self.args, self.__dict__)


def _copied(kind: type[ElCapitanError], arguments: tuple[Any, ...], attributes: dict[str, Any]) -> ElCapitanError:
    """Return an error with these attributes, which another process has pickled."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(attributes)
    return error


class BadBoard(ElCapitanError):
    """A board file that cannot be played with: the file, the dotted key in it ("" for the whole file) and why."""

    def __init__(self, file: str, key: str, reason: str, **arguments: object) -> None:
        super().__init__(reason, file=file, key=key, **arguments)
        self.file = file
        self.key = key


class BadText(ElCapitanError):
    """Text that is no action: the text, the place in it (characters count from 1) and what was wanted there."""

    def __init__(self, text: str, at: int, reason: str, **arguments: object) -> None:
        super().__init__(reason, text=text, at=at, **arguments)
        self.text = text
        self.at = at


class BadDrawing(BadText):
    """A drawing that shows no position: the text of the line, its number from 1 (0 for none) and why."""

    def __init__(self, text: str, line: int, reason: str, **arguments: object) -> None:
        super().__init__(text, 1, reason, **arguments)
        self.line = line

    def sentence(self, tell: Tell = in_english) -> str:
        """Return the message with the number of the line."""
        problem = super().sentence(tell)
        return tell(REASONS["in-line"], line=self.line, problem=problem) if self.line else problem


class BadAction(ElCapitanError):
    """A typed action with a key that is missing, unknown or has no meaning."""


class BadSetup(ElCapitanError):
    """A game that cannot be set up like this."""


class BadBot(ElCapitanError):
    """A computer player that does not exist, or not like this."""


class BadNetwork(ElCapitanError):
    """A file with a network that cannot be used."""


class BadAnswer(ElCapitanError):
    """An answer of an external program that does not fit the question, or no answer."""


class BotFault(ElCapitanError):
    """A program that cannot play on: its name, the problem, and the last lines of what it wrote to stderr."""

    def __init__(self, bot: str, problem: ElCapitanError, last_words: tuple[str, ...] = ()) -> None:
        super().__init__("in-bot", bot=bot)
        self.problem = problem
        self.last_words = last_words

    def sentence(self, tell: Tell = in_english) -> str:
        """Return the name of the program and its problem."""
        return tell(self.template, bot=self.arguments["bot"], problem=self.problem.sentence(tell))


class BadCluster(ElCapitanError):
    """A cluster that cannot be played on, or no longer."""


class CannotUndo(ElCapitanError):
    """There is nothing to undo, or a card has been revealed since."""


class NoSuchGame(ElCapitanError):
    """A game that is not kept here, or no longer."""

    def __init__(self, game: str) -> None:
        super().__init__("no-such-game", game=game)


class NoSuchKey(ElCapitanError):
    """A token or a phrase that opens nothing."""

    def __init__(self) -> None:
        super().__init__("no-such-key")


class Ended(ElCapitanError):
    """The host has ended a game: nothing can be played any more."""

    def __init__(self) -> None:
        super().__init__("game-ended")


class NoUndoVote(ElCapitanError):
    """An answer to an undo vote that is not open, or in which this seat has no vote."""


class BadLine(ElCapitanError):
    """A chat message that is refused."""


class StaleVersion(ElCapitanError):
    """A change that was decided on an older version of the table."""

    def __init__(self) -> None:
        super().__init__("stale-move")


class LogFull(ElCapitanError):
    """A change of a table whose log is so long that only moves are written to it."""

    def __init__(self) -> None:
        super().__init__("log-full")


class TooMuch(ElCapitanError):
    """More than one address may ask for, or than one table may be changed, and when to come back."""

    def __init__(self, reason: str, seconds: int) -> None:
        super().__init__(reason, seconds=seconds)
        self.seconds = seconds


class NotYourTurn(ElCapitanError):
    """A move by a seat that is not to move."""


class Frozen(ElCapitanError):
    """A game that can be looked at but not played on, and why."""

    def __init__(self, problem: ElCapitanError) -> None:
        super().__init__("frozen")
        self.problem = problem

    def sentence(self, tell: Tell = in_english) -> str:
        """Return the message with the reason why the game is frozen."""
        return tell(self.template, problem=self.problem.sentence(tell))


class NoRules(ElCapitanError):
    """The rules could not be compiled on this machine."""

    def __init__(self) -> None:
        super().__init__("no-rules")


class BadDatabase(ElCapitanError):
    """A database that cannot be used, or not now."""


class IllegalAction(ElCapitanError):
    """An action the rules forbid now, or a card that cannot appear now: the reason and the id of the rule."""

    def __init__(self, reason: str, rule: str, **arguments: object) -> None:
        super().__init__(reason, **arguments)
        self.rule = rule

    @property
    def template(self) -> str:
        """The English sentence with its arguments left open."""
        return REFUSALS.get(self.reason) or super().template

    def sentence(self, tell: Tell = in_english) -> str:
        """Return the message and, in brackets, the rule."""
        return _with_rule(super().sentence(tell), self.rule)


class BadRecord(ElCapitanError):
    """A game record that does not hold: the event (from 0) or the line (from 1) where, the reason, the rule if any."""

    def __init__(
        self, reason: str, *, event: int | None = None, line: int | None = None, rule: str = "", **arguments: object
    ) -> None:
        super().__init__(reason, **arguments)
        self.event = event
        self.line = line
        self.rule = rule
        self.refused = False  # whether it is an action that the rules refuse

    @classmethod
    def because(cls, error: ElCapitanError, *, event: int | None = None, line: int | None = None) -> "BadRecord":
        """The same problem, found at a place of a record."""
        record = cls(error.reason, event=event, line=line, rule=getattr(error, "rule", ""))
        record.arguments = error.arguments
        record.refused = isinstance(error, IllegalAction)
        return record

    @property
    def template(self) -> str:
        """The English sentence with its arguments left open."""
        return (self.refused and REFUSALS.get(self.reason)) or super().template

    def sentence(self, tell: Tell = in_english) -> str:
        """Return the message with its place in the record and, in brackets, the rule."""
        problem = _with_rule(super().sentence(tell), self.rule)
        if self.line is not None:
            return tell(REASONS["in-line"], line=self.line, problem=problem)
        if self.event is not None:
            return tell(REASONS["in-event"], event=self.event, problem=problem)
        return problem


def _with_rule(sentence: str, rule: str) -> str:
    """Append the id of a rule to a sentence, if there is one."""
    return f"{sentence} [{rule}]" if rule else sentence
