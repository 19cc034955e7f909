"""The tables in memory: those in use, and some that were used last."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from elcapitan.service.commit import Writer
from elcapitan.service.open_table import OpenTable

MOST_LIVE: Final = 64  # tables kept in memory besides those in use
LOADS_AT_ONCE: Final = 4  # games loaded at the same time: long logs must not hold up all others


class TableCache:
    """Loads tables when they are asked for, and drops those used longest ago."""

    def __init__(self, writer: Writer, on_load: Callable[[OpenTable], None]) -> None:
        self.tables: OrderedDict[str, OpenTable] = OrderedDict()  # those used last come last
        self._writer = writer
        self._on_load = on_load  # called with every table that comes in
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of games that are being loaded
        self._loads = asyncio.Semaphore(LOADS_AT_ONCE)

    @asynccontextmanager
    async def using(self, game: str) -> AsyncIterator[OpenTable]:
        """Load a table if it is not in memory, and keep it there for the duration of a `with` block."""
        table = self.tables.get(game) or await self._load(game)
        table.users += 1
        self.tables.move_to_end(table.id)
        try:
            yield table
        finally:
            table.users -= 1
            if table.closed:
                self._drop(table)
            elif table.idle:
                self._drop_some()

    async def _load(self, game: str) -> OpenTable:
        """Load a table; once, if several requests want it at the same time."""
        lock = self._loading.setdefault(game, asyncio.Lock())
        async with lock:
            table = self.tables.get(game)
            if table is None:
                async with self._loads:
                    table = await self._writer.load(game)
                self._add(table)
        return table

    def add(self, table: OpenTable) -> None:
        """Add the table of a new game."""
        self._add(table)
        self._drop_some()

    def _add(self, table: OpenTable) -> None:
        self.tables[table.id] = table
        self._on_load(table)

    def close(self, game: str) -> None:
        """Close a table and drop it, because its game was deleted or must be read again."""
        table = self.tables.get(game)
        if table:
            table.close()
            self._drop(table)

    def _drop_some(self) -> None:
        """Drop idle tables if there are too many, those used longest ago first."""
        if len(self.tables) > MOST_LIVE:
            idle = [each for each in self.tables.values() if each.idle]
            for table in idle[: max(0, len(idle) - MOST_LIVE)]:
                self._drop(table)

    def _drop(self, table: OpenTable) -> None:
        """Take a table out of memory, unless another was loaded in its place."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
        table.drop_caches()
