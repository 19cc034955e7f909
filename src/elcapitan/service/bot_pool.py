"""A pool of processes that answer questions to computer players: each one question at a time, turns before hints.

Addresses take turns: a question waits for one question of each other address at most, however many those have.

A question has a deadline, counted from when a process begins with it. A process that has not answered some time after
it is killed and replaced; the other processes go on. A question whose asker is cancelled leaves the queue, or tells its
process to stop.
"""

import asyncio
import logging
import os
import sys
import time
from bisect import insort
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from typing import Any, Final, TypeVar

from elcapitan.background_tasks import requester
from elcapitan.service.bot_worker import get_ready, serve

if sys.platform == "linux":  # copies of a process that has everything loaded; never of this one, which has threads
    from multiprocessing.context import ForkServerContext as Context
    from multiprocessing.context import ForkServerProcess as Process
else:  # elsewhere a copy of a process is not safe, or cannot be made
    from multiprocessing.context import SpawnContext as Context
    from multiprocessing.context import SpawnProcess as Process

FORK_PRELOAD: Final = "elcapitan.service.fork_preload"  # loaded by the process that the others are copies of
TURN, HINT, REVIEW = 0, 1, 2  # priorities: a table waits for a turn, one person for a hint, none for a review
DEADLINE: Final = 10.0  # seconds that a computer player may think about a turn or a hint, once a process is at it
GRACE: Final = 5.0  # seconds after the deadline until a process that has not answered is killed
LOADING: Final = 600.0  # seconds for a new process to load the rules, which may have to be compiled first
LOOK_AGAIN: Final = 0.2  # seconds between looking whether a process that loads is still wanted
TRIES: Final = 3  # for one question, if processes die
MOST_PROCESSES: Final = 4  # if their number is not given
MOST_ADDRESSES: Final = 1000  # whose rounds are remembered
MOST_HINTS: Final = 100  # hints that wait for a process: a minute's work

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
logger = logging.getLogger(__name__)


class NoAnswer(Exception):
    """No process could answer a question."""


class Failed(Exception):
    """A process failed, died or was killed while it answered a question."""


class Hung(Failed):
    """A process was killed because it had not answered some time after the deadline."""


