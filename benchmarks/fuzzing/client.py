"""A client that plays and attacks: it keeps a few games going, and damages about half of its requests.

It learns from answers what it needs to send accepted requests: keys of new games, the number of the table, legal
actions. The same seed and the same answers give the same requests.
"""

import json
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.fuzzing.mutations import Draft, encoded, mutate, target
from benchmarks.fuzzing.operations import (
    API,
    API_GAME,
    COSTLY,
    GAME,
    OPERATIONS,
    PATH_VALUES,
    PHRASES,
    PLAYERS,
    RULE_NAMES,
    FuzzedGame,
    Operation,
)

KEPT_GAMES: Final = 3  # of one client at a time
MUTATED: Final = 0.5  # of all requests
GUARDED: Final = 0.03  # of all requests go to a game that the client may only watch
SERVER_ERROR: Final = 500
OK, CREATED, SEE_OTHER, REFUSED, STALE_MOVE = 200, 201, 303, 400, 409
LOST: Final = (401, 404)  # the answer of the API when a game or a key is gone
STALE: Final = -1  # the number of a table whose state must be asked for
HEADER_KEYS: Final = 0.4  # of all requests to pages with a key; the others send a cookie
BY_NAME: Final = {operation.name: operation for operation in OPERATIONS}
CREATE: Final = BY_NAME[f"POST {API}/games"]
EXPORT: Final = BY_NAME[f"GET {API_GAME}/export/{{form}}"]
LEGAL: Final = BY_NAME[f"GET {API_GAME}/actions"]
MOVES: Final = (BY_NAME[f"POST {API_GAME}/actions"], BY_NAME[f"POST {GAME}/act"])
ENDING: Final = ("/end", "/delete", "/remove")
CHOICES: Final = (*OPERATIONS, *PHRASES)
NOT_ADMIN: Final = tuple(each for each in OPERATIONS if each.key != "admin")
NO_GAME: Final = FuzzedGame("none", "", "", [""])  # for operations that make one
WEIGHTS: Final = (*(each.weight for each in OPERATIONS), *(COSTLY for _ in PHRASES))


@dataclass(frozen=True)
class Request:
    """One request, and what the fuzzer knows about it."""

    operation: Operation
    game: FuzzedGame | None
    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    content_type: str
    with_key: bool  # sent with a valid key
    mutated: tuple[str, ...] | None  # names of damaged fields; None if nothing is damaged
    reusable: bool  # whether the connection can be used for another request


