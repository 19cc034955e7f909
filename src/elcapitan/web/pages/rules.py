"""The rules: an introduction of five minutes, then the whole rulebook to read and to search."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.web.environment import page, rendered
from elcapitan.web.pages import reading
from elcapitan.web.viewer import viewer

router = APIRouter()
NOT_FOUND: Final = 404
LONGEST: Final = 100  # letters that are looked for


@router.get("/rules")
async def rules(request: Request, q: Annotated[str, Query()] = "") -> HTMLResponse:
    """The rulebook, or what of it has some words."""
    language = viewer(request).language
    query = " ".join(q.split())[:LONGEST]
    found = reading.found(language, query) if query else []
    near = reading.near(language, query) if query and not found else []
    return page(request, "pages/rules.html", query=query, found=found, near=near, parts=reading.book(language))


@router.get("/rules/{name}")
async def rule(request: Request, name: str) -> Response:
    """One rule: its place in the rulebook, or, where a page asks for a part of itself, its words alone."""
    who, name = viewer(request), name[:LONGEST]
    entry = reading.entry(who.language, name)
    if request.headers.get("hx-request") and entry:
        return HTMLResponse(rendered("pages/rule.html", who, entry=entry))
    codes = [part.code for part in reading.book(who.language)]
    if entry or (name.upper() in codes and name):
        return RedirectResponse(f"/rules#{entry.name if entry else name.upper()}", 303)
    near = reading.near(who.language, name)
    return page(
        request,
        "pages/rules.html",
        NOT_FOUND,
        query=name,
        found=[],
        near=near,
        parts=reading.book(who.language),
    )
