"""What the other players have done since the viewer's last move, and what that did to the viewer's payday.

Everything is read from the log of the game and from the positions in it, so every device of a seat shows the same until
the seat moves again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from elcapitan.actions import union as act
from elcapitan.board.figures import Figures
from elcapitan.engine.vocabulary import CITY_NAMES, NEUTRAL_OFFSET, two_colours
from elcapitan.game.game import Act, Moment
from elcapitan.position.preview import Preview, compared
from elcapitan.service import Table
from elcapitan.web.view.context import ViewContext, change, price


@dataclass(frozen=True)
class ShortAction:
    """One thing that a player has done, in a few words."""

    icon: str
    words: str


@dataclass(frozen=True)
class AwayLine:
    """What one player has done since the viewer's last move."""

    seat: int
    name: str
    colour: int  # of the palette
    actions: tuple[ShortAction, ...]
    price: str  # of all of it; nothing if no money was paid or taken
    gain: int | None  # for the viewer on a payday now; None where the table shows no forecast
    gain_words: str
    pieces: str  # the ids of what was moved or placed, as the board has them
    city: int | None  # where that was, the last time
    last: int  # how many events had happened afterwards


@dataclass(frozen=True)
class AwayView:
    """What has happened since the viewer's last move: a line for each player, in the order of their moves."""

    since: int  # how many events had happened with that move
    lines: tuple[AwayLine, ...]


@dataclass(frozen=True)
class _Done:
    """An action since the viewer's last move, and what it has changed."""

    event: int  # its number
    seat: int
    action: act.Action  # of several numbers the last: where the pirate lands
    brought: Preview
    gain: int  # for the viewer on a payday; 0 if one followed at once


def away(context: ViewContext) -> AwayView | None:
    """Return what happened since the viewer's last move; None for spectators, before that move and after the game."""
    seat = context.point_of_view
    if not (context.live and context.is_me(seat)) or context.table.over:
        return None
    since, done = context.table.once(("away", seat), context.table.number, lambda: _since_last_move(context, seat))
    if not done:
        return None
    seats = dict.fromkeys(each.seat for each in done)
    lines = tuple(_line(context, other, [each for each in done if each.seat == other]) for other in seats)
    return AwayView(since, lines)


def _since_last_move(context: ViewContext, seat: int) -> tuple[int, tuple[_Done, ...]]:
    """Find the last move of a seat's person, and compare the positions around all actions since."""
    moments, stood_in = context.moments, _stood_in(context.table, seat)
    own = (
        number
        for number in range(len(moments) - 1, -1, -1)
        if isinstance(event := moments[number].event, Act) and event.seat == seat and not stood_in(number)
    )
    last = next(own, None)
    if last is None:
        return 0, ()
    since = last + 1
    return since, tuple(_done(moments[since:], since, seat, context.game.figures))


@dataclass(frozen=True)
class _StoodIn:
    """Whether a computer player stood in for a person when an event happened."""

    changes: Sequence[tuple[int, bool]]  # how many events had happened, and what was so from then on

    def __call__(self, event: int) -> bool:
        """Look it up for the event with this number."""
        return next((held for after, held in reversed(self.changes) if after <= event), False)


def _stood_in(table: Table, seat: int) -> _StoodIn:
    """Read from the log of the table when a computer player stood in for a seat."""
    noted = (table_events for table_events in table.table_events if "stand_ins" in table_events.content)
    return _StoodIn([(table_events.after, bool(table_events.content["stand_ins"][seat])) for table_events in noted])


def _done(moments: Sequence[Moment], first: int, viewer: int, figures: Figures) -> Iterator[_Done]:
    """Compare the positions around each action. What a payday and a new phase change is left out."""
    for number, moment in enumerate(moments, start=first):
        if isinstance(event := moment.event, Act):
            brought = compared(moment.before, moment.after, figures, event.numbers)
            gain = 0 if moment.payday else brought.gains[viewer]
            yield _Done(number, event.seat, act.decode(event.numbers[-1], figures), brought, gain)


