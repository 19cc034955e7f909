"""Pages and parts of pages as HTML, from templates in the reader's language.

There is one Jinja environment for each language, so that a template says `text("Undo")` without naming the language.
Parts of a table that did not change are drawn once and reused.
"""

import functools
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from markupsafe import Markup, escape

from elcapitan.bots.chances import Chances
from elcapitan.errors import ElCapitanError
from elcapitan.players.judge import Mistake
from elcapitan.players.seats import Suggestion
from elcapitan.position.routes import ways_to
from elcapitan.service import Table
from elcapitan.service.keys import Rights
from elcapitan.text.catalogue import LANGUAGES, Translator, translator
from elcapitan.web.auth import server_settings
from elcapitan.web.server_settings import connected_url
from elcapitan.web.static_files import static, static_digest, with_imports
from elcapitan.web.view.context import sentence_and_rule
from elcapitan.web.view.offers import RefusedOffer
from elcapitan.web.view.previews import chances_view, hint_view, routes_view
from elcapitan.web.view.results import mistake_view
from elcapitan.web.view.table_view import planning_view, table_at_payday, table_view
from elcapitan.web.view.waiting import room_view
from elcapitan.web.viewer import THEMES, Viewer, viewer

# Every language in its own words, for readers who do not understand the language of the page.
LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "fr": "Français"}
INDENTATION: Final = re.compile(r"^[ ]+", re.MULTILINE)
DISABLED: Final = ' type="button" aria-disabled="true"'
MOST_PARTS: Final = 200  # drawn parts of one kind kept for a table: enough for all who look at it at the same time
MOST_EARLIER: Final = 1024  # drawn parts of earlier moments kept for all tables together, some kilobytes each
MOST_DRAWN: Final = 128  # tables kept as they were drawn last, each for those who see it in the same way
BEGIN, END = b"data: ", b"\n\n"  # of a message in a stream of events

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


# ------------------------------------------------------------------------------------------------------- environments


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
    """Return the Jinja environment of a language."""
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
        action_words=action_words,
        language=language,
        languages={code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        themes=THEMES,
        row=functools.partial(row, language),
        # Another language or version is another service worker, which keeps another page for when there is no network.
        service_worker=f"/service-worker.js?static={static_digest()}&language={language}",
    )
    # Macros that every template uses are globals, because importing them costs time at every drawing.
    small = made.get_template("parts/macros.html").module
    made.globals.update({name: macro for name, macro in vars(small).items() if not name.startswith("_")})
    return made


# ------------------------------------------------------------------------------------------- functions for templates


def row(
    language: str, table: Table, live: bool, template: str, macro: str, parts: Iterable[Hashable], *more: Hashable
) -> Markup:
    """Draw parts of a table of the same kind, one after the other, each by a macro, which may take more arguments.

    A part that was drawn for any viewer, now or before the last change, is reused; older drawings are dropped. Parts of
    earlier moments, where the table is not `live`, share one bounded cache.
    """
    if not live:
        return Markup("".join(earlier_part(language, template, macro, part, more) for part in parts))
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


earlier_part: Final = functools.lru_cache(maxsize=MOST_EARLIER)(_part)


def action_button(
    kind: str,
    actions: str | None,
    content: str,
    name: str = "",
    label: str = "",
    topic: str = "",
    refused: RefusedOffer | None = None,
    *,
    preview: bool = True,
    form: str = "turn",
) -> Markup:
    """Draw a button that plays actions or, without actions, a disabled one that gives the reason.

    `kind` is its class, `name` its id, `topic` its help topic, and `form` the id of the form that it sends. This and
    `action_words` are functions because a table has a hundred of them, and a macro with as many arguments takes three
    times as long.
    """
    html = f'<button class="{kind}"' if kind else "<button"
    if name:
        html += f' id="{name}"'
    html += f' type="submit" form="{form}" name="actions" value="{actions}"' if actions else DISABLED
    if actions and preview:
        html += f' data-act="{actions}"'
    if refused:
        html += f' data-why="{escape(refused.reason)}" data-rule="{escape(refused.rule)}"'
    if label:
        html += f' aria-label="{escape(label)}"'
    if topic:
        html += f' data-help="{topic}"'
    return Markup(f"{html}>{escape(content)}</button>")


def action_words(
    icon: str, words: str, price: str = "", gain: int | None = None, gain_words: str = "", gain_label: str = ""
) -> Markup:
    """Draw a line of the list of actions: an icon, words, and at the right a price and the change of the payday.

    The label of that change is read aloud, and shown where the list has no room for a heading.
    """
    html = (
        f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-{icon}" width="24" height="24"/></svg>'
    )
    html += f'<span class="words">{escape(words)}</span>'
    if price:
        html += f'<span class="price">{escape(price)}</span>'
    if gain is not None:
        kind = "up" if gain > 0 else "down" if gain < 0 else "even"
        html += f'<span class="{kind}">{escape(gain_words)}<small>{escape(gain_label)}</small></span>'
    return Markup(html)


