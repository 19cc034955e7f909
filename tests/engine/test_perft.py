"""The game tree counted and the order of legal actions, pinned: a number that changes means that a rule has changed.

`python -m tests.engine.test_perft` writes both files anew; look at the difference before you keep it.
"""

from pathlib import Path

import pytest

from elcapitan.actions.text import to_text
from elcapitan.board.figures import packaged
from elcapitan.cli import engine
from elcapitan.engine import play
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.rng import generator
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS, OVER

FIGURES = packaged()
COUNTS = Path(__file__).parent.parent / "perft" / "counts.txt"
ORDERS = Path(__file__).parent.parent / "order" / "lists.txt"
TABLES = [(players, tiles) for players in (2, 3, 4, 5) for tiles in (0, 1, 2, 4, 7)]
PLAYED = (0, 40, 150)  # actions by the light policy before counting
LEAVES = 20_000  # counted at the most


def position(players: int, tiles: int, played: int) -> States:
    """A position some way into a game."""
    states, desks, dice = play.states(), play.desks(), generator(9)
    play.new(states, 0, FIGURES.boards, players, tiles, DEFAULT_OPTIONS, 0, 77, 7)
    play.turn_up(states, 0, FIGURES.boards)
    for _ in range(played):
        if states[0].stage == OVER:
            break
        play.apply(states, 0, FIGURES.boards, play.choose(states, 0, FIGURES.boards, desks, 0, dice, LIGHT))
        play.turn_up(states, 0, FIGURES.boards)
    return states


def name(players: int, tiles: int, played: int) -> str:
    return f"{players} players, tiles {tiles:03b}, {played} actions"


def counts_of(states: States) -> list[int]:
    """Counts depth by depth as long as they are small enough."""
    counts = [engine.count_sequences(states, FIGURES.boards, 1)]
    while 0 < counts[-1] * max(counts[0], 4) < LEAVES and len(counts) < 6:
        counts.append(engine.count_sequences(states, FIGURES.boards, len(counts) + 1))
    return counts


def list_of(states: States) -> str:
    actions = engine.legal(states, 0, FIGURES.boards, play.desks())
    return "; ".join(to_text(action, FIGURES) for action in actions)


def pinned(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {key: value for key, _, value in (line.partition(": ") for line in lines)}


CASES = [(players, tiles, played) for players, tiles in TABLES for played in PLAYED]
SOME = CASES if COMPILED else CASES[::6]


@pytest.mark.parametrize(("players", "tiles", "played"), SOME)
def test_the_tree_has_as_many_leaves_as_ever(players: int, tiles: int, played: int) -> None:
    wanted = [int(count) for count in pinned(COUNTS)[name(players, tiles, played)].split()]
    depth = len(wanted) if COMPILED else min(2, len(wanted))
    states = position(players, tiles, played)
    found = [engine.count_sequences(states, FIGURES.boards, level) for level in range(1, depth + 1)]
    assert found == wanted[:depth], engine.count_by_first_action(states, FIGURES.boards, depth)


@pytest.mark.parametrize(("players", "tiles", "played"), SOME)
def test_the_legal_actions_come_in_the_order_they_always_had(players: int, tiles: int, played: int) -> None:
    assert list_of(position(players, tiles, played)) == pinned(ORDERS)[name(players, tiles, played)]


def test_the_split_adds_up_to_the_count() -> None:
    states = position(3, 0, 40)
    parts = engine.count_by_first_action(states, FIGURES.boards, 2)
    assert sum(count for _, count in parts) == engine.count_sequences(states, FIGURES.boards, 2)
    assert [action for action, _ in parts] == engine.legal(states, 0, FIGURES.boards, play.desks())


def write() -> None:
    """Pin what the engine says now."""
    positions = {name(*case): position(*case) for case in CASES}
    COUNTS.write_text(
        "".join(f"{key}: {' '.join(map(str, counts_of(states)))}\n" for key, states in positions.items()), "utf-8"
    )
    ORDERS.write_text("".join(f"{key}: {list_of(states)}\n" for key, states in positions.items()), "utf-8")


if __name__ == "__main__":
    write()
