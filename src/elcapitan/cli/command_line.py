"""What all commands share: the reader's language, consoles and progress bars, a sentence for each mistake, and help."""

import contextlib
import functools
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup

from elcapitan.board.board_file import nearest
from elcapitan.errors import ElCapitanError, Tell, in_english
from elcapitan.text.catalogue import DEFAULT, Translator, _, translator

if TYPE_CHECKING:
    import typer
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table
    from rich.text import Text

NO_BREAK: Final = "\N{NO-BREAK SPACE}"
STAND_IN: Final = "\ue000"  # a private character, which is no space
SENTENCES: Final = {
    # Words of the command line.
    "no-port": _("Cannot listen on {host}, port {port}: {problem}."),
    "not-shared": _(
        "Workers need a PostgreSQL database, which several programs can share; {database} is something else."
    ),
    "no-command": _("There is no command {found}; the nearest is {nearest}."),
    "no-option": _("There is no option {found}; see {command} --help."),
    "nearest-option": _("There is no option {found}; the nearest is {nearest}."),
    "needs-value": _("{option} needs a value; see {command} --help."),
    "missing": _("{name} is missing; see {command} --help."),
    "needs-extra": _('“elcapitan {command}” needs more packages: pip install "elcapitan[{extra}]".'),
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
    "bad-tile": _("{found} is not a city of the expansion; the nearest is {nearest}."),
    "no-city": _("{found} is not a city; the nearest is {nearest}."),
    "unknown-colour": _("{found} is not a colour of a merchant; there are {known}."),
    "wrong-colours": _(
        "Colours in --colours: {found}; needed: {wanted}, one for each merchant, and with two players two neutral ones."
    ),
    "wrong-names": _("Names given: {found}; players: {wanted}."),
    "bad-bots": _("--bots wants names of computer players with commas between them, not {found}."),
    "bad-players-list": _("--players wants numbers from {least} to {most} with commas between them, not {found}."),
    "jobs-and-cluster": _("--jobs is for this machine: with --cluster, the cluster decides how many play at a time."),
    "seats-players": _("Seats in --seats: {found}; in --players: {wanted}."),
    "other-seats": _("Seats in --seats: {found}; merchants in this game: {wanted}."),
    "program-seat": _("In {file} a seat is played by the program {program}: give --seats to start it, or another."),
    "not-a-picture": _("A picture is saved as .svg or .png, not as {file}."),
    "unfinished": _("There is no result to draw: the game in {file} is not over."),
    "no-png": _(
        'For a PNG, install one more package (pip install "elcapitan[pictures]"), or save the picture as .svg.'
    ),
    "no-fonts": _("This machine has no fonts for a PNG: save the picture as .svg."),
    "no-such-event": _("There is no event {found}: they are numbered from 0 to {most}."),
    "many-games": _("{found} is the beginning of several games: {known}."),
    # A seat on a server.
    "bad-server": _("{found} is not an address of a server; it begins with https:// or http://."),
    "no-server": _("{address} does not answer: {problem}."),
    "no-such-server": _("At {address} there is no El Capitán, or another edition of it."),
    "server-refuses": _("{address} refuses: {problem}"),
    "no-key": _("The key of a seat is needed: in the link, with --key, or in the variable {variable}."),
    "no-seat": _("This key opens no seat, so nobody can play with it."),
    # Files.
    "not-a-record": _("{file} is not a game record: its name must end in .json or .capitan."),
    "in-file": _("In {file}: {problem}"),
    "cannot-write": _("{file} cannot be written: {problem}."),
    "results-there": _("{folder} has the results of another arena already; choose another folder."),
    "arena-in-use": _("Another arena is writing to {folder} right now; wait for it, or choose another folder."),
    "not-an-arena": _("{file} does not say which games were played here; choose another folder."),
    "other-arena": _("The games in {folder} were played with {option} {found}, not {wanted}; choose another folder."),
    "arena-with-option": _("The games in {folder} were played with {option}; give it again, or choose another folder."),
    "arena-without-option": _(
        "The games in {folder} were played without {option}; leave it out, or choose another folder."
    ),
    "arena-other-rules": _(
        "The games in {folder} were played by version {found} of the rules; these are version {wanted}. Choose another "
        "folder."
    ),
    "arena-other-data": _("{file} has changed since the games in {folder} were played; choose another folder."),
    "arena-too-long": _("In {folder} there are more games than --games {wanted} asks for: give at least {least}."),
    "lonely-ladder": _("A ladder needs at least two computer players."),
    "twice-on-the-ladder": _("{found} is named twice; on a ladder everybody stands once."),
    "no-submissions": _("{file} is not a list of submissions: {problem}."),
    "bad-submission": _("In {file}, submission {number}: {key} is missing, unknown or not as it must be."),
    "study-there": _("{folder} has the figures of another study already; choose another folder."),
    "data-there": _("{folder} has other data already; choose another folder."),
    "nothing-saved": _("There is no game that was left unfinished."),
    # Rules.
    "no-rule": _("Nothing found in the rules for {words}."),
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
HELP_OPTION: Final = _("Show this help and exit.")


# Rich is imported where it is used: help and errors are printed without it, in a third of the time.
class Terminal:
    """The reader's language, and the consoles for results and for progress."""

    def __init__(self, language: str = DEFAULT) -> None:
        self.translator: Translator = translator(language)

    @functools.cached_property
    def out(self) -> "Console":
        """The console for results."""
        from rich.console import Console  # noqa: PLC0415

        return Console(highlight=False, emoji=False)

    @functools.cached_property
    def err(self) -> "Console":
        """The console for progress and problems, so that results can be piped."""
        from rich.console import Console  # noqa: PLC0415

        return Console(stderr=True, highlight=False, emoji=False)

    @property
    def interactive(self) -> bool:
        """Whether a person can be asked: input and output are a terminal."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def say(self, sentence: str, style: str = "", *, error: bool = False) -> None:
        """Print a sentence without reading markup in it; long ones are broken by the terminal, not by Rich."""
        from rich.text import Text  # noqa: PLC0415

        (self.err if error else self.out).print(Text(sentence, style=style), soft_wrap=True)

    def print_text(self, text: "Text | str", style: str = "") -> None:
        """Print a text in lines that are never broken at a no-break space, as Rich would do."""
        from rich.text import Text  # noqa: PLC0415

        text = text if isinstance(text, Text) else Text(text, style=style)
        text.plain = text.plain.replace(NO_BREAK, STAND_IN)
        for line in text.wrap(self.out, self.out.width):
            line.rstrip()
            line.plain = line.plain.replace(STAND_IN, NO_BREAK)
            self.out.print(line, soft_wrap=True)

    def text(self, message: str, /, **arguments: object) -> str:
        """Translate a message and fill in its arguments."""
        return self.translator.text(message, **arguments)

    def plural(self, one: str, many: str, number: int, /, **arguments: object) -> str:
        """Translate a message whose form depends on a number."""
        return self.translator.plural(one, many, number, **arguments)

    def compile_rules(self) -> float:
        """Compile all kernels under a progress bar; returns the seconds it took, 0 if they were compiled before."""
        from rich.progress import TimeElapsedColumn  # noqa: PLC0415

        from elcapitan.engine import warm_up  # noqa: PLC0415 - slow to import

        if warm_up.is_ready():
            return 0.0
        begun = time.perf_counter()
        with self._progress(TimeElapsedColumn()) as bar:
            task = bar.add_task(self.text("Compiling the rules, only this once"), total=len(warm_up.kernels()))

            def done(name: str) -> None:
                text = self.text("Compiling the rules, only this once: {name}", name=name)
                bar.update(task, advance=1, description=text)

            warm_up.compile_all(done)
        return time.perf_counter() - begun

    def games_bar(self) -> "Progress":
        """Create a progress bar that counts games."""
        from rich.progress import TimeRemainingColumn  # noqa: PLC0415

        return self._progress(TimeRemainingColumn())

    def _progress(self, clock: Any) -> "Progress":
        """Create a progress bar that disappears at its end; nothing is shown unless stderr is a terminal."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), clock)
        return Progress(*columns, console=self.err, transient=True, disable=not self.err.is_terminal)


def terminal(context: "typer.Context") -> Terminal:
    """Return the terminal of a running command."""
    return context.obj if isinstance(context.obj, Terminal) else Terminal()


def plain_table(*titles: str, header_style: str = "dim", pad_edge: bool = False) -> "Table":
    """Create a table without lines; titles make columns of names first, then of numbers."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=pad_edge, header_style=header_style)
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number else "left")
    return table


def json_text(content: Any) -> str:
    """Format JSON for files and for `--json`."""
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def print_json(content: Any) -> None:
    """Print JSON as it is; a console would wrap its lines."""
    print(json_text(content), end="")  # noqa: T201


class BadInput(ElCapitanError):
    """A command line that cannot be carried out."""

    def sentence(self, tell: Tell = in_english) -> str:
        """Return the error message in the reader's language."""
        return tell(SENTENCES[self.reason], **self.arguments)


class BadFile(BadInput):
    """A file that cannot be read, with the error found in it."""

    def __init__(self, file: str, problem: ElCapitanError) -> None:
        super().__init__("in-file", file=file)
        self.problem = problem

    def sentence(self, tell: Tell = in_english) -> str:
        """Return the error message: the file, and what is wrong with it."""
        return tell(SENTENCES["in-file"], file=self.arguments["file"], problem=self.problem.sentence(tell))


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