# ------------------------------------------------------------------------------------------------------------- pages


def rendered(template: str, who: Viewer, **values: object) -> str:
    """Fill in a template in the viewer's language."""
    return environment(who.language).get_template(template).render(viewer=who, **values)


def page(request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
    """Answer a request with a whole page."""
    preview = f"{connected_url(request, server_settings(request))}{static('preview.png')}"  # of links, the same for all
    path = _address_within_site(request)
    content = rendered(template, viewer(request), request_path=path, preview=preview, **values)
    return HTMLResponse(content, status, headers={"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language"})


def _address_within_site(request: Request) -> str:
    """Return path and query of a request, so that a form can lead back to the page."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


# ------------------------------------------------------------------------------------------------------ parts of pages


class BoundedCache(Generic[Key, Value]):
    """Keeps the values that were used last, `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()  # those used last come last

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._values)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; make it if it is not kept."""
        if key not in self._values:
            self.put(key, make())
        self._values.move_to_end(key)
        return self._values[key]

    def peek(self, key: Key) -> Value | None:
        """Return the value of a key if it is kept."""
        return self._values.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Keep a value, and drop the one used longest ago if there are too many."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)


@dataclass(frozen=True)
class Notice:
    """Why something was refused: a sentence, and the rule if there is one."""

    sentence: str
    rule: str = ""

    @classmethod
    def of(cls, error: ElCapitanError, t: Translator) -> "Notice":
        """Translate an error's message and take the rule out of it."""
        return cls(*sentence_and_rule(error, t))


def table_fragment(table: Table, who: Viewer, notice: Notice | None = None, at: int | None = None) -> Markup:
    """Draw the table as it is now, or as it was after `at` events; before the game has begun, the waiting room."""
    if not table.begun:
        return Markup(rendered("room/room.html", who, view=room_view(table, who), notice=notice))
    return Markup(rendered("table/table.html", who, view=table_view(table, who, at), notice=notice))


Audience = tuple[str, Rights | None, str, str]  # of a game: those who see it in the same way
_drawn: BoundedCache[Audience, tuple[str, bytes]] = BoundedCache(MOST_DRAWN)  # with its version


def table_event(table: Table, who: Viewer) -> bytes:
    """Draw the table as it is now as a message of an event stream, once for all who see it alike.

    It is in one line, because browsers take such a stream apart line by line.
    """
    audience = (table.id, who.rights, who.language, who.view)
    version, made = _drawn.peek(audience) or ("", b"")
    if not made or version != table.version:
        made = BEGIN + str(table_fragment(table, who)).replace("\n", " ").encode() + END
    _drawn.put(audience, (table.version, made))
    return made


def current_table(table: Table, who: Viewer) -> bytes:
    """Draw the table as it is now, once for all who see it alike."""
    return table_event(table, who)[len(BEGIN) : -len(END)]


def planning_fragment(table: Table, who: Viewer, notice: Notice | None = None) -> Markup:
    """Draw the table on which a viewer plans the next turn; if that is not possible now, the table as it is."""
    seen = planning_view(table, who) or table_view(table, who)
    return Markup(rendered("table/table.html", who, view=seen, notice=notice))


def planning_event(table: Table, who: Viewer) -> bytes:
    """Draw what `planning_fragment` does as a message of an event stream."""
    return BEGIN + str(planning_fragment(table, who)).replace("\n", " ").encode() + END


def routes_fragment(table: Table, who: Viewer, city: int) -> Markup:
    """Draw the cheapest routes to a city for the merchant to move."""
    return Markup(rendered("table/routes.html", who, ways=routes_view(table, who, city, ways_to(table.game, city))))


def hint_fragment(table: Table, who: Viewer, suggestions: Sequence[Suggestion]) -> Markup:
    """Draw the suggestions of a strong computer player."""
    return Markup(rendered("table/hint.html", who, hint=hint_view(table, who, suggestions)))


def chances_fragment(table: Table, who: Viewer, chances: Chances | None) -> Markup:
    """Draw the chances of all merchants."""
    return Markup(rendered("table/chances.html", who, seats=chances_view(table, who, chances)))


def mistake_fragment(table: Table, who: Viewer, found: Mistake | None) -> Markup | None:
    """Draw the dearest mistake of a finished game, or the next thing that decided it; None if there is nothing."""
    mistake = mistake_view(table, who, found)
    if mistake is None:
        return None
    return Markup(rendered("table/mistake.html", who, mistake=mistake, base=f"/games/{table.id}"))


def payday_fragment(table: Table, who: Viewer, number: int) -> Markup | None:
    """Draw the table on which a payday is told; None if it has not been held."""
    shown = table_at_payday(table, who, number)
    return None if shown is None else Markup(rendered("table/table.html", who, view=shown, notice=None))
