"""The viewer of a page: rights and preferences such as language, theme and sound, chosen before or the browser's.

What was chosen is kept in cookies, one for each preference.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Form
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse

from elcapitan.service.keys import Rights
from elcapitan.text.catalogue import DEFAULT, LANGUAGES, Translator, translator

preferences = APIRouter()
LANGUAGE_COOKIE: Final = "language"
THEME_COOKIE: Final = "theme"
THEMES: Final = ("auto", "light", "dark")
VIEW_COOKIE: Final = "view"
VIEWS: Final = ("board", "tables")
TURN_END_COOKIE: Final = "turn_end"
BY_BUTTON: Final = "button"  # an action that ends the turn, as a loan does, is held until a button is clicked
TURN_ENDS: Final = (BY_BUTTON, "automatic")
SOUND_COOKIE: Final = "sound"
SOUNDS: Final = ("off", "on")
MOTION_COOKIE: Final = "motion"
MOTIONS: Final = ("auto", "on", "off")  # the first follows the system, which may ask for reduced motion
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
        chosen(request, THEME_COOKIE, THEMES),
        chosen(request, VIEW_COOKIE, VIEWS),
        chosen(request, TURN_END_COOKIE, TURN_ENDS),
        chosen(request, SOUND_COOKIE, SOUNDS),
        chosen(request, MOTION_COOKIE, MOTIONS),
    )


def cookies(request: HTTPConnection, name: str) -> list[str]:
    """Return the values of all cookies of a name, in the order in which the browser sent them.

    `request.cookies` of Starlette is not used: in older versions of Python it takes seconds for some quoted values.
    """
    sent = (pair.partition("=") for line in request.headers.getlist("cookie") for pair in line.split(";"))
    return [value.strip().strip('"') for found, _equals, value in sent if found.strip() == name]


def chosen(request: HTTPConnection, cookie: str, choices: Sequence[str]) -> str:
    """Return what was chosen before; the first of the choices if nothing was."""
    return next((value for value in cookies(request, cookie) if value in choices), choices[0])


def language_of(request: HTTPConnection) -> str:
    """Return the language of a request: the chosen one, else the one the browser prefers."""
    choices = (value for value in cookies(request, LANGUAGE_COOKIE) if value in LANGUAGES)
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


@preferences.post("/language")
async def choose_language(language: Text, back: Text = "/") -> RedirectResponse:
    """Store the language in a cookie."""
    return _set_cookie(LANGUAGE_COOKIE, language if language in LANGUAGES else LANGUAGES[0], back)


@preferences.post("/theme")
async def choose_theme(theme: Text, back: Text = "/") -> RedirectResponse:
    """Store the theme in a cookie."""
    return _set_cookie(THEME_COOKIE, theme if theme in THEMES else THEMES[0], back)


@preferences.post("/view")
async def choose_view(view: Text, back: Text = "/") -> RedirectResponse:
    """Store in a cookie how tables are drawn."""
    return _set_cookie(VIEW_COOKIE, view if view in VIEWS else VIEWS[0], back)


@preferences.post("/turn-end")
async def choose_turn_end(turn_end: Text, back: Text = "/") -> RedirectResponse:
    """Store in a cookie whether turns end by themselves."""
    return _set_cookie(TURN_END_COOKIE, turn_end if turn_end in TURN_ENDS else TURN_ENDS[0], back)


@preferences.post("/sound")
async def choose_sound(sound: Text, back: Text = "/") -> RedirectResponse:
    """Store in a cookie whether the table makes sounds."""
    return _set_cookie(SOUND_COOKIE, sound if sound in SOUNDS else SOUNDS[0], back)


@preferences.post("/motion")
async def choose_motion(motion: Text, back: Text = "/") -> RedirectResponse:
    """Store in a cookie whether pieces and coins move."""
    return _set_cookie(MOTION_COOKIE, motion if motion in MOTIONS else MOTIONS[0], back)


def _set_cookie(name: str, value: str, back: str) -> RedirectResponse:
    """Redirect to the page the reader came from, and set a cookie."""
    response = RedirectResponse(within_site(back), 303)
    response.set_cookie(name, value, max_age=YEAR, samesite="lax", httponly=True)
    return response


def within_site(address: str) -> str:
    """Return an address if it is within this site, else that of the start page."""
    inside = address.startswith("/") and not address.startswith("//") and "\\" not in address and address.isprintable()
    return address if inside else "/"
