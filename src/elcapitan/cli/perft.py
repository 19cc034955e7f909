"""`elcapitan perft`: count the game tree, to compare engines with one another and with themselves.

Counted are sequences of legal actions, cards coming up in the order of the decks; a game that is over counts as one. A
number that changes without a change of the rules is a mistake; `tests/perft` pins many.
"""

import time
from typing import Annotated, Final

import typer

from elcapitan.actions.text import to_text
from elcapitan.board.figures import packaged
from elcapitan.cli.options import Players, Seed, Tiles, number_option, tile_bits
from elcapitan.cli.terminal import plain_table, terminal
from elcapitan.engine import play
from elcapitan.engine.state import Boards, Desks, States
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS
from elcapitan.text.catalogue import _

HELP: Final = _("Count the positions of the game tree, depth by depth, from the beginning of a game with known cards.")
DEEPEST: Final = 12
ONE_SEED: Final = 1  # of a count that is to be compared with others


def perft(
    context: typer.Context,
    players: Players = 4,
    tiles: Tiles = "none",
    seed: Seed = ONE_SEED,
    depth: Annotated[int, number_option("--depth", "D", 1, DEEPEST, _("How many actions deep."))] = 4,
    split: Annotated[bool, typer.Option("--split", help=_("Count behind every first action by itself."))] = False,
) -> None:
    """Count the positions of the game tree, by depth or by first action."""
    screen = terminal(context)
    screen.compile_rules()
    figures, number = packaged(), seed or 0
    states = play.states()
    play.new(
        states, 0, figures.boards, players, tile_bits(tiles), DEFAULT_OPTIONS, 0, number & 0xFFFFFFFF, number >> 32
    )
    play.turn_up(states, 0, figures.boards)
    if split:
        table = plain_table(screen.text("First action"), screen.text("Positions"))
        for action, count in count_by_first_action(states, figures.boards, depth):
            table.add_row(to_text(action, figures), f"{count}")
    else:
        table = plain_table()
        for title in (screen.text("Depth"), screen.text("Positions"), screen.text("Seconds")):
            table.add_column(title, justify="right")
        for level in range(1, depth + 1):
            begun = time.perf_counter()
            count = count_sequences(states, figures.boards, level)
            table.add_row(str(level), str(count), f"{time.perf_counter() - begun:.2f}")
    screen.out.print(table)


def legal(states: States, i: int, boards: Boards, desks: Desks) -> list[int]:
    """Return the legal actions of a position."""
    count = play.legal(states, i, boards, desks, 0)
    return [int(action) for action in desks[0].actions[:count]]


def count_sequences(states: States, boards: Boards, depth: int) -> int:
    """Count sequences of `depth` actions from states[0]."""
    line = play.states(depth + 1)
    line[0] = states[0]
    return _count(line, 0, boards, play.desks(), depth)


def count_by_first_action(states: States, boards: Boards, depth: int) -> list[tuple[int, int]]:
    """Count behind every first action by itself, to find out where two counts differ."""
    line = play.states(depth + 1)
    desks = play.desks()
    result = []
    for action in legal(states, 0, boards, desks):
        line[1] = states[0]
        _step(line, 1, boards, action)
        result.append((action, _count(line, 1, boards, desks, depth - 1)))
    return result


def _step(line: States, i: int, boards: Boards, action: int) -> None:
    """Carry out an action and turn up the cards that follow."""
    play.apply(line, i, boards, action)
    play.turn_up(line, i, boards)


def _count(line: States, i: int, boards: Boards, desks: Desks, depth: int) -> int:
    """Count sequences of `depth` actions from line[i]; the rest of the line is scratch space."""
    if depth == 0 or play.is_over(line, i):
        return 1
    actions = legal(line, i, boards, desks)
    if depth == 1:
        return len(actions)
    leaves = 0
    for action in actions:
        line[i + 1] = line[i]
        _step(line, i + 1, boards, action)
        leaves += _count(line, i + 1, boards, desks, depth - 1)
    return leaves
