"""The body over ROS: what is measured now, and the stop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.msg import RobotState
from reachy_agent_msgs.srv import GetRobotState
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.ports.state import BodyState
from reachy_agent_ros.ros.client.emergency_stop import confirmed
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.ros.tool_server.ros_body import ACTIVITIES, MOTORS

STOPS = 8
"""Threads of their own, because turns and tools that wait could use up the others."""


class RosBody:
    """Implements `gateway.ports.body.Body`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        bridge = watches.of(names.HARDWARE_BRIDGE)
        voice = watches.of(names.TTS)
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._stop = ServiceCaller(node, Trigger, names.EMERGENCY_STOP, bridge)
        self._silence = ServiceCaller(node, Trigger, names.STOP_SPEAKING, voice)
        self._reset = ServiceCaller(node, Trigger, names.RESET_EMERGENCY_STOP, bridge)
        self._stops = node.create_publisher(Bool, names.EMERGENCY_STOP, STANDARD)
        self._voice = voice
        self._workers = ThreadPoolExecutor(STOPS, thread_name_prefix="stop")
        self._asked: asyncio.Task[BodyState] | None = None

    async def state(self) -> BodyState:
        """What is measured now; who asks while an answer is under way gets the same one."""
        if self._asked is None or self._asked.done():
            self._asked = asyncio.ensure_future(self._measure())
        return await asyncio.shield(self._asked)

    async def stop(self) -> BodyState:
        """Stops everything that moves or speaks or is about to, and latches.

        The topic comes first: it needs no answer, so it works where the bridge still listens but no longer answers.
        The agent and the tools end what they do when they see that the robot was stopped, so nothing waits for them.
        """
        self._stops.publish(Bool(data=True))
        silence = (
            asyncio.ensure_future(self._in_thread(self._silence, Trigger.Request())) if self._voice.alive else None
        )
        try:
            await self._answered(self._stop)
            return await self._measure()
        finally:
            if silence is not None:
                await asyncio.wait({silence})
                silence.exception()  # a voice that has just died is silent

    async def reset(self) -> BodyState:
        """Lets the robot move again."""
        await self._answered(self._reset)
        return await self._measure()

    async def _measure(self) -> BodyState:
        answer = await self._in_thread(self._state, GetRobotState.Request())
        if answer.error_code != ErrorCode.NONE:
            raise AgentError(ErrorCode(answer.error_code), answer.error_msg)
        return _told(answer)

    async def _answered(self, caller: ServiceCaller) -> None:
        confirmed(await self._in_thread(caller, Trigger.Request()))

    async def _in_thread(self, caller: ServiceCaller, request: Any) -> Any:
        return await in_thread(lambda token: caller.call(request, cancel=token), self._workers)


def _told(answer: Any) -> BodyState:
    state: RobotState = answer.state
    return BodyState(
        stamp=seconds_of(state.header.stamp),
        head_pose=tuple(transform_from_pose(state.head_pose).ravel().tolist()),
        body_yaw=state.body_yaw,
        antennas=(state.antenna_right, state.antenna_left),
        activity=ACTIVITIES[state.activity],
        motors=MOTORS[state.motor_mode],
        connected=state.connected,
        simulated=state.simulated,
        emergency_stopped=state.emergency_stopped,
        stop_reason=state.stop_reason,
        commander=state.commander,
    )
