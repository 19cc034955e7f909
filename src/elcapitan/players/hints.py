"""Hints for people: what a computer player would do in a position, and what it expects of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from elcapitan.bots import registry
from elcapitan.bots.bot import View
from elcapitan.bots.thinking import Budget
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.rng import generator
from elcapitan.game.game import Game
from elcapitan.players.seats import choose_whole_action

SEED: Final = 1  # the same question gets the same answer
BUDGET: Final = Budget(simulations=2000 if COMPILED else 2)  # interpreted rules are some thousand times slower
MOST: Final = 3  # suggestions


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested action, how the turn would go on, and the expected result."""

    actions: tuple[int, ...]  # several numbers for a voyage of the pirate by cards, one for any other
    later: tuple[int, ...] = ()  # what would follow in the same turn
    win: float | None = None  # the chance to win, from 0 to 1
    money: tuple[float, ...] | None = None  # of every seat at the end


def adviser() -> str:
    """Return the level that gives hints: the strongest."""
    return registry.STRONGEST


def suggest(game: Game, enough: Callable[[], bool] | None = None) -> list[Suggestion]:
    """Return suggestions for the deciding seat, the best first; none if the game is over.

    The search ends early as soon as `enough` returns true.
    """
    if game.seat is None:
        return []
    if len(game.legal()) == 1:
        return [Suggestion(tuple(game.legal()))]
    make = registry.LEVELS[adviser()].search
    assert make is not None
    searcher = make(BUDGET)
    if enough is not None:
        searcher.stop_when(enough)
    view = View(game.view_for(game.seat), game.figures.boards)
    found: dict[int, Suggestion] = {}
    for line in searcher.lines(view, generator(SEED)):
        first = line.actions[0]
        if first not in found and len(found) < MOST:
            whole = choose_whole_action(registry.create("captain"), game.copy(), generator(SEED), first)
            found[first] = Suggestion(whole, line.actions[len(whole) :], line.win[game.seat], line.money)
    return list(found.values())
