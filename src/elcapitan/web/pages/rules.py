"""The rules: an introduction of five minutes, then the whole rulebook to read and to search."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from elcapitan.web.pages import rulebook_html
from elcapitan.web.render import page, rendered
from elcapitan.web.viewer import viewer

router = APIRouter()
NOT_FOUND: Final = 404
LONGEST: Final = 100  # letters that are looked for


@router.get("/rules")
async def rules(request: Request, q: Annotated[str, Query()] = "") -> HTMLResponse:
    """Show the rulebook, or the rules that contain the words of a query."""
    language = viewer(request).language
    query = " ".join(q.split())[:LONGEST]
    found = rulebook_html.found(language, query) if query else []
    near = rulebook_html.near(language, query) if query and not found else []
    return page(request, "pages/rules.html", query=query, found=found, near=near, parts=rulebook_html.book(language))


@router.get("/rules/{name}")
async def rule(request: Request, name: str) -> Response:
    """Redirect to the place of a rule in the rulebook; answer a script with the rule's text alone."""
    who, name = viewer(request), name[:LONGEST]
    entry = rulebook_html.entry(who.language, name)
    if request.headers.get("hx-request") and entry:
        return HTMLResponse(rendered("pages/rule.html", who, entry=entry))
    codes = [part.code for part in rulebook_html.book(who.language)]
    if entry or (name.upper() in codes and name):
        return RedirectResponse(f"/rules#{entry.name if entry else name.upper()}", 303)
    near = rulebook_html.near(who.language, name)
    return page(
        request,
        "pages/rules.html",
        NOT_FOUND,
        query=name,
        found=[],
        near=near,
        parts=rulebook_html.book(who.language),
    )
