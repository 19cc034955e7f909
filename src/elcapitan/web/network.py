"""Opening a running server for one computer to its network, and closing it again.

Any caller on this machine may open it. From then on it is like a server that was started for the network: every
game needs its key, for callers from this machine too. Only the browser that opened it has all rights, by the owner's
key.

A request keeps the settings that held when it came (see `checks`). So what others have sent before the server was
closed is never taken for something that was sent on this machine.
"""

import asyncio
import logging
from dataclasses import replace
from typing import Protocol

from starlette.datastructures import State
from starlette.requests import HTTPConnection

from elcapitan.web.auth import on_this_machine, server_settings
from elcapitan.web.server_settings import ServerSettings, hashed

logger = logging.getLogger(__name__)


class Listener(Protocol):
    """What lets other machines connect to a running server."""

    async def open(self) -> None:
        """Listen to the network. Raises `OSError` if that is not possible; then nothing has changed."""

    def close(self) -> None:
        """Listen to this machine only, and close the connections of all others."""


class NetworkAccess:
    """Opens a local server to the network and closes it again, as long as it has a `listener`."""

    def __init__(self, state: State, opened: ServerSettings) -> None:
        self.listener: Listener | None = None
        self._state = state
        self._closed: ServerSettings = state.settings
        self._opened = opened
        self._lock = asyncio.Lock()

    async def open(self, key: str) -> None:
        """Open the server; `key` becomes the owner's. Does nothing if it is open. Raises `OSError` if it cannot be."""
        async with self._lock:
            if self.listener and not self._state.settings.public:
                await self.listener.open()
                self._state.settings = replace(self._opened, owner=hashed(key))
                logger.warning("the server is open to the network")

    async def close(self) -> None:
        """Close the server to the network. Does nothing if it is closed."""
        async with self._lock:
            if self.listener and self._state.settings.public:
                self._state.settings = self._closed
                self.listener.close()
                logger.warning("the server is closed to the network")


def network_of(request: HTTPConnection) -> NetworkAccess | None:
    """Return what opens this server to the network, if it can be opened."""
    found: NetworkAccess | None = getattr(request.app.state, "network", None)
    return found if found and found.listener else None


def may_open(request: HTTPConnection) -> bool:
    """Whether a caller may open this server to the network: on this machine, as long as the server is local."""
    return network_of(request) is not None and not server_settings(request).public and on_this_machine(request)
