"""What all parts of a table's view share: the position without its secrets, names and colours, and the viewer.

Also how amounts are written.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from elcapitan.actions.union import Build, Reopen
from elcapitan.board.figures import Figures
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import two_colours
from elcapitan.errors import ElCapitanError
from elcapitan.game.game import Game, Moment
from elcapitan.position.facts import DecodedPosition
from elcapitan.service import Table, TableSettings
from elcapitan.text.catalogue import Translator
from elcapitan.text.consequences import Teller
from elcapitan.text.names import COLOUR_NAMES, PALETTE, card_in_words, number
from elcapitan.web.viewer import Viewer


class Gain(NamedTuple):
    """How an action would change what a payday now pays a merchant."""

    colour: int  # of the palette
    name: str
    words: str
    good: bool


@dataclass(frozen=True)
class Naming:
    """Names and colours of merchants and their pieces, in one language: the same for a whole game."""

    t: Translator
    figures: Figures
    names: tuple[str, ...]
    colours: tuple[int, ...]  # the place of every colour in the palette, neutral ones included

    @classmethod
    def of(cls, table: Table, t: Translator, figures: Figures) -> "Naming":
        """Read names and colours from a table."""
        names = tuple(merchant_names(table.settings, t))
        each = 2 if two_colours(len(names)) else 1
        return cls(t, figures, names, tuple(table.colour_of(colour) for colour in range(each * len(names))))

    @functools.cached_property
    def teller(self) -> Teller:
        """The teller of what happens, with these names."""
        return Teller(self.t, self.figures, self.names)

    def palette(self, colour: int) -> int:
        """Return the place of a colour in the palette."""
        return self.colours[colour]

    def owner(self, colour: int) -> str:
        """Return the name of a colour's owner."""
        return self.teller.owner(colour, len(self.names))


@dataclass(frozen=True)
class ViewContext:
    """A table at one moment as one viewer sees it; every part of the view is made from it."""

    table: Table
    game: Game  # at the moment that is shown
    position: DecodedPosition  # at that moment, without its secrets
    moments: tuple[Moment, ...]  # all events until then, with the positions before and after
    naming: Naming
    mine: frozenset[int]  # the seats of the viewer
    point_of_view: int  # the seat whose hand is shown open, also to viewers who only watch
    legal: frozenset[int]  # actions that the viewer may play now; none for those who only watch

    @classmethod
    def of(cls, table: Table, viewer: Viewer, game: Game, *, acting: bool) -> "ViewContext":
        """Make the context of a game, which may be an earlier moment of the one on the table."""
        mine = own_seats(table, viewer)

        def decoded() -> tuple[DecodedPosition, tuple[Moment, ...]]:
            return DecodedPosition(game.view_for(0), game.figures), tuple(game.history())

        # The game as it is now is decoded once for all viewers.
        position, moments = table.once("decoded", table.number, decoded) if game is table.game else decoded()
        return cls(
            table=table,
            game=game,
            position=position,
            moments=moments,
            naming=table.once(
                ("naming", viewer.language), table.settings, lambda: Naming.of(table, viewer.t, game.figures)
            ),
            mine=mine,
            point_of_view=_point_of_view(table, game, mine),
            legal=frozenset(game.legal()) if acting else frozenset(),
        )

    @property
    def live(self) -> bool:
        """Whether this is the game as it is now, and not an earlier moment."""
        return self.game is self.table.game

    @property
    def state(self) -> State:
        """The position without its secrets, as a record."""
        return self.position.state

    @property
    def anchored(self) -> int:
        """The place where the ship of the deciding seat lies."""
        return int(self.state.ship_city[int(self.state.seat)])

    @property
    def held_action(self) -> int | None:
        """The action by which the viewer will end the turn; None if they have not chosen it."""
        return self.table.held_action if self.acting and self.live else None

    @property
    def acting(self) -> bool:
        """Whether the viewer is to move now."""
        return bool(self.legal)

    @property
    def players(self) -> int:
        """The number of players."""
        return self.game.players

    @property
    def t(self) -> Translator:
        """The translator of the viewer's language."""
        return self.naming.t

    @property
    def teller(self) -> Teller:
        """The teller of what happens, with the names of this table."""
        return self.naming.teller

    def palette(self, colour: int) -> int:
        """Return the place of a colour in the palette."""
        return self.naming.palette(colour)

    def owner(self, colour: int) -> str:
        """Return the name of a colour's owner."""
        return self.naming.owner(colour)

    def name_and_colour(self, seat: int) -> tuple[str, int]:
        """Return the name of a seat's merchant, and the place of their colour in the palette."""
        return self.teller.merchant(seat), self.palette(seat)

    def gains(self, changes: Sequence[int]) -> tuple[Gain, ...]:
        """Return the changes on a payday, for seats whose forecast the viewer may see."""
        return tuple(
            Gain(self.palette(seat), self.teller.merchant(seat), change(amount), amount > 0)
            for seat, amount in enumerate(changes)
            if amount and self.forecast_of(seat)
        )

    def is_me(self, seat: int | None) -> bool:
        """Whether the table is shown from this seat's point of view, and the seat is the viewer's own."""
        return seat == self.point_of_view and seat in self.mine

    def forecast_of(self, seat: int) -> bool:
        """Whether the viewer may see what a payday now would pay a seat."""
        wanted = self.table.settings.forecast
        return wanted == "all" or (wanted == "own" and self.is_me(seat))