def _line(context: ViewContext, seat: int, done: Sequence[_Done]) -> AwayLine:
    """Sum up what one player has done."""
    name, colour = context.name_and_colour(seat)
    cost, gain = sum(each.brought.cost for each in done), sum(each.gain for each in done)
    places = [place for each in done if (place := _place(each)) is not None]
    return AwayLine(
        seat=seat,
        name=name,
        colour=colour,
        actions=tuple(_short_actions(context, done)),
        price=price(cost) if cost else "",
        gain=gain if context.forecast_of(context.point_of_view) else None,
        gain_words=change(gain),
        pieces=" ".join(dict.fromkeys(piece for each in done for piece in _pieces(each))),
        city=places[-1] if places else None,
        last=done[-1].event + 1,
    )


def _place(done: _Done) -> int | None:
    """Return the city in which an action has changed something on the board."""
    brought = done.brought
    if brought.city is not None:
        return brought.city
    moved = brought.pirate if isinstance(done.action, act.PirateAction) else brought.berth
    return moved[0] if moved and 0 <= moved[0] < len(CITY_NAMES) else None


def _pieces(done: _Done) -> Iterator[str]:
    """Yield the ids of the pieces that an action has moved or placed, and of a ship that builds or borrows."""
    brought = done.brought
    if brought.site is not None:
        yield f"house-{brought.city}-{brought.site}"
    if brought.fortress is not None:
        yield f"tower-{brought.city}-{brought.fortress}"
    if brought.berth or isinstance(done.action, act.BuildAction | act.TakeLoan):
        yield f"ship-{done.seat}"
    if brought.pirate:
        yield "pirate"
    if brought.shifted:
        yield f"ship-{brought.shifted[0]}"


def _short_actions(context: ViewContext, done: Sequence[_Done]) -> list[ShortAction]:
    """Say what a player has done; of a voyage that ends in a build, the build says where."""
    found: list[ShortAction] = []
    at_sea: ShortAction | None = None
    for each in done:
        deed = _short_action(context, each)
        if isinstance(each.action, act.Sail):
            at_sea = deed
        elif deed:
            if at_sea and not isinstance(each.action, act.BuildAction):
                found.append(at_sea)
            at_sea = None
            found.append(deed)
            if each.brought.closes and each.brought.closes[1] in _own_colours(context):
                found.append(ShortAction("flag", context.t.text("shuts down your warehouse there")))
    if at_sea:
        found.append(at_sea)
    bought = sum(isinstance(each.action, act.Buy) for each in done)
    if not found and bought:
        found.append(ShortAction("card", context.t.plural("buys {number} card", "buys {number} cards", bought)))
    return found


def _own_colours(context: ViewContext) -> tuple[int, ...]:
    """Return the colours of the viewer's warehouses: with two players there is a neutral one."""
    own = context.point_of_view
    return (own, own + NEUTRAL_OFFSET) if two_colours(context.players) else (own,)


def _short_action(context: ViewContext, done: _Done) -> ShortAction | None:  # noqa: PLR0912 - one branch for each family
    """Say in a few words what an action was; None for what only leads to others."""
    t, board = context.t, context.game.figures.board
    city = "" if (place := _place(done)) is None else CITY_NAMES[place]
    match action := done.action:
        case act.Sail(leg):
            return ShortAction("sail", t.text("sails to {city}", city=CITY_NAMES[leg.city]))
        case act.Build(_site, neutral):
            if neutral:
                return ShortAction("house", t.text("neutral warehouse in {city}", city=city))
            return ShortAction("house", t.text("warehouse in {city}", city=city))
        case act.Reopen():
            return ShortAction("house", t.text("re-opened warehouse in {city}", city=city))
        case act.BuildFortress():
            return ShortAction("tower", t.text("fortress in {city}", city=city))
        case act.TakeLoan(kind):
            return ShortAction("coin", t.text("loan of {amount}", amount=int(board.loan_amount[kind])))
        case act.MovePirateFree() | act.MovePirateForMoney() | act.LandPirate():
            return ShortAction("pirate", t.text("pirate to {city}", city=city))
        case act.Repay(kind):
            return ShortAction("coin", t.text("pays back a loan of {amount}", amount=int(board.loan_amount[kind])))
        case act.Extend(kind):
            return ShortAction("coin", t.text("extends a loan of {amount}", amount=int(board.loan_amount[kind])))
        case act.NameStarter(starter):
            return ShortAction("helm", t.text("starting player: {who}", who=context.teller.merchant(starter)))
        case act.Pass():
            return ShortAction("flag", t.text("passes"))
        case act.Buy() | act.SailPirate() | act.End():
            return None
        case _:
            assert_never(action)
