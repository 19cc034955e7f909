#!/usr/bin/env python3
"""A seat for a language model: it asks any OpenAI-compatible address for every decision that leaves a choice.

    export MODEL_URL=http://127.0.0.1:8080/v1 MODEL_NAME=the-model MODEL_KEY=the-key
    elcapitan play --seats "human,cmd:examples/bots/language_model.py --log model.log" --bot-seconds 120

Where the model gives no legal answer in time, a simple rule decides, and a line on stderr and in the log says so.
"""

import argparse
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path

TRIES = 3  # for one decision
PAUSE = 0.5  # seconds before the second try; twice as long before the third
RESERVE = 0.1  # of the time for a decision, kept for the answer to the game
LONGEST = 1 << 20  # bytes of an answer that are read
ORDER = ["end", "repay", "reopen", "build", "fortress", "sail", "buy", "loan", "extend", "starter", "pirate"]
TASK = (
    "You are playing this board game to win. You get the position and a numbered list of all legal actions. Choose one;"
    " a turn is made of several. You may think first. End your answer with a line like this, with the number:\nCHOOSE 0"
)


class Failed(Exception):
    """No usable answer; `final` if another try would not help."""

    def __init__(self, why, final=False):
        super().__init__(why)
        self.final = final


class StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because the key is for one address only."""

    def redirect_request(self, *_):
        """Take a redirect for an error."""
        return


class Model:
    """A model behind an address."""

    def __init__(self, url, name, key):
        self.url, self.name, self.key = url.rstrip("/") + "/chat/completions", name, key
        self.opener = urllib.request.build_opener(StayHere)

    def ask(self, messages, until):
        """Return what the model writes; raise Failed if nothing comes until then."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        body = json.dumps({"model": self.name, "messages": messages}).encode()
        request = urllib.request.Request(self.url, body, headers)
        try:
            with self.opener.open(request, timeout=left(until)) as answer:
                found = b""
                while chunk := answer.read1(LONGEST):
                    found += chunk
                    if len(found) > LONGEST:
                        raise Failed("the answer is too long", final=True)
                    left(until)
            return str(json.loads(found)["choices"][0]["message"]["content"])
        except urllib.error.HTTPError as error:
            busy = error.code == 429 or error.code >= 500
            raise Failed(f"HTTP status {error.code}", final=not busy) from None
        except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError) as error:
            raise Failed(f"{type(error).__name__}: {error}") from None


def left(until):
    """Return the seconds that are left; raise Failed if there are none."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise Failed("the time was over", final=True)
    return seconds


def chosen(text, most):
    """Return the number that an answer ends with; raise Failed if it is in no list."""
    found = re.findall(r"CHOOSE\D{0,3}(\d{1,4})\b", text) or re.findall(r"\A\s*(\d{1,4})\s*\Z", text)
    number = int(found[-1]) if found else -1
    if not 0 <= number < most:
        raise Failed(f"the answer ends with no number from 0 to {most - 1}: ...{text[-60:]!r}")
    return number


def decide(model, question, digest, say):
    """Return the place of an action in the list, the model's choice or, if there is none, that of a simple rule."""
    texts = question["texts"]
    if len(texts) == 1:
        return 0
    until = time.monotonic() + question["seconds"] * (1 - RESERVE)
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(texts))
    told = f"You are {'RYGBP'[question['seat']]}.\n\n{question['drawing']}\nLegal actions:\n{listed}\n"
    messages = [{"role": "system", "content": f"{TASK}\n\n{digest}"}, {"role": "user", "content": told}]
    for tried in range(TRIES):
        try:
            return chosen(model.ask(messages, until), len(texts))
        except Failed as failure:
            say(f"move {question['move']}, try {tried + 1}: {failure}")
            if failure.final or tried + 1 == TRIES:
                break
            time.sleep(min(PAUSE * 2**tried, max(0.0, until - time.monotonic())))
    kinds = [action["do"] for action in question["legal"]]
    place = min(range(len(kinds)), key=lambda each: ORDER.index(kinds[each]) if kinds[each] in ORDER else len(ORDER))
    say(f"move {question['move']}: the model has not chosen; a simple rule plays “{texts[place]}”")
    return place


def play(model, say):
    """Answer the game until it closes the input."""
    digest = ""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            reply = {"type": "ready", "name": model.name, "wants": ["drawing", "texts", "digest"]}
        elif message["type"] == "choose":
            digest = message.get("digest", digest)
            reply = {"type": "action", "move": message["move"], "choose": decide(model, message, digest, say)}
        else:
            continue
        print(json.dumps(reply), flush=True)


def main():
    """Read the address of the model from the command line or the environment, and play."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("--url", default=os.environ.get("MODEL_URL"), help="the address before /chat/completions")
    reader.add_argument("--model", default=os.environ.get("MODEL_NAME"))
    reader.add_argument("--key", default=os.environ.get("MODEL_KEY", ""), help="visible to others; better in MODEL_KEY")
    reader.add_argument("--log", help="a file for what is said on stderr, too")
    told = reader.parse_args()
    if not told.url or not told.url.startswith(("http://", "https://")) or not told.model:
        reader.error("MODEL_URL (http://... or https://...) and MODEL_NAME, or --url and --model, are needed")

    def say(sentence):
        print(sentence, file=sys.stderr, flush=True)
        if told.log:
            with Path(told.log).open("a", encoding="utf-8") as log:
                log.write(sentence + "\n")

    play(Model(told.url, told.model, told.key), say)


if __name__ == "__main__":
    main()
