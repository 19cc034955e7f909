"""`elcapitan serve`: the game in the browser."""

import socket
import threading
import webbrowser
from typing import Annotated, Final

import typer

from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import whole
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.text.catalogue import _

SHORT = _("Play in the browser.")
HELP = _(
    "Play in the browser: starts a small web server on this machine and opens its page. All games are kept after every "
    "action, so you can stop it (Ctrl+C) and start it again at any time."
)
LOCALHOST: Final = "127.0.0.1"
USUAL_PORT: Final = 8000
TRIES: Final = 20  # ports after the usual one
GRACE: Final = 3  # seconds for open connections when it stops
EVERYWHERE: Final = ("0.0.0.0", "::")


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
        typer.Option("--database", metavar="FILE", help=_("Keep the games in this file, not in your data folder.")),
    ] = None,
    browser: Annotated[bool, typer.Option("--open/--no-open", help=_("Open the page in your browser."))] = True,
) -> None:
    """Serve the pages until somebody stops it."""
    import uvicorn  # noqa: PLC0415 - takes time

    from elcapitan.cli import engine  # noqa: PLC0415
    from elcapitan.store.place import shown, url_of  # noqa: PLC0415
    from elcapitan.web.app import LOCAL, application  # noqa: PLC0415

    screen = terminal(context)
    engine.ready(screen)
    kept = url_of(database)
    door = listening(host, port)
    address = f"http://{'localhost' if host in (LOCALHOST, *EVERYWHERE) else host}:{door.getsockname()[1]}"
    announce(screen, address, shown(kept))
    app = application(kept.render_as_string(hide_password=False), LOCAL if host == LOCALHOST else ("*",))
    if browser:  # the door is open: the page is fetched as soon as the server is ready
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=GRACE)).run(sockets=[door])


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
