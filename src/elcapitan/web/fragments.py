"""Parts of a page about one table, as HTML: the table itself, the ways to a city, a hint."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from elcapitan.errors import ElCapitanError
from elcapitan.players.hints import Suggestion
from elcapitan.routes import ways_to
from elcapitan.service import Table
from elcapitan.service.access import Rights
from elcapitan.text.catalogue import Translator
from elcapitan.web.caching import BoundedCache
from elcapitan.web.environment import rendered
from elcapitan.web.scene import payday, scene, ways_scene
from elcapitan.web.scene.advice import hint_scene
from elcapitan.web.viewer import Viewer

MOST_DRAWN: Final = 128  # tables kept as they were drawn last, each for those who see it in the same way
BEGIN, END = b"data: ", b"\n\n"  # of a message in a stream of events


@dataclass(frozen=True)
class Notice:
    """Something that was refused: the sentence, and the rule if there is one."""

    sentence: str
    rule: str = ""

    @classmethod
    def of(cls, error: ElCapitanError, t: Translator) -> "Notice":
        """What an error says."""
        rule = getattr(error, "rule", "")
        return cls(error.sentence(t.template).removesuffix(f" [{rule}]"), rule)


def fragment(table: Table, who: Viewer, notice: Notice | None = None, at: int | None = None) -> Markup:
    """The table as it is now, or as it was after so many events."""
    return Markup(rendered("table/table.html", who, scene=scene(table, who, at), notice=notice))


Audience = tuple[str, Rights | None, str, str]  # of a game: those who see it in the same way
_drawn: BoundedCache[Audience, tuple[str, bytes]] = BoundedCache(MOST_DRAWN)  # with its version


def message(table: Table, who: Viewer) -> bytes:
    """The table as it is now as a message of an event stream; drawn and encoded once for all who see it alike.

    It is in one line, because browsers take such a stream apart line by line.
    """
    audience = (table.id, who.rights, who.language, who.view)
    version, made = _drawn.peek(audience) or ("", b"")
    if not made or version != table.version:
        made = BEGIN + str(fragment(table, who)).replace("\n", " ").encode() + END
    _drawn.put(audience, (table.version, made))
    return made


def current(table: Table, who: Viewer) -> bytes:
    """The table as it is now."""
    return message(table, who)[len(BEGIN) : -len(END)]


def ways_fragment(table: Table, who: Viewer, city: int) -> Markup:
    """The cheapest ways to a city for the one who decides."""
    return Markup(rendered("table/ways.html", who, ways=ways_scene(table, who, city, ways_to(table.game, city))))


def hint_fragment(table: Table, who: Viewer, suggestions: Sequence[Suggestion]) -> Markup:
    """What a strong computer player would do."""
    return Markup(rendered("table/hint.html", who, hint=hint_scene(table, who, suggestions)))


def payday_fragment(table: Table, who: Viewer, number: int) -> Markup | None:
    """A payday step by step, if it was held."""
    held = payday(table, who, number)
    return None if held is None else Markup(rendered("table/payday.html", who, payday=held))
