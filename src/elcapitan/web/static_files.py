"""Static files and their addresses, which change whenever a file does, so that browsers may keep them for ever."""

import functools
import hashlib
import os
import posixpath
import re
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC_FILES: Final = resources.files("elcapitan.web") / "static"
IMPORT: Final = re.compile(r'^import\b[^;"]*"([^"]+)";', re.MULTILINE)  # in a script: the path of another one


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