class BotPool:
    """A pool of processes, started when they are needed."""

    def __init__(self, processes: int | None = None) -> None:
        self._most = processes or max(2, min(MOST_PROCESSES, os.cpu_count() or 1))
        self._threads = ThreadPoolExecutor(self._most, "bots")  # one for each process, to wait for it
        self._order, self._numbers = count(), count(1)
        self._round = 0  # of the question that was given to a process last
        self._rounds: dict[str, int] = {}  # of the last question of each address that has asked lately
        self._waiting: list[_Job] = []  # sorted: the next one first
        self._idle: list[_BotProcess] = []
        self._all: set[_BotProcess] = set()
        self._answering: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def processes(self) -> int:
        """How many processes there are now."""
        return len(self._all)

    async def ask(self, answer: Callable[[Asked], Answer], question: Asked, priority: int = TURN) -> Answer:
        """Call `answer` with the question in a process. Raises `NoAnswer` after some failures, or if too much waits.

        If the caller is cancelled, so is the question.
        """
        order = self._next_round(requester.get()), next(self._order)
        for left in reversed(range(TRIES)):
            job = _Job(priority, order, answer, question)
            self._enqueue(job)
            try:
                found: Answer = await job.answered
                return found
            except Hung:
                break  # another process would take as long
            except Failed as error:
                logger.warning("a process for computer players failed, %d tries left: %s", left, error)
            finally:
                self._drop(job)
        raise NoAnswer

    def _next_round(self, address: str) -> int:
        """Return the round in which a question of an address is answered: one question of each address in a round.

        So tables that one address has set up wait for one another, and do not hold up all others.
        """
        if len(self._rounds) > MOST_ADDRESSES:
            self._rounds = {each: last for each, last in self._rounds.items() if last > self._round}
        self._rounds[address] = max(self._round, self._rounds.get(address, 0) + 1)
        return self._rounds[address]

    async def close(self) -> None:
        """Kill all processes, whatever they are doing; all questions fail."""
        self._closed = True
        for job in self._waiting:
            job.fail(Failed("closed"))
        self._waiting.clear()
        for process in self._all:
            process.kill()
        await asyncio.gather(*self._answering, return_exceptions=True)
        await asyncio.gather(*(self._in_thread(process.end) for process in self._all))
        self._threads.shutdown()

    def _enqueue(self, job: "_Job") -> None:
        """Add a job to the queue. Raises `NoAnswer` if the pool is closed or too many hints wait."""
        if self._closed or (
            job.priority == HINT and sum(each.priority == HINT for each in self._waiting) >= MOST_HINTS
        ):
            raise NoAnswer
        insort(self._waiting, job)
        self._assign()

    def _drop(self, job: "_Job") -> None:
        """Cancel a job that is not needed any more: remove it from the queue, or stop the process at it."""
        if job in self._waiting:
            self._waiting.remove(job)
        elif job.process:
            job.process.stop(job.number)

    def _assign(self) -> None:
        """Give waiting jobs to free processes, the most recently used first; start new ones if there are too few."""
        while self._waiting and len(self._answering) < self._most:
            job = self._waiting.pop(0)
            self._round = max(self._round, job.order[0])
            job.number = next(self._numbers)
            task = asyncio.create_task(self._answer(job, self._idle.pop() if self._idle else None))
            self._answering.add(task)
            task.add_done_callback(self._next)

    def _next(self, task: asyncio.Task[None]) -> None:
        """Go on with the queue when a process has become free."""
        self._answering.discard(task)
        self._assign()

    async def _answer(self, job: "_Job", process: "_BotProcess | None") -> None:
        """Let a process answer a job. A process that fails is ended; the next job starts another."""
        try:
            if process is None or not process.alive:
                await self._end(process)
                process = None
                process = await self._in_thread(_BotProcess, lambda: self._closed)
                self._all.add(process)
            if self._closed:
                raise Failed("closed")
            if not job.answered.done():
                job.process = process
                alarm = asyncio.get_running_loop().call_later(DEADLINE + GRACE, job.hang)
                try:
                    job.finish(*await self._in_thread(process.answer, job.number, job.answer, job.question))
                finally:
                    alarm.cancel()
                    job.process = None
            self._idle.append(process)
        except Exception as error:
            job.fail(Failed(repr(error)))
            await self._end(process)

    async def _end(self, process: "_BotProcess | None") -> None:
        """End a process and forget it."""
        if process:
            self._all.discard(process)
            await self._in_thread(process.end)

    async def _in_thread(self, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Do something that blocks in a thread of this pool."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)


class _Job:
    """A question in the queue or at a process."""

    def __init__(self, priority: int, order: tuple[int, int], answer: Callable[[Any], Any], question: Any) -> None:
        self.priority, self.order = priority, order
        self.answer, self.question = answer, question
        self.answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.process: _BotProcess | None = None  # that is at it
        self.number = 0  # given when it goes to a process

    def __lt__(self, other: "_Job") -> bool:
        """Whether it comes before another in the queue."""
        return (self.priority, self.order) < (other.priority, other.order)

    def finish(self, good: bool, found: Any) -> None:
        """Set the answer, or the traceback of an exception."""
        if not good:
            self.fail(Failed(found))
        elif not self.answered.done():
            self.answered.set_result(found)

    def hang(self) -> None:
        """Give up on the process that is at it."""
        logger.warning("a process for computer players has not answered in time")
        self.fail(Hung())
        if self.process:
            self.process.kill()

    def fail(self, error: Failed) -> None:
        """Set the exception, unless the job was cancelled."""
        if not self.answered.done():
            self.answered.set_exception(error)


class _BotProcess:
    """One process and the pipes to it. It ends when the pipes close, so also when this process is killed."""

    def __init__(self, cancelled: Callable[[], bool]) -> None:
        """Start a process and wait until it is ready. Raises if it dies first, takes too long, or is not wanted."""
        context = Context()
        if sys.platform == "linux":
            context.set_forkserver_preload([FORK_PRELOAD])
        self._questions, questions = context.Pipe()
        stops, self._stops = context.Pipe(duplex=False)
        self._process = Process(target=serve, args=(get_ready, questions, stops), daemon=True)
        try:
            self._process.start()
            questions.close()
            stops.close()
            end = time.monotonic() + LOADING
            while not self._questions.poll(LOOK_AGAIN):
                if cancelled() or time.monotonic() > end:
                    raise TimeoutError
            self._questions.recv()
        except BaseException:
            self.end()
            raise

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def answer(self, number: int, answer: Callable[[Any], Any], question: Any) -> tuple[bool, Any]:
        """Whether the question was answered, and the answer or a traceback. Blocks; raises if the process dies."""
        self._questions.send((number, DEADLINE, answer, question))
        found: tuple[bool, Any] = self._questions.recv()
        return found

    def stop(self, number: int) -> None:
        """Tell the process to stop thinking about a question and answer what it has. Never blocks."""
        with suppress(OSError):
            self._stops.send(number)

    def kill(self) -> None:
        """Kill the process; whatever waits for its answer raises."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process, if it was started, and wait until it is gone."""
        if self._process.pid is not None:
            self._process.kill()
            self._process.join()
        self._questions.close()
        self._stops.close()
