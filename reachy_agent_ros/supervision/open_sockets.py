"""Sockets of processes that are reachable from the network."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any

import psutil

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def open_sockets(pids: Iterable[int]) -> dict[int, list[str]]:
    """Finds the sockets on which processes accept data from outside this machine.

    A UDP socket counts unless it is connected, because a connected one (of a name lookup, for example) accepts data
    only from its peer. A TCP socket counts if it listens. Processes that have ended have no sockets.

    Returns:
        Sockets such as `udp 0.0.0.0:7410`, by process id. Processes without any are omitted.

    Raises:
        psutil.AccessDenied: A process belongs to another user.
    """
    found = {pid: [_name(entry) for entry in _inet_sockets(pid) if _reachable(entry)] for pid in pids}
    return {pid: sockets for pid, sockets in found.items() if sockets}


def visible_sockets(pid: int) -> list[str] | None:
    """Returns the sockets of a process that `open_sockets` finds, or None if another user owns the process."""
    try:
        return open_sockets([pid]).get(pid, [])
    except psutil.AccessDenied:
        return None


def require_closed(pids: Iterable[int]) -> None:
    """Checks that processes are not reachable from the network.

    Raises:
        AgentError: `INTERNAL`: a process has a socket that `open_sockets` finds.
    """
    for pid, sockets in open_sockets(pids).items():
        raise AgentError(
            ErrorCode.INTERNAL,
            f"Process {pid} listens on {', '.join(sockets)}, so any program on the network could command the robot. "
            "All nodes are stopped. To allow access from the network, use transport:=network.",
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
