"""Style sheets, scripts and pictures: under addresses that change with their content."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from markupsafe import Markup
from starlette.testclient import TestClient
from tests.web.drawn_tables import Reading
from tests.web.slow_compiler import replace_compiler
from tests.web.test_evening import FILES_OF_A_PAGE

from check_styles import check
from elcapitan.service.table_settings import TELLING
from elcapitan.web.app import application
from elcapitan.web.render import action_button
from elcapitan.web.static_files import STATIC_FILES, digest_of, static, static_digest
from elcapitan.web.view.offers import RefusedOffer


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(application(tmp_path_factory.mktemp("static") / "games.db")) as client:
        yield client


def test_clocks_rest_for_as_long_as_the_page_tells_a_payday() -> None:
    script = (STATIC_FILES / "table" / "stage.js").read_text(encoding="utf-8")
    (told,) = re.findall(r"^const WHOLE = ([\d_]+); // milliseconds", script, re.MULTILINE)
    assert int(told) == 1000 * TELLING


def test_the_digest_changes_with_every_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    files = [tmp_path / "a.js", tmp_path / "b.css", tmp_path / "folder" / "c.js"]
    for file in files:
        file.write_text("one")
    digests = [digest_of(tmp_path)]
    for file in files:
        file.write_text("two")
        digests.append(digest_of(tmp_path))
    files[0].rename(tmp_path / "z.js")
    digests.append(digest_of(tmp_path))
    assert len(set(digests)) == len(digests)
    (tmp_path / "z.js").rename(files[0])
    assert digest_of(tmp_path) == digests[-2]


@pytest.mark.parametrize("name", ["theme.css", "icon.svg", "vendor/htmx.min.js", "vendor/hx-sse.min.js"])
def test_browsers_may_keep_a_file_of_the_current_version(client: TestClient, name: str) -> None:
    answer = client.get(static(name))
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
    again = client.get(static(name), headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, answer.headers["cache-control"])


@pytest.mark.parametrize("name", ["icon.svg", "vendor/htmx.min.js"])
def test_files_are_packed_tightly_for_those_who_accept_it(client: TestClient, name: str) -> None:
    content = (STATIC_FILES / name).read_bytes()
    answer = client.get(static(name), headers={"Accept-Encoding": "gzip"})
    plain = client.get(static(name), headers={"Accept-Encoding": "identity"})
    assert answer.content == plain.content == content
    assert (answer.headers["content-encoding"], plain.headers.get("content-encoding")) == ("gzip", None)
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-type"] == plain.headers["content-type"]
    assert int(answer.headers["content-length"]) <= len(gzip.compress(content, 9)) < len(content)


@pytest.mark.parametrize("name", ["theme.css", "table/stage.js"])
def test_comments_are_not_sent(client: TestClient, name: str) -> None:
    lines = (STATIC_FILES / name).read_text(encoding="utf-8").splitlines()
    sent = client.get(static(name), headers={"Accept-Encoding": "gzip"}).text.splitlines()
    missing = set(lines) - set(sent)
    assert missing and all(re.match(" *(//|/[*]|.*[*]/)", each) for each in missing)
    assert sent == [each for each in lines if each not in missing]
    assert len(client.get(static(name), headers={"Accept-Encoding": "identity"}).text.splitlines()) == len(lines)


def test_a_page_from_before_an_upgrade_gets_files_that_are_not_kept(client: TestClient) -> None:
    """It still has its style and its scripts, and nothing of another version stays in a cache under its address."""
    now = client.get(static("icon.svg"))
    old = client.get("/static/0123456789ab/icon.svg")
    assert old.content == now.content
    assert old.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/static",
        "/static/",
        "/static/theme.css",
        f"/static/{static_digest()}",
        f"/static/{static_digest()}/",
        f"/static/{static_digest()}/vendor",
        f"/static/{static_digest()}/nothing.css",
        f"/static/{static_digest()}/%2e%2e/app.py",
        f"/static/{static_digest()}/..%2fapp.py",
        f"/static/{'a' * 5000}/theme.css%00",
    ],
)
def test_nothing_else_is_a_file(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


# ---------------------------------------------------------------------------------------------------------- scripts

WAITING = "/guide/1?while=compiling"
PAGES = [
    "/",
    "/new",
    "/friends",
    "/rules",
    "/guide/1",
    "/join",
    "/nothing",
    "/games/{game}",
    "/games/{game}/invite",
    "/games/{game}/seat",
    "/games/{room}",
    "/games/{room}/invite",
    WAITING,
]
FRIENDS = {"player0": "human", "player1": "friend", "colour0": "0", "colour1": "1"}
MOST_LINES = 300  # of a script
SCRIPTS = sorted(file for file in Path(str(STATIC_FILES)).rglob("*.js") if file.parent.name != "vendor")


@pytest.fixture(scope="module")
def pages(client: TestClient, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reading]:
    """One page of each kind."""
    game = client.post("/games/quick").url.path.rpartition("/")[2]
    room = client.post("/games", data=FRIENDS).url.path.split("/")[2]
    found = {path: Reading(client.get(path.format(game=game, room=room)).text) for path in PAGES if path != WAITING}
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("compiler")
        replace_compiler(folder, patch)
        with TestClient(application(folder / "games.db")) as other:
            found[WAITING] = Reading(other.get(WAITING, headers={"Accept": "text/html"}).text)
    return found


@pytest.mark.parametrize("path", PAGES)
def test_a_page_preloads_exactly_the_modules_that_it_imports(
    client: TestClient, pages: dict[str, Reading], path: str
) -> None:
    elements = pages[path].elements
    preloaded = [each["href"] for each in elements if each.tag == "link" and each["rel"] == "modulepreload"]
    needed = [each["src"] for each in elements if each.tag == "script" and each["type"] == "module"]
    assert needed
    for address in needed:
        answer = client.get(address)
        assert answer.status_code == 200 and "javascript" in answer.headers["content-type"]
        imports = [urljoin(address, each) for each in re.findall(r'(?:from|import) "(\./[^"]+)"', answer.text)]
        assert len(imports) == len(re.findall(r"\bimport\b(?!\()", answer.text)), "every import is found"
        needed += [each for each in imports if each not in needed]
    assert sorted(preloaded) == sorted(needed)
    assert len(preloaded) == len(set(preloaded))


@pytest.mark.parametrize("path", PAGES)
def test_files_of_a_page(client: TestClient, pages: dict[str, Reading], path: str) -> None:
    """All are there, of the current version, and no more than a phone may ask for at once."""
    elements = pages[path].elements
    files = {each[name].partition("#")[0] for each in elements for name in ("href", "src")}
    files = {each for each in files if each.startswith("/static")}
    assert all(each.startswith(f"/static/{static_digest()}/") for each in files)
    assert all("immutable" in client.get(each).headers["cache-control"] for each in files)
    assert len(files) <= FILES_OF_A_PAGE


@pytest.mark.parametrize("path", PAGES)
def test_nothing_inline(pages: dict[str, Reading], path: str) -> None:
    """The content policy allows scripts and styles only as files."""
    for element in pages[path].elements:
        assert element.tag != "style" and "style" not in element.attributes
        assert element.tag != "script" or (element["src"] and not element.text.strip())
        assert not [name for name in element.attributes if name.startswith("on")]


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_scripts_are_short(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_every_script_belongs_to_a_page(pages: dict[str, Reading]) -> None:
    used = {each["href"].rpartition(static_digest())[2] for page in pages.values() for each in page.elements}
    for file in SCRIPTS:  # some load another one when it is needed first
        folder = f"/{file.relative_to(str(STATIC_FILES)).parent.as_posix()}"
        used |= {f"{folder}/{name}" for name in re.findall(r'import\("\./(.+?)"\)', file.read_text(encoding="utf-8"))}
    used.add("/service_worker.js")  # a script of the page of a table registers it
    assert used >= {f"/{file.relative_to(str(STATIC_FILES)).as_posix()}" for file in SCRIPTS}


# -------------------------------------------------------------------------------------------------------- templates

LONGEST_LINE = 160  # characters in a template, not counting the path data of drawings
TEMPLATES = sorted(Path(str(STATIC_FILES)).parent.joinpath("templates").rglob("*.html"))


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_templates_are_readable(file: Path) -> None:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        assert len(re.sub(r' d="[^"]*"', "", line)) <= LONGEST_LINE, f"line {number}"
        assert line == line.rstrip() and "\t" not in line, f"line {number}"


@pytest.mark.parametrize(
    ("style", "mistake"),
    [
        (":root { --a: red; } b { color: var(--a) }", ""),
        ("b { color: red; color: blue }", "declared 2 times"),
        ("b { color: var(--nothing) }", "nowhere declared"),
        (":root { --a: red }", "nowhere used"),
        ("@media print { b { } }", "an empty rule"),
        ("@media print { b { color: #123456 } }", "belongs into theme.css"),
        ("b { color: red; } }", "other.css:1"),
    ],
)
def test_mistakes_in_style_sheets_are_found(tmp_path: Path, style: str, mistake: str) -> None:
    (tmp_path / "other.css").write_text(style)
    found = check(tmp_path)
    assert (len(found), mistake in "".join(found)) == (bool(mistake), True)


def test_pages_carry_no_indentation(client: TestClient) -> None:
    page = client.get("/new").text
    assert not re.search(r"^  ", page, re.MULTILINE)


def test_what_is_styled_as_empty_is_empty(pages: dict[str, Reading]) -> None:
    """A line break inside it would give it a height."""
    assert pages["/guide/1"].by_id("wrong").text == ""


def test_one_function_writes_all_buttons_that_play() -> None:
    """Only the guide has another one: it shows the move that it waits for."""
    writers = {file.name for file in TEMPLATES if 'name="actions"' in file.read_text(encoding="utf-8")}
    assert writers == {"guide.html"}


def test_buttons_that_play_and_those_that_cannot_be_used() -> None:
    assert action_button("use", "12 3", "<b>") == (
        '<button class="use" type="submit" form="turn" name="actions" value="12 3" data-act="12 3">&lt;b&gt;</button>'
    )
    refused = RefusedOffer("words", 'not "now"', "CARD-01")
    assert action_button("", None, Markup("<b></b>"), "card-1", "a & b", "card", refused) == (
        '<button id="card-1" type="button" aria-disabled="true" data-why="not &#34;now&#34;" data-rule="CARD-01"'
        ' aria-label="a &amp; b" data-help="card"><b></b></button>'
    )
    assert "data-act" not in action_button("go", "1", "x", preview=False)
