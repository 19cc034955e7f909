"""`elcapitan worker`: computer players for servers that share a PostgreSQL."""

import asyncio
import signal
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from elcapitan.cli.household import BaseUrl, LocalWebhooks, WebhookPorts, ports_of
from elcapitan.cli.logs import FORMS, PLAIN
from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.options import one_of, whole
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.text.catalogue import _

if TYPE_CHECKING:
    from sqlalchemy import URL

SHORT = _("Let computer players play for servers that share a PostgreSQL.")
HELP = _(
    "Let computer players play for all servers that keep their games in the same PostgreSQL and were started with "
    "--bots workers. Any number of these may run, on any machines; what one leaves undone another takes up."
)
MOST_PROCESSES: Final = 256


def worker(
    context: typer.Context,
    database: Annotated[
        str | None,
        typer.Option(
            "--database", metavar="URL", help=_("The PostgreSQL with the games; else the variable ELCAPITAN_DATABASE.")
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            metavar="N",
            parser=whole("--processes", 1, MOST_PROCESSES),
            help=_("How many computer players think at the same time; one for each core, up to 4, if not given."),
        ),
    ] = None,
    log: Annotated[
        str,
        typer.Option(
            "--log",
            metavar="|".join(FORMS),
            parser=one_of("--log", FORMS),
            help=_("What to tell on stderr: quiet for problems only, lines for people, or JSON for programs."),
        ),
    ] = PLAIN,
    base_url: BaseUrl = None,
    allow_local_webhooks: LocalWebhooks = False,
    webhook_ports: WebhookPorts = None,
) -> None:
    """Let computer players play until somebody stops it; they too tell webhooks whose turn it is."""
    from elcapitan.cli import engine, logs  # noqa: PLC0415 - takes time
    from elcapitan.store.place import url_of  # noqa: PLC0415

    screen = terminal(context)
    kept = url_of(database)
    check_shared(kept)
    logs.set_up(log)
    engine.ready(screen)
    webhooks = {"local_webhooks": allow_local_webhooks, "webhook_ports": ports_of(webhook_ports or "")}
    asyncio.run(_work(screen, kept, processes=processes, house=base_url or "", **webhooks))


def check_shared(kept: "URL") -> None:
    """Refuse a database that only one process can use."""
    from elcapitan.store.place import is_shared, shown  # noqa: PLC0415

    if not is_shared(kept):
        raise BadInput("not-shared", database=shown(kept))


async def _work(screen: Terminal, kept: "URL", *, processes: int | None, **settings: Any) -> None:
    """Do jobs until a signal says to stop; the other settings are those of `Tables.open`."""
    from elcapitan.service import Tables  # noqa: PLC0415
    from elcapitan.store.place import shown  # noqa: PLC0415

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    database = kept.render_as_string(hide_password=False)
    async with Tables.open(database, workers=processes, jobs="work", **settings):
        words = screen.text("Computer players play for the games in {database}", database=shown(kept))
        screen.out.print(words, markup=False, soft_wrap=True)
        screen.out.print(screen.text("Stop with Ctrl+C."), markup=False)
        await stop.wait()


COMMAND = worker
