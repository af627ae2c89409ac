"""HTTP connections to addresses that were checked: names are looked up once, and private networks are told apart."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")


def addresses_of(host: str, port: int, deadline: Deadline) -> list[str]:
    """Looks a name up.

    Raises:
        AgentError: `SERVER_UNAVAILABLE` or `TIMEOUT`.
    """
    found: Future[list[Any]] = Future()
    # The library's call has no time limit; a thread that waits on keeps nobody from leaving.
    threading.Thread(target=_look_up, args=(host, port, found), name="resolver", daemon=True).start()
    try:
        rows = found.result(deadline.remaining)
    except TimeoutError:
        raise AgentError(ErrorCode.TIMEOUT, f"the name {host} was not resolved in time") from None
    except OSError as error:
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{host} cannot be found: {error.strerror}") from error
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet at large: not to this machine, its networks, or a tunnel into them."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        return ip.is_global and ip in _GLOBAL_UNICAST and ip.sixtofour is None and ip.teredo is None
    return ip.is_global and not ip.is_multicast


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


def _look_up(host: str, port: int, found: Future[list[Any]]) -> None:
    try:
        found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except OSError as error:
        found.set_exception(error)
    except UnicodeError:
        found.set_exception(OSError(0, "no name of a host"))
