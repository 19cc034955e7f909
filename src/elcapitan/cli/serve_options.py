"""What `serve` and `worker` share: options about addresses, limits, tokens and webhooks, and the log on stderr."""

import ipaddress
import json
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, TextIO
from urllib.parse import urlsplit

import typer
from sqlalchemy import URL

from elcapitan.cli.command_line import BadInput
from elcapitan.cli.options import choice_option, value_option, whole
from elcapitan.store.location import is_shared, shown
from elcapitan.text.catalogue import _
from elcapitan.untrusted_input import whole_number
from elcapitan.web.server_settings import Limits, hashed

ADMIN_VARIABLE: Final = "ELCAPITAN_ADMIN_TOKEN"
SHORTEST_TOKEN: Final = 16  # letters: too many to be guessed
OFF: Final = "off"
HIGHEST_LIMIT: Final = 1_000_000
HIGHEST_PORT: Final = 65535

QUIET: Final = "quiet"  # only what went wrong
PLAIN: Final = "plain"
JSON: Final = "json"
LOG_FORMS: Final = (QUIET, PLAIN, JSON)
OWN_LOGGER: Final = "elcapitan"
VERBOSE_LOGGERS: Final = ("python_multipart", "uvicorn.error")  # they warn about every broken request


def hosts_of(base_url: str, known: Sequence[str], *, public: bool) -> tuple[str, ...]:
    """Return the host names that the server answers to; any, if it is public and was not told its address."""
    if base_url:
        name = urlsplit(base_url).hostname or ""
        return (f"[{name}]" if ":" in name else name, *known)
    return ("*",) if public else tuple(known)


def read_base_url(text: str) -> str:
    """Parse a public address: a scheme and a name, perhaps a port, nothing else."""
    try:
        parts = urlsplit(text.strip())
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right or parts.username or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise BadInput("bad-address", option="--base-url", found=text)
    return f"{parts.scheme}://{parts.netloc.lower()}"


BaseUrl = Annotated[
    str | None,
    value_option(
        "--base-url",
        "URL",
        _("Address under which people find the server, for links; it answers to no other name."),
        read_base_url,
    ),
]
LogForm = choice_option(
    "--log", LOG_FORMS, _("What to tell on stderr: quiet for problems only, lines for people, or JSON for programs.")
)
LocalWebhooks = Annotated[
    bool,
    typer.Option("--allow-local-webhooks", help=_("Tables may send notifications to machines of your own network.")),
]


def read_ports(text: str) -> str:
    """Check a list of ports and return it as it was typed."""
    ports_of(text)
    return text


def ports_of(text: str) -> frozenset[int]:
    """Parse numbers of ports with commas between them."""
    read = whole("--webhook-ports", 1, HIGHEST_PORT)
    return frozenset(read(part.strip()) for part in text.split(",") if part.strip())


WebhookPorts = Annotated[
    str | None,
    value_option(
        "--webhook-ports",
        "PORTS",
        _("Tables may send notifications to these ports too, as in 8080,8443, and not only to 80 and 443."),
        read_ports,
    ),
]


def read_proxies(text: str) -> str:
    """Parse the addresses or networks of trusted proxies, with commas between them."""
    found = [part.strip() for part in text.split(",")]
    for part in found:
        try:
            ipaddress.ip_network(part, strict=False)
        except ValueError:
            raise BadInput("bad-proxy", option="--proxy", found=part) from None
    return ",".join(found)


def read_limits(text: str) -> str:
    """Check limits and return them as they were typed."""
    limits_of(text)
    return text


def limits_of(text: str) -> Limits | None:
    """Parse limits, as in `requests=100, games=500`; those not named keep their defaults, `off` means none."""
    if text.strip() == OFF:
        return None
    known = {field.name: field.type for field in fields(Limits)}
    chosen: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (word.strip() for word in part.partition("="))
        wanted = whole_number(value, HIGHEST_LIMIT)
        if name not in known or not wanted:
            raise BadInput("bad-limits", option="--limits", found=part, known=", ".join(known))
        chosen[name] = wanted
    return Limits(**chosen)


def admin_of(file: Path | None) -> str:
    """Return the hash of the admin's token, from a file or from the environment; nothing if there is none."""
    if file is None:
        token, place = os.environ.get(ADMIN_VARIABLE, "").strip(), ADMIN_VARIABLE
    else:
        place = str(file)
        try:
            token = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput("no-token", file=file, problem=getattr(error, "strerror", None) or "UTF-8") from None
    if (file or token) and (len(token) < SHORTEST_TOKEN or not token.isascii() or " " in token):
        raise BadInput("bad-token", place=place, least=SHORTEST_TOKEN)
    return hashed(token)


def check_shared(kept: URL) -> None:
    """Raise `BadInput` if the database can be used by one process only."""
    if not is_shared(kept):
        raise BadInput("not-shared", database=shown(kept))


class JsonFormatter(logging.Formatter):
    """Formats log entries as JSON objects, one to a line, with the facts passed along."""

    def format(self, record: logging.LogRecord) -> str:
        """Format an entry as one line of JSON."""
        content: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            content["traceback"] = self.formatException(record.exc_info)
        return json.dumps(content, ensure_ascii=False, default=str)


class LineFormatter(logging.Formatter):
    """Formats log entries as lines for people; facts follow the message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as logging calls it
        """Format an entry as one line of printable characters."""
        facts = getattr(record, "facts", {})
        known = {"method", "route", "status"}  # these are the sentence
        behind = " ".join(f"{name}={value}" for name, value in facts.items() if name not in known)
        line = " ".join(filter(None, (super().formatMessage(record), behind)))
        return "".join(letter if letter.isprintable() else "?" for letter in line)


def set_up_logs(form: str, stream: TextIO | None = None) -> logging.Handler:
    """Send all log entries to stderr in one form."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if form == JSON else LineFormatter())
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)  # libraries may log addresses of players
    logging.getLogger(OWN_LOGGER).setLevel(logging.WARNING if form == QUIET else logging.INFO)
    for name in VERBOSE_LOGGERS:
        logging.getLogger(name).setLevel(logging.ERROR)
    return handler
