"""Templates in the reader's language, and the pages made from them.

There is one environment for each language, so that a template says `text("Undo")` and need not be told which language.
"""

import functools
import hashlib
import posixpath
import re
from collections.abc import Hashable, Iterable
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, Protocol

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from markupsafe import Markup, escape

from elcapitan.service import Table
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.web.viewer import THEMES, Viewer, viewer

# What every language calls itself: who does not read the page's language must find their own.
LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "fr": "Français"}
INDENTATION: Final = re.compile(r"^[ ]+", re.MULTILINE)
IMPORT: Final = re.compile(r'^import\b[^;"]*"([^"]+)";', re.MULTILINE)  # in a script: the path of another one
DISABLED: Final = ' type="button" aria-disabled="true"'
STATIC_FILES: Final = resources.files("elcapitan.web") / "static"
MOST_PARTS: Final = 200  # drawn parts of one kind kept for a table: enough for all who look at it at the same time
MOST_EARLIER: Final = 1024  # drawn parts of earlier moments kept for all tables together, some kilobytes each


class WithoutIndentation(Extension):
    """Drops the indentation of templates when they are compiled, so that pages do not carry it."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - as Jinja calls it
        """Strip the spaces at the beginning of every line."""
        return INDENTATION.sub("", source)


class SharedBytecode(BytecodeCache):
    """Compiled templates for the environments of all languages: a template compiles to the same code in each."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket from the cache."""
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the content of a bucket."""
        self._code[bucket.key] = bucket.bytecode_to_string()


BYTECODE: Final = SharedBytecode()


def compile_templates() -> None:
    """Compile every template, so that the first reader of a page does not wait for it."""
    for language in LANGUAGES:
        made = environment(language)
        for name in made.list_templates():
            made.get_template(name)


@functools.cache
def environment(language: str) -> Environment:
    """The templates of a language."""
    t = translator(language)
    made = Environment(
        loader=PackageLoader("elcapitan.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=BYTECODE,
        extensions=[WithoutIndentation],
    )
    made.globals.update(
        text=t.text,
        plural=t.plural,
        particular=t.particular,
        static=static,
        with_imports=with_imports,
        action_button=action_button,
        language=language,
        languages={code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        themes=THEMES,
        row=functools.partial(row, language),
    )
    # Small things are at hand everywhere: who imports them pays for it at every drawing.
    small = made.get_template("parts/macros.html").module
    made.globals.update({name: made_of for name, made_of in vars(small).items() if not name.startswith("_")})
    return made


def row(
    language: str, table: Table, live: bool, template: str, macro: str, parts: Iterable[Hashable], *more: Hashable
) -> Markup:
    """Draw parts of a table of the same kind, one after the other, each by a macro, which may need something more.

    What was drawn of the same things for anybody, now or before the last change, is not drawn again; the rest is
    forgotten. Parts of earlier moments, where the table is not `live`, share one bounded cache.
    """
    if not live:
        return Markup("".join(_earlier(language, template, macro, part, more) for part in parts))
    version, now, before = table.kept.get((language, macro), ("", {}, {}))
    if version != table.version or len(now) > MOST_PARTS:
        now, before = {}, now
        table.kept[language, macro] = table.version, now, before
    shown = []
    for part in parts:
        key = (part, more)
        if key not in now:
            now[key] = before.get(key) or _part(language, template, macro, part, more)
        shown.append(now[key])
    return Markup("".join(shown))


def _part(language: str, template: str, macro: str, part: Hashable, more: tuple[Hashable, ...]) -> str:
    """Draw one part by a macro of a template."""
    return str(getattr(environment(language).get_template(template).module, macro)(part, *more))


_earlier: Final = functools.lru_cache(maxsize=MOST_EARLIER)(_part)


class Refusal(Protocol):
    """Why something may not be done, as the scene has it."""

    @property
    def reason(self) -> str:
        """A sentence that gives the reason."""

    @property
    def rule(self) -> str:
        """The id of the rule behind it."""


def action_button(
    kind: str,
    actions: str | None,
    content: str,
    name: str = "",
    label: str = "",
    topic: str = "",
    refused: Refusal | None = None,
    *,
    preview: bool = True,
) -> Markup:
    """Draw a button that plays actions or, without them, one that cannot be used and says why.

    `kind` is its class, `name` its id and `topic` what explains it. A table has a hundred of them, and a macro with as
    many arguments takes three times as long.
    """
    html = f'<button class="{kind}"' if kind else "<button"
    if name:
        html += f' id="{name}"'
    html += f' type="submit" form="turn" name="actions" value="{actions}"' if actions else DISABLED
    if actions and preview:
        html += f' data-act="{actions}"'
    if refused:
        html += f' data-why="{escape(refused.reason)}" data-rule="{escape(refused.rule)}"'
    if label:
        html += f' aria-label="{escape(label)}"'
    if topic:
        html += f' data-help="{topic}"'
    return Markup(f"{html}>{escape(content)}</button>")


def static(path: str) -> str:
    """Return the address of a static file.

    It contains the digest of all static files, so that browsers may keep each file for ever, and so that scripts that
    import each other by relative paths get matching versions.
    """
    return f"/static/{static_digest()}/{path}"


@functools.cache
def static_digest() -> str:
    """Return the digest of all static files, computed once in a process."""
    return digest_of(STATIC_FILES)


def digest_of(folder: Traversable) -> str:
    """Compute a short digest of the names and contents of all files in a folder and its subfolders."""
    digest = hashlib.blake2b(digest_size=6)
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        content = digest_of(entry).encode() if entry.is_dir() else entry.read_bytes()
        digest.update(f"{entry.name} {len(content)} ".encode() + content)
    return digest.hexdigest()


@functools.cache
def with_imports(*scripts: str) -> tuple[str, ...]:
    """List these scripts and all that they import, so that a page can load them at the same time."""
    found = list(scripts)
    for script in found:
        content = (STATIC_FILES / script).read_text(encoding="utf-8")
        imported = (posixpath.normpath(posixpath.join(script, "..", path)) for path in IMPORT.findall(content))
        found += [each for each in dict.fromkeys(imported) if each not in found]
    return tuple(found)


def rendered(template: str, who: Viewer, **values: object) -> str:
    """A template filled in."""
    return environment(who.language).get_template(template).render(viewer=who, **values)


def page(request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
    """A whole page for whoever asks."""
    content = rendered(template, viewer(request), request_path=here(request), **values)
    return HTMLResponse(content, status, headers={"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language"})


def here(request: Request) -> str:
    """The address of a page within this site, to come back to it."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


def template_names() -> Iterable[str]:
    """All templates there are."""
    return environment(LANGUAGES[0]).list_templates(extensions=["html", "svg"])
