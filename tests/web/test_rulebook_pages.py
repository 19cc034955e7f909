"""The rules page: the whole rulebook, its links, and what is found in it."""

import re
from collections.abc import Iterator
from importlib import resources

import pytest
from starlette.testclient import TestClient
from tests.web.page_client import english_left, in_language, pages_client, words

from elcapitan.text import rulebook
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.web.pages import rules


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with pages_client(tmp_path_factory.mktemp("server")) as client:
        yield client


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_rulebook_is_there(client: TestClient, language: str) -> None:
    answer = client.get("/rules", headers=in_language(language))
    assert answer.status_code == 200
    html = answer.text
    ids = re.findall(r'\sid="([A-Z]+(?:-\d\d)?)"', html)
    assert sorted(ids) == sorted([*rulebook.items(language), *(each.code for each in rulebook.chapters(language))])
    text = " ".join(words(html))
    for item in rulebook.items(language).values():
        first = re.split(r"\*|[A-Z]+-\d\d", item.text)[0].strip()
        assert first in text, item.name
    assert not english_left(html, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_on_the_page_has_a_target(client: TestClient, language: str) -> None:
    html = client.get("/rules", headers=in_language(language)).text
    ids = set(re.findall(r'\sid="([^"]+)"', html))
    targets = set(re.findall(r'href="(?:/rules)?#([^"]+)"', html))
    assert targets - {"main"} <= ids
    assert len(targets) > 250


def test_every_line_of_the_rulebook_is_shown() -> None:
    parts = rules.chapters("en")
    shown = sum(
        len(part.remarks) + len(part.points) + sum(len(entries) for _, entries in part.groups) for part in parts
    )
    folder = resources.files("elcapitan") / "rulebook"
    files = [folder / f"{name}.en.md" for name in (rulebook.RULES, rulebook.RULINGS)]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert shown == sum(1 for line in lines if line and not line.startswith("#"))


def test_emphasis_and_names_are_marked() -> None:
    html = rules.to_html("*Half* of **all** <b>, see WARE-07 and NOPE-99", "en")
    assert html == (
        '<em>Half</em> of <strong>all</strong> &lt;b&gt;, see <a href="/rules#WARE-07">WARE-07</a> and NOPE-99'
    )


def test_words_that_are_sought_are_marked_outside_tags_only() -> None:
    assert rules.to_html("rouvrir un entrepôt", "fr", ("ENTREPOT",)) == "rouvrir un <mark>entrepôt</mark>"
    assert rules.to_html("see WARE-07", "en", ("rules", "see")) == (
        '<mark>see</mark> <a href="/rules#WARE-07">WARE-07</a>'
    )
    assert rules.to_html("a & b", "en", ("amp",)) == "a &amp; b"


@pytest.mark.parametrize(
    ("query", "first", "also"),
    [("ware-7", "WARE-07", None), ("pirate", "PIRATE-01", "CANA-01"), ("dark site", "SHUT-01", None)],
)
def test_search_by_name_chapter_and_words(client: TestClient, query: str, first: str, also: str | None) -> None:
    html = client.get("/rules", params={"q": query}).text
    found = re.findall(r'<dt><a href="/rules#([A-Z]+-\d\d)">', html)
    assert first in found
    assert found[0] == first or also is None
    assert also is None or also in found
    assert "<mark>" in html or query == "ware-7"


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_that_finds_nothing_helps_on(client: TestClient, language: str) -> None:
    wrong = {"en": "warehose", "de": "Lagerhuas", "fr": "entrepott"}[language]
    answer = client.get("/rules", params={"q": wrong}, headers=in_language(language))
    assert answer.status_code == 200
    said = " ".join(words(answer.text))
    assert translator(language).text("Nothing found in the rules for {words}.", words=wrong) in said
    assert translator(language).text("Perhaps you mean:") in said
    assert not english_left(answer.text, language)


def test_what_is_sought_cannot_break_the_page(client: TestClient) -> None:
    html = client.get("/rules", params={"q": '"><script>alert(1)</script>' + "x" * 500}).text
    assert "<script>alert" not in html


@pytest.mark.parametrize(("name", "target"), [("WARE-07", "WARE-07"), ("g-6", "G-06"), ("shut", "SHUT")])
def test_a_rule_by_its_name_leads_to_its_place(client: TestClient, name: str, target: str) -> None:
    answer = client.get(f"/rules/{name}")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/rules#{target}")


def test_a_rule_alone_for_a_page_that_asks_for_a_part(client: TestClient) -> None:
    answer = client.get("/rules/G-13", headers={"HX-Request": "true", **in_language("de")})
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert " ".join(words(answer.text)).startswith("G-13 Wiedereröffnen")


def test_a_rule_that_does_not_exist(client: TestClient) -> None:
    answer = client.get("/rules/WARE-99")
    assert answer.status_code == 404
    assert "WARE-09" in answer.text


def test_words_are_looked_for_once_and_ten_at_most() -> None:
    assert rulebook.search_words(["Pirate", "pirate", "PÍRATE", "\u0301"]) == ["pirate"]
    assert len(rulebook.search_words(f"word{number}" for number in range(50))) == rulebook.MOST_WORDS == 10
    assert rules.find_rules("en", "pirate " * 50) == rules.find_rules("en", "pirate")
    assert rules.find_rules("en", "\u0301") == [], "a word of nothing but an accent is in no rule"


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_prepared_once_for_all_searches(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    many = " ".join("eaiourstnl" * 5)
    first = rules.find_rules(language, many)
    prepared: list[str] = []
    plain = rulebook.plain

    def counted(text: str) -> str:
        prepared.append(text)
        return plain(text)

    monkeypatch.setattr(rulebook, "plain", counted)
    assert rules.find_rules(language, many) == first
    assert len(prepared) <= 3 * rulebook.MOST_WORDS, "a search prepares its own words and no text of the rulebook"


def test_of_words_that_overlap_the_longer_is_marked() -> None:
    assert rules.to_html("sailing", "en", ("sail", "sailing")) == "<mark>sailing</mark>"


def test_few_of_many_unknown_words_are_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def counted(_language: str, word: str) -> list[str]:
        compared.append(word)
        return []

    monkeypatch.setattr(rulebook, "near", counted)
    rules.similar_names("en", " ".join(f"word{number}" for number in range(20)))
    assert len(compared) == rules.MOST_GUESSED
