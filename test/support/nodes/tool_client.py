"""Client of the tool server."""

from __future__ import annotations

import json
import math
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import RobotState
from reachy_agent_msgs.srv import GetRobotState

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, transform_from_pose, uuid_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.nodes.node_process import Ros
from support.nodes.observed_calls import ActionCaller, ServiceCaller
from support.waiting import wait_until

NEAR = 4.0
"""Steady-state error of the simulated head because of joint friction, degrees."""

STILL = 0.3
"""Range of the yaw of a head at rest, degrees."""

SAMPLES = 20
"""Number of successive measurements of a head at rest."""


@dataclass
class ToolClient:
    """Client that calls tools. It also observes the robot independently of the tools."""

    ros: Ros

    def __post_init__(self) -> None:
        node = self.ros.node
        self.server = HeartbeatMonitor(node, names.TOOL_SERVER)
        self.bridge = HeartbeatMonitor(node, names.HARDWARE_BRIDGE)
        self.tools = ActionCaller(node, ExecuteTool, names.EXECUTE_TOOL, self.server)
        self.states = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, self.bridge)
        self.workers = ThreadPoolExecutor(32)

    def wait_joined(self) -> None:
        """Waits until this client, the tool server and the bridge have discovered each other."""
        wait_until(lambda: self.server.ready and self.bridge.ready, "the nodes' heartbeats")
        wait_until(lambda: self.run("get_robot_state").error_code == ErrorCode.NONE, "a tool that works")

    def run(self, name: str, arguments_json: str = "", **call: Any) -> Any:
        allowance = duration_message(call.pop("time_allowance", 0.0))
        approval_id = uuid_message(call.pop("approval_id", uuid.UUID(int=0)))
        goal = ExecuteTool.Goal(
            name=name,
            arguments_json=arguments_json,
            caller=call.pop("caller", ""),
            time_allowance=allowance,
            approval_id=approval_id,
        )
        return self.tools.call(goal, timeout=30.0, **call)

    def result(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        answer = self.run(name, json.dumps(arguments))
        assert answer.error_code == ErrorCode.NONE, answer.error_msg
        result: dict[str, Any] = json.loads(answer.result_json)
        return result

    def start(self, name: str, cancel: CancelToken | None = None, **arguments: Any) -> Future[Any]:
        return self.workers.submit(self.run, name, json.dumps(arguments), cancel=cancel)

    def act(self, action_type: Any, name: str, goal: Any, **call: Any) -> Any:
        return ActionCaller(self.ros.node, action_type, name, self.server).call(goal, timeout=30.0, **call)

    def state(self) -> RobotState:
        return self.states.call(GetRobotState.Request()).state

    def yaw(self) -> float:
        """Returns the measured yaw of the head in degrees."""
        return math.degrees(rpy_from_matrix(transform_from_pose(self.state().head_pose))[2])

    def moving(self) -> bool:
        return bool(self.state().activity == RobotState.MOVING)

    def at_rest_facing(self, yaw: float) -> None:
        self.result("move_head", yaw_deg=yaw)
        seen = [self.yaw()]

        def rests() -> bool:
            seen.append(self.yaw())
            latest = seen[-SAMPLES:]
            is_still = len(latest) == SAMPLES and max(latest) - min(latest) < STILL
            return is_still and not self.moving() and abs(seen[-1] - yaw) < NEAR

        wait_until(rests, f"the head to rest at {yaw} deg")
