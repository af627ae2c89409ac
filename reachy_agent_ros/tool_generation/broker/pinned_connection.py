"""An HTTP connection to an address that was checked, whatever its name stands for by now."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress

from reachy_agent_ros.core.deadline import Deadline


class PinnedConnection(http.client.HTTPConnection):
    """Connects to the first of some addresses that answers.

    Args:
        host: Name, for the certificate.
        port: TCP port.
        addresses: To try, in this order.
        tls: What checks certificates; None for http.
        deadline: For the connection; what comes after it is ended by `abort`.
    """

    def __init__(
        self, host: str, port: int, addresses: Sequence[str], tls: ssl.SSLContext | None, deadline: Deadline
    ) -> None:
        super().__init__(host, port)
        self._addresses = addresses
        self._tls = tls
        self._deadline = deadline

    def connect(self) -> None:
        """Connects, and proves by its certificate that the server is the one of that name."""
        plain = self._reached()
        if self._tls is None:
            self.sock = plain
            return
        secure = self._tls.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock = secure  # from here on `abort` finds it
        secure.do_handshake()

    def abort(self) -> None:
        """Ends whatever another thread does with it; a time limit for each byte would let one drip in for ever."""
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)

    def _reached(self) -> socket.socket:
        failure: OSError = OSError("no address")
        for address in self._addresses:
            try:
                return socket.create_connection((address, self.port), max(self._deadline.remaining, 0.001))
            except OSError as error:
                failure = error
        raise failure
