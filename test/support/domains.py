"""ROS domains for tests, which isolate concurrently running graphs."""

from __future__ import annotations

import socket
from enum import Enum, auto
from functools import cache

DOMAINS = range(1, 101)
"""Domain ids whose ports are below those that the kernel assigns to outgoing connections."""

_PARTICIPANTS = 32
"""Number of DDS participants of a domain whose ports are checked."""

_claims: list[socket.socket] = []


class Purpose(Enum):
    """Purpose of a graph.

    One test process can run one graph for each purpose at the same time, each in a separate domain.
    """

    NODES = auto()
    AGENT = auto()
    PROMPT = auto()
    GRAPH = auto()
    CAMPAIGN = auto()
    CONSOLE = auto()
    NOBODY = auto()
    """Domain in which no graph runs."""


@cache
def domain(_purpose: Purpose) -> str:
    """Claims a ROS domain for this process until the process ends. Returns the domain id, as in `ROS_DOMAIN_ID`.

    Two graphs in one domain would answer each other's calls, and two nodes with the same name would seem to be one node
    that restarts repeatedly. Claims apply to all test runs on this machine. Domains in which a program already
    communicates are skipped: it may be left over from a killed run, or belong to the user's graph.
    """
    for number in DOMAINS:
        claim = _bound(socket.SOCK_STREAM, _port(number))  # DDS uses only UDP here, so the TCP port can serve as a lock
        if claim is None:
            continue
        if is_silent(number):
            _claims.append(claim)
            return str(number)
        claim.close()
    raise RuntimeError(f"All ROS domains from {DOMAINS[0]} to {DOMAINS[-1]} are in use. End some of the programs.")


def is_silent(number: int) -> bool:
    """Returns whether no program listens in a domain.

    Each DDS participant uses two ports, starting at offset 10.
    """
    for port in range(_port(number) + 10, _port(number) + 10 + 2 * _PARTICIPANTS):
        probe = _bound(socket.SOCK_DGRAM, port)
        if probe is None:
            return False
        probe.close()
    return True


def _port(number: int) -> int:
    """Returns the first port of a domain (OMG DDSI-RTPS 2.5, section 9.6.2.3)."""
    return 7400 + 250 * number


def _bound(kind: socket.SocketKind, port: int) -> socket.socket | None:
    """Returns a socket bound to a port, or None if the port is in use."""
    taken = socket.socket(type=kind)
    try:
        taken.bind(("127.0.0.1", port))
    except OSError:
        taken.close()
        return None
    return taken
