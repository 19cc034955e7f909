"""A house from the options of the command line: who may come, under which address, and how much of everything."""

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import typer

from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import whole
from elcapitan.digits import whole_number
from elcapitan.text.catalogue import _
from elcapitan.web.house import Limits, hashed

ADMIN_VARIABLE: Final = "ELCAPITAN_ADMIN_TOKEN"
SHORTEST_TOKEN: Final = 16  # letters that nobody guesses
OFF: Final = "off"
HIGHEST_LIMIT: Final = 1_000_000
HIGHEST_PORT: Final = 65535


def is_local(host: str) -> bool:
    """Whether an address is reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def hosts_of(base_url: str, known: Sequence[str], *, public: bool) -> tuple[str, ...]:
    """The names that a house answers to: its own, or any where it cannot know what people call it."""
    if base_url:
        name = urlsplit(base_url).hostname or ""
        return (f"[{name}]" if ":" in name else name, *known)
    return ("*",) if public else tuple(known)


def read_base_url(text: str) -> str:
    """A public address: a scheme and a name, perhaps a port, nothing else."""
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
    typer.Option(
        "--base-url",
        metavar="URL",
        parser=read_base_url,
        help=_("Address under which people find the server, for links; it answers to no other name."),
    ),
]
LocalWebhooks = Annotated[
    bool,
    typer.Option("--allow-local-webhooks", help=_("Tables may send their news to machines of your own network.")),
]


def read_ports(text: str) -> str:
    """Ports as they are typed, checked."""
    ports_of(text)
    return text


def ports_of(text: str) -> frozenset[int]:
    """Numbers of ports with commas between them."""
    read = whole("--webhook-ports", 1, HIGHEST_PORT)
    return frozenset(read(part.strip()) for part in text.split(",") if part.strip())


WebhookPorts = Annotated[
    str | None,
    typer.Option(
        "--webhook-ports",
        metavar="PORTS",
        parser=read_ports,
        help=_("Tables may send their news to these ports too, as in 8080,8443, and not only to 80 and 443."),
    ),
]


def read_proxies(text: str) -> str:
    """The addresses or networks of trusted proxies, with commas between them."""
    found = [part.strip() for part in text.split(",")]
    for part in found:
        try:
            ipaddress.ip_network(part, strict=False)
        except ValueError:
            raise BadInput("bad-proxy", option="--proxy", found=part) from None
    return ",".join(found)


def read_limits(text: str) -> str:
    """Limits as they are typed, checked."""
    limits_of(text)
    return text


def limits_of(text: str) -> Limits | None:
    """Other limits than the usual ones, as in `requests=100, games=500`; `off` for none."""
    if text.strip() == OFF:
        return None
    known = {field.name: field.type for field in fields(Limits)}
    wished: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (word.strip() for word in part.partition("="))
        wanted = whole_number(value, HIGHEST_LIMIT)
        if name not in known or not wanted:
            raise BadInput("bad-limits", option="--limits", found=part, known=", ".join(known))
        wished[name] = wanted
    return Limits(**wished)


def admin_of(file: Path | None) -> str:
    """The hash of the admin's token, from a file or from the environment; nothing if there is none."""
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
