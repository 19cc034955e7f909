"""Build the documentation as pages with a search and a reference of the public Python names, in build/site.

`python tools/documentation_site.py` needs the packages of requirements-site.lock. A broken link, a docstring that
cannot be shown, and anything that a page would load from elsewhere is an error: the pages are read without a network.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from citations import ROOT

SITE: Final = ROOT / "build" / "site"
FRONT: Final = "docs/site/index"
SETTINGS: Final[dict[str, Any]] = {
    "project": "El Capitán",
    "root_doc": FRONT,
    "include_patterns": ["*.md", "docs/**.md"],
    "extensions": ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"],
    "myst_enable_extensions": ["html_image"],
    "myst_heading_anchors": 4,  # named as public forges name them
    "default_role": "code",
    "autodoc_member_order": "bysource",
    "html_theme": "furo",
    "html_title": "El Capitán",
    "html_copy_source": False,
    "html_show_sphinx": False,
    "suppress_warnings": ["misc.highlighting_failure"],  # a shortened piece of JSON
}
FORWARD: Final = f"""\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>El Capitán</title>
<meta http-equiv="refresh" content="0; url={FRONT}.html"></head>
<body><a href="{FRONT}.html">El Capitán</a></body></html>
"""
# What a browser fetches by itself, by the tag's name; `link` counts only if it is a style sheet, an icon or the like.
FETCHED: Final = dict.fromkeys(("audio", "embed", "iframe", "img", "script", "source", "video"), "src") | {
    "link": "href",
    "object": "data",
}
IN_STYLES: Final = re.compile(r"""(?:@import\s*["']|url\(\s*["']?)([^"')]+)""")


def main() -> int:
    """Build all pages and check them."""
    from sphinx.application import Sphinx  # noqa: PLC0415 - only `make site` has it

    shutil.rmtree(SITE, ignore_errors=True)
    doctrees = SITE.with_name("site-doctrees")
    # Everything is read anew, because Sphinx warns only of what it reads.
    app = Sphinx(ROOT, None, SITE, doctrees, "html", SETTINGS, status=None, warningiserror=True, freshenv=True)
    app.connect("autodoc-process-docstring", show_tables)
    app.build()
    (SITE / "index.html").write_text(FORWARD, encoding="utf-8")
    found = list(problems(SITE))
    sys.stderr.writelines(f"{problem}\n" for problem in found)
    return int(bool(app.statuscode or found))


def show_tables(_app: Any, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """Show a table of Markdown in a docstring, a run of lines that begin with a bar, as it is written."""
    shown: list[str] = []
    in_table = False
    for line in lines:
        begins, in_table = line.startswith("|") and not in_table, line.startswith("|")
        shown += ["", ".. code-block:: text", ""] * begins
        shown.append(f"   {line}" if in_table else line)
    lines[:] = shown


class Page(HTMLParser):
    """What a page loads, where its links lead, and the places in it that links can lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the addresses and the id of a tag."""
        told = {name: value or "" for name, value in attrs}
        self.places.add(told.get("id", ""))
        address = told.get(FETCHED.get(tag, ""), "")
        if address and not (tag == "link" and told.get("rel") in ("canonical", "next", "prev", "search", "index")):
            self.loads.append(address)
        elif tag in ("a", "link") and "href" in told:
            self.links.append(told["href"])


def problems(site: Path) -> Iterator[str]:
    """Yield what is wrong with the pages under a folder: broken links, and what would be loaded from elsewhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for address in page.loads:
            if not _is_there(path, address):
                yield f"{name} loads {address}, which is not here"
        for address in page.links:
            parts = urlsplit(address)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if parts.scheme in ("http", "https", "mailto"):
                continue
            if not target.exists() or (parts.fragment and parts.fragment not in pages[target].places):
                yield f"{name} links to {address}, which is not here"
    for path in sorted(site.rglob("*.css")):
        for address in IN_STYLES.findall(path.read_text(encoding="utf-8")):
            if not _is_there(path, address):
                yield f"{path.relative_to(site)} loads {address}, which is not here"


def _is_there(path: Path, address: str) -> bool:
    """Whether what a page or style sheet loads is a file beside it, or in the page itself."""
    parts = urlsplit(address)
    if parts.scheme == "data":
        return True
    return not parts.scheme and not parts.netloc and (path.parent / unquote(parts.path)).exists()


if __name__ == "__main__":
    sys.exit(main())
