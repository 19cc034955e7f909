"""What only a PostgreSQL offers: notifications between processes, and jobs for workers on any machine.

A notification is short, `game:what`, and says only that there is something to look up. A process that loses its
connection misses some and is told so, to look everything up again.

procrastinate stores the jobs. A job is there until it is done: one that was begun by a process without heartbeat is
handed to another. What a job is about is not known here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from sqlalchemy import URL
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncConnection

from elcapitan.background_tasks import in_background
from elcapitan.store.database import CONNECT_TIMEOUT
from elcapitan.store.location import address_of, problem_of

if TYPE_CHECKING:
    from procrastinate import App

CHANNEL: Final = "elcapitan"
TALK: Final = "talk"  # a line of the chat; with its number
KEYS: Final = "keys"  # a key was created or deleted
GONE: Final = "gone"  # the game was deleted
AGAIN: Final = 1.0  # seconds until a broken connection is tried again
QUIET: Final = 30.0  # seconds without notifications after which the connection is tested

Notification = tuple[str, str]  # about which game, and what
TASK: Final = "play"
QUEUE: Final = "games"
AT_ONCE: Final = 500  # jobs of one process: mostly they wait for the pace of their table
SIGN_OF_LIFE: Final = 3.0  # seconds after which a process gives one
SILENCE: Final = 12.0  # seconds without one after which it counts as gone
LOOKING: Final = 2.0  # seconds between polls for jobs without a notification: those handed on
AFTER_TROUBLE: Final = 5.0  # seconds until something is tried again

Play = Callable[[str], Awaitable[None]]
logger = logging.getLogger(__name__)


async def send(connection: AsyncConnection, game: str, what: str) -> None:
    """Notify other processes when the transaction commits. A database file has no other processes."""
    if connection.dialect.name == "postgresql":
        await connection.execute(
            sql("SELECT pg_notify(:channel, :news)"), {"channel": CHANNEL, "news": f"{game}:{what}"}
        )


async def listen(url: URL, receive: Callable[[Notification | None], None]) -> None:
    """Receive notifications, our own included, until cancelled; None whenever some may have been missed.

    None comes first, as soon as nothing more is missed, and then after every break of the connection.
    """
    import psycopg  # noqa: PLC0415 - an optional dependency

    while True:
        try:
            connecting = psycopg.AsyncConnection.connect(
                address_of(url), autocommit=True, connect_timeout=CONNECT_TIMEOUT
            )
            async with await connecting as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                receive(None)
                while True:
                    async for notice in connection.notifies(timeout=QUIET):
                        game, _, what = notice.payload.partition(":")
                        receive((game, what))
                    await connection.execute("SELECT 1")  # fails if the other end is gone silently
        except (psycopg.Error, OSError) as error:
            logger.warning("news from other processes will be late: %s", problem_of(error))
        await asyncio.sleep(AGAIN)


class Jobs:
    """The job queue of one database; created by `Jobs.open`."""

    def __init__(self, app: "App") -> None:
        self._app = app

    @classmethod
    @asynccontextmanager
    async def open(cls, url: URL, play: Play) -> AsyncIterator["Jobs"]:
        """Open the queue of a database; `play` does one job."""
        from procrastinate import App, PsycopgConnector  # noqa: PLC0415 - an optional dependency

        connector = PsycopgConnector(
            conninfo=address_of(url), min_size=1, max_size=4, kwargs={"connect_timeout": CONNECT_TIMEOUT}
        )
        app = App(connector=connector)

        async def job(game: str) -> None:
            try:
                await play(game)
            except Exception:
                logger.exception("game %s is tried again", game)
                await asyncio.sleep(AFTER_TROUBLE)
                raise

        app.task(name=TASK, queue=QUEUE, retry=True)(job)
        async with app.open_async():
            yield cls(app)

    async def ask(self, game: str, number: int) -> None:
        """Add a job for a game at an entry, unless it waits already."""
        from procrastinate.exceptions import AlreadyEnqueued, ConnectorException  # noqa: PLC0415

        waiting = self._app.configure_task(TASK, queue=QUEUE, queueing_lock=f"{game}:{number}")
        try:
            with suppress(AlreadyEnqueued):
                await waiting.defer_async(game=game)
        except ConnectorException as error:  # workers that look through unfinished games will ask again
            logger.warning("game %s must wait: %s", game, problem_of(error))

    async def games(self) -> set[str]:
        """Return the games that have jobs, waiting or being done."""
        jobs = await self._app.job_manager.list_jobs_async(queue=QUEUE)
        return {str(job.task_kwargs["game"]) for job in jobs if job.status in ("todo", "doing")}

    async def work(self) -> None:
        """Do jobs until cancelled, also after the connection breaks. Unfinished jobs go to other processes then."""
        async with in_background(self._look_after()):
            while True:
                with _trouble_told("no jobs are done for a moment"):
                    await self._app.run_worker_async(
                        queues=[QUEUE],
                        concurrency=AT_ONCE,
                        delete_jobs="always",
                        install_signal_handlers=False,
                        shutdown_graceful_timeout=0,
                        fetch_job_polling_interval=LOOKING,
                        update_heartbeat_interval=SIGN_OF_LIFE,
                        stalled_worker_timeout=SILENCE,
                    )
                await asyncio.sleep(AFTER_TROUBLE)

    async def _look_after(self) -> None:
        """Hand jobs of dead processes to others, again and again."""
        while True:
            with _trouble_told("jobs of others are not looked after for a moment"):
                await self._hand_on()
            await asyncio.sleep(SIGN_OF_LIFE)

    async def _hand_on(self) -> None:
        """Queue jobs of dead processes again; delete one if the same job waits already."""
        from procrastinate.exceptions import UniqueViolation  # noqa: PLC0415
        from procrastinate.jobs import Status  # noqa: PLC0415

        manager = self._app.job_manager
        for job in await manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=SILENCE):
            logger.warning("game %s is taken over from a process that is gone", job.task_kwargs["game"])
            try:
                await manager.retry_job(job)
            except UniqueViolation:
                await manager.finish_job(job, Status.FAILED, delete_job=True)


@contextmanager
def _trouble_told(what: str) -> Iterator[None]:
    """Log any error of the queue and go on."""
    try:
        yield
    except Exception as error:
        logger.warning("%s: %s", what, problem_of(error))
