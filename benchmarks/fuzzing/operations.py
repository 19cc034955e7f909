"""Every operation of the server with a request that it should accept: the fuzzer sends these, whole and mutated.

`tests/web/test_fuzz.py` fails if the application has a route, a query parameter or a form field that is missing here.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

PLAYERS: Final = 4


@dataclass
class FuzzedGame:
    """What a client knows of one game: its keys, and the state it saw last."""

    id: str
    host: str
    watch: str
    seats: list[str]
    number: int = 1
    deciding: int | None = 0
    events: int = 1
    legal: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)  # seats that have not answered a wish to go back
    record: str = ""
    phrase: str = ""

    @property
    def mover(self) -> str:
        """The key of the seat that is to move; the host's if none is."""
        return self.host if self.deciding is None else self.seats[self.deciding]

    @property
    def next(self) -> str:
        """The key of the seat that is to move next."""
        return self.seats[((self.deciding or 0) + 1) % len(self.seats)]

    @property
    def answering(self) -> int:
        """The seat that should answer a wish to go back; the one that is to move if there is no wish."""
        return self.waiting[0] if self.waiting else self.deciding or 0


Value = Callable[[random.Random, FuzzedGame], Any]


def one_of(*values: Any) -> Value:
    """A value chosen from a list."""
    return lambda dice, _game: dice.choice(values)


def number(_dice: random.Random, game: FuzzedGame) -> int:
    """The number of the table that was seen last."""
    return game.number


def action(dice: random.Random, game: FuzzedGame) -> int:
    """A legal action, if the client has asked for them."""
    return dice.choice(game.legal) if game.legal else 0


def action_on_page(dice: random.Random, game: FuzzedGame) -> int | str:
    """A legal action, or now and then the word for the one that is staged."""
    return "staged" if dice.random() < STAGED_SHARE else action(dice, game)


def actions(dice: random.Random, game: FuzzedGame) -> list[Any]:
    """A list of one action for the API."""
    return [action(dice, game)]


def moment(dice: random.Random, game: FuzzedGame) -> int:
    """An event of the game, counted from its beginning."""
    return dice.randint(1, max(1, game.events))


def deciding(_dice: random.Random, game: FuzzedGame) -> int:
    """The seat that is to move."""
    return game.deciding or 0


def answering(_dice: random.Random, game: FuzzedGame) -> int:
    """The seat that should answer a wish to go back."""
    return game.answering


def own_role(_dice: random.Random, game: FuzzedGame) -> str:
    """The role of the seat that is to move, which is the one the key belongs to."""
    return "host" if game.deciding is None else f"seat-{game.deciding}"


def seat_key(dice: random.Random, game: FuzzedGame) -> str:
    """The key of any seat."""
    return dice.choice(game.seats)


def record(_dice: random.Random, game: FuzzedGame) -> str:
    """A record exported from the game."""
    return game.record


def phrase(_dice: random.Random, game: FuzzedGame) -> str:
    """A phrase made for the host."""
    return game.phrase


seat: Final = one_of(*range(PLAYERS))
role: Final = one_of("watch", *(f"seat-{number}" for number in range(PLAYERS)))
title: Final = one_of("", "Friday", "Ålesund", "日本の夜", "Ours 2")
pace: Final = one_of("slow", "normal", "fast", "instant")
forecast: Final = one_of("off", "own", "all")
yes: Final = one_of("true", "false")
on: Final = one_of("on", "off")
back: Final = one_of("/", "/rules", "/new")
level: Final = one_of("captain", "trader")
form_name: Final = one_of("json", "capitan")
push_address: Final = one_of(*(f"https://push.invalid/{number}" for number in range(20)))
PUBLIC_KEY: Final = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

NEW_TABLE: Final[Mapping[str, Value]] = {
    **{f"player{seat}": one_of("friend") for seat in range(PLAYERS)},
    "player4": one_of("empty"),
    **{f"name{seat}": one_of(f"Merchant {seat}") for seat in range(PLAYERS + 1)},
    **{f"colour{seat}": one_of(seat) for seat in range(PLAYERS + 1)},
    **{f"neutral{seat}": one_of("", 2, 4) for seat in range(PLAYERS + 1)},
    "tiles": one_of("Porto", "Lisboa", "Islas Canarias"),
    "options": one_of("buy_before_loan", "reopen_shuts", "pirate_before_loan"),
    "first": one_of("drawn", "0", "3"),
    "forecast": forecast,
    "hints": on,
    "pace": pace,
    "seed": one_of(""),
    "title": title,
    "friends": one_of("on"),
    "chat": on,
    "clock": one_of("none", "turn", "bank"),
    "time": one_of("10", "90"),
    "unit": one_of("minutes", "hours", "days"),
    "more": one_of("30", "0"),
    "more_unit": one_of("seconds", "minutes"),
    "webhook": one_of(""),
}


