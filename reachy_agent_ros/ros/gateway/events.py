"""What happens in the graph, from its topics to those who watch the gateway."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import asdict

from reachy_agent_msgs.msg import (
    AgentState,
    ApprovalList,
    Attention,
    BargeIn,
    DetectionArray,
    FaceTarget,
    GrantList,
    Lesson,
    MotionReport,
    Plan,
    Reply,
    Reward,
    RobotState,
    SpeakingState,
    SpeechActivity,
    ToolCatalogue,
    TrainingStatus,
    Transcript,
    TurnTrace,
)
from sensor_msgs.msg import JointState

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.gateway.event_hub import Event, EventHub
from reachy_agent_ros.gateway.ports.health import Health
from reachy_agent_ros.ros.gateway.source import Source, joint_positions
from reachy_agent_ros.ros.gateway.source_subscription import SourceSubscription
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode

ALIVE_PERIOD = 1.0
"""Seconds between two signs of life, by which a page knows that what it shows is fresh."""

HEALTH_PERIOD = 1.0

POSE_PERIOD = 1.0 / 15.0
"""Seconds; the bridge measures at 100 Hz."""

SOURCES = (
    Source("state", RobotState, names.ROBOT_STATE, latched=True),
    Source("agent", AgentState, names.AGENT_STATE, latched=True),
    Source("speaking", SpeakingState, names.SPEAKING_STATE, latched=True),
    Source("attention", Attention, names.ATTENTION, latched=True),
    Source("approvals", ApprovalList, names.APPROVALS, latched=True),
    Source("grants", GrantList, names.GRANTS, latched=True),
    Source("plan", Plan, names.PLAN, latched=True),
    Source("tools", ToolCatalogue, names.TOOLS, latched=True),
    Source("training", TrainingStatus, names.TRAINING_STATUS, latched=True),
    Source("transcript", Transcript, names.TRANSCRIPT),
    Source("barge_in", BargeIn, names.BARGE_IN),
    Source("reply", Reply, names.REPLY),
    Source("trace", TurnTrace, names.TURN_TRACE),
    Source("motion_report", MotionReport, names.MOTION_REPORTS),
    Source("reward", Reward, names.REWARD),
    Source("lesson", Lesson, names.LESSONS),
    # Who sends these works for it only while somebody listens, or sends often.
    Source("pose", JointState, names.JOINT_STATES, stream=True, period=POSE_PERIOD, data=joint_positions),
    Source("detections", DetectionArray, names.DETECTIONS, stream=True),
    Source("face", FaceTarget, names.FACE_TARGET, stream=True),
    Source("speech_activity", SpeechActivity, names.SPEECH_ACTIVITY, stream=True),
)


class RosEvents:
    """Publishes messages as events, the graph's health while somebody watches it, and signs of life.

    Args:
        node: Whose executor spins in another thread.
        hub: Where the events go, in its event loop's thread.
        call: Calls a function in that thread.
        health: Looked at once a second while somebody wants it.
    """

    def __init__(self, node: AgentNode, hub: EventHub, call: Callable[..., None], health: Health) -> None:
        self._hub = hub
        self._call = call
        self._health = health
        self._looking: asyncio.Task[None] | None = None
        for source in SOURCES:
            subscription = SourceSubscription(node, source, self._publisher(source.latched))
            if source.stream:
                hub.add_stream(source.kind, subscription.switch)
        hub.add_stream("health", self._switch_health)
        node.every(ALIVE_PERIOD, self._live)

    def _publisher(self, present: bool) -> Callable[[Event], None]:
        return lambda event: self._call(self._pass_on, event, present)

    def _pass_on(self, event: Event, present: bool) -> None:
        self._hub.publish(event, present=present)

    def _live(self) -> None:
        self._call(self._pass_on, Event("alive", {"stamp": time.time()}), True)

    def _switch_health(self, wanted: bool) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._looking = asyncio.ensure_future(self._look()) if wanted else None

    async def _look(self) -> None:
        while True:
            try:
                self._hub.publish(Event("health", asdict(await self._health.report())))
            except AgentError as error:
                self._hub.publish(Event("problem", {"detail": error.message}))
            await asyncio.sleep(HEALTH_PERIOD)
