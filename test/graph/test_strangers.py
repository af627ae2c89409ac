"""Whether another machine on the network can reach a topic: two network namespaces stand for two machines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from node_process import isolate
from waiting import wait_until

from reachy_agent_ros.supervision.transport import transport_environment

pytestmark = pytest.mark.graph

PEER = Path(__file__).with_name("peer.py")
ROBOT_ADDRESS = "10.77.16.1"
STRANGER_ADDRESS = "10.77.16.2"


class TwoMachines:
    """Two network namespaces joined by a cable."""

    def __init__(self) -> None:
        tag = uuid.uuid4().hex[:6]
        self.robot, self.stranger = f"robot_{tag}", f"stranger_{tag}"
        self._cable = (f"vr{tag}", f"vs{tag}")

    def connect(self) -> None:
        for namespace in (self.robot, self.stranger):
            _ip("netns", "add", namespace)
            _ip("-n", namespace, "link", "set", "lo", "up")
        ours, theirs = self._cable
        _ip("link", "add", ours, "netns", self.robot, "type", "veth", "peer", "name", theirs, "netns", self.stranger)
        ends = ((self.robot, ours, ROBOT_ADDRESS), (self.stranger, theirs, STRANGER_ADDRESS))
        for namespace, device, address in ends:
            _ip("-n", namespace, "address", "add", f"{address}/24", "dev", device)
            _ip("-n", namespace, "link", "set", device, "up")
        # DDS leaves out a device that is not running yet, and never looks again.
        wait_until(lambda: all(_is_running(namespace, device) for namespace, device, _ in ends), 10.0, "the cable")

    def remove(self) -> None:
        for namespace in (self.robot, self.stranger):
            subprocess.run(["ip", "netns", "delete", namespace], capture_output=True)

    @contextmanager
    def peer(self, machine: str, environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
        """Runs `peer.py` on a machine for the length of a `with` block."""
        command = ["ip", "netns", "exec", machine]
        command += [sys.executable, str(PEER), *arguments]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@pytest.fixture
def machines() -> Iterator[TwoMachines]:
    pair = TwoMachines()
    try:
        pair.connect()
    except (OSError, subprocess.CalledProcessError) as error:
        pair.remove()
        pytest.skip(f"network namespaces are not allowed here: {error}")
    yield pair
    pair.remove()


@pytest.mark.parametrize(("transport", "reached"), [("network", True), ("loopback", False)])
def test_a_stranger_reaches_a_topic_only_where_the_graph_was_opened(machines, tmp_path, transport, reached):
    isolate(tmp_path)
    with (
        machines.peer(machines.robot, _joining(transport), "listen", "own" if not reached else "evil") as robot,
        machines.peer(machines.robot, _joining(transport), "send", "own"),
        machines.peer(machines.stranger, _attacking(), "send", "evil"),
    ):
        counts = json.loads(robot.communicate(timeout=60.0)[0])
    assert (counts["evil"] > 0) is reached


def _joining(transport: str) -> dict[str, str]:
    environment = {**os.environ, **transport_environment(transport)}
    return {name: value for name, value in environment.items() if value is not None}


def _attacking() -> dict[str, str]:
    """What a stranger would use who knows the robot's address and its domain."""
    return {**_joining("network"), "ROS_STATIC_PEERS": ROBOT_ADDRESS}


def _is_running(namespace: str, device: str) -> bool:
    return "state UP" in _ip("-n", namespace, "link", "show", device)


def _ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout
