"""Preferences of a browser: language, theme, and whether a table is drawn as a board or as tables."""

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import RedirectResponse

from elcapitan.text.catalogue import LANGUAGES
from elcapitan.web.viewer import LANGUAGE_COOKIE, THEME_COOKIE, THEMES, VIEW_COOKIE, VIEWS, YEAR

router = APIRouter()
Text = Annotated[str, Form()]


@router.post("/language")
async def choose_language(language: Text, back: Text = "/") -> RedirectResponse:
    """Store the language in a cookie."""
    return _remembered(LANGUAGE_COOKIE, language if language in LANGUAGES else LANGUAGES[0], back)


@router.post("/theme")
async def choose_theme(theme: Text, back: Text = "/") -> RedirectResponse:
    """Store the theme in a cookie."""
    return _remembered(THEME_COOKIE, theme if theme in THEMES else THEMES[0], back)


@router.post("/view")
async def choose_view(view: Text, back: Text = "/") -> RedirectResponse:
    """Store in a cookie how tables are drawn."""
    return _remembered(VIEW_COOKIE, view if view in VIEWS else VIEWS[0], back)


def _remembered(name: str, value: str, back: str) -> RedirectResponse:
    """Redirect to the page the reader came from, and set a cookie."""
    response = RedirectResponse(within(back), 303)
    response.set_cookie(name, value, max_age=YEAR, samesite="lax", httponly=True)
    return response


def within(address: str) -> str:
    """Return an address if it is within this site, else that of the start page."""
    inside = address.startswith("/") and not address.startswith("//") and "\\" not in address and address.isprintable()
    return address if inside else "/"
