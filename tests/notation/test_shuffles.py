"""How cards were shuffled, as it stands in records: written, read back, and refused where it cannot be."""

import hashlib
from typing import Any

import pytest
from tests.playing import random_game

from elcapitan.errors import BadRecord
from elcapitan.records.capitan import Score, from_capitan, to_capitan
from elcapitan.records.json_record import from_json, to_json, with_shuffles
from elcapitan.records.shuffles import Promise, any_key, any_salt, commitment_of, promise

SALT = "00112233445566778899aabbccddeeff"
HASH = "c0ffee" * 10 + "abcd"
KEY = "0123456789abcdef" * 4
TOLD = (promise(0, 7, SALT), promise(12, 2**64 - 1, any_salt()))
KEYED = (promise(0, KEY, SALT), promise(9, 7, SALT), promise(12, any_key(), any_salt()))
UNTOLD = tuple(each.untold() for each in TOLD)
GOOD = {"at": 0, "commitment": HASH, "seed": 7, "salt": SALT}
NAMED = {"at": 0, "scheme": "hmac-sha256", "commitment": HASH}
GOOD_KEY = {**NAMED, "key": KEY, "salt": SALT}


def test_the_commitment_is_a_hash_of_seed_and_salt() -> None:
    assert commitment_of(7, SALT) == hashlib.sha256(f"7:{SALT}".encode()).hexdigest() == TOLD[0].commitment
    assert TOLD[0].matches and TOLD[0].published
    assert not UNTOLD[0].published and not UNTOLD[0].matches and UNTOLD[0].commitment == TOLD[0].commitment
    assert len({any_salt() for _ in range(100)}) == 100 and len(any_salt()) == 32


def test_the_commitment_of_a_key_names_its_scheme() -> None:
    (first, _, _) = KEYED
    assert first.commitment == hashlib.sha256(f"hmac-sha256:{KEY}:{SALT}".encode()).hexdigest()
    assert (first.scheme, first.secret, first.seed, first.matches) == ("hmac-sha256", KEY, None, True)
    hidden = first.untold()
    assert (hidden.scheme, hidden.secret, hidden.published, hidden.matches) == ("hmac-sha256", None, False, False)
    assert KEY not in repr(hidden) and SALT not in repr(hidden)


def test_records_name_the_scheme_unless_it_is_a_seed() -> None:
    game = random_game(3, seed=4, most=20)
    told, hidden = ([promise(0, secret, SALT)] for secret in (KEY, 7))
    (content,) = to_json(game, shuffles=told)["shuffles"]
    assert content == {**GOOD_KEY, "commitment": told[0].commitment}
    assert f'[Shuffles "0 hmac-sha256 {told[0].commitment} {KEY} {SALT}"]' in to_capitan(game, None, told)
    (content,) = to_json(game, shuffles=hidden)["shuffles"]
    assert content == {**GOOD, "commitment": hidden[0].commitment}
    assert f'[Shuffles "0 {hidden[0].commitment} 7 {SALT}"]' in to_capitan(game, None, hidden)


@pytest.mark.parametrize(
    "promises",
    [(), TOLD, UNTOLD, (TOLD[0], UNTOLD[1]), KEYED, tuple(each.untold() for each in KEYED), (TOLD[0], KEYED[2])],
)
def test_records_keep_what_was_promised(promises: tuple[Promise, ...]) -> None:
    game = random_game(3, seed=4, most=20)
    content = to_json(game, seats=["human"] * 3, shuffles=promises)
    assert with_shuffles(content)[1] == promises
    assert from_json(content).events == game.events
    text = to_capitan(game, {"Title": "Évora"}, promises)
    score = from_capitan(text)
    assert (score.shuffles, score.headers) == (promises, {"Title": "Évora"})
    assert to_capitan(score) == text == to_capitan(Score.of(game, {"Title": "Évora"}, promises))
    assert ("shuffles" in content) == ("Shuffles" in text) == bool(promises)


def test_in_a_traced_record_paydays_do_not_count() -> None:
    game = random_game(2, seed=4)
    end = len(game.events)
    traced = to_json(game, trace=True, shuffles=[Promise(end, HASH)])
    assert len(traced["events"]) > end
    assert with_shuffles(traced)[1] == (Promise(end, HASH),)
    with pytest.raises(BadRecord) as refused:
        from_json({**traced, "shuffles": [{"at": end + 1, "commitment": HASH}]})
    assert refused.value.reason == "shuffles-out-of-order"


