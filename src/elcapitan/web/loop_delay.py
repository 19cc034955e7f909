"""How late the event loop is: while it is, no request of any player is answered."""

import asyncio
import time
from typing import Final

INTERVAL: Final = 0.1  # seconds between two measurements


class LoopDelay:
    """Measures how late the event loop runs a timer, and how long it computed without a pause."""

    def __init__(self) -> None:
        self.delay = 0.0  # seconds, the longest: also because other processes had the core
        self.block = 0.0  # seconds, the longest: computing on the loop's own thread only

    async def run(self) -> None:
        """Measure every `INTERVAL`, and keep the longest values, until the task is cancelled."""
        while True:
            wall, computing = time.monotonic(), time.thread_time()
            await asyncio.sleep(INTERVAL)
            late = time.monotonic() - wall - INTERVAL
            self.delay = max(self.delay, late)
            self.block = max(self.block, min(late, time.thread_time() - computing))
