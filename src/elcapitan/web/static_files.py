"""Static files, under addresses that change with their content, and answers packed with gzip.

Static files are packed once and as tightly as possible, whole pages tightly, all other answers quickly.
"""

import functools
import gzip
import hashlib
import os
import posixpath
import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

STATIC_FILES: Final = resources.files("elcapitan.web") / "static"
IMPORT: Final = re.compile(r'^import\b[^;"]*"([^"]+)";', re.MULTILINE)  # in a script: the path of another one
QUICK, TIGHT = 3, 9  # levels of gzip: packing tighter takes time with every move, so only whole pages are
COMMENTED: Final = (".css", ".js")
COMMENT_LINES: Final = re.compile(rb"^ *(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
FEWEST_BYTES: Final = 600  # of an answer that is packed


class VersionedFiles(StaticFiles):
    """Serves static files under `<digest of all>/<path>`; browsers keep what they get under the current digest."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with a file.

        A page loaded before an upgrade asks with another digest and gets the file as it is now, not to be kept.
        """
        digest, _, name = path.partition(os.sep)
        response = await super().get_response(name, scope)
        if digest == static_digest():
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
            if isinstance(response, FileResponse) and scope["method"] == "GET":
                response = packed(response, Headers(scope=scope).get("accept-encoding", ""))
        return response


def static(path: str) -> str:
    """Return the address of a static file.

    It contains the digest of all static files, so that browsers may keep each file for ever, and so that scripts that
    import each other by relative paths get matching versions.
    """
    return f"/static/{static_digest()}/{path}"


@functools.cache
def static_digest() -> str:
    """Return the digest of all static files, computed once in a process."""
    return digest_of(STATIC_FILES)


def digest_of(folder: Traversable) -> str:
    """Compute a short digest of the names and contents of all files in a folder and its subfolders."""
    digest = hashlib.blake2b(digest_size=6)
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        content = digest_of(entry).encode() if entry.is_dir() else entry.read_bytes()
        digest.update(f"{entry.name} {len(content)} ".encode() + content)
    return digest.hexdigest()


@functools.cache
def with_imports(*scripts: str) -> tuple[str, ...]:
    """List these scripts and all that they import, so that a page can load them at the same time."""
    found = list(scripts)
    for script in found:
        content = (STATIC_FILES / script).read_text(encoding="utf-8")
        imported = (posixpath.normpath(posixpath.join(script, "..", path)) for path in IMPORT.findall(content))
        found += [each for each in dict.fromkeys(imported) if each not in found]
    return tuple(found)


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
