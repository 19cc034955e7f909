"""`elcapitan worker`: computer players for servers that share a PostgreSQL."""

import asyncio
import signal
from typing import Annotated, Any, Final

import typer
from sqlalchemy import URL

from elcapitan.cli.options import number_option, value_option
from elcapitan.cli.serve_options import (
    PLAIN,
    BaseUrl,
    LocalWebhooks,
    LogForm,
    WebhookPorts,
    check_shared,
    ports_of,
    set_up_logs,
)
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.service import Tables
from elcapitan.store.location import shown, url_of
from elcapitan.text.catalogue import _

HELP: Final = _(
    "Let computer players play for all servers that keep their games in the same PostgreSQL and were started with "
    "--bots workers. Any number of these may run, on any machines; what one leaves undone another takes up."
)
MOST_PROCESSES: Final = 256


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
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    database = kept.render_as_string(hide_password=False)
    async with Tables.open(database, workers=processes, jobs="work", **settings):
        words = screen.text("Computer players play for the games in {database}", database=shown(kept))
        screen.say(words)
        screen.say(screen.text("Stop with Ctrl+C."))
        await stop.wait()
