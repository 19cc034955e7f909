"""`elcapitan study`: what strong play tells about the game itself."""

from pathlib import Path
from typing import Annotated, Final

import typer

from elcapitan.cli.group import Group
from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import FEWEST_PLAYERS, BoardFile, Jobs, Json, Seed, some_seed, whole
from elcapitan.cli.terminal import terminal
from elcapitan.engine.vocabulary import SEATS
from elcapitan.text.catalogue import _

SHORT = _("Study the game itself by letting strong computer players play it.")
HELP = _("Study the game itself by letting strong computer players play it against their like.")
SHORT_ECONOMY = _("Compare the economy of the board with published games.")
HELP_ECONOMY = _(
    "Let a computer player play against itself with two to five players, and compare the economy with published games: "
    "money after each payday, final scores, loans, rounds, how phases end, victories by seat and by strategy, and "
    "where the money came from. With --board this shows what other figures of the board would change. Every game has "
    "cards of its own; the same seed gives the same results, on any number of cores."
)
DEFAULT_BOT: Final = "navigator"
MOST_GAMES: Final = 1_000_000
INTERRUPTED: Final = 130
ALL_PLAYERS: Final = ",".join(map(str, range(FEWEST_PLAYERS, SEATS + 1)))


def read_players(text: str) -> str:
    """Numbers of players with commas between them, each once and ascending."""
    found = {word.strip() for word in str(text).split(",")}
    if not found <= set(ALL_PLAYERS.split(",")):
        raise BadInput("bad-players-list", found=text, least=FEWEST_PLAYERS, most=SEATS)
    return ",".join(sorted(found))


def study(context: typer.Context) -> None:
    """Show the help when no command is given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def economy(
    context: typer.Context,
    bot: Annotated[
        str,
        typer.Option("--bot", metavar="BOT", help=_("Computer player that plays every seat, by name.")),
    ] = DEFAULT_BOT,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            metavar="N,N",
            parser=read_players,
            help=_("Numbers of players, with commas between them."),
        ),
    ] = ALL_PLAYERS,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="K",
            parser=whole("--games", 1, MOST_GAMES),
            help=_("How many games for each number of players."),
        ),
    ] = 24,
    seed: Seed = None,
    jobs: Jobs = None,
    board: BoardFile = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help=_("Write figures and a report with charts into this folder.")),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play, and compare with published games."""
    from elcapitan.cli.survey import hold  # noqa: PLC0415 - needs the engine
    from elcapitan.figures import load  # noqa: PLC0415
    from elcapitan.study.playing import Plan  # noqa: PLC0415

    plan = Plan(
        bot=bot,
        players=tuple(int(number) for number in players.split(",")),
        games=games,
        seed=some_seed(seed),
        board=load(board) if board else None,
    )
    if not hold(terminal(context), plan, jobs=jobs, out=out, as_json=as_json):
        raise typer.Exit(INTERRUPTED)


GROUP: Final = typer.Typer(cls=Group, rich_markup_mode=None, invoke_without_command=True, callback=study)
GROUP.command(help=HELP_ECONOMY, short_help=SHORT_ECONOMY)(economy)
