"""`elcapitan serve`: the game in the browser."""

import socket
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from elcapitan.cli.household import BaseUrl, LocalWebhooks, WebhookPorts, read_limits, read_proxies
from elcapitan.cli.logs import FORMS
from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import one_of, whole
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.cli.worker import check_shared
from elcapitan.text.catalogue import _

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

SHORT = _("Play in the browser.")
HELP = _(
    "Play in the browser: starts a small web server on this machine and opens its page. All games are kept after every "
    "action, so you can stop it (Ctrl+C) and start it again at any time."
)
LOCALHOST: Final = "127.0.0.1"
USUAL_PORT: Final = 8000
TRIES: Final = 20  # ports after the usual one
GRACE: Final = 3  # seconds for open connections when it stops
KEPT_OPEN: Final = 75  # seconds for a connection on which nothing is asked: longer than proxies keep theirs
EVERYWHERE: Final = ("0.0.0.0", "::")
HERE: Final = "here"
WORKERS: Final = "workers"
BOTS: Final = (HERE, WORKERS)


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help=_("Address to listen on."))] = LOCALHOST,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            parser=whole("--port", 1, 65535),
            help=_("Port to listen on; the first free one from 8000 if not given."),
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="FILE",
            help=_("Keep the games in this file or PostgreSQL (by its URL), not in your data folder."),
        ),
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            metavar="|".join(BOTS),
            parser=one_of("--bots", BOTS),
            help=_("Where computer players think: in this program, or in workers that share its PostgreSQL."),
        ),
    ] = HERE,
    browser: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open", help=_("Open the page in your browser; usual if it is for this machine only.")
        ),
    ] = None,
    public: Annotated[
        bool,
        typer.Option(
            "--public",
            help=_("Others may come: every game wants its key. Always so if other machines can reach the address."),
        ),
    ] = False,
    base_url: BaseUrl = None,
    proxy: Annotated[
        str | None,
        typer.Option(
            "--proxy",
            metavar="ADDRESSES",
            parser=read_proxies,
            help=_("Believe these reverse proxies who is asking; without it, what requests say about it is ignored."),
        ),
    ] = None,
    limits: Annotated[
        str | None,
        typer.Option(
            "--limits",
            metavar="LIMITS",
            parser=read_limits,
            help=_("Other limits for each address than the usual ones, as in games=50,requests=20; off for none."),
        ),
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="|".join(FORMS),
            parser=one_of("--log", FORMS),
            help=_("What to tell on stderr: quiet for problems only, lines for people, or JSON for programs."),
        ),
    ] = None,
    admin_token_file: Annotated[
        Path | None,
        typer.Option(
            "--admin-token-file",
            metavar="FILE",
            help=_("File with the token that opens /metrics and /api/v1/admin; else ELCAPITAN_ADMIN_TOKEN."),
        ),
    ] = None,
    allow_local_webhooks: LocalWebhooks = False,
    webhook_ports: WebhookPorts = None,
) -> None:
    """Serve the pages until somebody stops it."""
    from elcapitan.cli import engine, logs  # noqa: PLC0415 - takes time
    from elcapitan.cli.household import admin_of, hosts_of, is_local, limits_of, ports_of  # noqa: PLC0415
    from elcapitan.store.files import for_one_server  # noqa: PLC0415
    from elcapitan.store.place import file_of, shown, url_of  # noqa: PLC0415
    from elcapitan.web.app import LOCAL, application  # noqa: PLC0415
    from elcapitan.web.house import House  # noqa: PLC0415

    screen = terminal(context)
    if public and not base_url:
        raise BadInput("no-address", option="--public")
    public = public or not is_local(host)
    house = House(
        public=public,
        base_url=base_url or "",
        admin=admin_of(admin_token_file),
        limits=limits_of(limits or "") if public else None,
        allow_local_webhooks=allow_local_webhooks,
        webhook_ports=ports_of(webhook_ports or ""),
    )
    logs.set_up(log or (logs.PLAIN if public else logs.QUIET))
    engine.ready(screen)
    kept = url_of(database)
    if bots == WORKERS:
        check_shared(kept)
    with for_one_server(file_of(kept)):
        door = listening(host, port)
        address = base_url or f"http://{_spelt(host)}:{door.getsockname()[1]}"
        announce(screen, address, shown(kept))
        hosts = hosts_of(base_url or "", LOCAL, public=public)
        address_of_games = kept.render_as_string(hide_password=False)
        app = application(address_of_games, hosts, house, "ask" if bots == WORKERS else None)
        if browser if browser is not None else not public:
            # The door is open: the page is fetched as soon as the server is ready.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        server(app, proxy or "", limited=house.limits is not None).run(sockets=[door])


def server(app: "FastAPI", proxy: str, *, limited: bool) -> "uvicorn.Server":
    """A server with time-outs that trusts the headers of these proxies; connections of an address may be limited."""
    import uvicorn  # noqa: PLC0415 - takes time

    from elcapitan.web.patience import Impatient  # noqa: PLC0415

    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=Impatient.limited(proxy.split(",")) if limited else Impatient,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxy),
            forwarded_allow_ips=proxy,
            timeout_keep_alive=KEPT_OPEN,
            timeout_graceful_shutdown=GRACE,
        )
    )


def _spelt(host: str) -> str:
    """An address as it stands in links."""
    if host in (LOCALHOST, *EVERYWHERE):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def listening(host: str, port: int | None) -> socket.socket:
    """A socket on the wished port, or on the first free one from the usual."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem = ""
    for number in (port,) if port else range(USUAL_PORT, USUAL_PORT + TRIES):
        door = socket.socket(family, socket.SOCK_STREAM)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, number))
        except (OSError, UnicodeError) as error:
            door.close()
            problem = getattr(error, "strerror", None) or str(error)
            continue
        door.listen()
        return door
    raise BadInput("no-port", host=host, port=port or USUAL_PORT, problem=problem)


def announce(screen: Terminal, address: str, database: str) -> None:
    """Say where the page is and where the games are kept."""
    screen.out.print(screen.text("El Capitán is at {address}", address=address), markup=False, soft_wrap=True)
    screen.out.print(screen.text("Games are kept in {file}", file=database), markup=False, soft_wrap=True)
    screen.out.print(screen.text("Stop with Ctrl+C."), markup=False)


COMMAND = serve
