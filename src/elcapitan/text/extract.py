"""Which messages there are, and bringing the catalogues up to date: `python -m elcapitan.text.extract`.

A message is the first argument of `text`, `particular`, `plural` or `_` somewhere in the sources or the templates of
pages, a template of `error_messages`, or what a computer player says about itself. Translations that exist are kept,
new messages come in without one, old ones go.
"""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from elcapitan.bots.registry import LEVELS
from elcapitan.error_messages import REASONS, REFUSALS
from elcapitan.text.catalogue import DOMAIN, TRANSLATED, read

KEYWORDS: Final = {"_": None, "text": None, "plural": (1, 2), "particular": ((1, "c"), 2)}
METHODS: Final = [("**.py", "python"), ("web/templates/**.html", "jinja2")]
JINJA: Final = {"web/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
WIDTH: Final = 110
HEAD: Final = """\
# What El Capitán says. Kept up to date by `python -m elcapitan.text.extract`: edit nothing but the translations.
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural_forms}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""

Message = str | tuple[str, ...]


def sources() -> Path:
    """The folder of the package."""
    with resources.as_file(resources.files("elcapitan")) as folder:
        return folder


def found() -> Iterator[tuple[str, Message, str | None]]:
    """Every message, with the module it stands in and its context."""
    modules = extract_from_dir(sources(), METHODS, JINJA, keywords=KEYWORDS)
    for module, _line, message, _comments, context in modules:
        yield Path(module).as_posix(), message, context
    for template in (*REASONS.values(), *REFUSALS.values()):
        yield "error_messages.py", template, None
    for level in LEVELS.values():
        yield "bots/registry.py", level.about, None


def template() -> Catalog:
    """A catalogue of all messages without translations."""
    catalogue = Catalog(domain=DOMAIN, charset="utf-8")
    for module, message, context in sorted(found(), key=lambda each: each[0]):
        catalogue.add(message, locations=[(module, 0)], context=context, flags=_flags(message))
    return catalogue


def _flags(message: Message) -> tuple[str, ...]:
    """What tools should know about a message: whether it has placeholders."""
    text = message if isinstance(message, str) else message[0]
    return ("python-brace-format",) if "{" in text else ()


def updated(language: str) -> Catalog:
    """Return the catalogue of a language with exactly the messages of the sources, and the translations it has."""
    catalogue = Catalog(locale=language, domain=DOMAIN, charset="utf-8")
    old = read(language)
    for message in template():
        if not message.id:
            continue
        known = old.get(message.id, message.context)
        catalogue.add(
            message.id,
            known.string if known else "",
            locations=[(module, 0) for module, _line in message.locations],
            flags=[flag for flag in message.flags if flag != "python-format"],
            context=message.context,
        )
    return catalogue


def main() -> None:
    """Bring all catalogues up to date."""
    for language in TRANSLATED:
        catalogue = updated(language)
        path = sources() / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"
        with path.open("wb") as stream:
            stream.write(HEAD.format(language=language, plural_forms=catalogue.plural_forms).encode())
            write_po(stream, catalogue, width=WIDTH, omit_header=True, include_lineno=False)
        missing = sum(1 for message in catalogue if message.id and not message.string)
        print(f"{language}: {len(catalogue)} messages, {missing} without translation")  # noqa: T201


if __name__ == "__main__":
    main()
