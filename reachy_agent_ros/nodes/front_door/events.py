"""What happens in the graph, from its topics to those who watch the gateway."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.msg import (
    AgentState,
    ApprovalList,
    DetectionArray,
    Lesson,
    Plan,
    Reply,
    Reward,
    RobotState,
    SpeakingState,
    ToolCatalogue,
    TrainingStatus,
    Transcript,
    TurnTrace,
)

from reachy_agent_ros.core import names
from reachy_agent_ros.gateway.event_hub import Event, EventHub
from reachy_agent_ros.nodes.message_json import message_json
from reachy_agent_ros.nodes.qos import LATCHED, STANDARD


@dataclass(frozen=True)
class Source:
    """A topic whose messages are events.

    Attributes:
        kind: Of the events.
        type: Of the messages.
        topic: Relative to the namespace.
        latched: Whether they tell a present state.
    """

    kind: str
    type: type
    topic: str
    latched: bool = False


SOURCES = (
    Source("state", RobotState, names.ROBOT_STATE, latched=True),
    Source("agent", AgentState, names.AGENT_STATE, latched=True),
    Source("speaking", SpeakingState, names.SPEAKING_STATE, latched=True),
    Source("approvals", ApprovalList, names.APPROVALS, latched=True),
    Source("plan", Plan, names.PLAN, latched=True),
    Source("tools", ToolCatalogue, names.TOOLS, latched=True),
    Source("training", TrainingStatus, names.TRAINING_STATUS, latched=True),
    Source("transcript", Transcript, names.TRANSCRIPT),
    Source("reply", Reply, names.REPLY),
    Source("trace", TurnTrace, names.TURN_TRACE),
    Source("detections", DetectionArray, names.DETECTIONS),
    Source("reward", Reward, names.REWARD),
    Source("lesson", Lesson, names.LESSONS),
)


class RosEvents:
    """Subscribes the topics and publishes their messages as events.

    Args:
        node: Whose executor spins in another thread.
        hub: Where the events go, in its event loop's thread.
        call: Calls a function in that thread.
    """

    def __init__(self, node: Node, hub: EventHub, call: Callable[..., None]) -> None:
        self._hub = hub
        self._call = call
        self._subscriptions = [
            node.create_subscription(
                source.type, source.topic, self._publisher(source), LATCHED if source.latched else STANDARD
            )
            for source in SOURCES
        ]

    def _publisher(self, source: Source) -> Callable[[Any], None]:
        def publish(message: Any) -> None:
            event = Event(source.kind, message_json(message))
            self._call(self._pass_on, event, source.latched)

        return publish

    def _pass_on(self, event: Event, present: bool) -> None:
        self._hub.publish(event, present=present)
