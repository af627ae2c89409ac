"""Whether strangers on the network can reach a process: its sockets that take what anyone sends."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any

import psutil

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def open_sockets(pids: Iterable[int]) -> dict[int, list[str]]:
    """Finds sockets of these processes that listen off the loopback device.

    A UDP socket counts unless it is connected, because a connected one (a name look-up, say) takes only what its peer
    sends; a TCP socket counts when it listens. Processes that have ended have none.

    Returns:
        Such sockets as `udp 0.0.0.0:7410`, by process id; a closed process is left out.
    """
    found = {pid: [_name(entry) for entry in _inet_sockets(pid) if _reachable(entry)] for pid in pids}
    return {pid: sockets for pid, sockets in found.items() if sockets}


def require_closed(pids: Iterable[int]) -> None:
    """Checks that no stranger on the network can reach these processes.

    Raises:
        AgentError: `INTERNAL`, naming the process and its socket.
    """
    for pid, sockets in open_sockets(pids).items():
        raise AgentError(
            ErrorCode.INTERNAL,
            f"Process {pid} listens on {', '.join(sockets)}, where the network could command the robot. Everything is "
            "stopped. If that is what you want, say transport:=network.",
        )


def _inet_sockets(pid: int) -> list[Any]:
    try:
        return list(psutil.Process(pid).net_connections(kind="inet"))
    except psutil.NoSuchProcess:
        return []


def _reachable(entry: Any) -> bool:
    if entry.raddr or (entry.type == socket.SOCK_STREAM and entry.status != psutil.CONN_LISTEN):
        return False
    address = ipaddress.ip_address(entry.laddr.ip)
    mapped = getattr(address, "ipv4_mapped", None)
    return not (mapped or address).is_loopback


def _name(entry: Any) -> str:
    kind = "tcp" if entry.type == socket.SOCK_STREAM else "udp"
    return f"{kind} {entry.laddr.ip}:{entry.laddr.port}"
