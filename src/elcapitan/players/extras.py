"""What an external program gets with every question, if it asks for it when it gets ready.

    it says  {"type": "ready", "name": "reader", "wants": ["drawing", "texts", "digest"]}
    we say   {"type": "choose", ..., "drawing": "4 players, ...", "texts": ["Buy: Tunis (1 seal) for 6", ...], ...}

Policies want numbers, a language model wants text. Nothing of it is secret. A program that asks for nothing gets none
of it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from elcapitan.board.board_file import short
from elcapitan.board.figures import Figures
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CITY_NAMES, MAIN_CITIES
from elcapitan.errors import BadAnswer
from elcapitan.notation.diagram import draw
from elcapitan.position.as_numbers import mask_of, observe
from elcapitan.text.actions import label_with_group
from elcapitan.text.catalogue import DEFAULT, translator
from elcapitan.text.names import Names

Make = Callable[[States, Sequence[int], Figures], Any]
DIGEST: Final = "digest"  # of the rules: with the first question only
KEY: Final = re.compile(r"\{([a-z.]+)\}")  # where a printed figure stands in the digest
OF_A_CITY: Final = ("harbours", "fortresses", "track")


def texts(view: States, legal: Sequence[int], figures: Figures) -> list[str]:
    """Say in English what each legal action does."""
    names = Names(translator(DEFAULT), figures)
    return [label_with_group(names, view[0], number) for number in legal]


EXTRAS: Final[dict[str, Make]] = {
    "observation": lambda view, _legal, _figures: observe(view, int(view[0].seat)).tolist(),
    "mask": lambda _view, legal, _figures: mask_of(legal).astype(int).tolist(),
    "numbers": lambda _view, legal, _figures: list(legal),
    "drawing": lambda view, _legal, figures: draw(view[0], figures),
    "texts": texts,
    DIGEST: lambda _view, _legal, figures: digest(figures),
}


def wishes_in(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """Read what a program that is ready wants; raise `BadAnswer` if there is no such thing."""
    wants = answer.get("wants", [])
    if not isinstance(wants, list):
        raise BadAnswer("bot-bad-wish", found=short(wants), known=", ".join(EXTRAS))
    for wish in wants:
        if not isinstance(wish, str) or wish not in EXTRAS:
            raise BadAnswer("bot-bad-wish", found=short(wish), known=", ".join(EXTRAS))
    return tuple(dict.fromkeys(wants))


def extras(wishes: Sequence[str], move: int, view: States, legal: Sequence[int], figures: Figures) -> dict[str, Any]:
    """Return the extras that a program asked for, to be added to a question."""
    return {wish: EXTRAS[wish](view, legal, figures) for wish in wishes if wish != DIGEST or move == 1}


def digest(figures: Figures) -> str:
    """Return a short digest of the rules with the figures of a board, for readers who know nothing of the game."""
    text = (resources.files("elcapitan") / "data" / "digest.txt").read_text("utf-8")
    told = KEY.sub(lambda found: _shown(figures, found[1]), text)
    return told + "".join(f"{_city(figures, city, name)}\n" for city, name in enumerate(CITY_NAMES))


def _city(figures: Figures, city: int, name: str) -> str:
    """Return the printed figures of a city on one line."""
    section = "cities" if city < MAIN_CITIES else "expansion"
    return f"{name}: " + "; ".join(_shown(figures, f"{section}.{name}.{part}") for part in OF_A_CITY)


def _shown(figures: Figures, key: str) -> str:
    """Return a printed figure as text."""
    value = figures.printed[key].value
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
