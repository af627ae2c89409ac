"""Schedule of the agent over ROS."""

from __future__ import annotations

from rclpy.node import Node
from reachy_agent_msgs.msg import ScheduleEntryList
from reachy_agent_msgs.srv import AddScheduleEntry, CancelScheduleEntry

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.models.schedule import KINDS, ScheduleAnswer, ScheduleEntryData, ScheduleRequest
from reachy_agent_ros.ros.gateway.node_calls import ask
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import message_json
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED


class RosSchedule:
    """Implements `gateway.models.schedule.ScheduleService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._agent = watches.of(names.AGENT)
        self._add = ServiceCaller(node, AddScheduleEntry, names.ADD_SCHEDULE_ENTRY, self._agent)
        self._cancel = ServiceCaller(node, CancelScheduleEntry, names.CANCEL_SCHEDULE_ENTRY, self._agent)
        self._latest: ScheduleEntryList | None = None
        node.create_subscription(ScheduleEntryList, names.SCHEDULE, self._keep, LATCHED)

    async def entries(self) -> ScheduleAnswer:
        """Returns the ringing and the pending entries."""
        if self._latest is None or not self._agent.alive:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{self._agent.name} is not running or has just started.")
        return ScheduleAnswer.model_validate(message_json(self._latest))

    async def add(self, request: ScheduleRequest) -> ScheduleEntryData:
        """Adds an entry."""
        message = AddScheduleEntry.Request(
            kind=int(KINDS[request.kind]), text=request.text, time=request.time, language=request.language
        )
        answer = await ask(self._add, message)
        return ScheduleEntryData.model_validate(message_json(answer.entry))

    async def cancel(self, identity: int) -> None:
        """Cancels an entry with its repetitions, and ends its ringing."""
        await ask(self._cancel, CancelScheduleEntry.Request(id=identity))

    def _keep(self, message: ScheduleEntryList) -> None:
        self._latest = message
