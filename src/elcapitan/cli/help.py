"""The help of all commands in the reader's language: their texts are swapped before Typer prints them."""

from typing import Any

from elcapitan.text.catalogue import Translator, _

# Words that Typer itself puts into a help page.
TYPERS_WORDS = {
    "Usage:": _("Usage:"),
    "[OPTIONS]": _("[OPTIONS]"),
    "COMMAND [ARGS]...": _("COMMAND [ARGS]..."),
    "Arguments:": _("Arguments:"),
    "Options:": _("Options:"),
    "Commands:": _("Commands:"),
    "[default: ": _("[default: "),
    "[required]": _("[required]"),
}
HELP_OPTION = _("Show this help and leave.")


def localise(program: Any, translator: Translator) -> None:
    """Translate the help of a program and of all its commands, which are in English at first."""
    _localise_command(program, translator)
    for command in getattr(program, "commands", {}).values():
        localise(command, translator)


def _localise_command(command: Any, translator: Translator) -> None:
    """Translate the help of one command and of its options."""
    command.help = _translated(command.help, translator)
    command.short_help = _translated(command.short_help, translator)
    command.epilog = _translated(command.epilog, translator)
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
    """A help text in the reader's language."""
    return translator.template(text) if text else text
