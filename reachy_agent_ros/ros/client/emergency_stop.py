"""Emergency stops and holds: sends requests to the hardware bridge, and detects requests by other clients."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from rclpy.node import Node
from reachy_agent_msgs.msg import RobotState
from reachy_agent_msgs.srv import GetRobotState
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

_KNOWN = 16
"""Number of remembered stops. Messages sent before a stop may arrive after its response."""


def stop(client: GraphClient) -> str:
    """Triggers the emergency stop, and returns the bridge's message.

    The request goes directly to the bridge, bypassing the agent and all tools. The message on the topic is sent first:
    it needs no response, so it works even if the bridge cannot respond.

    Raises:
        AgentError: `SERVER_UNAVAILABLE` if the bridge does not run, or an error if it did not confirm the stop.
    """
    publisher = client.node.create_publisher(Bool, names.EMERGENCY_STOP, STANDARD)
    deadline = Deadline(client.patience)
    while publisher.get_subscription_count() == 0:
        if deadline.passed:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, client.absence(names.HARDWARE_BRIDGE))
        client.pause()
    publisher.publish(Bool(data=True))
    return _call(client, names.EMERGENCY_STOP)


def reset(client: GraphClient) -> str:
    """Resets the emergency stop, and returns the bridge's message.

    Raises:
        AgentError: The bridge did not confirm the reset.
    """
    return _call(client, names.RESET_EMERGENCY_STOP)


class Hold:
    """Client of the hold service, which stops the robot without a latch, and ends queued motions, turns and calls.

    Args:
        node: Calling node, created early so that it has already discovered the bridge when it is needed.
    """

    def __init__(self, node: Node) -> None:
        self._caller = ServiceCaller(node, Trigger, names.HOLD, HeartbeatMonitor(node, names.HARDWARE_BRIDGE))

    def call(self) -> str:
        """Stops the robot and returns the bridge's message.

        Raises:
            AgentError: The bridge does not run, or did not confirm the stop.
        """
        return confirmed(self._caller.call(Trigger.Request()))


def confirmed(answer: Trigger.Response) -> str:
    """Returns the message of a response. Raises an error if the stop, hold or reset has not reached the robot.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if it has not reached the robot.
    """
    if not answer.success:
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, answer.message)
    return str(answer.message)


class EmergencyStopWatch:
    """Detects emergency stops by any client, as reported by the bridge. Holds do not count.

    Args:
        node: Node that subscribes. Its executor runs the callback.
        stopped: Called for a new emergency stop. Stops before the start of the node do not count.
    """

    def __init__(self, node: Node, stopped: Callable[[], None]) -> None:
        self._stopped = stopped
        self._latched = True
        self._subscription = node.create_subscription(RobotState, names.ROBOT_STATE, self._look, LATCHED)

    def _look(self, state: RobotState) -> None:
        before, self._latched = self._latched, state.emergency_stopped
        if self._latched and not before:
            self._stopped()


class OthersStopWatch:
    """Detects emergency stops and holds by other clients, and ignores those within `own`.

    A node that also must react to an emergency stop during its own stop has an `EmergencyStopWatch` as well.

    Args:
        node: Node that subscribes. Its executor runs the callback.
        bridge: Heartbeat monitor of the bridge, created on that node.
        stopped: Called for an emergency stop or hold by another client.
    """

    def __init__(self, node: Node, bridge: HeartbeatMonitor, stopped: Callable[[], None]) -> None:
        self._stopped = stopped
        self._lock = threading.Lock()
        self._known: deque[int] = deque([0], maxlen=_KNOWN)
        self._begun = False
        self._own = 0
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._subscription = node.create_subscription(RobotState, names.ROBOT_STATE, self._look, LATCHED)

    @asynccontextmanager
    async def own(self) -> AsyncIterator[None]:
        """Marks stops within the `with` block as the node's own. The watch reports only stops by others."""
        with self._lock:
            self._own += 1
        try:
            yield
            with suppress(
                AgentError
            ):  # without a response, the next state counts as another client's stop, which ends more
                state = await in_thread(lambda token: self._state.call(GetRobotState.Request(), cancel=token))
                self._learn(state.state.last_stop)
        finally:
            with self._lock:
                self._own -= 1

    def _look(self, state: RobotState) -> None:
        with self._lock:
            known = state.last_stop in self._known or self._own > 0 or not self._begun
            self._begun = True
        self._learn(state.last_stop)
        if not known:
            self._stopped()

    def _learn(self, last_stop: int) -> None:
        with self._lock:
            if last_stop not in self._known:
                self._known.append(last_stop)


def _call(client: GraphClient, service: str) -> str:
    caller = ServiceCaller(client.node, Trigger, service, client.watch(names.HARDWARE_BRIDGE))
    return confirmed(caller.call(Trigger.Request()))
