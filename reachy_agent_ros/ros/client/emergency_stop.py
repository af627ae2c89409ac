"""Emergency stops and holds: asking the bridge for one from anywhere, and noticing that somebody else did."""

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
"""Stops that are known to have been seen: messages from before a stop may arrive after its answer."""


def stop(client: GraphClient) -> str:
    """Stops the robot and keeps it stopped. Returns what the bridge answers.

    It goes straight to the bridge, so that neither the agent nor any tool has a say in it, and by topic first: that
    needs no answer, so it works where the bridge still listens but no longer answers.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: nobody listens; else the bridge did not confirm it.
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
    """Lets the robot move again. Returns what the bridge answers.

    Raises:
        AgentError: The bridge did not confirm it.
    """
    return _call(client, names.RESET_EMERGENCY_STOP)


def confirmed(answer: Trigger.Response) -> str:
    """What the bridge says of a stop, a hold or a reset that reached the robot.

    Raises:
        AgentError: `ROBOT_DISCONNECTED`: it did not reach the robot.
    """
    if not answer.success:
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, answer.message)
    return str(answer.message)


class StopWatch:
    """Tells of every emergency stop, whoever asked for it; the bridge itself confirms it.

    Args:
        node: Whose executor runs the callback.
        stopped: Called when the robot has just been stopped. A stop that holds already when the node starts is none.
    """

    def __init__(self, node: Node, stopped: Callable[[], None]) -> None:
        self._stopped = stopped
        self._holds = True
        self._subscription = node.create_subscription(RobotState, names.ROBOT_STATE, self._look, LATCHED)

    def _look(self, state: RobotState) -> None:
        held, self._holds = self._holds, state.emergency_stopped
        if self._holds and not held:
            self._stopped()


class HoldWatch:
    """Tells of every stop, emergency or hold, that others ask the bridge for.

    Args:
        node: Whose executor runs the callback.
        bridge: Heartbeat of the bridge, heard by that node.
        held: Called when somebody else has just stopped the robot.
    """

    def __init__(self, node: Node, bridge: HeartbeatMonitor, held: Callable[[], None]) -> None:
        self._held = held
        self._lock = threading.Lock()
        self._known: deque[int] = deque([0], maxlen=_KNOWN)
        self._begun = False
        self._own = 0
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._subscription = node.create_subscription(RobotState, names.ROBOT_STATE, self._look, LATCHED)

    @asynccontextmanager
    async def own(self) -> AsyncIterator[None]:
        """Stops in this block are the node's own, which has ended what it wants to end."""
        with self._lock:
            self._own += 1
        try:
            yield
            with suppress(
                AgentError
            ):  # without an answer the next state is taken for somebody else's stop: it ends more
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
            self._held()

    def _learn(self, last_stop: int) -> None:
        with self._lock:
            if last_stop not in self._known:
                self._known.append(last_stop)


def _call(client: GraphClient, service: str) -> str:
    caller = ServiceCaller(client.node, Trigger, service, client.watch(names.HARDWARE_BRIDGE))
    return confirmed(caller.call(Trigger.Request()))
