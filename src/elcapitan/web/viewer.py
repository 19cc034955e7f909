"""The viewer of a page: rights and preferences such as language, theme and sound, chosen before or the browser's.

What was chosen is kept in cookies, one for each preference.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Form
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse

from elcapitan.service.keys import Rights
from elcapitan.text.catalogue import DEFAULT, LANGUAGES, Translator, translator

preferences = APIRouter()
THEMES: Final = ("auto", "light", "dark")
VIEWS: Final = ("board", "tables")  # how tables are drawn
BY_BUTTON: Final = "button"  # an action that ends the turn, as a loan does, is held until a button is clicked
TURN_ENDS: Final = (BY_BUTTON, "automatic")
SOUNDS: Final = ("off", "on")
MOTIONS: Final = ("auto", "on", "off")  # the first follows the system, which may ask for reduced motion
LANGUAGE: Final = "language"
# The choices of each preference, by the name of its cookie and of its field in a form; the first is the usual one.
PREFERENCES: Final[Mapping[str, Sequence[str]]] = {
    LANGUAGE: LANGUAGES,
    "theme": THEMES,
    "view": VIEWS,
    "turn_end": TURN_ENDS,
    "sound": SOUNDS,
    "motion": MOTIONS,
}
YEAR: Final = 365 * 24 * 3600  # seconds a choice is remembered


@dataclass(frozen=True)
class Viewer:
    """Preferences and rights of a viewer."""

    language: str
    theme: str = THEMES[0]
    view: str = VIEWS[0]
    turn_end: str = TURN_ENDS[0]
    sound: str = SOUNDS[0]
    motion: str = MOTIONS[0]
    rights: Rights | None = None  # at the table that is shown; None stands for all rights

    @property
    def t(self) -> Translator:
        """The translator of the viewer's language."""
        return translator(self.language)

    @property
    def seats(self) -> frozenset[int]:
        """The seats that the viewer decides for, as far as their rights are known."""
        return self.rights.seats if self.rights else frozenset()


def viewer(request: HTTPConnection) -> Viewer:
    """Read the viewer's preferences from a request: what was chosen before, else what the browser prefers."""
    return Viewer(
        language_of(request),
        theme=chosen(request, "theme"),
        view=chosen(request, "view"),
        turn_end=chosen(request, "turn_end"),
        sound=chosen(request, "sound"),
        motion=chosen(request, "motion"),
    )


def cookies(request: HTTPConnection, name: str) -> list[str]:
    """Return the values of all cookies of a name, in the order in which the browser sent them.

    `request.cookies` of Starlette is not used: in older versions of Python it takes seconds for some quoted values.
    """
    sent = (pair.partition("=") for line in request.headers.getlist("cookie") for pair in line.split(";"))
    return [value.strip().strip('"') for found, _equals, value in sent if found.strip() == name]


def chosen(request: HTTPConnection, name: str) -> str:
    """Return what was chosen before for a preference; the first of its choices if nothing was."""
    choices = PREFERENCES[name]
    return next((value for value in cookies(request, name) if value in choices), choices[0])


def language_of(request: HTTPConnection) -> str:
    """Return the language of a request: the chosen one, else the one the browser prefers."""
    choices = (value for value in cookies(request, LANGUAGE) if value in LANGUAGES)
    return next(choices, None) or preferred(request.headers.get("accept-language", ""))


def preferred(accepted: str) -> str:
    """Return the first of our languages in the order of an Accept-Language header."""
    wishes: list[tuple[float, str]] = []
    for wish in accepted.split(","):
        tag, _, weight = wish.partition(";")
        language = tag.strip().partition("-")[0].lower()
        if language in LANGUAGES:
            wishes.append((_weight(weight), language))
    best = max((weight for weight, _ in wishes), default=0.0)
    return next((language for weight, language in wishes if weight == best and weight > 0), DEFAULT)


def _weight(parameter: str) -> float:
    """Return how much a language is wanted, from 0 to 1; 0 if the weight is invalid."""
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0


# --------------------------------------------------------------------------------------------- choosing a preference

Text = Annotated[str, Form()]


def _handler(name: str, choices: Sequence[str]) -> Callable[..., Awaitable[RedirectResponse]]:
    """Return what stores a preference that is sent by a form."""

    async def choose(choice: Annotated[str, Form(alias=name)], back: Text = "/") -> RedirectResponse:
        """Store a preference in a cookie, and redirect to the page that the reader came from."""
        response = RedirectResponse(within_site(back), 303)
        value = choice if choice in choices else choices[0]
        response.set_cookie(name, value, max_age=YEAR, samesite="lax", httponly=True)
        return response

    return choose


for _name, _choices in PREFERENCES.items():
    preferences.post(f"/{_name.replace('_', '-')}")(_handler(_name, _choices))


def within_site(address: str) -> str:
    """Return an address if it is within this site, else that of the start page."""
    inside = address.startswith("/") and not address.startswith("//") and "\\" not in address and address.isprintable()
    return address if inside else "/"
