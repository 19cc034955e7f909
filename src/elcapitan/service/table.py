"""A table as all who can open it may see it: the game, who sits there, and what can be done next."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, overload

from elcapitan.errors import Frozen
from elcapitan.game.game import Game
from elcapitan.records.shuffles import Promise
from elcapitan.service.clock import Clocks, utc
from elcapitan.service.table_settings import Seat, TableSettings, from_json, setup_from_json
from elcapitan.store.game_store import ChatLine, GameRow

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class UndoVote:
    """A request to go back to an earlier moment, about which the persons concerned vote."""

    seat: int  # that asks
    at: int  # how many events had happened then
    agreed: frozenset[int]
    waiting: frozenset[int]  # those who have not answered; one no ends the vote
    until: datetime | None = None  # when it lapses


@dataclass(frozen=True, slots=True)
class TableEvent:
    """An entry of the log that is not part of the game, for the journal of the table."""

    number: int  # of its entry
    after: int  # how many events had happened
    at: datetime
    kind: str  # "wish", "answer", "lapse", "back" or "note"
    content: Mapping[str, Any]  # as it is stored in the log


class TableEvents(Sequence[TableEvent]):
    """An immutable sequence. Appending takes constant time, because a longer one shares its memory."""

    __slots__ = ("_known", "_length")

    def __init__(self, events: Iterable[TableEvent] = ()) -> None:
        self._known = list(events)  # shared with longer ones, which append to it
        self._length = len(self._known)

    def and_then(self, event: TableEvent) -> "TableEvents":
        """Return a sequence with one more at its end."""
        if len(self._known) > self._length:  # another was appended already
            return TableEvents([*self, event])
        longer = TableEvents.__new__(TableEvents)
        longer._known, longer._length = self._known, self._length + 1
        self._known.append(event)
        return longer

    def __len__(self) -> int:
        """Return how many there are."""
        return self._length

    @overload
    def __getitem__(self, at: int) -> TableEvent: ...
    @overload
    def __getitem__(self, at: slice) -> list[TableEvent]: ...
    def __getitem__(self, at: int | slice) -> TableEvent | list[TableEvent]:
        """Return one, or a list of some."""
        if isinstance(at, slice):
            return [self._known[each] for each in range(*at.indices(self._length))]
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._known[at % self._length]

    def __eq__(self, other: object) -> bool:
        """Whether both hold equal events."""
        return isinstance(other, TableEvents) and list(self) == list(other)

    def __hash__(self) -> int:
        """Return a hash that is the same for equal ones."""
        return hash(self._length)


@dataclass(frozen=True, eq=False)
class Table:
    """A table at one moment; it stays as it is when the game goes on.

    The game was told its cards one by one, as a spectator is: it knows neither the seed nor the face-down order.
    """

    id: str
    settings: TableSettings
    game: Game
    number: int  # entries in the log so far: the version of the table
    created: datetime
    changed: datetime
    turn_begins: int  # how many events had happened when the running turn began
    undoable: int  # actions that can be taken back
    redoable: int  # actions taken back that can be done again
    thinking: bool  # whether a computer player is to move
    moved_at: datetime | None = None  # when the game was changed last
    held_action: int | None = None  # what the deciding seat will do when it ends its turn; not to be shown to others
    turn: tuple[int, ...] = ()  # what was done in the running turn
    prepared: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # next turns; each for its seat's eyes only
    frozen: Frozen | None = None
    origin: tuple[str, int] | None = None  # the game this one branched off, and after how many events
    version: str = ""  # changes with anything that is shown
    present: frozenset[int] = frozenset()  # the seats whose persons are connected
    chat: tuple[ChatLine, ...] = ()  # the last lines
    undo_vote: UndoVote | None = None  # that is open
    clocks: Clocks | None = None
    table_events: Sequence[TableEvent] = ()  # entries of the log that are not part of the game
    read_at: datetime = field(default_factory=utc)  # when this view was made, by the clock of the process
    promises: tuple[Promise, ...] = ()  # the shuffles: hashes only, and the secrets once the game is over
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)  # a cache for those who show it

    def once(self, what: object, of: object, make: Callable[[], Made]) -> Made:
        """Return the cached result of `make`; call it again only if `of`, what it depends on, has changed.

        The cache belongs to the table in memory, so later views share it.
        """
        found: tuple[object, Made] | None = self.kept.get(what)
        if found is None or found[0] != of:
            found = self.kept[what] = of, make()
        return found[1]

    @property
    def commitment(self) -> str:
        """The hash of the order in which cards come now; games of the first editions have none."""
        return self.promises[-1].commitment if self.promises else ""

    @property
    def turn_begun(self) -> bool:
        """Whether something was done in the running turn, or is staged."""
        return bool(self.turn) or self.held_action is not None

    def colour_of(self, colour: int) -> int:
        """Return the colour of the palette for a colour of the game, neutral ones included."""
        return self.settings.palette()[colour]

    def names(self) -> list[str]:
        """Return the names of the merchants; an empty name stands for the colour."""
        return [seat.name for seat in self.settings.seats]

    def human(self, seat: int) -> bool:
        """Whether a person decides for a seat."""
        return self.settings.human(seat)

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.game.over or self.settings.ended

    @property
    def begun(self) -> bool:
        """Whether the cards were dealt. A log that cannot be read so far counts, because there is a reason to show."""
        return self.game.dealt or self.frozen is not None

    @property
    def waiting(self) -> bool:
        """Whether people gather in the waiting room: no card is dealt before the host starts the game."""
        return not self.begun and not self.settings.ended

    @property
    def deciding(self) -> int | None:
        """The seat that decides now; None before the game begins and when it is over."""
        return None if self.settings.ended else self.game.seat


@dataclass(frozen=True, slots=True)
class GameSummary:
    """What a list of games shows of one of them."""

    id: str
    settings: TableSettings
    number: int
    created: datetime
    changed: datetime
    over: bool
    phase: int
    round: int
    deciding: int | None
    money: tuple[int, ...]
    rules: str
    board: str
    origin: tuple[str, int] | None = None
    due: datetime | None = None  # when a clock runs out or an undo vote lapses
    waiting: bool = False  # whether people gather in the waiting room

    @classmethod
    def of(cls, row: GameRow) -> "GameSummary":
        """Read a summary from the row of a game."""
        settings, standing = from_json(row.plan, setup_from_json(row.setup)), row.standing
        due = standing.get("due")
        return cls(
            id=row.id,
            settings=settings,
            number=row.length,
            created=row.created,
            changed=row.changed,
            over=row.over,
            phase=standing["phase"],
            round=standing["round"],
            deciding=None if settings.ended else standing["seat"],
            money=tuple(standing["money"]),
            rules=row.rules,
            board=row.board,
            origin=origin_of(row),
            due=datetime.fromisoformat(due) if due else None,
            waiting=standing.get("waiting", False),
        )

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats and who plays them."""
        return self.settings.seats

    @property
    def waits_for_people(self) -> bool:
        """Whether a person is to decide."""
        return self.deciding is not None and self.settings.human(self.deciding)


def origin_of(row: GameRow) -> tuple[str, int] | None:
    """Return the game that a game branched off, and after how many events."""
    return None if row.origin is None or row.origin_event is None else (row.origin, row.origin_event)
