"""`elcapitan simulate`: many games between players without thought, for statistics and for records."""

import time
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from elcapitan.board.figures import load
from elcapitan.cli import record_files
from elcapitan.cli.command_line import Terminal, plain_table, print_json, terminal, writing
from elcapitan.cli.options import (
    MOST_GAMES,
    BoardFile,
    BuyBeforeLoan,
    First,
    Json,
    NoReopenShuts,
    PirateBeforeLoan,
    Players,
    Seed,
    Tiles,
    check_first,
    choice_option,
    number_option,
    option_bits,
    some_seed,
    table_options,
    tile_bits,
    value_option,
)
from elcapitan.experiments.simulation import Outcome, Simulation, play_games, summary
from elcapitan.text.catalogue import _
from elcapitan.text.names import Names

SIMULATE_HELP: Final = _(
    "Let random players play many games and print the results; with --out every game is written to a file of its own. "
    "Each game has a seed of its own, which follows from --seed and the number of the game."
)
POLICIES: Final = ("uniform", "light")
FORMATS: Final = ("json", "capitan")
REFRESH: Final = 0.1  # seconds between two updates of the progress bar


def simulate(
    context: typer.Context,
    players: Players = 4,
    tiles: Tiles = "none",
    games: Annotated[int, number_option("--games", "K", 1, MOST_GAMES, _("How many games."))] = 100,
    seed: Seed = None,
    first: First = None,
    policy: Annotated[
        str,
        choice_option(
            "--policy",
            POLICIES,
            _("How they play: uniform picks any legal action, light rolls loaded dice so that games look like games."),
        ),
    ] = "light",
    out: Annotated[
        Path | None, value_option("--out", "FOLDER", _("Write every game to a file in this folder."))
    ] = None,
    form: Annotated[str, choice_option("--format", FORMATS, _("Form of these files."))] = "json",
    trace: Annotated[
        bool, typer.Option("--trace", help=_("Write into JSON files also what was legal, all money and all paydays."))
    ] = False,
    as_json: Json = False,
    board: BoardFile = None,
    buy_before_loan: BuyBeforeLoan = False,
    no_reopen_shuts: NoReopenShuts = False,
    pirate_before_loan: PirateBeforeLoan = False,
) -> None:
    """Play many games, then print statistics."""
    check_first(first, players)
    screen = terminal(context)
    options = table_options(buy=buy_before_loan, no_reopen_shuts=no_reopen_shuts, pirate=pirate_before_loan)
    simulation = Simulation(
        figures=load(board),
        players=players,
        tiles=tile_bits(tiles),
        options=option_bits(options),
        first=first,
        games=games,
        seed=some_seed(seed),
        policy=POLICIES.index(policy),
    )
    screen.compile_rules()
    begun = time.perf_counter()
    counted = summary(simulation, _play(screen, simulation, out, form, trace=trace))
    seconds = time.perf_counter() - begun
    if as_json:
        print_json(counted | {"seconds": round(seconds, 3)})
        return
    _print_statistics(screen, simulation, counted)
    print_speed(screen, games, seconds)
    if out:
        screen.out.print(screen.text("The records are in {folder}.", folder=out))


def _play(screen: Terminal, simulation: Simulation, out: Path | None, form: str, *, trace: bool) -> list[Outcome]:
    """Play all games under a progress bar that appears after a second; record them if there is a folder for it."""
    if out:
        with writing(out):
            out.mkdir(parents=True, exist_ok=True)
    outcomes: list[Outcome] = []
    begun = updated = time.perf_counter()
    with screen.games_bar() as bar:
        task = bar.add_task(screen.text("Games"), total=simulation.games, visible=False)
        for outcome, game in play_games(simulation, with_games=out is not None):
            outcomes.append(outcome)
            if out and game:
                record_files.write(out / f"game-{len(outcomes):06d}.{form}", game, trace=trace)
            now = time.perf_counter()
            if now - updated > REFRESH:
                bar.update(task, completed=len(outcomes), visible=now - begun > 1)
                updated = now
    return outcomes


def _print_statistics(screen: Terminal, simulation: Simulation, counted: dict[str, Any]) -> None:
    """Print two tables: one about the games, one about the merchants."""
    title = screen.plural(
        "{number} game, seed {seed}", "{number} games, seed {seed}", simulation.games, seed=simulation.seed
    )
    columns = (screen.text("mean"), screen.text("least"), screen.text("most"))
    table = plain_table("", *columns)
    table.add_row(screen.text("actions"), *_cells(counted["actions"]))
    for phase, rounds in enumerate(counted["rounds"], start=1):
        table.add_row(screen.text("rounds of phase {phase}", phase=phase), *_cells(rounds))
    table.add_row(screen.text("loans taken"), *_cells(counted["loans"]))
    if counted["watched"] < counted["games"]:
        remark = screen.text("rounds and loans: of games 1 to {number}", number=counted["watched"])
        table.add_row(remark, style="dim")
    merchants = plain_table(screen.text("money at the end"), *columns, screen.text("wins"))
    names = Names(screen.translator, simulation.figures)
    for seat, (money, wins) in enumerate(zip(counted["money"], counted["wins"], strict=True)):
        share = 100 * wins / counted["games"]
        merchants.add_row(names.merchant(seat), *_cells(money), f"{wins} ({share:.0f} %)")
    screen.print_text(title, "bold")
    screen.out.print(table)
    screen.out.print()
    screen.out.print(merchants)
    screen.out.print()


def _cells(spread: dict[str, float]) -> list[str]:
    """Format mean, least and most."""
    return [f"{spread['mean']:.1f}", f"{spread['min']:.0f}", f"{spread['max']:.0f}"]


def print_speed(screen: Terminal, games: int, seconds: float) -> None:
    """Print how quickly games were played."""
    speed = games / max(seconds, 1e-9)
    shown = f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"
    text = screen.text("Games a second: {speed}; {seconds:.1f} s in all.", speed=shown, seconds=seconds)
    screen.out.print(text, style="dim")
