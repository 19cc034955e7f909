"""What tests everywhere may ask for: both kinds of databases."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.postgres import Postgres

settings.register_profile("untimed", deadline=None)  # a busy machine makes no test fail
settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """All tests and what they test is loaded, and stays: who looks for garbage need not go through it every time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgres() -> Iterator["Postgres"]:
    """A PostgreSQL that runs as long as the tests do; it starts when the first of them asks for it."""
    from tests.postgres import running  # noqa: PLC0415 - most tests need none

    with running() as server:
        yield server


@pytest.fixture
def shared(postgres: "Postgres") -> Iterator[str]:
    """The URL of an empty database of a PostgreSQL."""
    url = postgres.empty()
    yield url
    postgres.drop(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """An empty database of each kind: a file, or a URL."""
    url: str | Path = tmp_path / "games.db" if request.param == "sqlite" else request.getfixturevalue("shared")
    return url
