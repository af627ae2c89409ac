"""Another machine on this one's network: a network namespace at the other end of a cable."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.supervision.transport import transport_environment

HERE, THERE = "10.77.24.1", "10.77.24.2"
"""Addresses of this machine's end of the cable and of the other's."""

PEER = Path(__file__).with_name("topic_peer.py")
_PLUGGING = 10.0  # s
_OWN_SHARED_MEMORY = ("sh", "-c", 'mount -t tmpfs none /dev/shm && exec "$@"', "sh")


class NoNeighbourError(Exception):
    """No other machine can be made here; the sentence says why."""


class Neighbour:
    """Plugs it in for a `with` block. It shares no memory with this machine."""

    def __init__(self) -> None:
        tag = uuid.uuid4().hex[:6]
        self._machine, self._here, self._there = f"next_{tag}", f"nh{tag}", f"nt{tag}"

    def __enter__(self) -> Neighbour:
        """Makes it.

        Raises:
            NoNeighbourError: There is no `ip`, or namespaces or cables may not be made.
        """
        try:
            self._plug_in()
        except FileNotFoundError as error:
            raise NoNeighbourError(f"there is no {error.filename}") from error
        except subprocess.CalledProcessError as error:
            self._unplug()
            raise NoNeighbourError(f"no network namespace can be made: {error.stderr.strip()}") from error
        return self

    def __exit__(self, *_: object) -> None:
        """Takes it away, and the cable with it."""
        self._unplug()

    def command(self, *words: str) -> list[str]:
        """What runs a command there."""
        return ["ip", "netns", "exec", self._machine, *_OWN_SHARED_MEMORY, *words]

    def attack(self, topic: str, word: str, count: int) -> subprocess.Popen[str]:
        """Starts what publishes so many messages there, as somebody would who knows address, domain and topic."""
        environment = {**joining("network"), "ROS_STATIC_PEERS": HERE}
        return _peer(self.command(sys.executable), environment, topic, word, count)

    def _plug_in(self) -> None:
        _ip("netns", "add", self._machine)
        _ip("link", "add", self._here, "type", "veth", "peer", "name", self._there, "netns", self._machine)
        _ip("-n", self._machine, "link", "set", "lo", "up")
        for namespace, device, address in (((), self._here, HERE), (("-n", self._machine), self._there, THERE)):
            _ip(*namespace, "address", "add", f"{address}/24", "dev", device)
            _ip(*namespace, "link", "set", device, "up")
        plugging = Deadline(_PLUGGING)
        while "state UP" not in _ip("link", "show", self._here):  # DDS leaves out what does not run yet
            assert not plugging.passed, "the cable carries nothing"

    def _unplug(self) -> None:
        subprocess.run(["ip", "netns", "delete", self._machine], capture_output=True)


def local_peer(topic: str, word: str, count: int, transport: str = "loopback") -> subprocess.Popen[str]:
    """Starts what publishes so many messages on this machine, or where `count` is 0 hears them until it is told to end.

    Args:
        topic: Absolute name.
        word: What is said, or counted.
        count: Messages.
        transport: Of the graph that it joins.
    """
    return _peer([sys.executable], joining(transport), topic, word, count)


def joining(transport: str) -> dict[str, str]:
    """The environment of a program in a graph of this transport, in the domain of this process."""
    environment = {**os.environ, **transport_environment(transport)}
    return {name: value for name, value in environment.items() if value is not None}


def _peer(
    python: list[str], environment: Mapping[str, str], topic: str, word: str, count: int
) -> subprocess.Popen[str]:
    words = [*python, str(PEER), topic, word, str(count)]
    return subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout
