"""ROS interface through which the agent uses tools, speech and the robot."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from rclpy.node import Node
from reachy_agent_msgs.action import ExecuteTool, Say
from reachy_agent_msgs.msg import ToolCatalogue
from std_srvs.srv import Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.decision import HALTS
from reachy_agent_ros.ros.client.emergency_stop import OthersStopWatch, confirmed
from reachy_agent_ros.ros.client.graph_tools import usable_tools
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, error_of
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.tools.protocol.tools import Report, ToolCall, ToolDescription, ToolOutcome

CALL_MARGIN = 2.0
"""Margin added to a tool's own time limit, after which the call times out here, s."""

UNKNOWN_TOOL_TIMEOUT = 10.0
"""Time limit for a call to a tool that is not in the catalog, s. The server rejects such a call."""

SPEECH_TIMEOUT = 15.0
SPEECH_TIMEOUT_PER_CHARACTER = 0.2
"""Time limit for speaking a clause, s. Far above the slowest voice, because another clause may be ahead of it."""


class RosSurroundings:
    """Access to tools, speech and the robot over ROS. Implements `agent.robot_interface.RobotInterface`.

    Args:
        node: Calling node. Its executor must be spinning in another thread.
        on_tools: Called for each received catalog, in the executor.
        on_hold: Called when another client stops the robot, in the executor.


    Attributes:
        tool_server: Heartbeat monitor of the node that runs the tools.
    """

    def __init__(self, node: Node, on_tools: Callable[[], None], on_hold: Callable[[], None]) -> None:
        self._caller = node.get_name()
        self._on_tools = on_tools
        self._tools: tuple[ToolDescription, ...] = ()
        self.tool_server = HeartbeatMonitor(node, names.TOOL_SERVER)
        self._execute = ActionCaller(node, ExecuteTool, names.EXECUTE_TOOL, self.tool_server)
        self._say = ActionCaller(node, Say, names.SAY, HeartbeatMonitor(node, names.TTS))
        bridge = HeartbeatMonitor(node, names.HARDWARE_BRIDGE)
        self._hold = ServiceCaller(node, Trigger, names.HOLD, bridge)
        self._others_stop_watch = OthersStopWatch(node, bridge, on_hold)
        self._subscription = node.create_subscription(ToolCatalogue, names.TOOLS, self._receive, LATCHED)

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that are currently available."""
        return self._tools

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Calls a tool. Returns the outcome, which contains any error."""
        goal = ExecuteTool.Goal(
            name=call.tool,
            arguments_json=call.arguments_json,
            caller=self._caller,
            asked_by=call.asked_by,
            turn_id=uuid_message(call.turn_id),
            approval_id=uuid_message(call.approval_id or uuid.UUID(int=0)),
        )
        limits = [tool.time_limit for tool in self._tools if tool.name == call.tool]
        timeout = (limits[0] if limits else UNKNOWN_TOOL_TIMEOUT) + CALL_MARGIN
        hear = None if call.report is None else _passed_on(call.report)
        try:
            async with self._others_stop_watch.own() if call.tool in HALTS else nullcontext():
                result = await in_thread(lambda token: self._execute.call(goal, timeout, token, hear))
        except AgentError as error:
            return ToolOutcome("{}", error)
        return ToolOutcome(result.result_json, error_of(result))

    async def hold(self) -> None:
        """Makes the robot hold its pose immediately, bypassing all queues."""
        async with self._others_stop_watch.own():
            confirmed(await in_thread(lambda _token: self._hold.call(Trigger.Request())))

    async def say(self, text: str, turn_id: uuid.UUID, voice: str = "") -> None:
        """Speaks a text and waits until it has been spoken."""
        goal = Say.Goal(text=text, voice=voice, turn_id=uuid_message(turn_id))
        timeout = SPEECH_TIMEOUT + SPEECH_TIMEOUT_PER_CHARACTER * len(text)

        await in_thread(lambda token: self._say.ask(goal, timeout, token))

    def _receive(self, catalogue: ToolCatalogue) -> None:
        self._tools = usable_tools(catalogue)
        self._on_tools()


def _passed_on(report: Report) -> Callable[[ExecuteTool.Feedback], None]:
    return lambda feedback: report(feedback.progress, feedback.status)
