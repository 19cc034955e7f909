#!/usr/bin/env python3
"""A small bot: it builds where its ship lies, sails where it can, and buys the cheapest card that takes it on."""

import json
import sys

ORDER = ["end", "repay", "reopen", "build", "fortress", "sail", "buy", "loan", "extend", "starter", "pirate"]


def say(**message):
    """One message is one line; without the flush it would wait in a buffer."""
    print(json.dumps(message), flush=True)


def wish(action):
    """What comes first: the order above; among cards those that lead away from the bank, and the cheapest."""
    card = action.get("card", "")
    place = ORDER.index(action["do"]) if action["do"] in ORDER else len(ORDER)
    return place, "-" in card, prices.get(card, 0)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        prices = message["prices"]
        say(type="ready", name="cheapest")
    elif message["type"] == "choose":
        legal = message["legal"]
        best = min(range(len(legal)), key=lambda place: wish(legal[place]))
        say(type="action", move=message["move"], choose=best)