def new_seats(_dice: random.Random, _game: FuzzedGame) -> list[Any]:
    """Four friends, for the API."""
    return [{"player": "friend", "name": f"Merchant {seat}", "colour": seat} for seat in range(PLAYERS)]


@dataclass(frozen=True)
class Operation:
    """One method and path of the server, and what an accepted request to it looks like."""

    method: str
    path: str
    body: str = ""  # "form", "json" or nothing
    fields: Mapping[str, Value] = field(default_factory=dict)  # of the body
    query: Mapping[str, Value] = field(default_factory=dict)
    key: str = "mover"  # which key is sent: mover, next, answering, host, watch, admin or none
    weight: float = 1.0  # how often it is chosen; less for what is expensive or ends a game

    @property
    def name(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"


ENDS: Final = 0.01  # ends a game: seldom, so that games come to a payday
RARE: Final = 0.05  # makes a game, or takes long
STAGED_SHARE: Final = 0.2  # of the actions on pages are the staged one
BACK: Final = 0.3  # takes actions back
COSTLY: Final = 0.008  # hashes a phrase, or asks a computer player
PAGE: Final = 0.12  # draws a whole page
GAME: Final = "/games/{name}"
API: Final = "/api/v1"
API_GAME: Final = "/api/v1/games/{game}"
PATH_VALUES: Final[Mapping[str, Value]] = {
    "form": form_name,
    "city": one_of(*range(12)),
    "number": one_of(1, 2, 3, 4, 22, 29, 31),  # a payday of a game, or a page of the guide: some with paydays
    "held": one_of(1, 2, 3),
    "seat": seat,
    "token": one_of("unknown"),
}
RULE_NAMES: Final = one_of("g-01", "set-02", "pay-01", "g-06")

OPERATIONS: Final = (
    Operation("GET", "/", key="host", weight=PAGE),
    Operation("GET", "/new", key="none", weight=PAGE),
    Operation("GET", "/friends", key="none", weight=PAGE),
    Operation("POST", "/friends/open", "form", {"key": one_of("x" * 32), "back": back}, key="none", weight=RARE),
    Operation("POST", "/friends/close", "form", key="none", weight=RARE),
    Operation("POST", "/games", "form", NEW_TABLE, key="none", weight=RARE),
    Operation("POST", "/games/quick", "form", key="none", weight=COSTLY),
    Operation("POST", "/games/import", "form", {"text": record, "file": record}, key="none", weight=RARE),
    Operation("GET", "/join", query={"again": yes}, key="none", weight=PAGE),
    Operation(
        "POST",
        "/join",
        "form",
        {"key": seat_key, "phrase": one_of(""), "again": yes, "sure": yes},
        key="none",
        weight=PAGE,
    ),
    Operation(
        "GET",
        "/rules",
        query={"q": one_of("", "loan", "pirate harbour", "payday loan interest")},
        key="none",
        weight=PAGE,
    ),
    Operation("GET", "/rules/{name}", key="none", weight=PAGE),
    Operation("GET", "/guide", key="none", weight=PAGE),
    Operation("GET", "/guide/{number:number}", key="none", weight=PAGE),
    Operation(
        "POST", "/guide/{number:number}/act", "form", {"actions": one_of("", "1", "54")}, key="none", weight=PAGE
    ),
    Operation("GET", "/guide/{number:number}/ways/{city}", key="none", weight=PAGE),
    Operation("GET", "/guide/{number:number}/payday/{held}", key="none", weight=PAGE),
    Operation("POST", "/guide/{number:number}/play", "form", key="none", weight=COSTLY),
    Operation("GET", "/compiling", key="none", weight=PAGE),
    Operation("GET", "/waiting/{token}", key="none", weight=PAGE),
    Operation(
        "POST", "/language", "form", {"language": one_of("en", "de", "fr"), "back": back}, key="none", weight=PAGE
    ),
    Operation(
        "POST", "/theme", "form", {"theme": one_of("light", "dark", "auto"), "back": back}, key="none", weight=PAGE
    ),
    Operation("POST", "/view", "form", {"view": one_of("board", "list"), "back": back}, key="none", weight=PAGE),
    Operation(
        "POST", "/turn-end", "form", {"turn_end": one_of("button", "automatic"), "back": back}, key="none", weight=PAGE
    ),
    Operation("POST", "/sound", "form", {"sound": one_of("off", "on"), "back": back}, key="none", weight=PAGE),
    Operation(
        "POST", "/motion", "form", {"motion": one_of("auto", "on", "off"), "back": back}, key="none", weight=PAGE
    ),
    Operation("GET", "/service-worker.js", key="none", weight=PAGE),
    Operation("GET", "/offline", key="none", weight=PAGE),
    Operation("GET", GAME, weight=PAGE),
    Operation("GET", f"{GAME}/table", weight=PAGE),
    Operation("GET", f"{GAME}/ways/{{city}}", weight=PAGE),
    Operation("GET", f"{GAME}/hint", query={"number": number}, weight=COSTLY),
    Operation("GET", f"{GAME}/chances", weight=COSTLY),
    Operation("GET", f"{GAME}/payday/{{number}}", weight=PAGE),
    Operation("GET", f"{GAME}/events", query={"seen": one_of("", "1")}, weight=PAGE),
    Operation("GET", f"{GAME}/replay", query={"at": moment}, weight=PAGE),
    Operation("POST", f"{GAME}/branch", "form", query={"at": moment}, weight=RARE),
    Operation("POST", f"{GAME}/what-if", "form", {"at": moment}, weight=RARE),
    Operation("GET", f"{GAME}/plan", key="next", weight=PAGE),
    Operation("GET", f"{GAME}/plan/events", query={"seen": one_of("", "1")}, key="next", weight=PAGE),
    Operation("GET", f"{GAME}/plan/ways/{{city}}", key="next", weight=PAGE),
    Operation("POST", f"{GAME}/plan/act", "form", {"number": number, "actions": action}, key="next", weight=PAGE),
    Operation("POST", f"{GAME}/plan/undo", "form", {"number": number, "count": one_of(1, 2)}, key="next", weight=PAGE),
    Operation("POST", f"{GAME}/plan/forget", "form", {"number": number}, key="next", weight=PAGE),
    Operation("GET", f"{GAME}/export/{{form}}", weight=PAGE),
    Operation("GET", f"{GAME}/mistake", weight=COSTLY),
    Operation("GET", f"{GAME}/picture", weight=PAGE),
    Operation("POST", f"{GAME}/rematch", "form", key="host", weight=COSTLY),
    Operation("POST", f"{GAME}/rematch/seat", "form", weight=RARE),
    Operation("POST", f"{GAME}/again", "form", weight=COSTLY),
    Operation("POST", f"{GAME}/act", "form", {"number": number, "actions": action_on_page}, weight=PAGE),
    Operation("POST", f"{GAME}/undo", "form", {"number": number, "count": one_of(1)}, weight=PAGE),
    Operation("POST", f"{GAME}/redo", "form", {"number": number, "count": one_of(1)}, weight=PAGE),
    Operation("POST", f"{GAME}/say", "form", {"text": one_of("Ahoy", "¡Tierra!", "海"), "seat": deciding}, weight=PAGE),
    Operation("POST", f"{GAME}/wish", "form", {"number": number, "at": moment, "seat": deciding}, weight=PAGE),
    Operation(
        "POST",
        f"{GAME}/answer",
        "form",
        {"number": number, "yes": yes, "seat": answering},
        key="answering",
        weight=PAGE,
    ),
    Operation("GET", f"{GAME}/seat", weight=PAGE),
    Operation("POST", f"{GAME}/seat", "form", {"role": own_role, "how": one_of("link")}, weight=PAGE),
    Operation("GET", f"{GAME}/name", query={"seat": deciding}, weight=PAGE),
    Operation(
        "POST", f"{GAME}/name", "form", {"seat": deciding, "wanted": one_of("Marta", "Ana", "Łucja")}, weight=PAGE
    ),
    Operation("GET", f"{GAME}/push", weight=PAGE),
    Operation(
        "POST",
        f"{GAME}/push",
        "form",
        {"address": push_address, "public_key": one_of(PUBLIC_KEY), "secret": one_of("BTBZMqHH6r4Tts7J_aSIgg")},
        weight=PAGE,
    ),
    Operation("POST", f"{GAME}/push/stop", "form", {"address": push_address}, weight=PAGE),
    Operation("GET", f"{GAME}/invite", key="host", weight=PAGE),
    Operation("POST", f"{GAME}/invite", "form", {"role": role}, key="host", weight=PAGE),
    Operation(
        "POST",
        f"{GAME}/settings",
        "form",
        {"pace": pace, "forecast": forecast, "title": title, "hints": on, "chat": on, "what_if": on},
        key="host",
        weight=PAGE,
    ),
    Operation(
        "POST",
        f"{GAME}/stand-in",
        "form",
        {"seat": seat, "level": one_of(""), "back": one_of("invite", "table")},
        key="host",
        weight=PAGE,
    ),
    Operation("POST", f"{GAME}/ready", "form", {"seat": deciding, "yes": yes}, weight=PAGE),
    Operation("POST", f"{GAME}/start", "form", {"missing": one_of("", "computers", "wait")}, key="host", weight=PAGE),
    Operation("POST", f"{GAME}/back", "form", {"seat": deciding}, weight=PAGE),
    Operation("POST", f"{GAME}/remove", "form", {"seat": seat}, key="host", weight=ENDS),
    Operation("POST", f"{GAME}/end", "form", key="host", weight=ENDS),
    Operation("POST", f"{GAME}/delete", "form", key="host", weight=ENDS),
    Operation("GET", "/healthz", key="none"),
    Operation("GET", "/metrics", key="admin", weight=RARE),
    Operation("GET", f"{API}/admin/games", key="admin", weight=RARE),
    Operation("DELETE", f"{API}/admin/games/{{name}}", key="admin", weight=ENDS),
    Operation("POST", f"{API}/admin/games/{{name}}/end", "json", key="admin", weight=ENDS),
    Operation("GET", f"{API}/openapi.json", key="none", weight=RARE),
    Operation("GET", f"{API}/levels", key="none"),
    Operation(
        "POST",
        f"{API}/games",
        "json",
        {
            "seats": new_seats,
            "tiles": one_of([], ["Porto"], ["Lisboa", "Islas Canarias"]),
            "options": one_of({}, {"reopen_shuts": True}),
            "first": one_of(None, 0, 3),
            "title": title,
            "pace": pace,
            "forecast": forecast,
            "hints": one_of(True, False),
            "chat": one_of(True, False),
            "clock": one_of(None, {"kind": "turn", "seconds": 86400}),
            "webhook": one_of(""),
            "seed": one_of(None),
        },
        key="none",
        weight=RARE,
    ),
    Operation("POST", f"{API}/join", "json", {"key": seat_key, "phrase": one_of(None)}, key="none"),
    Operation("GET", API_GAME),
    Operation("GET", f"{API_GAME}/export/{{form}}", weight=0.5),
    Operation("POST", f"{API_GAME}/keys", "json", {"role": own_role, "kind": one_of("link")}),
    Operation("GET", f"{API_GAME}/actions"),
    Operation("POST", f"{API_GAME}/actions", "json", {"number": number, "actions": actions}, weight=4.0),
    Operation("POST", f"{API_GAME}/undo", "json", {"number": number, "count": one_of(1)}, weight=BACK),
    Operation("POST", f"{API_GAME}/redo", "json", {"number": number, "count": one_of(1)}, weight=BACK),
    Operation("POST", f"{API_GAME}/wish", "json", {"number": number, "at": moment, "seat": deciding}, weight=BACK),
    Operation(
        "POST",
        f"{API_GAME}/wish/answer",
        "json",
        {"number": number, "yes": one_of(True, False), "seat": answering},
        key="answering",
    ),
    Operation("GET", f"{API_GAME}/hint", query={"number": number, "level": level}, weight=COSTLY),
    Operation("GET", f"{API_GAME}/chances", weight=COSTLY),
    Operation("GET", f"{API_GAME}/events", query={"since": one_of("1", "5"), "once": one_of("true")}),
    Operation("GET", f"{API_GAME}/chat"),
    Operation("POST", f"{API_GAME}/chat", "json", {"text": one_of("Ahoy", "Olá"), "seat": deciding}),
    Operation("POST", f"{API_GAME}/seats/{{seat}}/stand-in", "json", {"level": one_of(None)}, key="host"),
    Operation("POST", f"{API_GAME}/seats/{{seat}}/remove", "json", key="host", weight=ENDS),
    Operation("POST", f"{API_GAME}/end", "json", key="host", weight=ENDS),
)
PHRASES: Final = (  # separately, because each costs the server a tenth of a second
    Operation("POST", f"{API_GAME}/keys", "json", {"role": one_of("host"), "kind": one_of("phrase")}, key="host"),
    Operation("POST", f"{GAME}/seat", "form", {"role": own_role, "how": one_of("phrase")}, weight=PAGE),
    Operation(
        "POST",
        "/join",
        "form",
        {"key": one_of(""), "phrase": phrase, "again": yes, "sure": yes},
        key="none",
        weight=PAGE,
    ),
    Operation("POST", f"{API}/join", "json", {"key": one_of(None), "phrase": phrase}, key="none"),
)
