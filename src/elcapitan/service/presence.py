"""Who is present at a table: the seats of those who look on.

Whoever leaves may only be changing pages or losing a connection for a moment, so that is told a little later, and not
at all if they are back by then.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

LEAVING: Final = 3.0  # seconds until it is told


def _tell_nobody(_presence: "Presence") -> None:
    """Ignore a change of who looks on."""


class Presence:
    """Who looks on at one table, here and in other processes.

    `tell` must not refer to what holds this, or a table would stay in memory until garbage is collected.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self.spread: Callable[[Presence], None] = _tell_nobody  # hears of every change of who looks on here
        self._tell = tell
        self._here: Counter[int] = Counter()
        self._elsewhere: frozenset[int] = frozenset()
        self._told: frozenset[int] = frozenset()

    @property
    def present(self) -> frozenset[int]:
        """The seats that are present."""
        return self._told | self._elsewhere

    @property
    def here(self) -> frozenset[int]:
        """The seats whose people look on in this process."""
        return self._told

    def come(self, seats: Iterable[int]) -> None:
        """Somebody who plays these seats looks on."""
        self._here.update(seats)
        self._settle()

    def go(self, seats: Iterable[int]) -> None:
        """Somebody who played these seats looks on no more."""
        self._here.subtract(seats)
        asyncio.get_running_loop().call_later(LEAVING, self._settle)

    def elsewhere(self, seats: frozenset[int]) -> None:
        """Those who look on in other processes."""
        before, self._elsewhere = self.present, seats
        self._announce(before)

    def _settle(self) -> None:
        """Tell how it is now."""
        before, here = self.present, self._told
        self._told = frozenset(seat for seat, streams in self._here.items() if streams > 0)
        self._announce(before)
        if self._told != here:
            self.spread(self)

    def _announce(self, before: frozenset[int]) -> None:
        """Tell it if it is another."""
        if self.present != before:
            self._tell()
