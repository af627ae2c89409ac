"""State of the robot and emergency stop, over ROS."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.msg import RobotState
from reachy_agent_msgs.srv import GetRobotState
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from reachy_agent_ros.agent.permissions.stop_audit import StopAudit
from reachy_agent_ros.core import names
from reachy_agent_ros.gateway.models.robot import StateAnswer
from reachy_agent_ros.ros.client.emergency_stop import confirmed
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.ros.tool_server.ros_body import ACTIVITIES, MOTORS

_STOPS = 8
"""Number of threads reserved for calls to the bridge, because waiting turns and tools could use up the shared pool."""


class RosRobot:
    """Implements `RobotService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
        stops: Records stops in the audit log.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, stops: StopAudit) -> None:
        self._audit = stops
        bridge = watches.of(names.HARDWARE_BRIDGE)
        voice = watches.of(names.TTS)
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._stop = ServiceCaller(node, Trigger, names.EMERGENCY_STOP, bridge)
        self._silence = ServiceCaller(node, Trigger, names.STOP_SPEAKING, voice)
        self._reset = ServiceCaller(node, Trigger, names.RESET_EMERGENCY_STOP, bridge)
        self._stops = node.create_publisher(Bool, names.EMERGENCY_STOP, STANDARD)
        self._voice = voice
        self._workers = ThreadPoolExecutor(_STOPS, thread_name_prefix="stop")
        self._asked: asyncio.Task[StateAnswer] | None = None

    async def state(self) -> StateAnswer:
        """Implements `RobotService.state`. Concurrent requests share one service call."""
        if self._asked is None or self._asked.done():
            self._asked = asyncio.ensure_future(self._measure())
        return await asyncio.shield(self._asked)

    async def stop(self, who: str = "") -> StateAnswer:
        """Implements `RobotService.stop`.

        The topic comes first: a message on it needs no response, so it works even if the bridge cannot respond.
        Does not wait for the agent and the tool server, which end their work when they see the stop.
        """
        self._stops.publish(Bool(data=True))
        if who:
            self._audit.note(who, "HTTP")
        silence = (
            asyncio.ensure_future(self._in_thread(self._silence, Trigger.Request())) if self._voice.alive else None
        )
        try:
            await self._call_trigger(self._stop)
            return await self._measure()
        finally:
            if silence is not None:
                await asyncio.wait({silence})
                silence.exception()  # a `tts` that has just ended is silent

    async def reset(self) -> StateAnswer:
        """Implements `RobotService.reset`."""
        await self._call_trigger(self._reset)
        return await self._measure()

    async def _measure(self) -> StateAnswer:
        answer = require_success(await self._in_thread(self._state, GetRobotState.Request()))
        return _state_answer(answer)

    async def _call_trigger(self, caller: ServiceCaller) -> None:
        confirmed(await self._in_thread(caller, Trigger.Request()))

    async def _in_thread(self, caller: ServiceCaller, request: Any) -> Any:
        return await in_thread(lambda token: caller.call(request, cancel=token), self._workers)


def _state_answer(answer: Any) -> StateAnswer:
    state: RobotState = answer.state
    return StateAnswer(
        stamp=seconds_of(state.header.stamp),
        head_pose=transform_from_pose(state.head_pose).ravel().tolist(),
        body_yaw=state.body_yaw,
        antennas=[state.antenna_right, state.antenna_left],
        activity=ACTIVITIES[state.activity],
        motors=MOTORS[state.motor_mode],
        connected=state.connected,
        simulated=state.simulated,
        emergency_stopped=state.emergency_stopped,
        stop_reason=state.stop_reason,
        commander=state.commander,
    )
