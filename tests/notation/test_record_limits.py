"""Records that are made to take time or memory are refused before they do; those that people write are read."""

import json
import tracemalloc
from collections.abc import Iterator

import pytest
from tests.playing import random_game

from elcapitan.board.figures import packaged
from elcapitan.errors import BadRecord
from elcapitan.game.game import Game
from elcapitan.players.seats import split
from elcapitan.records import capitan, capitan_headers
from elcapitan.records import json_record as record
from elcapitan.records.capitan import from_capitan, to_capitan
from elcapitan.records.capitan_headers import LONGEST_HEADER, MOST_HEADERS
from elcapitan.service import imports_exports

LONG = 3_900_000  # characters: about as much as can be brought
MOST_MEMORY = 40_000_000  # bytes for reading that: a few copies of the text


@pytest.fixture(scope="module")
def game() -> Game:
    return random_game(2, (), seed=3)


@pytest.fixture(scope="module")
def text(game: Game) -> str:
    return to_capitan(game)


def with_headers(text: str, headers: str) -> str:
    """A game with more headers, which begin at line 5."""
    known, rest = text.split("\n\n", 1)
    needed = "\n".join(known.splitlines()[:4])
    return f"{needed}\n{headers}\n\n{rest}"


def refusal(content: str) -> BadRecord:
    """How a record is refused, which takes no more memory than a few copies of it."""
    tracemalloc.start()
    try:
        with pytest.raises(BadRecord) as error:
            imports_exports.read(content.encode(), "", packaged())
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    return error.value


