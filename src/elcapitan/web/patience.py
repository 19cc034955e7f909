"""How a connection is read: whoever is slow to say what they want, or goes on for too long about it, is cut off.

The server itself waits for ever for the head of a request and reads any length of it, so that a few machines could hold
all of its connections or fill its memory. The body of a request is looked after by the guard.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS: Final = 15.0  # until the head of a request must be here
HEAD_BYTES: Final = 32_768  # of a head; a cookie full of keys has four thousand


class Impatient(HttpToolsProtocol):
    """One connection."""

    seconds = HEAD_SECONDS
    most = HEAD_BYTES
    _waiting: asyncio.TimerHandle | None = None
    _in_head = False
    _read = 0

    def connection_made(self, transport: Any) -> None:
        """Somebody is here: now they should say what they want."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Somebody speaks; what belongs to no body yet is counted."""
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._read += len(data)
            if self._read > self.most:
                self.send_400_response("Too much.")
            elif self._waiting is None:
                self._wait()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head, self._read = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """What is wanted is known."""
        self._in_head = False
        self._wait_no_more()
        super().on_headers_complete()

    def _wait(self) -> None:
        """Wait for the head of a request, but not for ever."""
        self._waiting = self.loop.call_later(self.seconds, self._give_up)

    def _wait_no_more(self) -> None:
        """The head is here, or nobody is there any more."""
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        """Nobody says what they want."""
        self._waiting = None
        if not self.transport.is_closing():
            self.transport.close()
