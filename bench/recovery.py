"""What a killed node costs: its absence, the goal it served, and the motion it commanded.

Run with nothing else running: `reachy-agent bench recovery`, about five minutes.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator

from geometry_msgs.msg import PoseStamped
from reachy_agent_msgs.action import ExecuteTool

from bench.report import Figure, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, angle_between
from reachy_agent_ros.nodes.calls import ActionCaller
from reachy_agent_ros.nodes.client import GraphClient
from reachy_agent_ros.nodes.convert import transform_from_pose
from reachy_agent_ros.nodes.heartbeat import HeartbeatWatch
from reachy_agent_ros.nodes.qos import STANDARD
from reachy_agent_ros.supervision.supervised_process import SETTLED

NODES = (names.HARDWARE_BRIDGE, names.CAMERA, names.VISION, names.STT, names.TTS, names.TOOL_SERVER, names.AGENT)
REPETITIONS = 3
PATIENCE = 30.0  # s
MOVING = 0.01  # rad between two samples of the pose, 20 ms apart: half a radian a second
LONG_DANCE = "interwoven_spirals"


def main(as_json: bool) -> int:
    """Kills every node of a graph of its own, several times. Returns 0 whatever the figures say."""
    with running_graph() as (client, _):
        figures = [*absences(client), goal_failure(client), hold(client)]
    print_report("recovery", figures, as_json)
    return 0


def absences(client: GraphClient) -> Iterator[Figure]:
    """From SIGKILL to the next READY heartbeat, the worst of several."""
    for name in NODES:
        watch = client.watch(name)
        worst = max(_absence(watch) for _ in range(REPETITIONS))
        yield Figure(f"{name}: SIGKILL to ready again, worst of {REPETITIONS}", worst, "s", 3.0)


def _absence(watch: HeartbeatWatch) -> float:
    seconds = Kill(watch).await_return()
    time.sleep(SETTLED + 1.0)  # the supervisor delays the restart of what fails again and again
    return seconds


def goal_failure(client: GraphClient) -> Figure:
    """From the bridge's death to the error of a tool call that was moving it."""
    killed, told = killed_in_motion(client, names.HARDWARE_BRIDGE)
    return Figure("bridge killed: the goal it served ends in an error", told - killed, "s", 1.0)


def hold(client: GraphClient) -> Figure:
    """From the death of the node that commands to the head's standing still."""
    motion = LastMotion(client)
    killed, _ = killed_in_motion(client, names.TOOL_SERVER)
    return Figure("commander killed: the head stands still", max(0.0, motion.last - killed), "s", 0.5)


class LastMotion:
    """Remembers when the measured head last moved."""

    def __init__(self, client: GraphClient) -> None:
        self.last = float("-inf")
        self._pose: Matrix | None = None
        client.node.create_subscription(PoseStamped, names.HEAD_POSE, self._receive, STANDARD)

    def _receive(self, message: PoseStamped) -> None:
        pose = transform_from_pose(message.pose)
        if self._pose is not None and angle_between(self._pose, pose) > MOVING:
            self.last = time.monotonic()
        self._pose = pose


def killed_in_motion(client: GraphClient, victim: str) -> tuple[float, float]:
    """Kills a node a second into a dance, and waits for its return.

    Returns:
        When it was killed, and when the dance's caller was told, s on the steady clock.
    """
    caller = ActionCaller(client.node, ExecuteTool, names.EXECUTE_TOOL, client.watch(names.TOOL_SERVER))
    watch = client.watch(victim)
    kills: list[Kill] = []
    threading.Timer(1.0, lambda: kills.append(Kill(watch))).start()
    goal = ExecuteTool.Goal(name="dance", arguments_json=json.dumps({"dance": LONG_DANCE}), caller="bench")
    try:
        result = caller.call(goal, PATIENCE)
        assert result.error_code != 0, "the dance was over before the node was killed"
    except AgentError as error:
        if error.code is not ErrorCode.SERVER_LOST:
            raise
    told = time.monotonic()
    kills[0].await_return()
    return kills[0].time, told


class Kill:
    """A node killed now.

    Args:
        watch: Of the node.
    """

    def __init__(self, watch: HeartbeatWatch) -> None:
        assert watch.last is not None
        self._watch = watch
        self._pid = watch.last.pid
        os.kill(self._pid, signal.SIGKILL)
        self.time = time.monotonic()

    def await_return(self) -> float:
        """Waits until another process of that name is ready. Returns the seconds since the kill."""
        end = self.time + PATIENCE
        while not (self._watch.ready and self._watch.last is not None and self._watch.last.pid != self._pid):
            assert time.monotonic() < end, f"{self._watch.name} did not come back within {PATIENCE} s"
            time.sleep(0.01)
        return time.monotonic() - self.time