def merchant_names(settings: TableSettings, t: Translator) -> list[str]:
    """Return the names of the merchants; one without a name goes by the colour."""
    return [seat.name or t.template(COLOUR_NAMES[PALETTE[seat.colour]]) for seat in settings.seats]


def own_seats(table: Table, viewer: Viewer) -> frozenset[int]:
    """Return the viewer's seats: those of all persons where no key is needed."""
    return table.settings.persons if viewer.rights is None else viewer.rights.seats


def _point_of_view(table: Table, game: Game, mine: frozenset[int]) -> int:
    """Return the seat whose hand is shown open: of the viewer's seats the one to move, else the first.

    A viewer who only watches sees the hand of the seat to move.
    """
    if game.seat is not None and (not mine or (game.seat in mine and table.human(game.seat))):
        return game.seat
    return min(mine, default=0)


# ---------------------------------------------------------------------------------------------- amounts and short words


FLORINS: Final = "ƒ"
SEAL: Final = "\N{BLACK CIRCLE}"


def florins(amount: int) -> str:
    """Write an amount of money."""
    return f"{number(amount)}\N{NO-BREAK SPACE}{FLORINS}"


def price(cost: int) -> str:
    """Write what an action costs; with a plus sign if it brings money."""
    return florins(cost) if cost >= 0 else f"+{florins(-cost)}"


def warehouse_words(t: Translator, action: Build | Reopen) -> str:
    """Describe a warehouse that could be placed; sites are shown from 1."""
    site = action.site + 1
    if isinstance(action, Reopen):
        if action.neutral:
            return t.text("Re-open neutral, site {site}", site=site)
        return t.text("Re-open, site {site}", site=site)
    if action.neutral:
        return t.text("Neutral warehouse, site {site}", site=site)
    return t.text("Warehouse, site {site}", site=site)


def change(amount: int) -> str:
    """Write a gain or a loss with its sign."""
    return f"+{amount}" if amount > 0 else number(amount)


def sentence_and_rule(error: ElCapitanError, t: Translator) -> tuple[str, str]:
    """Return an error's message without the id of its rule, and that id, empty if there is none."""
    rule: str = getattr(error, "rule", "")

    def tell(template: str, /, **arguments: object) -> str:
        if isinstance(card := arguments.get("card"), str):
            arguments["card"] = card_in_words(card, t)
        return t.text(template, **arguments)

    return error.sentence(tell).removesuffix(f" [{rule}]"), rule
