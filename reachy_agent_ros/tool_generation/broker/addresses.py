"""Which addresses a name of a host stands for, and whether they are public."""

from __future__ import annotations

import ipaddress
import socket
import threading
from concurrent.futures import Future
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


def _look_up(host: str, port: int, found: Future[list[Any]]) -> None:
    try:
        found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except OSError as error:
        found.set_exception(error)
    except UnicodeError:
        found.set_exception(OSError(0, "no name of a host"))
