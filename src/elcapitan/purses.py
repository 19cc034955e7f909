"""The purses of a game over time, and where their money came from: for charts of one game."""

from dataclasses import dataclass

from elcapitan.arena.ledger import books
from elcapitan.engine import play
from elcapitan.engine.state import States
from elcapitan.figures import Figures
from elcapitan.game import Game


@dataclass(frozen=True, slots=True)
class PurseMoment:
    """What everybody has and owes after an event."""

    number: int  # of the event, from 0 as in `Game.events`
    phase: int
    money: tuple[int, ...]  # by seat
    debts: tuple[int, ...]  # what the loans would cost to pay back


def history(game: Game) -> list[PurseMoment]:
    """Every change of a purse or of a debt, from the deal on; the last event is there in any case."""
    found: list[PurseMoment] = []
    last = None
    for number, moment in enumerate(game.history()):
        last = _after(number, moment.after, game.figures)
        if not found or (last.money, last.debts) != (found[-1].money, found[-1].debts):
            found.append(last)
    if last and found[-1] != last:
        found.append(last)
    return found


def _after(number: int, states: States, figures: Figures) -> PurseMoment:
    """The purses in a position."""
    players = int(states["players"][0])
    owed = (states["loans"][0, :players].astype(int) * figures.boards["loan_due"][0]).sum(axis=(1, 2))
    return PurseMoment(number, int(states["phase"][0]), tuple(play.scores(states, 0)), tuple(owed.tolist()))


def sources(game: Game) -> list[dict[str, int]]:
    """By seat what every source has brought and taken so far; together that is the money of the seat."""
    return books(game).sources
