"""Recovery after a node is killed: time until the node is ready, its goal has failed, and its motion has stopped.

Run `reachy-agent bench recovery` with nothing else running. It takes a minute for two kills of each node, with `--full`
five for three kills of each and a longer rest after each.
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
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.supervision.supervised_process import SETTLED

NODES = (names.HARDWARE_BRIDGE, names.CAMERA, names.VISION, names.STT, names.TTS, names.TOOL_SERVER, names.AGENT)
REPETITIONS, SHORT_REPETITIONS = 3, 2
SHORT_REST = 2.0  # s between two kills; a node is killed again only after all others, so it has settled
PATIENCE = 30.0  # s
MOVING = 0.01  # rad between two samples of the pose, 20 ms apart: 0.5 rad/s
LONG_DANCE = "interwoven_spirals"


def main(as_json: bool, full: bool = False) -> int:
    """Kills every node of a graph several times. Always returns exit code 0."""
    with running_graph() as (client, _):
        figures = [*absences(client, full), goal_failure(client), hold(client)]
    print_report("recovery", figures, as_json)
    return 0


def absences(client: GraphClient, full: bool) -> Iterator[Figure]:
    """Measures the worst time from SIGKILL to the next READY heartbeat.

    Args:
        client: Client in the graph.
        full: Whether to kill each node three times, and to let the graph settle after each.
    """
    repetitions = REPETITIONS if full else SHORT_REPETITIONS
    rest = SETTLED + 1.0 if full else SHORT_REST
    times: dict[str, list[float]] = {name: [] for name in NODES}
    for _ in range(repetitions):
        for name in NODES:
            times[name].append(Kill(client.watch(name)).await_return())
            time.sleep(rest)
    for name in NODES:
        yield Figure(f"{name}: SIGKILL to ready again, worst of {repetitions}", max(times[name]), "s", 3.0)


def goal_failure(client: GraphClient) -> Figure:
    """Measures the time from the death of the bridge to the error of the tool call that was moving the robot."""
    killed, told = killed_in_motion(client, names.HARDWARE_BRIDGE)
    return Figure("bridge killed: the goal it served ends in an error", told - killed, "s", 1.0)


def hold(client: GraphClient) -> Figure:
    """Measures the time from the death of the commanding node until the head stands still."""
    motion = LastMotion(client)
    killed, _ = killed_in_motion(client, names.TOOL_SERVER)
    return Figure("commander killed: the head stands still", max(0.0, motion.last - killed), "s", 0.5)


class LastMotion:
    """Recorder of the time of the last measured head motion."""

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
    """Kills a node 1 s after the start of a dance, and waits until the node is ready again.

    Returns:
        Times of the kill and of the result of the dance by the steady clock, s.
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
    """Kill of a node with SIGKILL. The constructor kills the node and records the time.

    Args:
        watch: Watch of the node.
    """

    def __init__(self, watch: HeartbeatMonitor) -> None:
        assert watch.last is not None
        self._watch = watch
        self._pid = watch.last.pid
        os.kill(self._pid, signal.SIGKILL)
        self.time = time.monotonic()

    def await_return(self) -> float:
        """Waits until a new process of the node is ready. Returns the time (s) since the kill."""
        end = self.time + PATIENCE
        while not (self._watch.ready and self._watch.last is not None and self._watch.last.pid != self._pid):
            assert time.monotonic() < end, f"{self._watch.name} did not come back within {PATIENCE} s"
            time.sleep(0.01)
        return time.monotonic() - self.time
