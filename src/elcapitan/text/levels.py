"""What the levels of the computer players are called."""

from typing import Final

from elcapitan.text.catalogue import Translator, _

LEVEL_NAMES: Final = {
    "wanderer": _("wanderer"),
    "trader": _("trader"),
    "captain": _("captain"),
    "navigator": _("navigator"),
    "admiral": _("admiral"),
}


def level_name(spec: str, t: Translator) -> str:
    """What a level is called in the reader's language; a budget behind a colon is not its name."""
    level, _colon, _budget = spec.partition(":")
    return t.template(LEVEL_NAMES.get(level, level))
