"""Thoughts of computer players laid open, and positions for them to think about."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from tests.drawings import Position, position

from elcapitan.actions.text import to_text
from elcapitan.board.figures import packaged
from elcapitan.bots import registry
from elcapitan.bots.bot import Bot, View, weights
from elcapitan.engine import play, think
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.engine.rng import generator
from elcapitan.engine.search.tree import NO_NODE, START_OF_SEARCH
from elcapitan.engine.search.worth import Weights
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import DESTINATIONS, DUE, NOBODY, OVER, STAGE_NAMES
from elcapitan.game.game import Game
from elcapitan.game.position_queries import without_secrets

FIGURES = packaged()
BOARDS = FIGURES.boards
TILES = ("Porto", "Lisboa", "Islas Canarias")
TABLES = [(players, tiles) for players in (2, 3, 4, 5) for tiles in range(8)]
KINDS = {*STAGE_NAMES[1:7], "free move due", "pirate at sea"}


@dataclass(frozen=True)
class Plan:
    """A plan of a turn and what it leads to, in florins for each seat."""

    steps: tuple[int, ...]
    worth: tuple[float, ...]


class Thinker:
    """The kernel of the search with everything it works on."""

    def __init__(self, states: States, values: str | Weights = "worth", seed: int = 1, nodes: int = 2000) -> None:
        self.line, self.desks, self.buffers, self.nodes = (
            think.lines(),
            play.desks(),
            think.search_buffers(),
            think.trees(nodes),
        )
        self.dice = generator(seed)
        self.weights = weights(values) if isinstance(values, str) else values
        self.weights.flags.writeable = False  # as all weights are: for others the kernel would be compiled again
        self.players = int(states[0].players)
        self.line[START_OF_SEARCH] = states[0]

    def think(self, count: int, simulations: int, cut: int = 0, planned: int = 0) -> int:
        """Plan, or go on searching."""
        room = (self.line, BOARDS, self.desks, self.buffers, self.weights, self.dice, self.nodes)
        return int(think.think(think.SearchArrays(*room), count, simulations, cut, planned))

    def plans(self) -> list[Plan]:
        """All plans; the best first, the others in the order in which they were made."""
        best = self.think(0, 0)
        buffer = self.buffers[0]
        made = [
            Plan(tuple(buffer.steps[i][: buffer.length[i]].tolist()), tuple(buffer.worth[i][: self.players].tolist()))
            for i in range(int(buffer.plans))
        ]
        return [made[best], *made[:best], *made[best + 1 :]]

    def children(self, node: int) -> list[int]:
        """The nodes below a node."""
        found = []
        child = int(self.nodes[node].child)
        while child != NO_NODE:
            found.append(child)
            child = int(self.nodes[child].next)
        return found


def plans_of(states: States, values: str | Weights = "worth") -> list[Plan]:
    """All plans that are made in a position, the best first."""
    return Thinker(states, values).plans()


def legal_in(states: States) -> list[int]:
    """The numbers of everything legal."""
    desks = play.desks()
    count = play.legal(states, 0, BOARDS, desks, 0)
    return [int(action) for action in desks[0].actions[:count]]


def texts(steps: Sequence[int]) -> list[str]:
    """Actions as texts."""
    return [to_text(step, FIGURES) for step in steps]


def answer(bot: Bot | str, here: Position | str, seed: int = 1) -> str:
    """What a computer player does in a drawn position, as text."""
    here = position(here) if isinstance(here, str) else here
    bot = registry.create(bot) if isinstance(bot, str) else bot
    chosen = bot.choose(View(without_secrets(here.states), BOARDS), legal_in(here.states), generator(seed))
    return to_text(chosen, FIGURES)


def turn(bot: Bot | str, here: Position | str, seed: int = 1) -> list[str]:
    """What a computer player does in a drawn position until its turn is over, as texts."""
    here = position(here) if isinstance(here, str) else here
    bot = registry.create(bot) if isinstance(bot, str) else bot
    seat, done = here.seat, []
    while here.seat == seat and here.stage in ("start", "bought", "under way", "done"):
        done.append(answer(bot, here, seed))
        here = here.play(done[-1])
    return done


def play_game(specs: Sequence[str], seed: int, tiles: Sequence[str] = (), most: int = 10_000) -> Game:
    """A game between computer players, to its end or for so many actions."""
    game = Game.new(len(specs), tiles, seed=seed)
    go_on(game, specs, most)
    return game


def go_on(game: Game, specs: Sequence[str], most: int = 10_000) -> list[int]:
    """Let computer players play a game on, to its end or for so many actions: what they do."""
    bots = [registry.create(spec) for spec in specs]
    dice = [generator(100 * int(game.seed or 0) + seat) for seat in range(len(specs))]
    played: list[int] = []
    while game.seat is not None and len(played) < most:
        seat = game.seat
        played.append(bots[seat].choose(View(game.view_for(seat), BOARDS), game.legal(), dice[seat]))
        game.play(played[-1])
    return played


def kind(state: State) -> str:
    """What is special about a decision."""
    if state.pirate_at != NOBODY:
        return "pirate at sea"
    return "free move due" if state.free_move == DUE else STAGE_NAMES[state.stage]


def walk(
    players: int, tiles: int, seed: int, of_each: int, options: int = 2, beginning: int = 0
) -> Iterator[tuple[str, States]]:
    """Decisions of a random game, so many of each kind at most; the players are now sensible, now not.

    Interpreted rules are too slow for a whole game: there a walk has at most 60 actions.
    """
    states, desks, dice = play.states(), play.desks(), generator(seed)
    play.new(states, 0, BOARDS, players, tiles, options, seed % players, seed, 3)
    play.turn_up(states, 0, BOARDS)
    chance, met = np.random.default_rng(seed), Counter[str]()
    for n in range(10_000 if COMPILED else 60):
        if states[0].stage == OVER:
            return
        what = kind(states[0])
        common = what in ("start", "bought", "under way", "done")
        if n >= beginning and met[what] < of_each and (not common or chance.random() < (0.1 if COMPILED else 0.3)):
            met[what] += 1
            yield what, without_secrets(states)
        policy = UNIFORM if chance.random() < 0.15 else LIGHT
        play.apply(states, 0, BOARDS, play.choose(states, 0, BOARDS, desks, 0, dice, policy))
        play.turn_up(states, 0, BOARDS)


def views_of_two_orders() -> tuple[View, View]:
    """What the first seat sees of two games that differ only in the order of the cards to come."""
    game = Game.new(3, seed=5)
    seat, here = game.seat, game.position
    assert seat is not None
    first, links = (int(left) for left in here.deck_left)
    decks = here.deck[:first].tolist(), here.deck[DESTINATIONS : DESTINATIONS + links].tolist()
    one, other = (game.arranged(order).view_for(seat) for order in (decks, [deck[::-1] for deck in decks]))
    return View(one, BOARDS), View(other, BOARDS)
