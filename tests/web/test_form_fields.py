"""Numbers of any length, wherever a number is read: never a failure of ours, and no time that grows with the length."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import elcapitan
from elcapitan.untrusted_input import MOST_DIGITS, whole_number
from elcapitan.web.app import application

LONG = "9" * 5000  # more digits than Python turns into a number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("7", 7),
        ("007", 7),
        ("99", 99),
        ("100", None),
        ("", None),
        ("-1", None),
        ("+1", None),
        (" 1", None),
        ("1_0", None),
        ("1.0", None),
        ("²", None),
        ("٣", None),
        ("0" * MOST_DIGITS, 0),
        ("0" * (MOST_DIGITS + 1), None),
        (LONG, None),
    ],
)
def test_whole_numbers_are_short(text: str, number: int | None) -> None:
    assert whole_number(text, 99) == number


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(application(tmp_path_factory.mktemp("server") / "games.db"), follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="module")
def table(client: TestClient) -> str:
    made = client.post("/games", data={"player0": "human", "player1": "human", "first": "0"})
    return str(made.headers["location"])


@pytest.mark.parametrize(
    "address", ["/rules/g-{}", "/rules/{}", "/rules?q=g-{}", "/guide/{}", "/guide/{}/ways/1", "/guide/1/payday/{}"]
)
@pytest.mark.parametrize("digits", ["9" * 10, "9" * 21, LONG])
def test_long_numbers_in_addresses_are_not_found(client: TestClient, address: str, digits: str) -> None:
    assert client.get(address.format(digits)).status_code in (200, 404, 422)


def test_numbers_in_addresses_still_lead_to_their_pages(client: TestClient) -> None:
    assert client.get("/guide/1").status_code == 200
    assert client.get("/guide/0").status_code == client.get("/guide/none").status_code == 404
    assert client.get("/rules/g-06").headers["location"] == "/rules#G-06"


@pytest.mark.parametrize("digits", ["9" * 10, "9" * 21, "-" + "9" * 21, LONG, "-1", "²", "1_0", "1e3"])
def test_long_numbers_to_a_table_are_refused(client: TestClient, table: str, digits: str) -> None:
    for path in ("/ways/{}", "/payday/{}", "/hint?number={}", "/replay?at={}", "/name?seat={}"):
        assert client.get(table + path.format(digits)).status_code in (200, 204, 403, 404, 422)
    for path, form in {
        "/act": {"number": digits, "actions": "0"},
        "/act ": {"number": "1", "actions": digits},
        "/undo": {"number": "1", "count": digits},
        "/redo": {"number": digits},
        "/wish": {"number": "1", "at": digits},
        "/answer": {"number": digits, "yes": "1"},
        "/say": {"text": "hello", "seat": digits},
        "/name": {"seat": digits},
        "/stand-in": {"seat": digits},
        "/invite": {"role": f"seat-{digits}"},
        "/seat": {"role": f"seat-{digits}"},
        f"/branch?at={digits}": {},
    }.items():
        assert client.post(table + path.strip(), data=form).status_code in (200, 403, 409, 422), path


@pytest.mark.parametrize("field", ["colour0", "first", "seed", "time", "more"])
@pytest.mark.parametrize("digits", ["9" * 21, LONG])
def test_long_numbers_in_the_form_of_a_new_table(client: TestClient, field: str, digits: str) -> None:
    form = {"player0": "human", "player1": "human", "clock": "bank", "time": "10", "more": "1", field: digits}
    assert client.post("/games", data=form).status_code == (303 if field == "colour0" else 422)


def test_a_turn_has_a_hundred_actions_at_most(client: TestClient, table: str) -> None:
    form = {"number": "1", "actions": " ".join(["0"] * 101)}
    assert client.post(f"{table}/act", data=form).status_code == 422


# Packages that read what others send, and where in them something other than text becomes a whole number.
READERS = ("web", "text", "actions/text.py", "records/shuffles.py", "notation/sketch.py", "service/keys.py")
# Fields of compiled records, which are numbers of NumPy.
RECORD_FIELD = re.compile(
    r"(s|before|after|was|now|board|then\.position|moment\.after\[0\]|context\.(state|position\.facts)"
    r"|((self|game)\.)?figures\.board|facts_of\(.+\))[.\[].*"
)
NO_TEXT = {
    "amount",  # of loans, in `text.consequences`
    "card >= DESTINATIONS",  # the deck of a card, in `records.shuffles`
    "city",
    "count",  # of loans, in `text.consequences`
    "legs[0].actions",
    "number",  # of the engine, in `text.names`
    "offer.actions",
    "self._lines[-1]['number']",
    "self._lines[0]['number']",
    "self.state.seat",
    "self.state.ship_city[int(self.state.seat)]",
    "site",
}


def test_digits_become_numbers_in_one_place() -> None:
    """Numbers from outside are read with `whole_number`; what is no text is a field of a record or named in NO_TEXT."""
    source = Path(elcapitan.__file__).parent
    found = {
        ast.unparse(call.args[0])
        for name in READERS
        for file in ([source / name] if name.endswith(".py") else sorted((source / name).rglob("*.py")))
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "int" and call.args
    }
    assert {each for each in found if not RECORD_FIELD.fullmatch(each)} <= NO_TEXT
