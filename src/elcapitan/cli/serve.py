"""`elcapitan serve` and `worker`: a web server for playing in the browser, and computer players for servers."""

import asyncio
import os
import shlex
import shutil
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from sqlalchemy import URL

from elcapitan.cli.command_line import BadInput, Terminal, terminal
from elcapitan.cli.options import choice_option, number_option, value_option
from elcapitan.cli.serve_options import (
    PLAIN,
    QUIET,
    BaseUrl,
    LocalWebhooks,
    LogForm,
    WebhookPorts,
    admin_of,
    check_shared,
    hosts_of,
    limits_of,
    ports_of,
    read_limits,
    read_proxies,
    set_up_logs,
)
from elcapitan.store.location import file_of, for_one_server, shown, url_of
from elcapitan.text.catalogue import _
from elcapitan.web.server_settings import ALL_IPV4, EVERYWHERE, ServerSettings, in_links, is_local, own_addresses

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

SERVE_HELP: Final = _(
    "Play in the browser: starts a small web server on this machine and opens its page. All games are kept after every "
    "action, so you can stop it (Ctrl+C) and start it again at any time."
)
LOCALHOST: Final = "127.0.0.1"
USUAL_PORT: Final = 8000
TRIES: Final = 20  # ports after the usual one
GRACE: Final = 3  # seconds for open connections when it stops
KEPT_OPEN: Final = 75  # seconds for a connection on which nothing is asked: longer than proxies keep theirs
HALVES: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}  # by dark modules
QR_BORDER: Final = 2  # light modules around a QR code
STARTED_BY: Final = "ELCAPITAN_STARTED_BY"  # "make", if `make play` has started the server
HERE: Final = "here"
WORKERS: Final = "workers"
BOTS: Final = (HERE, WORKERS)

WORKER_HELP: Final = _(
    "Let computer players play for all servers that keep their games in the same PostgreSQL and were started with "
    "--bots workers. Any number of these may run, on any machines; what one leaves undone another takes up."
)
MOST_PROCESSES: Final = 256


