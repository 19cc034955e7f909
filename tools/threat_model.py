"""Write the tables of docs/threat-model.md: who may send what, and every limit, read from the program itself.

`python tools/threat_model.py` writes them, with `--check` it exits with 1 if the page is out of date.
"""

import dataclasses
import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from citations import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.fuzzing.in_process import routes

from elcapitan.web import auth, operations
from elcapitan.web.api import app as api_app
from elcapitan.web.app import application
from elcapitan.web.server_settings import Limits

PAGE: Final = ROOT / "docs" / "threat-model.md"
SECTION: Final = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
COMMENT: Final = r"^ *{name}(?:: [^=\n]+)? = [^#\n]*# (.+)"

# Who gets through, by the function that checks it; the strictest comes first.
WHO: Final = {
    operations.only_admin: "the admin's token",
    auth.host: "the game's host",
    api_app.host: "the game's host",
    auth.player: "a seat of the game, or its host",
    api_app.player: "a seat of the game, or its host",
    auth.visitor: "any key to the game",
    api_app.any_caller: "any key to the game",
}
MOVES: Final = (
    *(f"POST /games/{{name}}/{deed}" for deed in ("act", "undo", "redo")),
    *(f"POST /api/v1/games/{{game}}/{deed}" for deed in ("actions", "undo", "redo")),
    "GET /games/{name}/hint",
    "GET /api/v1/games/{game}/hint",
)
SPECIAL: Final = {  # routes that check it in their own code
    "GET /metrics": "the admin's token, or a program on the same machine",
    "POST /friends/open": "anyone on the server's machine, while it is a local server",
    "POST /friends/close": "the browser that opened the server to its network",
    "POST /api/v1/games/{game}/keys": "the game's host, for any role; a seat for its own",
    "POST /games/{name}/seat": "a seat or the host, each for its own role",
    "POST /games/{name}/rematch/seat": "a seat or the host, each for its own role",
    "POST /api/v1/games/{game}/chat": "a seat of the game, or its host",
    "POST /games/{name}/push": "a key to a seat, or the host's if the host plays one",
    "POST /games/{name}/push/stop": "a key to a seat, or the host's if the host plays one",
    **dict.fromkeys(MOVES, "the seat that is to move"),
}
# Limits that hold whatever a server's options are, by module.
FIXED: Final[dict[str, tuple[str, ...]]] = {
    "elcapitan.web.connections": (
        *("HEAD_SECONDS", "HEAD_BYTES", "BODY_SECONDS", "BODY_BYTES", "WRITE_SECONDS", "MOST_CONNECTIONS"),
    ),
    "elcapitan.web.security": ("MOST_BYTES", "MOST_IMPORT_BYTES", "LONGEST_TYPE"),
    "elcapitan.web.api.requests": ("MOST_KEYS", "LONGEST_TURN"),
    "elcapitan.untrusted_input": ("MOST_DIGITS", "MOST_DEPTH", "MOST_CONTAINERS", "MOST_COMMAS"),
    "elcapitan.records.capitan_headers": ("MOST_HEADERS", "LONGEST_HEADER"),
    "elcapitan.actions.text": ("LONGEST_PIECE",),
    "elcapitan.records.capitan": ("MOST_VARIATIONS", "MOST_PIECES"),
    "elcapitan.text.rulebook": ("MOST_WORDS",),
    "elcapitan.web.auth": ("MOST_KEYS", "MOST_COOKIES"),
    "elcapitan.web.limits": (
        *("SITE_ALLOWANCE", "MOST_ADDRESSES", "IMPORTS_AT_ONCE", "QUICK_REFUSALS", "REFUSAL_PAUSE"),
        *("AT_ONCE", "SITE_FACTOR", "TURN_SECONDS", "LONGEST_REST"),
    ),
    "elcapitan.web.long_requests": ("THREADS", "MOST_WAITING"),
    "elcapitan.service.keys": ("PHRASE_THREADS", "MOST_PHRASES", "MOST_UNKNOWN", "UNKNOWN_SECONDS"),
    "elcapitan.service.open_table": ("CHANGES_AT_ONCE", "CHANGES_PER_SECOND", "MOST_LIVE", "LOADS_AT_ONCE"),
    "elcapitan.service.decisions": ("MOST_ENTRIES", "MOST_HOST_ENTRIES", "MOST_PREPARED"),
    "elcapitan.service.bot_pool": ("DEADLINE", "GRACE", "MOST_HINTS"),
    "elcapitan.service.derived_games": ("WHAT_IF_KEPT", "MOST_REVIEWS", "REVIEWS_PER_ADDRESS", "REVIEWS_KEPT"),
    "elcapitan.store.game_store": ("MOST_BOARDS",),
    "elcapitan.service.imports_exports": ("IMPORT_THREADS", "MOST_IMPORTS"),
    "elcapitan.service.state": ("VOTE_SECONDS",),
    "elcapitan.service.webhook": (
        *("LIMIT", "MOST_CALLS", "CALLS_PER_TARGET", "SLOW_CALLS", "MOST_LOOKUPS", "LOOKUPS_PER_NAME", "MOST_THREADS"),
        *("LONGEST_QUEUE", "LONGEST_HEAD", "LONGEST_ADDRESS"),
    ),
    "elcapitan.service.turn_notifier": (
        *("MOST_SUBSCRIPTIONS", "LONGEST_PUBLIC_KEY", "LONGEST_SECRET", "PRESENT_SECONDS", "KEPT_SECONDS"),
    ),
    "elcapitan.web.render": ("MOST_PARTS", "MOST_EARLIER"),
    "elcapitan.web.api.stream": ("MOST_MESSAGES", "MOST_STATES"),
    "elcapitan.web.operations": ("CHECK_INTERVAL", "CHECK_TIMEOUT"),
}


