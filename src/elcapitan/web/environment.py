"""Templates in the reader's language, and the pages made from them.

There is one environment for each language, so that a template says `text("Undo")` and need not be told which language.
"""

import functools
import hashlib
from collections.abc import Hashable, Iterable
from importlib import resources
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.web.viewer import THEMES, Viewer, viewer

MOST_KEPT: Final = 8192  # drawn parts

# What every language calls itself: who does not read the page's language must find their own.
LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "fr": "Français"}


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
    )
    made.globals.update(
        text=t.text,
        plural=t.plural,
        particular=t.particular,
        static=static,
        language=language,
        languages={code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        themes=THEMES,
        kept=functools.partial(kept, language),
    )
    return made


@functools.lru_cache(maxsize=MOST_KEPT)
def kept(language: str, template: str, macro: str, *arguments: Hashable) -> Markup:
    """A macro filled in; once for the same arguments, so that what has not changed is not drawn again."""
    drawn: Markup = getattr(environment(language).get_template(template).module, macro)(*arguments)
    return drawn


@functools.cache
def static(path: str) -> str:
    """The address of a static file; it changes with the content, so that browsers may keep the file for ever."""
    content = (resources.files("elcapitan.web") / "static" / path).read_bytes()
    return f"/static/{path}?{hashlib.blake2b(content, digest_size=6).hexdigest()}"


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
