"""Packs answers with gzip: static files once and as tightly as possible, whole pages tightly, all others quickly."""

import functools
import gzip
import re
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

QUICK, TIGHT = 3, 9  # levels of gzip: packing tighter takes time with every move, so only whole pages are
COMMENTED: Final = (".css", ".js")
COMMENT_LINES: Final = re.compile(rb"^ *(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
FEWEST_BYTES: Final = 600  # of an answer that is packed


class Packing:
    """Middleware that packs answers: whole pages tightly, because they are loaded seldom, and all others quickly."""

    def __init__(self, app: ASGIApp) -> None:
        self._quick = GZipMiddleware(app, FEWEST_BYTES, QUICK)
        self._tight = GZipMiddleware(app, FEWEST_BYTES, TIGHT)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and pack its answer."""
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        whole = "text/html" in headers.get("accept", "") and "hx-request" not in headers
        await (self._tight if whole else self._quick)(scope, receive, send)


def packed(response: FileResponse, accepted: str) -> Response:
    """Return a file packed as tightly as possible, which is done once, for a client that accepts it."""
    if "gzip" not in accepted:
        return response
    content, headers = pack(str(response.path)), MutableHeaders(response.headers)
    headers["Content-Encoding"], headers["Vary"] = "gzip", "Accept-Encoding"
    for needless in ("Last-Modified", "Accept-Ranges"):  # there is an ETag, and no part of a packed file is of use
        del headers[needless]
    headers["Content-Length"] = str(len(content))
    return Response(content, headers=headers)


@functools.cache
def pack(file: str) -> bytes:
    """Compress a static file, once in a process; our own scripts and style sheets without lines that are comments."""
    path = Path(file)
    content = path.read_bytes()
    if path.suffix in COMMENTED and "vendor" not in path.parts:
        content = COMMENT_LINES.sub(b"", content)
    return gzip.compress(content, mtime=0)
