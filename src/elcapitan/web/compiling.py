"""Pages that are shown while the rules compile: the progress, and then the page that was asked for.

No request is refused meanwhile. A page that needs the rules shows how many are compiled, and loads itself again. A form
is accepted at once: the browser is led to a page that waits for its answer. Programs, streams and parts of pages wait.
"""

import asyncio
import secrets
from collections import OrderedDict
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Request
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elcapitan.background_tasks import cancel_and_wait, charged_task
from elcapitan.errors import TooMuch
from elcapitan.service.compiled_rules import CompiledRules, begins_to_wait
from elcapitan.web.auth import tables
from elcapitan.web.limits import too_much_response
from elcapitan.web.render import page
from elcapitan.web.security import API_PREFIX, SAFE

RETRY_SECONDS: Final = 2  # after which a page without a script loads itself again
MOST_WAITING: Final = 100  # forms whose answers wait for the rules, or to be fetched
TOKEN_BYTES: Final = 16

router = APIRouter()


class Answers:
    """Answers to forms that wait for the rules, each fetched once, by a token that only its sender knows."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[str, asyncio.Task[Response]] = OrderedDict()  # the oldest first

    def keep(self, task: "asyncio.Task[Response]") -> str:
        """Keep a task that will have an answer, and return its token. Drops the oldest answers not fetched."""
        for token in [each for each, older in self._tasks.items() if older.done()]:
            if len(self._tasks) >= MOST_WAITING:
                self._tasks.pop(token)
        if len(self._tasks) >= MOST_WAITING:
            raise TooMuch("too-many-requests", RETRY_SECONDS)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._tasks[token] = task
        return token

    def find(self, token: str) -> "asyncio.Task[Response] | None":
        """Return the task with an answer; None if it was fetched already, or never was there."""
        return self._tasks.get(token)

    def drop(self, token: str) -> None:
        """Forget an answer that was fetched."""
        self._tasks.pop(token, None)

    async def close(self) -> None:
        """Cancel the requests whose answers still wait for the rules."""
        await cancel_and_wait(*self._tasks.values())


def waiting_page(request: Request) -> Response:
    """Answer with a page that says how far the rules are, and loads itself again."""
    now = tables(request).rules.count()  # they may have become ready this moment
    response = page(request, "pages/compiling.html", HTTPStatus.SERVICE_UNAVAILABLE, compiling=now)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


@router.get("/compiling")
async def show_progress(request: Request) -> Response:
    """Answer with the words about how far the rules are, for the script of a page; with nothing when they are ready."""
    now = tables(request).rules.progress
    if now is None:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    status = HTTPStatus.SERVICE_UNAVAILABLE if now.failed else HTTPStatus.OK
    return page(request, "parts/compiling.html", status, compiling=now)


@router.get("/waiting/{token}")
async def fetch_answer(request: Request, token: str) -> Response:
    """Answer a form that was sent while the rules were being compiled; lead to the start page if that was done."""
    answers: Answers = request.app.state.answers
    task = answers.find(token)
    if task is None:
        return RedirectResponse("/", 303)
    if not task.done() and tables(request).rules.compiling:
        return waiting_page(request)
    answer = await asyncio.shield(task)
    answers.drop(token)
    return answer


class WaitForRules:
    """Middleware that tells people who must wait for the rules how far they are. It does nothing once they are here."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; if it begins to wait for the rules, answer it with a page meanwhile."""
        if scope["type"] != "http" or not _for_people(scope) or not _compiling(scope):
            await self._app(scope, receive, send)
            return
        event = asyncio.Event()
        begins_to_wait.set(event)
        sent = _KeptRequest(receive)
        task = charged_task(_answer(self._app, scope, sent.receive))
        began = asyncio.create_task(event.wait())
        await asyncio.wait((task, began), return_when=asyncio.FIRST_COMPLETED)
        await cancel_and_wait(began)
        if task.done():
            await task.result()(scope, receive, send)
            return
        request = Request(scope)
        response = await self._wait_for_form(request, sent, task) if scope["method"] not in SAFE else None
        if response is None:
            await cancel_and_wait(task)
            response = waiting_page(request)
        await response(scope, receive, send)

    @staticmethod
    async def _wait_for_form(request: Request, sent: "_KeptRequest", task: "asyncio.Task[Response]") -> Response:
        """Keep the task that answers a form, and lead the browser to its answer."""
        await sent.complete()
        answers: Answers = request.app.state.answers
        try:
            return RedirectResponse(f"/waiting/{answers.keep(task)}", 303)
        except TooMuch as error:
            await cancel_and_wait(task)
            return too_much_response(request, error)


def _compiling(scope: Scope) -> bool:
    """Whether the rules are being compiled."""
    rules: CompiledRules = scope["app"].state.tables.rules
    return rules.compiling


def _for_people(scope: Scope) -> bool:
    """Whether a browser asks for a whole page."""
    headers = Headers(scope=scope)
    whole = "text/html" in headers.get("accept", "") and "hx-request" not in headers
    return whole and not scope["path"].startswith(API_PREFIX)


async def _answer(app: ASGIApp, scope: Scope, receive: Receive) -> Response:
    """Return the answer to a request, to be sent later."""
    answer = Response()
    body: list[bytes] = []

    async def keeping(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status_code = message["status"]
            answer.raw_headers = list(message["headers"])
        else:
            body.append(message.get("body", b""))

    await app(scope, receive, keeping)
    answer.body = b"".join(body)
    return answer


class _KeptRequest:
    """A request whose body can still be read when its connection has been answered."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._kept: list[Message | Exception] = []
        self._whole = self._answered = False

    async def receive(self) -> Message:
        """Return the next message of the request. Once the connection was answered, its client never leaves."""
        if self._answered and not self._kept:
            await asyncio.Event().wait()
        message = self._kept.pop(0) if self._kept else await self._next()
        if isinstance(message, Exception):
            raise message
        return message

    async def complete(self) -> None:
        """Read the rest of the body, for a reader who comes later; an error is raised there."""
        try:
            while not self._whole:
                self._kept.append(await self._next())
        except Exception as error:
            self._kept.append(error)
        self._answered = True

    async def _next(self) -> Message:
        message = await self._receive()
        self._whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message
