"""Groups of commands: a misspelt command is answered with the nearest one, and all help is in the reader's language."""

from typing import Any, Final

import typer
from typer.core import TyperGroup

from elcapitan.board.board_file import nearest
from elcapitan.cli.usage_errors import BadInput
from elcapitan.text.catalogue import Translator, _

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
HELP_OPTION: Final = _("Show this help and leave.")


class CommandGroup(TyperGroup):
    """Commands under one name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command by name; raise `BadInput` with the nearest name if there is none."""
        if args and args[0] not in self.commands:
            raise BadInput("no-command", found=args[0], nearest=nearest(args[0], self.commands))
        return super().resolve_command(ctx, args)


def show_help(context: typer.Context) -> None:
    """Print the help of a group that is called without a command."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def command_group() -> typer.Typer:
    """Create an empty group of commands."""
    return typer.Typer(cls=CommandGroup, rich_markup_mode=None, invoke_without_command=True, callback=show_help)


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