@pytest.mark.parametrize("value", ["x" * LONG, '\\"' * (LONG // 2), "," * LONG, "\\\\" * (LONG // 2)])
@pytest.mark.parametrize("name", ["Title", "Seats", "Names", "Rules"])
def test_long_headers_are_refused(text: str, name: str, value: str) -> None:
    for end in ('"]', '"', ""):
        error = refusal(with_headers(text, f'[{name} "{value}{end}'))
        assert (error.reason, error.line) == ("header-too-long", 5)


def test_headers_of_the_longest_kind_are_read(text: str) -> None:
    room = LONGEST_HEADER - len('[Title ""]')
    for value in ("x" * room, "\\\\" * (room // 2), '\\"' * (room // 2), "," * room):
        read = from_capitan(with_headers(text, f'[Title "{value}"]'))
        assert read.headers["Title"] == value.replace("\\\\", "\\").replace('\\"', '"')
    one_more = "x" * (room + 1)
    assert refusal(with_headers(text, f'[Title "{one_more}"]')).reason == "header-too-long"


@pytest.mark.parametrize("many", [MOST_HEADERS - 3, 80_000])
def test_many_headers_are_refused_at_their_line(text: str, many: int) -> None:
    error = refusal(with_headers(text, "\n".join(f'[A{number} "x"]' for number in range(many))))
    assert (error.reason, error.line) == ("too-many-headers", MOST_HEADERS + 1)


def test_a_hundred_headers_are_read(text: str) -> None:
    free = "\n".join(f'[A{number} "x"]' for number in range(MOST_HEADERS - 4))
    assert len(from_capitan(with_headers(text, free)).headers) == MOST_HEADERS - 4


def test_the_lines_of_headers_are_counted_as_they_come() -> None:
    headers = "\n\n".join(['[A "x"]', '[B "x"]', '[C\n  "x"]', '[B "y"]'])
    with pytest.raises(BadRecord) as error:
        from_capitan(f"\n\n{headers}")
    assert (error.value.reason, error.value.line) == ("header-twice", 10)


@pytest.mark.parametrize(
    ("flood", "reason"),
    [
        ("{}" * (LONG // 2), "too-many-pieces"),
        (";" * LONG, "too-many-pieces"),
        ("()" * 5000, "too-many-variations"),
        ("{" + "x" * LONG, "never-closed"),
        ("x" * LONG, "unknown-word"),
        ("9" * LONG, "number-wanted"),
    ],
)
def test_floods_in_a_game_are_refused(game: Game, text: str, flood: str, reason: str) -> None:
    head, _, rest = text.partition("; ")
    assert refusal(f"{head}; {flood} {rest}").reason == reason
    if flood.startswith("{}"):
        assert refusal(f"{with_headers(text, flood)}").reason == reason


def test_a_deal_and_a_voyage_end(text: str) -> None:
    head = text.split("\n\n", maxsplit=1)[0]
    assert refusal(f"{head}\n\ndeal {'+Napoli/1 ' * 300_000}").reason
    assert (
        refusal(f"{text.split('; ', maxsplit=1)[0]}; pirate cards {'Napoli/1, ' * 300_000}").reason == "symbol-wanted"
    )


def hostile_json(content: str) -> Iterator[tuple[str, str]]:
    """Records with something that takes time or memory, and how each is refused."""
    for value in (
        "[" + "[]," * (LONG // 3) + "0]",
        "[" * LONG,
        '{"a":' * 5000 + "0" + "}" * 5000,
        "[" + "0," * 500_000,
    ):
        yield f'{content[:-1]},"more":{value}}}', "json-too-complex"
    word = "x" * LONG
    yield f'{content[:-1]},"{word}":0}}', "surplus-key"
    yield content.replace('"do"', f'"{word}": 0, "do"', 1), "surplus-key"
    yield content.replace('"card": "', f'"card": "{word}', 1), "bad-card"


def test_hostile_json_is_refused(game: Game) -> None:
    for content, reason in hostile_json(json.dumps(record.to_json(game))):
        assert refusal(content).reason == reason


def test_json_is_parsed_once(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    content, parsed = json.dumps(record.to_json(game, seats=["human", "human"])), []
    loads = json.loads

    def counted(text: str) -> object:
        parsed.append(text)
        return loads(text)

    monkeypatch.setattr(json, "loads", counted)
    assert imports_exports.read(content, "game.json", packaged()).players == ("human", "human")
    assert len(parsed) == 1


def test_an_offer_in_a_trace_has_an_end(game: Game) -> None:
    traced = record.to_json(game, trace=True)
    first = next(event for event in traced["events"] if "offered" in event)
    first["offered"] = first["offered"][:1] * (record.MOST_OFFERED + 1)
    with pytest.raises(BadRecord) as error:
        record.from_json(traced)
    assert error.value.reason == "other-offer"


@pytest.mark.parametrize(
    ("seats", "found"),
    [
        ("human, captain", ("human", "captain")),
        ("cmd:'a, b',human", ("cmd:'a, b'", "human")),
        ('cmd:"a, b" c,', ('cmd:"a, b" c', "")),
        ("it's, here", ("it's", "here")),
        (",", ("", "")),
        ("", ()),
    ],
)
def test_seats_are_cut_at_commas_outside_quotation_marks(seats: str, found: tuple[str, ...]) -> None:
    assert split(seats) == found


def test_the_limits_are_far_from_what_people_write(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 50 * text.count("\n") < capitan.MOST_PIECES
    monkeypatch.setattr(capitan, "MOST_PIECES", capitan.MOST_PIECES // 10)
    assert to_capitan(from_capitan(text)) == text
    assert 5 * len(text.split("\n\n", maxsplit=1)[0].splitlines()) < capitan_headers.MOST_HEADERS


@pytest.mark.parametrize("words", ["a-", "a", "9", "Napoli-", "Napoli / ", "+", "\u0130", "-/"])
@pytest.mark.parametrize("before", ["deal +", "1.1 seat 1: buy ", "1.1 seat ", ""])
def test_long_words_are_refused_at_their_beginning(text: str, before: str, words: str) -> None:
    """One match of a pattern holds up all threads, so it never looks at more than some hundred characters."""
    headers = "\n".join(text.split("\n\n", 1)[0].splitlines()[:4])
    error = refusal(f"{headers}\n\n{before}" + words * (LONG // len(words.encode())))
    assert len(str(error)) < 1000


def test_long_space_between_words_is_skipped(text: str) -> None:
    headers, rest = text.split("\n\n", 1)
    wide = f"{headers}\n\n" + rest.replace(" ", " " * 5000, 40)
    assert to_capitan(from_capitan(wide)) == text
