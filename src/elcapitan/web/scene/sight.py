"""One look at a table: the position without its secrets, and how things are called and coloured for whoever looks."""

import functools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from elcapitan import look
from elcapitan.engine.record import cached
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import NEUTRAL
from elcapitan.figures import Figures
from elcapitan.game import Game, Moment
from elcapitan.report import Income
from elcapitan.service import Table
from elcapitan.text.catalogue import Translator
from elcapitan.text.names import COLOUR_NAMES, PALETTE
from elcapitan.text.telling import Teller
from elcapitan.web.scene.words import change
from elcapitan.web.viewer import Viewer


class Gain(NamedTuple):
    """What an action would change for a merchant on a payday now."""

    colour: int  # of the palette
    name: str
    words: str
    good: bool


@dataclass(frozen=True)
class Naming:
    """How merchants and their pieces are called and coloured, in whose language: the same for a whole game."""

    t: Translator
    figures: Figures
    names: tuple[str, ...]
    colours: tuple[int, ...]  # the place of every colour in the palette, neutral ones included

    @classmethod
    def of(cls, table: Table, t: Translator, figures: Figures) -> "Naming":
        """What a table agreed on."""
        names = tuple(called(table, t))
        each = 2 if len(names) == NEUTRAL else 1
        return cls(t, figures, names, tuple(table.colour_of(colour) for colour in range(each * len(names))))

    @functools.cached_property
    def teller(self) -> Teller:
        """Who tells what happens."""
        return Teller(self.t, self.figures, self.names)

    def palette(self, colour: int) -> int:
        """The place of a colour in the palette."""
        return self.colours[colour]

    def owner(self, colour: int) -> str:
        """Whose piece this is."""
        return self.teller.owner(colour, len(self.names))


class Facts:
    """What is seen of a game at one moment, whoever looks: the position without its secrets, and how it came about."""

    def __init__(self, game: Game) -> None:
        self.state = cached(game.view_for(0))
        self.seat = game.seat  # who decides
        self.anchored = None if self.seat is None else int(self.state.ship_city[self.seat])  # where their ship is
        self.incomes: tuple[Income, ...] = game.forecast()
        self.moments: tuple[Moment, ...] = tuple(game.history())  # everything that has happened so far
        self.cities = look.cities(self.state, game.figures, self.incomes)
        self.merchants = look.merchants(self.state, game.figures)

    @classmethod
    def of(cls, table: Table, game: Game) -> "Facts":
        """Found out once for all who look at a table now."""
        return table.once("facts", table.number, lambda: cls(game)) if game is table.game else cls(game)


@dataclass(frozen=True)
class Sight:
    """Everything that the parts of a scene look at."""

    table: Table
    game: Game  # at the moment that is shown
    facts: Facts
    naming: Naming
    mine: frozenset[int]  # the seats of whoever looks
    eyes: int  # the seat through whose eyes the table is seen; nobody's own where one only watches
    legal: frozenset[int]  # what may be done here and now; nothing where one only looks on

    @classmethod
    def of(cls, table: Table, viewer: Viewer, game: Game, *, acting: bool) -> "Sight":
        """A look at a game, which may be an earlier moment of the one on the table."""
        mine = own_seats(table, viewer)
        return cls(
            table=table,
            game=game,
            facts=Facts.of(table, game),
            naming=table.once(
                ("naming", viewer.language), table.plan, lambda: Naming.of(table, viewer.t, game.figures)
            ),
            mine=mine,
            eyes=_eyes(table, game, mine),
            legal=frozenset(game.legal()) if acting else frozenset(),
        )

    def narrowed(self, only: Collection[int]) -> "Sight":
        """The same with fewer things to do."""
        return replace(self, legal=self.legal & frozenset(only))

    @property
    def live(self) -> bool:
        """Whether this is the game as it is now, and not an earlier moment."""
        return self.game is self.table.game

    @property
    def state(self) -> State:
        """The position without its secrets."""
        return self.facts.state

    @property
    def incomes(self) -> tuple[Income, ...]:
        """What a payday now would pay."""
        return self.facts.incomes

    @property
    def moments(self) -> tuple[Moment, ...]:
        """Everything that has happened so far."""
        return self.facts.moments

    @property
    def acting(self) -> bool:
        """Whether something is to be decided here and now."""
        return bool(self.legal)

    @property
    def players(self) -> int:
        """How many play."""
        return self.game.players

    @property
    def t(self) -> Translator:
        """All messages in the language of whoever looks."""
        return self.naming.t

    @property
    def teller(self) -> Teller:
        """Who tells what happens."""
        return self.naming.teller

    def palette(self, colour: int) -> int:
        """The place of a colour in the palette."""
        return self.naming.palette(colour)

    def owner(self, colour: int) -> str:
        """Whose piece this is."""
        return self.naming.owner(colour)

    def whose(self, colour: int) -> int:
        """The seat that a colour belongs to."""
        return colour - NEUTRAL if self.players == NEUTRAL and colour >= NEUTRAL else colour

    def gains(self, changes: Sequence[int]) -> tuple[Gain, ...]:
        """What changes on a payday, for those whose payday is foretold here."""
        return tuple(
            Gain(self.palette(seat), self.teller.merchant(seat), change(amount), amount > 0)
            for seat, amount in enumerate(changes)
            if amount and self.forecast_of(seat)
        )

    def is_me(self, seat: int | None) -> bool:
        """Whether the table is seen through the eyes of this seat, and they are one's own."""
        return seat == self.eyes and seat in self.mine

    def forecast_of(self, seat: int) -> bool:
        """Whether the table shows what a payday now would pay a seat."""
        wanted = self.table.plan.forecast
        return wanted == "all" or (wanted == "own" and self.is_me(seat))


def called(table: Table, t: Translator) -> list[str]:
    """What the merchants are called: who has no name goes by the colour."""
    return [name or t.template(COLOUR_NAMES[PALETTE[table.colour_of(seat)]]) for seat, name in enumerate(table.names())]


def own_seats(table: Table, viewer: Viewer) -> frozenset[int]:
    """The seats of whoever looks: those of all persons where nobody asks for keys."""
    return table.plan.persons if viewer.rights is None else viewer.rights.seats


def _eyes(table: Table, game: Game, mine: frozenset[int]) -> int:
    """Whose hand lies open in front: of one's own seats the one that decides, else the first.

    Whoever only watches sees the hand of the one who decides.
    """
    if game.seat is not None and (not mine or (game.seat in mine and table.human(game.seat))):
        return game.seat
    return min(mine, default=0)
