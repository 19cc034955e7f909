#!/usr/bin/env python3
"""A client for the JSON API of docs/api.md: it takes a seat on a server and plays a whole game.

`client.py http://localhost:8000` sets up a table with two computer players; with a key behind it, it takes the seat
that the key opens.
"""

import json
import sys
import time
import urllib.error
import urllib.request

ORDER = ["end", "repay", "reopen", "build", "fortress", "sail", "buy", "loan", "extend", "starter", "pass"]
server, key = sys.argv[1].rstrip("/") + "/api/v1", "".join(sys.argv[2:3])


def request(path, sent=None):
    """GET what is at an address, or POST something there; the answer is still to be read."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    body = None if sent is None else json.dumps(sent).encode()
    return urllib.request.urlopen(urllib.request.Request(server + path, body, headers), timeout=60)


def ask(path, sent=None):
    """The answer as an object."""
    with request(path, sent) as answer:
        return json.load(answer)


def follow(path):
    """The states of a table, one after every change; a connection that breaks is made again."""
    while True:
        try:
            with request(path) as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        yield json.loads(line[6:])["state"]
        except (OSError, KeyError) as error:  # a server that says no, or a last word that has no state
            if isinstance(error, KeyError) or getattr(error, "code", 500) < 500:
                raise
        time.sleep(1)


def wish(action):
    """What comes first: to build where the ship lies; a card only when there is nothing else to do."""
    do = action["typed"]["do"]
    return ORDER.index(do) if do in ORDER else len(ORDER)


if not key:
    seats = [{"player": "friend", "name": "Client"}, {"player": "trader"}, {"player": "wanderer"}]
    key = ask("/games", {"seats": seats, "pace": "instant"})["seat_keys"][0]["key"]
game = "/games/" + ask("/join", {"key": key})["game"]
for state in follow(game + "/events"):
    if state["result"] or state["ended"]:
        break
    if state["yours"]:
        possible = ask(game + "/actions")
        choice = min(possible["actions"], key=wish, default=None)
        try:
            ask(game + "/actions", {"number": possible["number"], "actions": [choice["action"]]})
        except urllib.error.HTTPError as refusal:  # the table has changed since: its new state is on its way
            if refusal.code != 409:
                sys.exit(json.load(refusal)["error"]["message"])
for seat, merchant in enumerate(state["position"]["merchants"]):
    print(f"{state['seats'][seat]['name'] or state['seats'][seat]['player']}: {merchant['money']} florins")
