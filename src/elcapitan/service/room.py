"""The room: tables that are in memory, as long as somebody uses them and some time longer."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from elcapitan.service.clerk import Clerk
from elcapitan.service.live import Live

MOST_LIVE: Final = 64  # tables kept in memory besides those in use
LOADS_AT_ONCE: Final = 4  # games loaded at the same time: long logs must not hold up all others


class Room:
    """Tables in memory."""

    def __init__(self, clerk: Clerk, come: Callable[[Live], None]) -> None:
        self.live: OrderedDict[str, Live] = OrderedDict()  # those used last come last
        self._clerk = clerk
        self._come = come  # hears of every table that comes in
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of games that are being loaded
        self._loads = asyncio.Semaphore(LOADS_AT_ONCE)

    @asynccontextmanager
    async def using(self, game: str) -> AsyncIterator[Live]:
        """A table that stays in memory as long as it is used."""
        live = self.live.get(game) or await self._loaded(game)
        live.users += 1  # from here on nobody forgets it
        self.live.move_to_end(live.id)
        try:
            yield live
        finally:
            live.users -= 1
            if live.closed:
                self._drop(live)
            elif live.idle:
                self._forget_some()

    async def _loaded(self, game: str) -> Live:
        """Load a table; if several want it at once, it is loaded once."""
        lock = self._loading.setdefault(game, asyncio.Lock())
        async with lock:
            live = self.live.get(game)
            if live is None:
                async with self._loads:
                    live = await self._clerk.load(game)
                self._add(live)
        return live

    def keep(self, live: Live) -> None:
        """Keep a table in memory."""
        self._add(live)
        self._forget_some()

    def _add(self, live: Live) -> None:
        """A table comes in."""
        self.live[live.id] = live
        self._come(live)

    def forget(self, game: str) -> None:
        """A game is gone."""
        live = self.live.get(game)
        if live:
            live.close()
            self._drop(live)

    def _forget_some(self) -> None:
        """Let go of tables that nobody needs, those used longest ago first."""
        if len(self.live) > MOST_LIVE:
            idle = [each for each in self.live.values() if each.idle]
            for live in idle[: max(0, len(idle) - MOST_LIVE)]:
                self._drop(live)

    def _drop(self, live: Live) -> None:
        """Take a table out of memory, unless another was loaded in its place."""
        if self.live.get(live.id) is live:
            del self.live[live.id]
        live.forget()