def serve(
    context: typer.Context,
    host: Annotated[
        str, value_option("--host", "ADDRESS", _("Address to listen on; 0.0.0.0 lets your network connect."))
    ] = LOCALHOST,
    port: Annotated[
        int | None,
        number_option("--port", "N", 1, 65535, _("Port to listen on; the first free one from 8000 if not given.")),
    ] = None,
    database: Annotated[
        str | None,
        value_option(
            "--database", "FILE", _("Keep the games in this file or PostgreSQL (by its URL), not in your data folder.")
        ),
    ] = None,
    bots: Annotated[
        str,
        choice_option(
            "--bots", BOTS, _("Where computer players think: in this program, or in workers that share its PostgreSQL.")
        ),
    ] = HERE,
    browser: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open", help=_("Open the page in your browser; usual at home, where no --base-url is given.")
        ),
    ] = None,
    public: Annotated[
        bool,
        typer.Option(
            "--public",
            help=_("Public server: every game needs its key. Always so if other machines can reach the address."),
        ),
    ] = False,
    base_url: BaseUrl = None,
    proxy: Annotated[
        str | None,
        value_option(
            "--proxy",
            "ADDRESSES",
            _("Trust these reverse proxies to say who is asking; without it, what requests say about it is ignored."),
            read_proxies,
        ),
    ] = None,
    limits: Annotated[
        str | None,
        value_option(
            "--limits",
            "LIMITS",
            _("Other limits for each address than the usual ones, as in games=50,requests=20; off for none."),
            read_limits,
        ),
    ] = None,
    log: Annotated[str | None, LogForm] = None,
    admin_token_file: Annotated[
        Path | None,
        value_option(
            "--admin-token-file",
            "FILE",
            _("File with the token that opens /metrics and /api/v1/admin; else ELCAPITAN_ADMIN_TOKEN."),
        ),
    ] = None,
    allow_local_webhooks: LocalWebhooks = False,
    webhook_ports: WebhookPorts = None,
) -> None:
    """Serve the pages until the process is stopped."""
    from elcapitan.engine import warm_up  # noqa: PLC0415 - takes seconds, which the help need not wait for
    from elcapitan.web.app import LOCAL, application  # noqa: PLC0415 - likewise

    screen = terminal(context)
    if public and not base_url:
        raise BadInput("no-address", option="--public")
    public = public or not is_local(host)
    settings = ServerSettings(
        public=public,
        base_url=base_url or "",
        admin=admin_of(admin_token_file),
        limits=limits_of(limits or "") if public else None,
        allow_local_webhooks=allow_local_webhooks,
        webhook_ports=ports_of(webhook_ports or ""),
        host=host,
        network_command=network_command(port, database),
    )
    network = None if public or base_url or proxy or ":" in host else opened_settings(settings, limits or "")
    set_up_logs(log or (PLAIN if public else QUIET))
    kept = url_of(database)
    if bots == WORKERS:
        check_shared(kept)
    with for_one_server(file_of(kept)):
        listener = listening(host, port)
        opened = listener.getsockname()[1]
        address = base_url or f"http://{_spelt(host)}:{opened}"
        invited = () if base_url or not public else own_addresses(host)
        announce(screen, address, [f"http://{in_links(each)}:{opened}" for each in invited], shown(kept))
        if not warm_up.is_ready():
            screen.say(screen.text("The rules are being compiled, only this once: the page shows how far they are."))
        hosts = hosts_of(base_url or "", (*LOCAL, in_links(host)), public=public)
        address_of_games = kept.render_as_string(hide_password=False)
        app = application(address_of_games, hosts, settings, "ask" if bots == WORKERS else None, network)
        others = public and (base_url or host not in EVERYWHERE)
        if browser if browser is not None else not others and (not public or has_desktop(sys.platform, os.environ)):
            # The port is open already: the browser waits until the server is ready.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        running = server(app, proxy or "", limited=settings.limits is not None)
        if network:
            let_open(app, running, listener, limited=network.limits is not None)
        running.run(sockets=[listener])


def opened_settings(settings: ServerSettings, limits: str) -> ServerSettings:
    """Return the settings of a local server once it is open to its network: those it has with `--host 0.0.0.0`."""
    return replace(settings, public=True, limits=limits_of(limits), host=ALL_IPV4)


def let_open(app: "FastAPI", running: "uvicorn.Server", listener: socket.socket, *, limited: bool) -> None:
    """Let a page open a local server to its network while it runs."""
    from elcapitan.web.connections import NetworkListener  # noqa: PLC0415 - slow to import

    app.state.network.listener = NetworkListener(running, listener, limited=limited)