@dataclass
class Tally:
    """What was sent and what came back."""

    requests: int = 0
    accepted: int = 0  # valid key, answered with 2xx or 3xx
    unanswered: int = 0  # cut off by the server before there was a request to answer
    statuses: Counter[str] = field(default_factory=Counter)
    operations: Counter[str] = field(default_factory=Counter)
    accepted_operations: Counter[str] = field(default_factory=Counter)  # answered with 2xx or 3xx, whatever the key
    content_types: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)  # damaged ones, as "operation field"
    errors: list[str] = field(default_factory=list)  # requests answered with 5xx, the first of them

    def count(self, request: Request, status: int) -> None:
        """Count a request and its answer."""
        name = request.operation.name
        self.requests += 1
        self.statuses[str(status)] += 1
        self.operations[name] += 1
        self.content_types[request.content_type] += 1
        self.fields.update(f"{name} {each}" for each in request.mutated or ())
        if not status:
            self.unanswered += 1
        elif status >= SERVER_ERROR:
            self.errors = [*self.errors, f"{status} {request.method} {request.target[:300]} {request.body[:300]!r}"][
                :20
            ]
        elif status < REFUSED:
            self.accepted += request.with_key
            self.accepted_operations[name] += 1

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in vars(self).items()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "Tally":
        """Read what `to_json` has written."""
        values: dict[str, Any] = {
            name: Counter(each) if isinstance(each, dict) else each for name, each in content.items()
        }
        return cls(**values)

    def add(self, other: "Tally") -> None:
        """Add the counts of another client."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(value, Counter):
                mine.update(value)
            else:
                setattr(self, name, mine + value)
        self.errors = self.errors[:20]


class FuzzClient:
    """Makes requests, and learns from the answers."""

    def __init__(self, seed: str, host: str, admin: str = "", guarded: FuzzedGame | None = None) -> None:
        self.tally = Tally()
        self._dice = random.Random(seed)
        self._host = host
        self._admin = admin
        self._guarded = guarded  # a game of somebody else that this client may watch
        self._games: list[FuzzedGame] = []
        self._first = list(CHOICES)  # each is sent once as it should be, before chance decides

    def next(self) -> Request:
        """The next request: something the client needs to know, an accepted request, or a damaged one."""
        dice = self._dice
        if len(self._games) < KEPT_GAMES:
            return self._request(CREATE, NO_GAME)
        game = dice.choice(self._games)
        if self._guarded and dice.random() < GUARDED:
            return self._request(dice.choice(NOT_ADMIN), self._guarded, damaged=dice.random() < MUTATED)
        if not game.record:
            return self._request(EXPORT, game)
        if game.number < 0:
            return self._request(LEGAL, game)
        if self._first:
            return self._request(self._first.pop(0), game)
        operation = dice.choices(CHOICES, WEIGHTS)[0]
        if not game.legal and operation in MOVES:
            return self._request(LEGAL, game)
        return self._request(operation, game, damaged=dice.random() < MUTATED)

    def _request(self, operation: Operation, game: FuzzedGame, *, damaged: bool = False) -> Request:
        """Fill in a request to an operation."""
        dice = self._dice
        keys = self._keys(operation, game)
        draft = Draft(
            method=operation.method,
            path=operation.path.replace(":number", ""),
            parameters=self._parameters(operation, game),
            query=[(name, value(dice, game)) for name, value in operation.query.items()],
            fields=[(name, value(dice, game)) for name, value in operation.fields.items()],
            body=operation.body,
            headers={"host": self._host, **keys},
        )
        if damaged:
            mutate(dice, draft)
        content_type, body = encoded(dice, draft)
        headers = dict(draft.headers)
        if content_type:
            headers["content-type"] = content_type
        if body or draft.method not in ("GET", "HEAD"):
            headers.setdefault("content-length", str(len(body)))
        return Request(
            operation=operation,
            game=game,
            method=draft.method,
            target=target(draft),
            headers=tuple(headers.items()),
            body=body,
            content_type=content_type,
            with_key=bool(keys) and draft.key_kept,
            mutated=tuple(draft.mutated) if damaged else None,
            reusable=draft.reusable,
        )

    def _parameters(self, operation: Operation, game: FuzzedGame) -> dict[str, str]:
        """Values for the parts of a path."""
        if operation.path == "/rules/{name}":
            return {"name": str(RULE_NAMES(self._dice, game))}
        names = [part.strip("{}").partition(":")[0] for part in operation.path.split("/") if part.startswith("{")]
        return {
            name: game.id if name in ("name", "game") else str(PATH_VALUES[name](self._dice, game)) for name in names
        }

    def _keys(self, operation: Operation, game: FuzzedGame) -> dict[str, str]:
        """The headers with a key: pages take it by cookie or by header, the API by header only."""
        if operation.key == "admin":
            return {"authorization": f"Bearer {self._admin}"}
        if game is NO_GAME:
            return {}
        token = (
            game.watch
            if game is self._guarded
            else {
                "host": game.host,
                "none": game.host,
                "next": game.next,
                "answering": game.seats[game.answering],
            }.get(operation.key, game.mover)
        )
        if operation.path.startswith(API) and operation.key == "none":
            return {}
        if operation.path.startswith(API) or self._dice.random() < HEADER_KEYS:
            return {"authorization": f"Bearer {token}"}
        return {"cookie": f"keys={game.id}:{token}"}

    def see(self, request: Request, status: int, body: bytes) -> None:
        """Learn from an answer."""
        self.tally.count(request, status)
        game = request.game
        if request.operation is CREATE and status == CREATED and request.mutated is None:
            self._made(json.loads(body))
        if game is None or game is NO_GAME or game is self._guarded:
            return
        if _ends_game(request, status) or _lost(request, status):
            self._games = [each for each in self._games if each is not game]
        elif status == OK and request.operation is EXPORT and request.mutated is None:
            game.record = body.decode()
        elif status == CREATED and request.operation in PHRASES and request.operation.path.endswith("/keys"):
            game.phrase = _read(body).get("key", "")
        else:
            self._learn(game, request, status, _read(body))

    def _made(self, made: Mapping[str, Any]) -> None:
        """Remember a new game."""
        seats = [each["key"] for each in made["seat_keys"]]
        if len(seats) == PLAYERS and len(self._games) < KEPT_GAMES:
            self._games.append(FuzzedGame(made["game"], made["host_key"], made["watch_key"], seats, STALE))

    def _learn(self, game: FuzzedGame, request: Request, status: int, found: Mapping[str, Any]) -> None:
        """Take over the state of the table from an answer of the API; forget it when a page has changed it."""
        if found.get("game", game.id) == game.id and isinstance(found.get("number"), int):
            game.number, game.deciding = found["number"], found.get("deciding", game.deciding)
            game.events = found.get("events", game.events)
            game.legal = [each["action"] for each in found.get("actions", ())]
            if "wish" in found:
                game.waiting = (found["wish"] or {}).get("waiting", [])
        elif request.method == "POST" and status in (OK, SEE_OTHER, STALE_MOVE):
            game.number = STALE


def _ends_game(request: Request, status: int) -> bool:
    """Whether a game, or the key to one of its seats, is gone after this request."""
    path = request.operation.path
    return OK <= status < REFUSED and (path.endswith(ENDING) or request.method == "DELETE")


def _lost(request: Request, status: int) -> bool:
    """Whether an answer tells that a game, or the key to it, is gone."""
    return request.operation in (EXPORT, LEGAL) and request.mutated is None and status in LOST


def _read(body: bytes) -> Mapping[str, Any]:
    """An answer as plain data, if it is a JSON object."""
    if body[:1] == b"{":
        with suppress(ValueError):
            found: Mapping[str, Any] = json.loads(body)
            return found
    return {}
