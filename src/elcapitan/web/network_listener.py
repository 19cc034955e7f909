"""The second socket of a running server, by which the network can connect; as `connection_limits`, for uvicorn 0.54."""

import asyncio
import socket
from functools import partial

from uvicorn import Server

from elcapitan.web.connection_limits import LimitedConnection
from elcapitan.web.server_settings import ALL_IPV4, is_loopback


class NetworkListener:
    """Listens at all IPv4 addresses, beside the socket at which a server listens to its own machine.

    With limits, the connections that come this way are counted by address; the server's other socket does not count.
    """

    def __init__(self, server: Server, local: socket.socket, *, limited: bool) -> None:
        self._server, self._local = server, local
        self._connection = LimitedConnection.limited() if limited else LimitedConnection
        self._listening: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen to the network. Raises `OSError` if that is not possible; then nothing has changed."""
        server = self._server
        protocol = partial(
            self._connection, config=server.config, server_state=server.server_state, app_state=server.lifespan.state
        )
        self._listening = await asyncio.get_running_loop().create_server(
            protocol, sock=listening_beside(self._local), backlog=server.config.backlog
        )
        server.servers.append(self._listening)  # these are closed when the server stops

    def close(self) -> None:
        """Listen to this machine only, and close the connections of all others."""
        if self._listening:
            self._server.servers.remove(self._listening)
            self._listening.close()
            self._listening = None
        for connection in list(self._server.server_state.connections):
            client = getattr(connection, "client", None)
            if not (client and is_loopback(client[0])):
                connection.transport.abort()


def listening_beside(local: socket.socket) -> socket.socket:
    """Open a socket at all IPv4 addresses on the port of one that listens at 127.0.0.1. Raises `OSError`.

    While it is bound, both share the port: Linux wants that if one listens already, and lets no other user join them.
    """
    everywhere = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sharing = [each for each in (local, everywhere) if hasattr(socket, "SO_REUSEPORT")]
    try:
        everywhere.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for each in sharing:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        everywhere.bind((ALL_IPV4, local.getsockname()[1]))
        everywhere.listen()
    except OSError:
        everywhere.close()
        raise
    finally:
        for each in sharing:
            if each.fileno() >= 0:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 0)
    return everywhere
