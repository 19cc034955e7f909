"""Numbers, typed forms and texts of actions: they stand for one another, and nothing else is taken for one."""

import inspect
import json
import pickle
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.playing import well_refused

from elcapitan.actions.text import from_text, to_text, voyage_to_text
from elcapitan.actions.typed import leg_to_typed, numbers_of, to_typed, voyage_to_typed
from elcapitan.actions.union import decode_leg, is_voyage_piece
from elcapitan.board.figures import packaged
from elcapitan.engine.actions import (
    BUILD,
    FREE_PIRATE,
    LEGS,
    N_ACTIONS,
    PAID_PIRATE,
    PIRATE_LAND,
    PIRATE_SAIL,
    SAIL,
    leg_card,
    link_leg,
    route_leg,
)
from elcapitan.engine.vocabulary import CITY_NAMES, DESTINATIONS
from elcapitan.errors import BadAction, BadText

FIGURES = packaged()
WORDS = "buy sail build reopen fortress loan pirate end pass repay extend starter seat free money cards by land neutral"
PIECES = [*WORDS.split(), *FIGURES.cards[:3], "Napoli-Marseille", "Canarias", "Islas Canarias", "Tunis", "1", "2", "10"]
VOYAGE = "pirate cards Marseille/3, Marseille-Napoli > Napoli, Tunis/1 ~ Canarias: 1>2"


def test_three_forms_of_every_action() -> None:
    for number in range(PIRATE_SAIL):
        typed = to_typed(number, FIGURES)
        text = to_text(number, FIGURES)
        assert numbers_of(json.loads(json.dumps(typed)), FIGURES) == [number]
        assert from_text(text, FIGURES) == [number]
        assert text == voyage_to_text([number], FIGURES)
        assert voyage_to_typed([number], FIGURES) == typed
        assert not is_voyage_piece(number)


def test_forms_of_pieces_of_voyages() -> None:
    for number in range(PIRATE_SAIL, N_ACTIONS):
        assert from_text(to_text(number, FIGURES), FIGURES) == [number]
        with pytest.raises(ValueError, match="piece"):
            to_typed(number, FIGURES)


def test_legs_mean_what_the_engine_says() -> None:
    def plain(rule: Any) -> Any:
        return inspect.unwrap(rule)

    for leg in range(LEGS):
        assert FIGURES.cards[plain(leg_card)(leg)] == leg_to_typed(decode_leg(leg, FIGURES), FIGURES)["card"]
    for city, name in enumerate(CITY_NAMES):
        assert to_typed(SAIL + plain(route_leg)(4, city), FIGURES)["to"] == name
    for end, name in enumerate(("Marseille", "Venezia")):
        assert to_typed(SAIL + plain(link_leg)(DESTINATIONS, end), FIGURES)["to"] == name


def test_no_two_actions_share_a_form() -> None:
    texts = {to_text(number, FIGURES) for number in range(N_ACTIONS)}
    typed = {json.dumps(to_typed(number, FIGURES)) for number in range(PIRATE_SAIL)}
    assert len(texts) == N_ACTIONS
    assert len(typed) == PIRATE_SAIL


@given(st.lists(st.integers(PIRATE_SAIL, PIRATE_LAND - 1), min_size=1), st.integers(PIRATE_LAND, N_ACTIONS - 1))
def test_three_forms_of_voyages(legs: list[int], landing: int) -> None:
    voyage = [*legs, landing]
    typed = voyage_to_typed(voyage, FIGURES)
    assert numbers_of(typed, FIGURES) == voyage
    assert from_text(voyage_to_text(voyage, FIGURES), FIGURES) == voyage


