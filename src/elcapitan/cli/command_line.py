"""What all command lines share: a sentence for every mistake, groups of commands, and help in the reader's language."""

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperGroup

from elcapitan.board.board_file import nearest
from elcapitan.errors import ElCapitanError
from elcapitan.text.catalogue import Translator, _

SENTENCES: Final = {
    # Words of the command line.
    "no-port": _("Nothing can listen on {host}, port {port}: {problem}."),
    "not-shared": _("Workers need games in a PostgreSQL, which several programs can share: {database} is none."),
    "no-command": _("There is no command {found}; the nearest is {nearest}."),
    "no-option": _("There is no option {found}; see {command} --help."),
    "nearest-option": _("There is no option {found}; the nearest is {nearest}."),
    "needs-value": _("{option} needs a value; see {command} --help."),
    "missing": _("{name} is missing; see {command} --help."),
    "surplus": _("{found} is more than this command can use; see {command} --help."),
    "not-understood": _("This command line cannot be understood: {problem}"),
    # Values of options.
    "not-whole": _("{option} wants a whole number from {least} to {most}, not {found}."),
    "bad-address": _("{option} wants an address such as https://capitan.example, not {found}."),
    "no-address": _("{option} needs --base-url, the address for links, as in --base-url https://capitan.example."),
    "bad-proxy": _("{option} wants addresses or networks with commas between them, not {found}."),
    "bad-limits": _("{option} wants off, or numbers as in games=50, requests=20 (there are {known}), not {found}."),
    "bad-token": _("{place} must hold a token of at least {least} letters and digits, without spaces."),
    "no-token": _("{file} cannot be read: {problem}."),
    "not-a-hash": _("{option} wants {least} to {most} digits of a hash (0 to 9, a to f), not {found}."),
    "not-one-of": _("{option} wants one of {known}, not {found}."),
    "no-language": _("There is no language {found}; the languages are {known}."),
    "bad-tile": _("{found} is no city of the expansion; the nearest is {nearest}."),
    "no-city": _("{found} is no city; the nearest is {nearest}."),
    "wrong-names": _("{found} names are given for {wanted} players."),
    "bad-bots": _("--bots wants names of computer players with commas between them, not {found}."),
    "bad-players-list": _("--players wants numbers from {least} to {most} with commas between them, not {found}."),
    "jobs-and-cluster": _("--jobs is for this machine: with --cluster, the cluster decides how many play at a time."),
    "seats-players": _("--seats names {found} seats, but --players says {wanted}."),
    "other-seats": _("--seats names {found} seats, but {wanted} merchants play in this game."),
    "program-seat": _("In {file} a seat is played by the program {program}: give --seats to start it, or another."),
    "no-such-event": _("There is no event {found}: they are numbered from 0 to {most}."),
    "many-games": _("{found} is the beginning of several games: {known}."),
    # A seat on a server.
    "bad-server": _("{found} is no address of a server; it begins with https:// or http://."),
    "no-server": _("{address} does not answer: {problem}."),
    "no-such-server": _("At {address} there is no El Capitán, or another edition of it."),
    "server-refuses": _("{address} refuses: {problem}"),
    "no-key": _("The key of a seat is wanted: in the link, with --key, or in the variable {variable}."),
    "no-seat": _("This key opens no seat, so nobody can play with it."),
    # Files.
    "not-a-record": _("{file} is no game record: its name must end in .json or .capitan."),
    "in-file": _("In {file}: {problem}"),
    "cannot-write": _("{file} cannot be written: {problem}."),
    "results-there": _("{folder} has the results of another arena already; choose another folder."),
    "study-there": _("{folder} has the figures of another study already; choose another folder."),
    "data-there": _("{folder} has other data already; choose another folder."),
    "no-research": _("This needs packages for research: {command}"),
    "nothing-saved": _("There is no game that was left unfinished."),
    # Rules.
    "no-rule": _("Nothing in the rules is called {words} or contains it."),
    "near-rule": _("Nothing in the rules is called {words} or contains it; near are {near}."),
}

