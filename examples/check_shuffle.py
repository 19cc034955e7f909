#!/usr/bin/env python3
"""Check the shuffle of a JSON record without any other part of El Capitán; docs/notation.md describes the scheme.

`check_shuffle.py evening.json` prints how many cards are proved, and fails at the first one that is not.
"""

import hashlib
import hmac
import itertools
import json
import sys
from pathlib import Path

SEALS = {
    "Marseille": "31",
    "Venezia": "21",
    "Constantinople": "32",
    "Valencia": "12",
    "Napoli": "13",
    "Athina": "23",
    "Tanger": "21",
    "Tunis": "31",
    "Alexandria": "32",
}
CARDS = [f"{city}/{seals}" for city in SEALS for seals in SEALS[city]]
CARDS += [f"{one}-{other}" for one, other in itertools.combinations(SEALS, 2)]
KINDS = {"destination": range(18), "link": range(18, 54)}


def below(key, label, n):
    """Pick a number below n for a label."""
    for attempt in itertools.count():
        answer = hmac.new(bytes.fromhex(key), f"{label}|{attempt}".encode(), hashlib.sha256).digest()
        number = int.from_bytes(answer, "big")
        if number < 2**256 - 2**256 % n:
            break
    return number % n


def check(record):
    """Check the commitment and every card since the shuffle; return how many cards that were."""
    (shuffle,) = record["shuffles"]
    key, salt = shuffle["key"], shuffle["salt"]
    committed = f"{shuffle['scheme']}:{key}:{salt}"
    assert hashlib.sha256(committed.encode()).hexdigest() == shuffle["commitment"]
    face_down = {kind: set(cards) for kind, cards in KINDS.items()}
    discards = {kind: set() for kind in KINDS}
    count = dict.fromkeys(KINDS, 0)
    checked = 0

    def turn_up(name, at):
        card = CARDS.index(name)
        kind = "destination" if card < 18 else "link"
        if not face_down[kind]:
            face_down[kind], discards[kind] = discards[kind], set()
        cards = sorted(face_down[kind])
        label = f"{kind} {count[kind]}|{','.join(map(str, cards))}"
        proved = at >= shuffle["at"]
        assert not proved or card == cards[below(key, label, len(cards))], f"event {at} brings {name}"
        face_down[kind].remove(card)
        count[kind] += 1
        return proved

    for at, event in enumerate(record["events"]):
        if "deal" in event:
            checked += sum(turn_up(card, at) for kind in KINDS for card in event["deal"][kind])
        elif "reveal" in event:
            checked += turn_up(event["reveal"], at)
        elif event["do"] == "sail" or event["do"] == "pirate":
            used = [event["card"]] if event["do"] == "sail" else [leg["card"] for leg in event["cards"]]
            for card in map(CARDS.index, used):
                discards["destination" if card < 18 else "link"].add(card)
    return checked


if __name__ == "__main__":
    print(check(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), "cards are proved")
