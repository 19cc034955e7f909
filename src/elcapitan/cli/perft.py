"""`elcapitan perft`: count the game tree, to compare engines with one another and with themselves."""

import time
from typing import Annotated, Final

import typer

from elcapitan.cli.options import Players, Seed, Tiles, number_option, tile_bits
from elcapitan.cli.terminal import plain_table, terminal
from elcapitan.text.catalogue import _

SHORT: Final = _("Count the game tree.")
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
    from elcapitan.actions.text import to_text  # noqa: PLC0415 - needs the engine
    from elcapitan.board.figures import packaged  # noqa: PLC0415
    from elcapitan.engine import play  # noqa: PLC0415
    from elcapitan.engine.vocabulary import DEFAULT_OPTIONS  # noqa: PLC0415
    from elcapitan.experiments import perft as tree  # noqa: PLC0415

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
        for action, count in tree.split(states, figures.boards, depth):
            table.add_row(to_text(action, figures), f"{count}")
    else:
        table = plain_table()
        for title in (screen.text("Depth"), screen.text("Positions"), screen.text("Seconds")):
            table.add_column(title, justify="right")
        for level in range(1, depth + 1):
            begun = time.perf_counter()
            count = tree.count(states, figures.boards, level)
            table.add_row(str(level), str(count), f"{time.perf_counter() - begun:.2f}")
    screen.out.print(table)


COMMAND: Final = perft
