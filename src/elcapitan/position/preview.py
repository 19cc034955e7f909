"""What an action would do: it is carried out on a copy of the visible position, and both are compared.

Pieces are read off the positions before and after; money, forecast and ranks are what the rules say about them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from elcapitan.actions import union as act
from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.refusals import ARGUMENTS, LEGAL
from elcapitan.engine.state import Desks, States
from elcapitan.engine.vocabulary import NOBODY, SETTLING
from elcapitan.game.game import Game
from elcapitan.game.position_queries import position, purses_at_payday


@dataclass(frozen=True, slots=True)
class Preview:
    """What would come of some actions, as far as no card has to be turned up; a payday that follows is left out."""

    actions: tuple[int, ...]  # what would be played
    seat: int  # who would play it
    cost: int  # florins the seat pays now; negative: receives
    money: tuple[int, ...]  # change of everybody's cash
    gains: tuple[int, ...]  # change of the payday forecast, every seat
    city: int | None = None  # where something would stand
    site: int | None = None  # of the warehouse
    colour: int | None = None  # of the warehouse
    fortress: int | None = None  # the fortress site
    closes: tuple[int, int] | None = None  # site and colour of the warehouse that would be closed in that city
    pays: tuple[int, int] | None = None  # first rank of that city before and after
    coin: int | None = None  # the space of that city that would pay
    berth: tuple[int, int] | None = None  # city and harbour space where the ship would lie, or TRANSIT
    pirate: tuple[int, int] | None = None  # city and harbour space of the pirate
    shifted: tuple[int, int] | None = None  # a seat whose ship would be pushed aside, and its new harbour space


def preview(game: Game, actions: Sequence[int]) -> Preview:
    """Compare the position before and after some actions of the deciding seat. Raises `IllegalAction`."""
    seat = game.seat
    if seat is None:
        game.expect_action()
    before = game.view_for(seat or 0)
    after = position(before.tobytes())  # quicker than a copy field by field
    desks = play.desks()
    for action in actions:
        if not is_legal(after, game.figures, desks, action):
            game.copy().play_all(actions)  # raises the reason
        play.apply(after, 0, game.figures.boards, action)
    return compared(before, after, game.figures, actions)


def is_legal(states: States, figures: Figures, desks: Desks, action: int) -> bool:
    """Whether there is an action of this number and the engine accepts it in a position."""
    if not 0 <= action < N_ACTIONS:
        return False
    return play.refusal(states, 0, figures.boards, desks, 0, action, np.zeros(ARGUMENTS, np.int64)) == LEGAL


def totals(states: States, figures: Figures) -> list[int]:
    """What a payday in a position would pay every seat in all."""
    forecasts = play.forecasts()
    play.forecast(states, 0, figures.boards, forecasts, 0)
    found: list[int] = forecasts["total"][0, : states["players"][0]].tolist()
    return found


def compared(before: States, after: States, figures: Figures, actions: Sequence[int]) -> Preview:
    """Compare two positions that have nothing but these actions between them."""
    seat, players = int(before["seat"][0]), int(before["players"][0])
    had = before["cash"][0, :players].tolist()
    if before["stage"][0] < SETTLING <= after["stage"][0]:  # the payday is not what these actions bring
        have = _cash_before_payday(before, figures, actions)
    else:
        have = after["cash"][0, :players].tolist()
    money = [now - was for was, now in zip(had, have, strict=True)]
    gains = (new - old for old, new in zip(totals(before, figures), totals(after, figures), strict=True))
    stands = _house(before, after) or _tower(before, after)
    city = stands.get("city")
    pays, coin = (None, None) if city is None else _paying(before, after, figures, city)
    return Preview(
        actions=tuple(actions),
        seat=seat,
        cost=-money[seat],
        money=tuple(money),
        gains=tuple(gains),
        pays=pays,
        coin=coin,
        closes=None if city is None else _closed(before, after, city),
        berth=_moved(_ship(before, seat), _ship(after, seat)),
        pirate=_moved(_pirate(before), _pirate(after)),
        shifted=_shifted(before, after, seat, players),
        **stands,
    )


def _cash_before_payday(before: States, figures: Figures, actions: Sequence[int]) -> list[int]:
    """What each seat has after some actions of which the last brings a payday, before it pays."""
    *earlier, last = actions
    states = position(before.tobytes())
    for action in earlier:
        play.apply(states, 0, figures.boards, action)
    return [purse.cash for purse in purses_at_payday(states, figures, act.decode(last, figures))]


def _paying(before: States, after: States, figures: Figures, city: int) -> tuple[tuple[int, int], int]:
    """What first rank of a city earns before and after, and the space that pays after."""
    was, now = (play.facts(states, 0, figures.boards)[0] for states in (before, after))
    return (int(was.pays[city]), int(now.pays[city])), int(now.paying_space[city])


def _house(before: States, after: States) -> dict[str, int]:
    """Find the warehouse that stands only after."""
    now = after["site"][0]
    new = ((now != before["site"][0]) & (now != NOBODY)).nonzero()
    if not len(new[0]):
        return {}
    city, site = int(new[0][0]), int(new[1][0])
    return {"city": city, "site": site, "colour": int(now[city, site])}


def _tower(before: States, after: States) -> dict[str, int]:
    """Find the fortress that stands only after."""
    new = (after["fortress"][0] != before["fortress"][0]).nonzero()
    return {"city": int(new[0][0]), "fortress": int(new[1][0])} if len(new[0]) else {}


def _closed(before: States, after: States, city: int) -> tuple[int, int] | None:
    """Find the warehouse that stands only before: its site and its colour."""
    was = before["site"][0, city]
    gone = ((was != NOBODY) & (after["site"][0, city] == NOBODY)).nonzero()[0]
    return (int(gone[0]), int(was[gone[0]])) if len(gone) else None


def _ship(states: States, seat: int) -> tuple[int, int]:
    """City and harbour space of a ship."""
    return int(states["ship_city"][0, seat]), int(states["ship_space"][0, seat])


def _pirate(states: States) -> tuple[int, int]:
    """City and harbour space of the pirate."""
    return int(states["pirate_city"][0]), int(states["pirate_space"][0])


def _moved(was: tuple[int, int], now: tuple[int, int]) -> tuple[int, int] | None:
    """Where something is, if it has moved."""
    return now if now != was else None


def _shifted(before: States, after: States, mover: int, players: int) -> tuple[int, int] | None:
    """Another merchant's ship that lies in another harbour than before."""
    was, now = before["ship_space"][0].tolist(), after["ship_space"][0].tolist()
    return next(((seat, now[seat]) for seat in range(players) if seat != mover and now[seat] != was[seat]), None)