def main(arguments: Sequence[str]) -> int:
    """Write the page, or compare it."""
    before = PAGE.read_text(encoding="utf-8")
    after = SECTION.sub(lambda found: found[1] + TABLES[found[2]]() + found[3], before)
    if "--check" in arguments:
        if before != after:
            print("docs/threat-model.md is out of date: run `make docs`", file=sys.stderr)  # noqa: T201
        return int(before != after)
    PAGE.write_text(after, encoding="utf-8")
    return 0


def operation_table() -> str:
    """Every operation, by who may send it."""
    groups: dict[str, list[str]] = {}
    for name, route in sorted(routes(application(":memory:")).items()):
        groups.setdefault(SPECIAL.get(name) or _who(route), []).append(f"`{name}`")
    order = [*dict.fromkeys(WHO.values()), *SPECIAL.values()]
    lines = [f"| {who} | {', '.join(groups[who])} |" for who in ("anyone", *reversed(order)) if groups.get(who)]
    return "\n".join(["| who may send it | operations |", "|---|---|", *dict.fromkeys(lines)]) + "\n"


def _who(route: Any) -> str:
    """Who gets through to a route, by the checks that it depends on."""
    dependant = getattr(route, "dependant", None)
    calls = set(_calls(dependant)) if dependant else set()
    return next((words for call, words in WHO.items() if call in calls), "anyone")


def _calls(dependant: Any) -> Iterator[Any]:
    """All functions that a route depends on."""
    for each in dependant.dependencies:
        yield each.call
        yield from _calls(each)


def per_address() -> str:
    """The limits for each address, which an option of the server changes."""
    rows = [
        f"| `{field.name}` | {field.default:g} | {_comment(Limits, field.name)} |"
        for field in dataclasses.fields(Limits)
    ]
    return "\n".join(["| name | usual | for one address |", "|---|--:|---|", *rows]) + "\n"


def fixed() -> str:
    """The limits that no option changes."""
    rows = []
    for path, names in FIXED.items():
        module = importlib.import_module(path)
        place = path.removeprefix("elcapitan.")
        rows += [f"| `{place}.{name}` | {_value(getattr(module, name))} | {_comment(module, name)} |" for name in names]
    return "\n".join(["| limit | value | what it bounds |", "|---|--:|---|", *rows]) + "\n"


def _value(value: Any) -> str:
    """A number as it is read; anything else as it is written."""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else f"`{value}`"


def _comment(owner: Any, name: str) -> str:
    """The comment of a constant or field in the source, which says what it bounds."""
    source = inspect.getsource(owner)
    if found := re.search(COMMENT.format(name=re.escape(name)), source, re.MULTILINE):
        return found[1].replace("|", "\\|")
    raise SystemExit(f"{owner.__name__}.{name} has no comment that says what it bounds")


TABLES: Final = {"operations": operation_table, "per_address": per_address, "fixed": fixed}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