def test_typed_forms() -> None:
    texts = {
        "buy Marseille/3": {"do": "buy", "card": "Marseille/3"},
        "sail Marseille/3": {"do": "sail", "card": "Marseille/3", "as": "destination", "to": "Marseille"},
        "sail Marseille/3 ~ Napoli": {"do": "sail", "card": "Marseille/3", "as": "route", "to": "Napoli"},
        "sail Marseille-Napoli > Napoli": {"do": "sail", "card": "Marseille-Napoli", "as": "link", "to": "Napoli"},
        "build 5": {"do": "build", "site": 5, "colour": "main"},
        "build 12 neutral": {"do": "build", "site": 12, "colour": "neutral"},
        "reopen 7": {"do": "reopen", "site": 7, "colour": "main"},
        "fortress": {"do": "fortress"},
        "loan 10": {"do": "loan", "amount": 10},
        "end": {"do": "end"},
        "pass": {"do": "pass"},
        "repay 16": {"do": "repay", "amount": 16},
        "extend 10": {"do": "extend", "amount": 10},
        "starter seat 2": {"do": "starter", "who": 1},
        "pirate free Tunis 1": {
            "do": "pirate", "by": "free", "cards": [], "to": "Tunis", "harbour": 1, "shift": None
        },
        "pirate money Porto 2>3": {
            "do": "pirate", "by": "money", "cards": [], "to": "Porto", "harbour": 2, "shift": 3
        },
        "pirate cards Marseille/3, Valencia/1 ~ Canarias: 1>2": {
            "do": "pirate",
            "by": "cards",
            "cards": [
                {"card": "Marseille/3", "as": "destination", "to": "Marseille"},
                {"card": "Valencia/1", "as": "route", "to": "Islas Canarias"},
            ],
            "to": "Islas Canarias",
            "harbour": 1,
            "shift": 2,
        },
    }  # fmt: skip
    for text, typed in texts.items():
        numbers = from_text(text, FIGURES)
        assert voyage_to_typed(numbers, FIGURES) == typed
        assert list(voyage_to_typed(numbers, FIGURES)) == list(typed)
        assert voyage_to_text(numbers, FIGURES) == text


@pytest.mark.parametrize(
    ("loose", "text"),
    [
        ("  BUY   marseille/3 ", "buy Marseille/3"),
        ("buy Napoli-Marseille", "buy Marseille-Napoli"),
        ("sail napoli - marseille>NAPOLI", "sail Marseille-Napoli > Napoli"),
        ("sail Tunis/1~islas\ncanarias", "sail Tunis/1 ~ Canarias"),
        ("starter 3", "starter seat 3"),
        ("pirate free Islas Canarias 2 > 1", "pirate free Canarias 2>1"),
    ],
)
def test_loose_writing_is_read(loose: str, text: str) -> None:
    assert from_text(loose, FIGURES) == from_text(text, FIGURES)
    assert voyage_to_text(from_text(loose, FIGURES), FIGURES) == text


def test_absent_shift_and_cards_are_read() -> None:
    assert numbers_of({"do": "pirate", "by": "free", "to": "Marseille", "harbour": 1}, FIGURES) == [FREE_PIRATE]
    assert numbers_of({"do": "pirate", "by": "money", "to": "Marseille", "harbour": 1}, FIGURES) == [PAID_PIRATE]


@pytest.mark.parametrize(
    ("text", "at", "reason", "said"),
    [
        ("", 1, "word-wanted", "buy, sail"),
        ("sale Tunis/3", 1, "unknown-word", "sail"),
        ("buy Marsaille/3", 5, "card-wanted", "Marseille/3"),
        ("buy Marseille/2", 5, "card-wanted", "Marseille/3"),
        ("buy Porto-Tunis", 5, "card-wanted", "Tunis"),
        ("buy Tunis-Tunis", 5, "card-wanted", "Tunis"),
        ("buy", 4, "card-wanted", "nearest"),
        ("sail Tunis/3 ~ Marsala", 16, "city-wanted", "Marseille"),
        ("sail Marseille-Napoli", 22, "symbol-wanted", ">"),
        ("sail Marseille-Napoli > Tunis", 6, "wrong-link", "Tunis"),
        ("build 13", 7, "number-wanted", "1 to 12"),
        ("build x", 7, "number-wanted", "'x'"),
        ("build 1 main", 9, "too-much", "main"),
        ("build 99999999999999999999", 7, "number-wanted", "1 to 12"),
        ("loan 12", 6, "amount-wanted", "10, 16"),
        ("starter seat 6", 14, "number-wanted", "1 to 5"),
        ("pirate cash Tunis 1", 8, "unknown-word", "cards"),
        ("pirate free Tunis 2>2", 21, "same-space", "shifted"),
        ("pirate cards Napoli/1", 22, "symbol-wanted", ":"),
        ("end end", 5, "too-much", "end"),
    ],
)
def test_bad_text(text: str, at: int, reason: str, said: str) -> None:
    with pytest.raises(BadText) as caught:
        from_text(text, FIGURES)
    assert (caught.value.at, caught.value.reason) == (at, reason)
    assert said in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@given(st.text() | st.lists(st.sampled_from([*PIECES, *"/->~:,"]) | st.text(max_size=3)).map(" ".join))
@example("buy \u0130slas Canarias/1")
@example("buy Marseille/\u00df")
@example("build \u0663")
@example("end\ud800")
def test_any_text_is_read_or_refused(text: str) -> None:
    assert well_refused(BadText, lambda: from_text(text, FIGURES))