# Words that Typer itself puts into a help page.
TYPERS_WORDS: Final = {
    "Usage:": _("Usage:"),
    "[OPTIONS]": _("[OPTIONS]"),
    "COMMAND [ARGS]...": _("COMMAND [ARGS]..."),
    "Arguments:": _("Arguments:"),
    "Options:": _("Options:"),
    "Commands:": _("Commands:"),
    "[default: ": _("[default: "),
    "[required]": _("[required]"),
}
INTERRUPTED: Final = 130  # exit code after Ctrl+C, as of shells
HELP_OPTION: Final = _("Show this help and leave.")


class BadInput(ElCapitanError):
    """A command line that cannot be carried out."""

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """Return the error message in the reader's language."""
        return translate(SENTENCES[self.reason]).format(**self.arguments)


class BadFile(BadInput):
    """A file that cannot be read, with the error found in it."""

    def __init__(self, file: str, problem: ElCapitanError) -> None:
        super().__init__("in-file", file=file)
        self.problem = problem

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """Return the error message: the file, and what is wrong with it."""
        return translate(SENTENCES["in-file"]).format(
            file=self.arguments["file"], problem=self.problem.sentence(translate)
        )


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an `OSError` inside a `with` block into the message that a file or folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise BadInput("cannot-write", file=path, problem=error.strerror or error) from None


def usage_error(error: Exception, command: str) -> BadInput:
    """Translate an error of Typer about the command line, told apart by its class."""
    kind = type(error).__name__
    if kind == "NoSuchOption":
        found, near = getattr(error, "option_name", ""), getattr(error, "possibilities", None)
        if near:
            return BadInput("nearest-option", found=found, nearest=near[0])
        return BadInput("no-option", found=found, command=command)
    if kind == "BadOptionUsage":
        return BadInput("needs-value", option=getattr(error, "option_name", ""), command=command)
    if kind == "MissingParameter":
        parameter = getattr(error, "param", None)
        return BadInput("missing", name=getattr(parameter, "metavar", None) or "?", command=command)
    if extra := re.search(r"unexpected extra argument.*\((.*)\)", str(getattr(error, "message", ""))):
        return BadInput("surplus", found=extra[1], command=command)
    return BadInput("not-understood", problem=str(getattr(error, "message", error)))


class CommandGroup(TyperGroup):
    """Commands under one name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command by name; raise `BadInput` with the nearest name if there is none."""
        known = self.list_commands(ctx)
        if args and args[0] not in known:
            raise BadInput("no-command", found=args[0], nearest=nearest(args[0], known))
        return super().resolve_command(ctx, args)


def show_help(context: typer.Context) -> None:
    """Print the help of a group that is called without a command."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def command_group(text: str) -> typer.Typer:
    """Create an empty group of commands with this help."""
    return typer.Typer(
        cls=CommandGroup,
        help=text,
        add_completion=False,
        rich_markup_mode=None,
        invoke_without_command=True,
        callback=show_help,
    )


def localise(program: Any, translator: Translator) -> None:
    """Translate the help of a program and of all its commands, before Typer prints it."""
    _localise_command(program, translator)
    for command in getattr(program, "commands", {}).values():
        localise(command, translator)


def _localise_command(command: Any, translator: Translator) -> None:
    """Translate the help of one command and of its options."""
    for part in ("help", "short_help", "epilog"):
        setattr(command, part, _translated(getattr(command, part), translator))
    for parameter in command.params:
        parameter.help = _translated(getattr(parameter, "help", None), translator)
    ask_for_option, ask_for_page = command.get_help_option, command.get_help

    def help_option(context: Any) -> Any:
        option = ask_for_option(context)
        if option is not None:
            option.help = translator.template(HELP_OPTION)
        return option

    def help_page(context: Any) -> str:
        page = str(ask_for_page(context))
        for english, own in TYPERS_WORDS.items():
            page = page.replace(english, translator.template(own))
        return page

    command.get_help_option, command.get_help = help_option, help_page


def _translated(text: str | None, translator: Translator) -> str | None:
    """Translate a help text, if there is one."""
    return translator.template(text) if text else text
