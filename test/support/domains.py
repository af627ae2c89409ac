"""ROS domains of the tests, so that no graph hears another one that runs at the same time."""

from __future__ import annotations

import socket
from enum import Enum, auto
from functools import cache

DOMAINS = range(1, 101)
"""Their ports lie below those that the kernel gives to outgoing connections."""

_PARTICIPANTS = 32
"""Programs in a domain whose ports are looked at."""

_claims: list[socket.socket] = []


class Purpose(Enum):
    """Graphs that one process of tests may have at the same time."""

    NODES = auto()
    AGENT = auto()
    GRAPH = auto()
    CAMPAIGN = auto()
    CONSOLE = auto()
    NOBODY = auto()
    """A domain in which nothing runs."""


@cache
def domain(_purpose: Purpose) -> str:
    """The id, as `ROS_DOMAIN_ID` has it, of a domain that belongs to this process until it ends.

    Two graphs in one domain answer each other's calls, and every node takes the two of a name for one that dies again
    and again. So a domain is claimed, for all test runs on this machine, and none is taken in which a program talks
    already: one that a killed run left, or a person's own graph.
    """
    for number in DOMAINS:
        claim = _bound(socket.SOCK_STREAM, _port(number))  # DDS has only UDP here, so the number is free for this
        if claim is None:
            continue
        if is_silent(number):
            _claims.append(claim)
            return str(number)
        claim.close()
    raise RuntimeError(f"A program runs in each of the ROS domains {DOMAINS[0]} to {DOMAINS[-1]}: end some of them.")


def is_silent(number: int) -> bool:
    """Whether no program listens in a domain: each takes two ports after the tenth."""
    for port in range(_port(number) + 10, _port(number) + 10 + 2 * _PARTICIPANTS):
        probe = _bound(socket.SOCK_DGRAM, port)
        if probe is None:
            return False
        probe.close()
    return True


def _port(number: int) -> int:
    """The first port of a domain (OMG DDSI-RTPS 2.5, section 9.6.2.3)."""
    return 7400 + 250 * number


def _bound(kind: socket.SocketKind, port: int) -> socket.socket | None:
    """A socket that has taken a port, None where it is taken already."""
    taken = socket.socket(type=kind)
    try:
        taken.bind(("127.0.0.1", port))
    except OSError:
        taken.close()
        return None
    return taken