@given(st.data())
def test_text_with_a_slip_is_read_or_refused(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, N_ACTIONS))
    text = VOYAGE if number == N_ACTIONS else to_text(number, FIGURES)
    at = data.draw(st.integers(0, len(text)))
    slip = data.draw(st.sampled_from(["", " ", "x", "1", ">", "~", "/", "-", ",", ":"]))
    assert well_refused(BadText, lambda: from_text(text[:at] + slip + text[at + 1 :], FIGURES))


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (None, "not-an-object"),
        ({}, "lacks-key"),
        ({"do": "sink"}, "bad-value"),
        ({"do": ["end"]}, "bad-value"),
        ({"do": "end", "now": True}, "surplus-key"),
        ({"do": "buy"}, "lacks-key"),
        ({"do": "buy", "card": "Porto/1"}, "bad-card"),
        ({"do": "buy", "card": 3}, "bad-card"),
        ({"do": "build", "site": 0, "colour": "main"}, "bad-count"),
        ({"do": "build", "site": True, "colour": "main"}, "bad-count"),
        ({"do": "build", "site": 1, "colour": "red"}, "bad-value"),
        ({"do": "build", "site": 1}, "lacks-key"),
        ({"do": "loan", "amount": 12}, "bad-value"),
        ({"do": "loan", "amount": True}, "bad-value"),
        ({"do": "starter", "who": 5}, "bad-count"),
        ({"do": "sail", "card": "Tunis/1", "as": "link", "to": "Napoli"}, "bad-leg"),
        ({"do": "sail", "card": "Tunis/1", "as": "destination", "to": "Napoli"}, "bad-leg"),
        ({"do": "sail", "card": "Marseille-Napoli", "as": "route", "to": "Napoli"}, "bad-leg"),
        ({"do": "sail", "card": "Tunis/1", "as": "route", "to": "Canarias"}, "bad-city"),
        ({"do": "pirate", "by": "free", "to": "Tunis", "harbour": 4}, "bad-count"),
        ({"do": "pirate", "by": "free", "to": "Tunis", "harbour": 1, "shift": 1}, "bad-shift"),
        ({"do": "pirate", "by": "free", "to": "Tunis", "harbour": 1, "cards": 3}, "not-an-array"),
        ({"do": "pirate", "by": "free", "to": "Tunis", "harbour": 1, "cards": [{}]}, "bad-value"),
        ({"do": "pirate", "by": "cards", "to": "Tunis", "harbour": 1, "cards": []}, "lacks-key"),
        ({"do": "pirate", "by": "cards", "to": "Tunis", "harbour": 1, "cards": [3]}, "not-an-object"),
    ],
)  # fmt: skip
def test_bad_typed_action(typed: Any, reason: str) -> None:
    with pytest.raises(BadAction) as caught:
        numbers_of(typed, FIGURES)
    assert caught.value.reason == reason
    assert str(caught.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"to": "Napoli"}, "bad-voyage"),
        ({"cards": [{"card": "Tunis/1", "as": "destination", "to": "Tunis", "do": "sail"}]}, "surplus-key"),
        ({"cards": [{"card": "Tunis/1", "as": "destination"}]}, "lacks-key"),
    ],
)
def test_bad_typed_voyage(change: dict[str, Any], reason: str) -> None:
    typed = voyage_to_typed(from_text("pirate cards Tunis/1: 1", FIGURES), FIGURES)
    with pytest.raises(BadAction) as caught:
        numbers_of(typed | change, FIGURES)
    assert caught.value.reason == reason


def test_numbers_that_are_no_voyage() -> None:
    for numbers in ([PIRATE_LAND, PIRATE_LAND], [SAIL, PIRATE_LAND], [PIRATE_SAIL, PIRATE_SAIL]):
        with pytest.raises(ValueError, match="no voyage"):
            voyage_to_typed(numbers, FIGURES)
    assert to_typed(BUILD, FIGURES)["site"] == 1


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(PIECES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(PIECES) | st.text(), inner, max_size=4),
)


@given(
    st.integers(0, N_ACTIONS), st.sampled_from(["do", "card", "as", "to", "site", "by", "cards", "shift", "x"]), _JSON
)
def test_any_typed_form_is_read_or_refused(number: int, key: str, value: object) -> None:
    numbers = from_text(VOYAGE, FIGURES) if number >= PIRATE_SAIL else [number]
    typed = voyage_to_typed(numbers, FIGURES) | {key: value}
    assert well_refused(BadAction, lambda: numbers_of(typed, FIGURES))
