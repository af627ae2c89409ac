"""A source's subscription: always, or only while somebody wants it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.subscription import Subscription

from reachy_agent_ros.core.pace import Pace
from reachy_agent_ros.gateway.event_hub import Event
from reachy_agent_ros.ros.gateway.source import Source
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD


class SourceSubscription:
    """Turns the messages of a topic into events.

    Args:
        node: Whose executor spins in another thread.
        source: What to subscribe.
        publish: Takes the events, in the executor's thread.
    """

    def __init__(self, node: AgentNode, source: Source, publish: Callable[[Event], None]) -> None:
        self._node = node
        self._source = source
        self._publish = publish
        self._pace = Pace(source.period)
        self._subscription: Subscription[Any] | None = None
        self._switch(not source.stream)

    def switch(self, wanted: bool) -> None:
        """Begins or ends to listen, from any thread."""
        self._node.in_executor(self._switch, wanted)  # which may be looking at its subscriptions now

    def _switch(self, wanted: bool) -> None:
        if wanted and self._subscription is None:
            profile = LATCHED if self._source.latched else STANDARD
            self._subscription = self._node.create_subscription(
                self._source.type, self._source.topic, self._receive, profile
            )
        elif not wanted and self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def _receive(self, message: Any) -> None:
        if self._pace.is_due():
            self._publish(Event(self._source.kind, self._source.data(message)))