@pytest.mark.parametrize(
    ("shuffles", "reason"),
    [
        ({}, "not-an-array"),
        ("abc", "not-an-array"),
        ([7], "not-an-object"),
        ([{}], "lacks-key"),
        ([{"at": 0}], "lacks-key"),
        ([{"at": 0, "commitment": HASH, "seed": 7}], "lacks-key"),
        ([{"at": 0, "commitment": HASH, "salt": SALT}], "lacks-key"),
        ([{**GOOD, "deck": []}], "surplus-key"),
        ([{**GOOD, "at": -1}], "bad-shuffle"),
        ([{**GOOD, "at": True}], "bad-shuffle"),
        ([{**GOOD, "at": "0"}], "bad-shuffle"),
        ([{**GOOD, "commitment": HASH.upper()}], "bad-shuffle"),
        ([{**GOOD, "commitment": HASH[:-1]}], "bad-shuffle"),
        ([{**GOOD, "commitment": 7}], "bad-shuffle"),
        ([{**GOOD, "commitment": f"{HASH}\n"}], "bad-shuffle"),
        ([{**GOOD, "seed": None}], "bad-shuffle"),
        ([{**GOOD, "seed": 2**64}], "bad-shuffle"),
        ([{**GOOD, "seed": -1}], "bad-shuffle"),
        ([{**GOOD, "seed": 7.0}], "bad-shuffle"),
        ([{**GOOD, "salt": ""}], "bad-shuffle"),
        ([{**GOOD, "salt": None}], "bad-shuffle"),
        ([{**GOOD, "key": KEY}], "surplus-key"),
        ([{**GOOD_KEY, "seed": 7}], "surplus-key"),
        ([{**NAMED, "key": KEY}], "lacks-key"),
        ([{**NAMED, "salt": SALT}], "lacks-key"),
        ([{**NAMED, "seed": 7, "salt": SALT}], "surplus-key"),
        ([{**GOOD_KEY, "key": KEY[:-1]}], "bad-shuffle"),
        ([{**GOOD_KEY, "key": KEY.upper()}], "bad-shuffle"),
        ([{**GOOD_KEY, "key": 7}], "bad-shuffle"),
        ([{**GOOD_KEY, "salt": None}], "bad-shuffle"),
        ([{**GOOD_KEY, "scheme": "hmac-sha512"}], "bad-shuffle"),
        ([{**GOOD_KEY, "scheme": ""}], "bad-shuffle"),
        ([{**NAMED, "scheme": None}], "bad-shuffle"),
        ([{**NAMED, "scheme": ["hmac-sha256"]}], "bad-shuffle"),
        ([GOOD, GOOD], "shuffles-out-of-order"),
        ([{**GOOD, "at": 3}, GOOD], "shuffles-out-of-order"),
        ([{**GOOD, "at": 9999}], "shuffles-out-of-order"),
    ],
)
def test_other_shuffles_are_refused(shuffles: Any, reason: str) -> None:
    game = random_game(3, seed=4, most=20)
    with pytest.raises(BadRecord) as refused:
        from_json({**to_json(game), "shuffles": shuffles})
    assert refused.value.reason == reason
    assert refused.value.sentence()


@pytest.mark.parametrize(
    "value",
    [
        "0",
        HASH,
        f"{HASH} 0",
        f"0 {HASH} 7",
        f"0 {HASH} 7 {SALT} 8",
        f"00 {HASH}",
        f"-1 {HASH}",
        f"0 {HASH.upper()}",
        f"0 {HASH} {2**64} {SALT}",
        f"0 {HASH} \u0667 {SALT}",
        f"0 {HASH} 7 {SALT[:-1]}",
        f"0 {HASH},",
        f"0 {HASH}, 0 {HASH}",
        f"5 {HASH}, 3 {HASH}",
        f"9999 {HASH}",
        f"0 hmac-sha512 {HASH}",
        f"0 hmac-sha256 {HASH} {KEY}",
        f"0 hmac-sha256 {HASH} 7 {SALT}",
        f"0 {HASH} {KEY} {SALT}",
        f"0 hmac-sha256 {HASH} {KEY} {SALT} 8",
        f"0 hmac-sha256 {HASH[:-1]}",
    ],
)
def test_other_headers_are_refused_with_their_line(value: str) -> None:
    text = to_capitan(random_game(3, seed=4, most=20), {}, [Promise(0, HASH)])
    with pytest.raises(BadRecord) as refused:
        from_capitan(text.replace(f"0 {HASH}", value))
    assert refused.value.line == 5
