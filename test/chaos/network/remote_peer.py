"""DDS peer on a simulated machine, and programs that publish and subscribe on either machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from chaos.network.other_machine import OtherMachine, ip
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.supervision.transport import transport_environment

PEER = Path(__file__).with_name("topic_peer.py")
_PLUGGING = 10.0  # s


class RemotePeer:
    """Context manager for a simulated machine that is connected to this machine.

    Attributes:
        machine: The other machine, a network namespace.
    """

    def __init__(self) -> None:
        self.machine = OtherMachine()
        self._taken_away = ExitStack()

    def __enter__(self) -> RemotePeer:
        """Creates the simulated machine.

        Raises:
            NoOtherMachineError: `ip` is missing, or this user may not create namespaces or virtual cables.
        """
        with ExitStack() as undone:
            undone.enter_context(self.machine)
            self._plug_in()
            self._taken_away = undone.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Removes the simulated machine and its network link."""
        self._taken_away.close()

    def publish(self, topic: str, word: str, count: int) -> subprocess.Popen[str]:
        """Starts a program on the other machine that publishes `count` messages.

        The program knows the address of this machine, the domain and the topic.
        """
        environment = {**joining("network"), "ROS_STATIC_PEERS": self.machine.here}
        return _peer(self.machine.command(sys.executable), environment, topic, word, str(count))

    def _plug_in(self) -> None:
        here, there = self.machine.devices
        ip("link", "add", here, "type", "veth", "peer", "name", there)
        self.machine.plug_in()
        plugging = Deadline(_PLUGGING)
        while "state UP" not in ip("link", "show", here):  # DDS ignores devices that are not up yet
            assert not plugging.passed, "the virtual cable does not come up"


def local_speaker(topic: str, word: str, count: int, transport: str = "loopback") -> subprocess.Popen[str]:
    """Starts a program on this machine that publishes `count` messages over the given transport."""
    return _peer([sys.executable], joining(transport), topic, word, str(count))


def local_listener(topic: str, transport: str) -> subprocess.Popen[str]:
    """Starts a program on this machine that counts messages over a transport until its standard input closes."""
    return _peer([sys.executable], joining(transport), topic)


def joining(transport: str) -> dict[str, str]:
    """Returns the environment of a program that uses the given transport in the ROS domain of this process."""
    environment = {**os.environ, **transport_environment(transport)}
    return {name: value for name, value in environment.items() if value is not None}


def _peer(python: list[str], environment: Mapping[str, str], *arguments: str) -> subprocess.Popen[str]:
    words = [*python, str(PEER), *arguments]
    return subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