def server(app: "FastAPI", proxy: str, *, limited: bool) -> "uvicorn.Server":
    """Create a server with time-outs that trusts the headers of these proxies, with limits per address if wanted."""
    import uvicorn  # noqa: PLC0415 - slow to import

    from elcapitan.web.connections import LimitedConnection  # noqa: PLC0415
    from elcapitan.web.long_requests import AnswerWhenStopped  # noqa: PLC0415

    return uvicorn.Server(
        uvicorn.Config(
            AnswerWhenStopped(app),
            http=LimitedConnection.limited(proxy.split(",")) if limited else LimitedConnection,
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


def has_desktop(platform: str, environment: Mapping[str, str]) -> bool:
    """Whether this machine probably has a desktop with a browser in front of a person."""
    if platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in environment
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def network_command(port: int | None, database: str | None) -> str:
    """Return the command that starts this server again, with the same games, for the whole network.

    A database with an address of its own is left out, because that may contain a password.
    """
    words = ["elcapitan", "serve", "--host", ALL_IPV4]
    if not shutil.which("elcapitan"):
        run = Path(sys.argv[0])
        words[:1] = ["python", "-m", "elcapitan"] if run.suffix == ".py" else [str(run)]
    options = ["--port", str(port)] if port else []
    options += ["--database", database] if database and "://" not in database else []
    if os.environ.get(STARTED_BY) == "make":
        return shlex.join(["make", "friends", *([f"ARGS={shlex.join(options)}"] if options else [])])
    return shlex.join([*words, *options])


def _spelt(host: str) -> str:
    """Write an address as it stands in links."""
    return "localhost" if host in (LOCALHOST, *EVERYWHERE) else in_links(host)


def listening(host: str, port: int | None) -> socket.socket:
    """Open a socket on the given port, or on the first free one from the usual."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem = ""
    for number in (port,) if port else range(USUAL_PORT, USUAL_PORT + TRIES):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
        except (OSError, UnicodeError) as error:
            listener.close()
            problem = getattr(error, "strerror", None) or str(error)
            continue
        listener.listen()
        return listener
    raise BadInput("no-port", host=host, port=port or USUAL_PORT, problem=problem)


def announce(screen: Terminal, address: str, invited: Sequence[str], database: str) -> None:
    """Print where the page is, where other devices in the network find it, and where the games are kept."""
    screen.say(screen.text("El Capitán is at {address}", address=address))
    for each in invited:
        screen.say(screen.text("In your network: {address}", address=each))
        draw_qr_code(screen, each)
    screen.say(screen.text("Games are kept in {file}", file=database))
    screen.say(screen.text("Stop with Ctrl+C."))


def draw_qr_code(screen: Terminal, address: str) -> None:
    """Draw an address as a QR code, if the terminal can show it.

    A letter is two modules, one above the other. Light modules are drawn, so that the code can be read in a dark
    terminal without colours too.
    """
    import segno  # noqa: PLC0415 - most commands do without it
    from rich.text import Text  # noqa: PLC0415

    rows = [list(row) for row in segno.make(address, error="l", micro=False).matrix_iter(border=QR_BORDER)]
    out = screen.out
    if not out.is_terminal or not out.encoding.lower().startswith("utf") or out.width <= len(rows[0]):
        return
    rows += [[1] * len(rows[0])] * (len(rows) % 2)
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        drawn = "".join(HALVES[bool(above), bool(below)] for above, below in zip(upper, lower, strict=True))
        out.print(Text(drawn, style="bright_white on black"))


def worker(
    context: typer.Context,
    database: Annotated[
        str | None,
        value_option("--database", "URL", _("The PostgreSQL with the games; else the variable ELCAPITAN_DATABASE.")),
    ] = None,
    processes: Annotated[
        int | None,
        number_option(
            "--processes",
            "N",
            1,
            MOST_PROCESSES,
            _("How many computer players think at the same time; one for each core, up to 4, if not given."),
        ),
    ] = None,
    log: Annotated[str, LogForm] = PLAIN,
    base_url: BaseUrl = None,
    allow_local_webhooks: LocalWebhooks = False,
    webhook_ports: WebhookPorts = None,
) -> None:
    """Let computer players play until the process is stopped; webhooks are told whose turn it is here, too."""
    screen = terminal(context)
    kept = url_of(database)
    check_shared(kept)
    set_up_logs(log)
    screen.compile_rules()
    webhooks = {"local_webhooks": allow_local_webhooks, "webhook_ports": ports_of(webhook_ports or "")}
    asyncio.run(_work(screen, kept, processes=processes, address=base_url or "", **webhooks))


async def _work(screen: Terminal, kept: URL, *, processes: int | None, **settings: Any) -> None:
    """Do jobs until the process gets SIGINT or SIGTERM; the other settings are those of `Tables.open`."""
    from elcapitan.service import Tables  # noqa: PLC0415 - slow to import

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    database = kept.render_as_string(hide_password=False)
    async with Tables.open(database, workers=processes, jobs="work", **settings):
        words = screen.text("Computer players play for the games in {database}", database=shown(kept))
        screen.say(words)
        screen.say(screen.text("Stop with Ctrl+C."))
        await stop.wait()
