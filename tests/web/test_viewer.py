"""Which language a browser is spoken to in."""

import pytest

from elcapitan.web.pages.preferences import within
from elcapitan.web.viewer import preferred


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("sv, de;q=0.4, fr;q=0.6", "fr"),
        ("en;q=0.3,de-AT;q=0.3", "en"),
        ("it", "en"),
        ("de;q=0", "en"),
        ("de;q=much, fr;q=0.1", "fr"),
        ("de;x=1", "en"),
        (";;;,,=q", "en"),
    ],
)
def test_the_most_wanted_of_our_languages(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        ("/games/abc?at=3", "/games/abc?at=3"),
        ("http://elsewhere.example", "/"),
        ("//elsewhere.example", "/"),
        ("/\\elsewhere.example", "/"),
        ("/a\nb", "/"),
        ("", "/"),
    ],
)
def test_one_comes_back_only_to_this_site(address: str, answer: str) -> None:
    assert within(address) == answer
