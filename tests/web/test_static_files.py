"""Style sheets, scripts and pictures: under addresses that change with their content."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from elcapitan.web.app import application
from elcapitan.web.environment import digest_of, static, static_digest


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(application(tmp_path_factory.mktemp("static") / "games.db")) as client:
        yield client


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


def test_a_page_from_before_an_upgrade_gets_files_that_are_not_kept(client: TestClient) -> None:
    """It still has its style and its scripts, and nothing of another version stays in a cache under its address."""
    now = client.get(static("theme.css"))
    old = client.get("/static/0123456789ab/theme.css")
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
