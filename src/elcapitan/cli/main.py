"""The program: its commands, and how errors are reported.

An error in the input is reported with one sentence on stderr, in the reader's language, and exit code 2.
"""

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from elcapitan.cli.command_line import INTERRUPTED, BadInput, CommandGroup, Terminal, localise, show_help, usage_error
from elcapitan.errors import ElCapitanError
from elcapitan.text.catalogue import DEFAULT, LANGUAGES, Translator, _, preferred, translator

PROGRAM: Final = "elcapitan"
BAD_INPUT: Final = 2
OUR_FAULT: Final = 1
DEBUG_VARIABLE: Final = "ELCAPITAN_DEBUG"
UsageError: Final = typer.BadParameter.__mro__[1]  # Typer's own base class of errors in a command line

# All commands in the order of the help. Each is loaded when it is used, from the module of its name or of MODULES.
COMMANDS: Final = {
    "serve": _("Play in the browser."),
    "worker": _("Let computer players play for servers that share a PostgreSQL."),
    "play": _("Play in the terminal, among friends or against the computer."),
    "rules": _("Look a rule, an example or a ruling up."),
    "replay": _("Verify a game record and show what happened."),
    "verify": _("Check that the cards of a game came as they were shuffled."),
    "bots": _("Tell which computer players there are."),
    "sit": _("Let a computer player or a program of your own take a seat on a server."),
    "arena": _("Let computer players play many games and measure their strength."),
    "ladder": _("Rate computer players by many games, and write a page."),
    "simulate": _("Let random players play many games."),
    "dataset": _("Write the positions of many games to Parquet files."),
    "board": _("Show the figures of board and cards, or check a board file."),
    "perft": _("Count the game tree."),
    "bench": _("Measure the engine on this machine."),
    "warm-up": _("Compile the rules now, so that no command has to wait for it."),
    "games": _("List, export, import, delete and back up the games of the browser."),
    "study": _("Study the game itself by letting strong computer players play it."),
}
# The modules of commands that stand together with others.
MODULES: Final = {
    "bench": "engine",
    "board": "look_up",
    "bots": "look_up",
    "dataset": "arena",
    "perft": "engine",
    "replay": "check_records",
    "rules": "look_up",
    "verify": "check_records",
    "warm-up": "engine",
    "worker": "serve",
}
# Commands that need more packages than the program itself, and the extra that brings them.
EXTRAS: Final = {
    "arena": "arena",
    "dataset": "research",
    "games": "server",
    "ladder": "arena",
    "serve": "server",
    "study": "arena",
    "worker": "postgres",
}


def take_language(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Find --language anywhere on the command line; returns the language and the words without it."""
    chosen: str | None = None
    left: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            return chosen, [*left, word, *rest]
        option, equals, value = word.partition("=")
        if option != "--language":
            left.append(word)
        elif equals:
            chosen = value
        else:
            chosen = next(rest, "")
            if not chosen:
                raise BadInput("needs-value", option="--language", command=PROGRAM)
    return chosen, left


def print_anything() -> None:
    """Print a question mark for letters that the terminal cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def load_command(name: str) -> Any:
    """Import the module of a command and build the command: of its function and its help, or of a whole group."""
    function = name.replace("-", "_")
    module = import_module(f"elcapitan.cli.{MODULES.get(name, function)}")
    commands = getattr(module, "GROUP", None)
    if commands is None:
        commands = typer.Typer(add_completion=False, rich_markup_mode=None)
        commands.command(help=getattr(module, f"{function.upper()}_HELP"))(getattr(module, function))
    command: Any = typer.main.get_command(commands)
    command.name, command.short_help = name, COMMANDS[name]
    return command


class Program(CommandGroup):
    """All commands, each loaded when it is used, with one way to report errors."""

    speaking: Translator = translator(DEFAULT)
    running = ""  # the command, by name

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands without loading them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a command; None if there is none of this name."""
        del ctx
        self.running = cmd_name
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.commands[cmd_name] = load_command(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command of a command line, with its help in the reader's language."""
        name, command, words = super().resolve_command(ctx, args)
        localise(command, self.speaking)
        return name, command, words

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List all commands in a help page without loading them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.speaking.template(short)) for name, short in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and exit; errors are printed as sentences."""
        del prog_name, standalone_mode
        print_anything()
        try:
            chosen, words = take_language(sys.argv[1:] if args is None else args)
            language = preferred(chosen)
            if language not in LANGUAGES:
                raise BadInput("no-language", found=language, known=", ".join(LANGUAGES))
            self.speaking = translator(language)
            localise(self, self.speaking)
            extra["obj"] = Terminal(language)
            code = super().main(words, PROGRAM, complete_var, False, windows_expand_args, **extra)
        except Exception as error:
            code = report(error, self.speaking, self.running)
        sys.exit(code if isinstance(code, int) else 0)


def report(error: Exception, speaking: Translator, command: str) -> int:
    """Print one sentence for an error; returns the exit code."""
    if os.environ.get(DEBUG_VARIABLE):
        raise error
    if isinstance(error, typer.Abort):  # the input ended where an answer was expected
        return INTERRUPTED
    if isinstance(error, ModuleNotFoundError) and command in EXTRAS and not str(error.name).startswith(PROGRAM):
        error = BadInput("needs-extra", command=command, extra=EXTRAS[command])
    if isinstance(error, UsageError):
        context = getattr(error, "ctx", None)
        error = usage_error(error, context.command_path if context else PROGRAM)
    if isinstance(error, ElCapitanError):
        typer.echo(error.sentence(speaking.text), err=True)
        return BAD_INPUT
    problem = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    typer.echo(
        speaking.text(
            "This is a bug in the program, not a mistake of yours ({problem}); with {variable}=1 it says more.",
            problem=problem,
            variable=DEBUG_VARIABLE,
        ),
        err=True,
    )
    return OUR_FAULT


app = typer.Typer(
    cls=Program,
    name=PROGRAM,
    help=_("El Capitán, the board game of merchants in the Mediterranean: play it, replay it, look its rules up."),
    epilog=_("New here? Type “elcapitan serve”: the game opens in your browser."),
    add_completion=False,
    rich_markup_mode=None,  # the plain help is there in a third of the time
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def show_version(wanted: bool) -> None:
    """Print the version and exit, if it is asked for."""
    if wanted:
        from importlib import metadata  # noqa: PLC0415 - slow to import

        try:
            typer.echo(f"{PROGRAM} {metadata.version(PROGRAM)}")
        except metadata.PackageNotFoundError:  # run from its sources, without being installed
            typer.echo(PROGRAM)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def begin(
    context: typer.Context,
    language: Annotated[
        str | None,
        typer.Option(metavar="|".join(LANGUAGES), help=_("Language to speak; may stand anywhere on the command line.")),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=show_version, help=_("Show the version and exit."))
    ] = False,
) -> None:
    """Show the help when no command is given; the options are read before this."""
    del language, version
    show_help(context)


def main() -> None:
    """Run the `elcapitan` command."""
    app()
