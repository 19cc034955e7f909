"""Chance from a key: pinned answers, even chances, and nothing that one answer tells about another."""

import hashlib
import hmac
import random
from collections import Counter
from itertools import pairwise

import pytest

from elcapitan.engine.vocabulary import CARDS, DESTINATIONS
from elcapitan.records.shuffles import any_key, below, dice, drawn, first_seat, in_order, opening

KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
PINNED = ((11, 1, 6, 12), (52, 36, 34, 35, 33, 19), 12735988350076958344, [5, 3, 0, 17])
KEYS = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(2000)]


def test_the_scheme_never_changes() -> None:
    """Records that name it must be proved by every later program, and by programs of other people."""
    answer = hmac.new(bytes.fromhex(KEY), b"first seat|0", hashlib.sha256).hexdigest()
    assert below(KEY, "first seat", 2**256) == int(answer, 16)
    assert [first_seat(KEY, players) for players in (2, 3, 4, 5)] == [int(answer, 16) % n for n in (2, 3, 4, 5)]
    answer = hmac.new(bytes.fromhex(KEY), b"link 9|18,21,53|0", hashlib.sha256).hexdigest()
    assert drawn(KEY, 9, [18, 21, 53]) == (18, 21, 53)[int(answer, 16) % 3]
    assert (opening(KEY).destination, opening(KEY).link, dice(KEY, 17), in_order(KEY, 4, [0, 3, 5, 17])) == PINNED


def test_a_number_that_would_favour_some_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The highest numbers are left over when all are shared out among so many; they are not used."""
    asked: list[bytes] = []

    def answer(_key: bytes, label: bytes, _digest: str) -> bytes:
        asked.append(label)
        return b"\xff" * 32 if len(asked) < 3 else (2**256 - 2).to_bytes(32)

    monkeypatch.setattr(hmac, "digest", answer)
    assert 2**256 % 3 == 1 and below(KEY, "some", 3) == 2
    assert asked == [b"some|0", b"some|1", b"some|2"]
    assert below(KEY, "some", 2) == 0, "two share all numbers evenly: the first one counts"


def test_keys_are_long_and_new() -> None:
    assert len({any_key() for _ in range(100)}) == 100
    assert all(len(bytes.fromhex(any_key())) == 32 for _ in range(10))


def surprise(counts: Counter[int], kinds: int) -> float:
    """How far counts are from even ones: the chi-square statistic as a normal one, about -3 to 3 by chance."""
    expected = counts.total() / kinds
    square = sum((counts[kind] - expected) ** 2 / expected for kind in range(kinds))
    return float((square - (kinds - 1)) / (2 * (kinds - 1)) ** 0.5)


def test_every_seat_and_every_card_is_as_likely_as_any_other() -> None:
    for players in (2, 3, 4, 5):
        assert abs(surprise(Counter(first_seat(key, players) for key in KEYS), players)) < 4
    orders = [in_order(key, 0, range(DESTINATIONS)) for key in KEYS[:600]]
    for place in range(DESTINATIONS):
        assert abs(surprise(Counter(order[place] for order in orders), DESTINATIONS)) < 4
    following = Counter(after * DESTINATIONS + before for order in orders for before, after in pairwise(order))
    assert len(following) == DESTINATIONS * (DESTINATIONS - 1), "any card may follow any other"
    shorter = Counter(tuple(in_order(key, 7, [20, 30, 40, 50])) for key in KEYS)
    assert len(shorter) == 24
    assert abs(surprise(Counter(dict(enumerate(shorter.values()))), 24)) < 4


def test_what_was_seen_tells_nothing_about_what_comes() -> None:
    """Among keys that agree on the cards so far, the next card is as open as without them."""
    cards = list(range(DESTINATIONS, DESTINATIONS + 6))
    orders = [in_order(key, 0, cards) for key in KEYS]
    for first in cards:
        seconds = Counter(order[1] - DESTINATIONS - (order[1] > first) for order in orders if order[0] == first)
        assert abs(surprise(seconds, 5)) < 4
    agreeing = [key for key in KEYS if drawn(key, 3, cards) == cards[0]]
    assert abs(surprise(Counter(drawn(key, 4, cards) - DESTINATIONS for key in agreeing), 6)) < 4
    assert abs(surprise(Counter(dice(key, 3) % 6 for key in agreeing), 6)) < 4


def test_an_order_depends_on_the_cards_and_on_how_many_came_before() -> None:
    cards = random.Random(1).sample(range(DESTINATIONS, CARDS), 20)
    assert in_order(KEY, 6, cards) == in_order(KEY, 6, sorted(cards))
    orders = {tuple(in_order(KEY, count, cards)) for count in range(50)}
    assert len(orders) == 50, "a deck that is made anew from the same cards has another order"
    order = in_order(KEY, 6, cards)
    without = in_order(KEY, 6, [card for card in cards if card != order[-1]])
    assert without != order[:-1], "and so has one that lacks a card"
    assert in_order(KEY, 7, [card for card in cards if card != order[0]]) == order[1:], "but not one that goes on"
