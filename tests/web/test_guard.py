"""Requests from other sites change nothing, and every answer forbids what is not ours."""

import pytest
from starlette.datastructures import Headers

from elcapitan.web.guard import CARRIED, MOST_BYTES, refused

HERE = {"host": "localhost:8000", "content-length": "5"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, None),
        ({"origin": "http://localhost:8000"}, None),
        ({"sec-fetch-site": "same-origin"}, None),
        ({"sec-fetch-site": "none"}, None),
        ({"origin": "http://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site", "origin": "http://localhost:8000"}, 403),
        ({"content-length": str(MOST_BYTES + 1)}, 413),
        ({"content-length": "-1"}, 413),
        ({"content-length": "many"}, 413),
    ],
)
def test_who_may_change_something(headers: dict[str, str], status: int | None) -> None:
    refusal = refused("POST", Headers({**HERE, **headers}))
    assert (refusal and refusal[0]) == status


def test_a_body_without_its_length_is_refused() -> None:
    assert refused("POST", Headers({"host": "localhost"})) == (413, "too much")


def test_anybody_may_look() -> None:
    assert refused("GET", Headers({"origin": "http://elsewhere.example", "sec-fetch-site": "cross-site"})) is None


def test_nothing_runs_that_is_not_a_file_of_ours() -> None:
    policy = CARRIED["Content-Security-Policy"]
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
