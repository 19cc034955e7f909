"""The catalogues of translations: which language a reader wants, and every message in it.

The English text of a message is its key. The catalogues are read as they are written, from the .po files, once for
each language; English needs none, because the sources carry it already.
"""

import functools
import os
import re
import unicodedata
from collections.abc import Mapping
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel.messages import Catalog

LANGUAGES: Final = ("en", "de", "fr")
DEFAULT: Final = "en"
TRANSLATED: Final = tuple(language for language in LANGUAGES if language != DEFAULT)  # those that have a catalogue
VARIABLE: Final = "ELCAPITAN_LANGUAGE"
LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
DOMAIN: Final = "elcapitan"
FRENCH: Final = "fr"
ELIDED: Final = re.compile(r"\b([Dd]|[Qq]u)e \{(\w+)\}")  # "de" or "que" before a placeholder


def _(message: str) -> str:
    """Mark a message in a table, so that it is found and translated; it is looked up when it is shown."""
    return message


class Translator:
    """Messages in one language. Arguments are put into a message by their names: "{card} costs {price}"."""

    def __init__(self, language: str, messages: NullTranslations) -> None:
        self.language = language
        self._messages = messages

    def template(self, message: str) -> str:
        """A message with its placeholders still in it."""
        return self._messages.gettext(message) if message else ""  # the empty message is a catalogue's head

    def text(self, message: str, /, **arguments: object) -> str:
        """Translate a message and fill in its arguments."""
        return self._filled(self.template(message), arguments)

    def particular(self, context: str, message: str, /, **arguments: object) -> str:
        """A message whose English text alone does not tell what is meant."""
        return self._filled(self._messages.pgettext(context, message), arguments)

    def plural(self, one: str, many: str, number: int, /, **arguments: object) -> str:
        """A message that depends on a number, which stands in it as {number}."""
        return self._filled(self._messages.ngettext(one, many, number), {"number": number, **arguments})

    def _filled(self, template: str, arguments: Mapping[str, object]) -> str:
        """Fill in the arguments; French elides before a vowel, as in "d\N{RIGHT SINGLE QUOTATION MARK}Inês"."""
        if self.language == FRENCH:
            template = ELIDED.sub(functools.partial(_elided, arguments), template)
        return template.format(**arguments)


def _elided(arguments: Mapping[str, object], found: re.Match[str]) -> str:
    """Return "d" or "qu" with an apostrophe if the argument begins with a vowel, and what was found if not."""
    value = arguments.get(found[2])
    first = unicodedata.normalize("NFD", value[:1]).lower()[:1] if isinstance(value, str) else ""
    return f"{found[1]}\N{RIGHT SINGLE QUOTATION MARK}{{{found[2]}}}" if first and first in "aeiou" else found[0]


@functools.cache
def translator(language: str) -> Translator:
    """Load the messages of a language, one of LANGUAGES, once."""
    if language == DEFAULT:
        return Translator(DEFAULT, NullTranslations())
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - English does not need Babel, which loads slowly

    compiled = BytesIO()
    write_mo(compiled, read(language))
    compiled.seek(0)
    return Translator(language, GNUTranslations(compiled))


def read(language: str) -> "Catalog":
    """Read the catalogue of a language, one of TRANSLATED."""
    from babel.messages.pofile import read_po  # noqa: PLC0415

    file = resources.files("elcapitan") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    with file.open("rb") as stream:
        return read_po(stream, locale=language, domain=DOMAIN)


def preferred(chosen: str | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """The language to speak: the chosen one, else that of the environment, else English.

    What was chosen, by option or by ELCAPITAN_LANGUAGE, is returned as it is; the caller asks whether it exists.
    """
    wanted = chosen or environment.get(VARIABLE)
    if wanted:
        return wanted
    for locale in _locales(environment):
        language = locale.replace("-", "_").partition("_")[0].partition(".")[0].lower()
        if language in LANGUAGES:
            return language
    return DEFAULT


def _locales(environment: Mapping[str, str]) -> list[str]:
    """The locales a user asks for, in order: the list in LANGUAGE, if any, before the single locale."""
    locale = next((environment[name] for name in LOCALE_VARIABLES if environment.get(name)), "C")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return []
    return [*environment.get("LANGUAGE", "").split(":"), locale]
