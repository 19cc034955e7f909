"""Many games between players without thought, and what came of them.

    from elcapitan.experiments.simulation import Simulation, play_games, summary

    simulation = Simulation(players=4, games=1000, seed=1)
    print(summary(simulation, [outcome for outcome, _ in play_games(simulation)])["money"])

Every game has a seed of its own, which follows from the seed of the simulation and the number of the game.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Final

from elcapitan.board.figures import Figures, packaged
from elcapitan.engine import play
from elcapitan.engine.actions import LOAN
from elcapitan.engine.policies import LIGHT, POLICY_NAMES
from elcapitan.engine.rng import Generators, generator
from elcapitan.engine.state import Desks, State, States
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS, LOANS, OPTION_NAMES, OVER, PHASES, TILE_NAMES
from elcapitan.game.game import Game

LIMIT: Final = 100_000  # actions of a game; real ones take some hundreds
LOW_32: Final = 0xFFFFFFFF
WATCHED: Final = 100  # games whose rounds and loans are counted; the others are played in one compiled call


@dataclass(frozen=True)
class Simulation:
    """Which games are played."""

    players: int = 4
    games: int = 100
    seed: int = 0
    tiles: int = 0  # bits, as the engine takes them
    options: int = DEFAULT_OPTIONS  # bits
    first: int | None = None  # the seat that begins, from 1; None: drawn by lot
    policy: int = LIGHT
    figures: Figures = field(default_factory=packaged)

    @property
    def tile_names(self) -> list[str]:
        """The cities of the expansion."""
        return [name for bit, name in enumerate(TILE_NAMES) if self.tiles >> bit & 1]

    @property
    def chosen_options(self) -> dict[str, bool]:
        """The table options by name."""
        return {name: bool(self.options & bit) for name, bit in OPTION_NAMES.items()}


@dataclass(frozen=True)
class Outcome:
    """How one game went; rounds and loans are counted only in games that were watched."""

    actions: int
    money: tuple[int, ...]
    rounds: tuple[int, ...] = ()
    loans: int = 0


def game_seed(seed: int, number: int) -> int:
    """Derive the seed of a game from its number; games of neighbouring seeds have nothing in common."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {number}".encode(), digest_size=8).digest())


def play_games(simulation: Simulation, *, with_games: bool = False) -> Iterator[tuple[Outcome, Game | None]]:
    """Play all games one after another; each comes with its `Game`, which can be recorded, if that is wanted."""
    states, desks = play.states(), play.desks()  # for all games: making them takes as long as half a game
    for number in range(1, simulation.games + 1):
        seed = game_seed(simulation.seed, number)
        first = (seed >> 32) % simulation.players if simulation.first is None else simulation.first - 1
        if with_games:
            yield _play_recorded(simulation, seed, first)
        else:
            yield _play_bare(simulation, seed, first, states, desks, watched=number <= WATCHED), None


def _play_recorded(simulation: Simulation, seed: int, first: int) -> tuple[Outcome, Game]:
    """Play a game as a `Game`, which can be recorded."""
    game = Game.new(
        simulation.players,
        simulation.tile_names,
        first=first,
        options=simulation.chosen_options,
        seed=seed,
        figures=simulation.figures,
    )
    return _watch(simulation, seed, lambda: game.view_for(0), game.play), game


def _play_bare(
    simulation: Simulation, seed: int, first: int, states: States, desks: Desks, *, watched: bool
) -> Outcome:
    """Play a bare position: step by step if it is watched, else in one compiled call."""
    boards = simulation.figures.boards
    agreed = (simulation.players, simulation.tiles, simulation.options, first)
    play.new(states, 0, boards, *agreed, seed & LOW_32, seed >> 32)
    if not watched:
        actions = play.play_out(states, 0, boards, desks, 0, dice(seed), simulation.policy, LIMIT)
        return Outcome(int(actions), _money(states[0], simulation.players))

    def step(action: int) -> None:
        play.apply(states, 0, boards, action)
        play.turn_up(states, 0, boards)

    play.turn_up(states, 0, boards)
    return _watch(simulation, seed, lambda: states, step)


def dice(seed: int) -> Generators:
    """Create the players' generator, which is independent of the cards."""
    return generator(game_seed(seed, 0))


def _watch(simulation: Simulation, seed: int, position: Callable[[], States], step: Callable[[int], object]) -> Outcome:
    """Play a game to its end, step by step, and count its rounds and loans."""
    rolls, desks = dice(seed), play.desks()
    rounds, loans, actions = [0] * PHASES, 0, 0
    while (states := position())[0].stage != OVER:
        action = int(play.choose(states, 0, simulation.figures.boards, desks, 0, rolls, simulation.policy))
        phase = int(states[0].phase)
        rounds[phase - 1] = max(rounds[phase - 1], int(states[0].round_no))
        loans += LOAN <= action < LOAN + LOANS
        actions += 1
        step(action)
    return Outcome(actions, _money(position()[0], simulation.players), tuple(rounds), loans)


def _money(state: State, players: int) -> tuple[int, ...]:
    """Return the cash of every seat."""
    return tuple(int(cash) for cash in state.cash[:players])


def summary(simulation: Simulation, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Count everything, for a program; a shared victory counts for each winner."""
    watched = [outcome for outcome in outcomes if outcome.rounds]
    seats = range(simulation.players)
    return {
        "players": simulation.players,
        "tiles": simulation.tile_names,
        "options": simulation.chosen_options,
        "board": simulation.figures.name,
        "policy": POLICY_NAMES[simulation.policy],
        "seed": simulation.seed,
        "games": len(outcomes),
        "actions": _spread([outcome.actions for outcome in outcomes]),
        "watched": len(watched),
        "rounds": [_spread([outcome.rounds[phase] for outcome in watched]) for phase in range(PHASES)],
        "loans": _spread([outcome.loans for outcome in watched]),
        "money": [_spread([outcome.money[seat] for outcome in outcomes]) for seat in seats],
        "wins": [sum(outcome.money[seat] == max(outcome.money) for outcome in outcomes) for seat in seats],
    }


def _spread(numbers: Sequence[int]) -> dict[str, float]:
    """Return mean, least and most of some numbers."""
    return {"mean": round(fmean(numbers), 2), "min": min(numbers), "max": max(numbers)}
