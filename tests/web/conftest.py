"""A public server with a table for friends: for modules that have no `client` or `table` of their own."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from tests.web.page_client import made

from elcapitan.web.app import application
from elcapitan.web.server_settings import ServerSettings


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A visitor to a public server."""
    app = application(tmp_path_factory.mktemp("server") / "games.db", settings=ServerSettings(public=True))
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture
def table(client: TestClient) -> tuple[str, str]:
    """A table with two friends to come; its name, and the host's cookie."""
    return made(client)
