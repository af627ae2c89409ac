"""Topic and services for timers, alarms and reminders."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import partial
from typing import Any

from reachy_agent_msgs.msg import ScheduleEntry, ScheduleEntryList
from reachy_agent_msgs.srv import AddScheduleEntry, CancelScheduleEntry

from reachy_agent_ros.agent.robot_agent import RobotAgent
from reachy_agent_ros.agent.schedule.entry import ElapsedTime, Entry, EntryKind
from reachy_agent_ros.agent.schedule.time_request import worded_entry
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, stamp_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService


class ScheduleServices:
    """Publishes the schedule, and serves requests to add and cancel entries on the agent's event loop.

    Args:
        node: Node that publishes and serves.
        agent: Agent with the schedule.
        loop: Event loop of the agent.
    """

    def __init__(self, node: AgentNode, agent: RobotAgent, loop: EventLoop) -> None:
        self._node = node
        self._agent = agent
        self._loop = loop
        self._publisher = node.create_publisher(ScheduleEntryList, names.SCHEDULE, LATCHED)
        served: tuple[tuple[type, str, Callable[[Any], Coroutine[Any, Any, Any]]], ...] = (
            (AddScheduleEntry, names.ADD_SCHEDULE_ENTRY, self._add),
            (CancelScheduleEntry, names.CANCEL_SCHEDULE_ENTRY, self._cancel),
        )
        self._services = [SlowService(node, kind, name, partial(self._submit, work)) for kind, name, work in served]
        self.publish()

    def publish(self) -> None:
        """Publishes the ringing and the pending entries."""
        ringing = [entry_message(entry, ringing=True) for entry in self._agent.announcer.ringing]
        pending = [entry_message(entry) for entry in self._agent.schedule.entries()]
        self._publisher.publish(ScheduleEntryList(header=self._node.header(), entries=[*ringing, *pending]))

    def _submit(self, work: Callable[[Any], Coroutine[Any, Any, Any]], request: Any) -> Future[Any]:
        return self._loop.submit(work(request))

    async def _add(self, request: AddScheduleEntry.Request) -> AddScheduleEntry.Response:
        if request.kind not in iter(EntryKind):
            message = f"Invalid kind {request.kind}: expected 0 to {max(EntryKind)}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        schedule = self._agent.schedule
        entry = worded_entry(EntryKind(request.kind), request.text, request.time, request.language, schedule)
        stored = await asyncio.to_thread(schedule.add, entry)
        return AddScheduleEntry.Response(entry=entry_message(stored))

    async def _cancel(self, request: CancelScheduleEntry.Request) -> CancelScheduleEntry.Response:
        if any(entry.identity == request.id for entry in self._agent.announcer.ringing):
            self._agent.announcer.stop_ringing()
            pending = [entry.identity for entry in self._agent.schedule.entries()]
            if request.id not in pending:  # otherwise, its repetitions are canceled too
                return CancelScheduleEntry.Response()
        await asyncio.to_thread(self._agent.schedule.cancel, [request.id])
        return CancelScheduleEntry.Response()


def entry_message(entry: Entry, ringing: bool = False) -> ScheduleEntry:
    """Returns the message for an entry of the schedule."""
    message = ScheduleEntry(
        id=entry.identity,
        kind=int(entry.kind),
        text=entry.text,
        language=entry.language,
        due=stamp_message(entry.wall_due),
        ringing=ringing,
    )
    if isinstance(entry.time, ElapsedTime):
        message.duration = duration_message(entry.time.duration)
    else:
        message.time_zone, message.rrule = entry.time.zone, entry.time.rrule
    return message
