"""Conversion of ROS messages to events for the event stream and the voice WebSocket."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription
from reachy_agent_msgs.msg import (
    AgentState,
    ApprovalList,
    Attention,
    AudioChunk,
    BargeIn,
    DetectionArray,
    FaceTarget,
    GrantList,
    MotionReport,
    Plan,
    PolicyUpdate,
    Reply,
    Reward,
    RobotState,
    ScheduleEntryList,
    SpeakingState,
    SpeechActivity,
    ToolCatalogue,
    TrainingStatus,
    Transcript,
    TurnTrace,
)
from sensor_msgs.msg import JointState

from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Pace
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.event_hub import Event, EventHub, Watcher
from reachy_agent_ros.gateway.models.health import HealthReader
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import message_json, seconds_of, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, LATCHED, STANDARD

_ALIVE_PERIOD = 1.0
"""Period of `alive` events, which show a client that its data is current, s."""

_HEALTH_PERIOD = 1.0

_POSE_PERIOD = 1.0 / 15.0
"""Period of pose events, s; the bridge publishes at 50 Hz."""

_REJECTIONS = {
    Transcript.NOT_REJECTED: "",
    Transcript.REJECTED_NOISE: "noise",
    Transcript.REJECTED_EMPTY: "empty",
    Transcript.REJECTED_REPETITION: "repetition",
}

_HEARING = (SpeechActivity.LISTENING, SpeechActivity.ENDPOINTING)


@dataclass(frozen=True)
class _Source:
    """Topic whose messages are sent as events.

    Attributes:
        kind: Kind of the events.
        type: Message type.
        topic: Topic name, relative to the namespace.
        latched: Whether the messages describe the current state.
        stream: Whether the topic is subscribed to only while a client wants it.
        period: Minimum time between two events, s; messages in between are dropped.
        data: Returns the JSON values of a message.
    """

    kind: str
    type: type
    topic: str
    latched: bool = False
    stream: bool = False
    period: float = 0.0
    data: Callable[[Any], Mapping[str, Any]] = message_json

    @property
    def profile(self) -> QoSProfile:
        """QoS profile of the subscription."""
        return LATCHED if self.latched else STANDARD


def _joint_positions(message: JointState) -> Mapping[str, Any]:
    """Returns a map of all URDF joints to their positions (rad), and the time of the measurement."""
    joints = dict(zip(message.name, (round(angle, 5) for angle in message.position), strict=True))
    return {"stamp": seconds_of(message.header.stamp), "joints": joints}


_SOURCES = (
    _Source("state", RobotState, names.ROBOT_STATE, latched=True),
    _Source("agent", AgentState, names.AGENT_STATE, latched=True),
    _Source("speaking", SpeakingState, names.SPEAKING_STATE, latched=True),
    _Source("attention", Attention, names.ATTENTION, latched=True),
    _Source("approvals", ApprovalList, names.APPROVALS, latched=True),
    _Source("grants", GrantList, names.GRANTS, latched=True),
    _Source("schedule", ScheduleEntryList, names.SCHEDULE, latched=True),
    _Source("plan", Plan, names.PLAN, latched=True),
    _Source("tools", ToolCatalogue, names.TOOLS, latched=True),
    _Source("training", TrainingStatus, names.TRAINING_STATUS, latched=True),
    _Source("transcript", Transcript, names.TRANSCRIPT),
    _Source("barge_in", BargeIn, names.BARGE_IN),
    _Source("reply", Reply, names.REPLY),
    _Source("trace", TurnTrace, names.TURN_TRACE),
    _Source("motion_report", MotionReport, names.MOTION_REPORTS),
    _Source("reward", Reward, names.REWARD),
    _Source("policy_update", PolicyUpdate, names.POLICY_UPDATES),
    # Their publishers work only while there is a subscriber, or publish often.
    _Source("pose", JointState, names.JOINT_STATES, stream=True, period=_POSE_PERIOD, data=_joint_positions),
    _Source("detections", DetectionArray, names.DETECTIONS, stream=True),
    _Source("face", FaceTarget, names.FACE_TARGET, stream=True),
    _Source("speech_activity", SpeechActivity, names.SPEECH_ACTIVITY, stream=True),
)


class RosEvents:
    """Publishes an event for each message, `alive` every second, and the graph's health while a client watches.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        hub: Event hub, used in the thread of its event loop.
        call: Calls a function in that thread.
        health: Returns the health of the graph; called once a second while a client wants it.
        watches: Heartbeats of the other nodes.
    """

    def __init__(
        self,
        node: AgentNode,
        hub: EventHub,
        call: Callable[..., None],
        health: HealthReader,
        watches: HeartbeatWatches,
    ) -> None:
        self._hub = hub
        self._watches = [watches.of(name) for name in node_names()]
        self._call = call
        self._health = health
        self._looking: asyncio.Task[None] | None = None
        for source in _SOURCES:
            subscription = _SourceSubscription(node, source, self._publisher(source.latched))
            if source.stream:
                hub.add_stream(source.kind, subscription.switch)
        hub.add_stream("health", self._switch_health)
        node.every(_ALIVE_PERIOD, self._live)

    def _publisher(self, present: bool) -> Callable[[Event], None]:
        return lambda event: self._call(self._pass_on, event, present)

    def _pass_on(self, event: Event, present: bool) -> None:
        self._hub.publish(event, present=present)

    def _live(self) -> None:
        degraded = [watch.name for watch in self._watches if watch.degraded]
        self._call(self._pass_on, Event("alive", {"stamp": time.time(), "degraded": degraded}), True)

    def _switch_health(self, wanted: bool) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._looking = asyncio.ensure_future(self._look()) if wanted else None

    async def _look(self) -> None:
        while True:
            try:
                self._hub.publish(Event("health", (await self._health()).model_dump()))
            except AgentError as error:
                self._hub.publish(Event("problem", {"detail": error.message}))
            await asyncio.sleep(_HEALTH_PERIOD)


class DialogueEvents:
    """Events of the voice WebSocket. Subscribes only while a client watches, because audio messages are frequent.

    Args:
        node: The gateway's node, whose executor runs the callbacks.
        call: Calls a function in the event loop's thread, in the order of the calls.
    """

    def __init__(self, node: AgentNode, call: Callable[..., None]) -> None:
        self._node = node
        self._call = call
        self._hub = EventHub()
        self._subscriptions: list[Any] = []
        self._playing = self._silenced = ""
        self._told: dict[str, Any] = {}

    @contextmanager
    def watch(self) -> Iterator[Watcher]:
        """Implements `SpeechService.watch`. Call this in the event loop's thread."""
        if not self._hub.watchers:
            self._hub = EventHub()  # the states of the old hub may be outdated
            self._node.in_executor(self._join)
        try:
            with self._hub.watch() as watcher:
                yield watcher
        finally:
            if not self._hub.watchers:
                self._node.in_executor(self._leave)

    def _join(self) -> None:
        self._told = {}
        self._subscriptions += [
            self._node.create_subscription(Transcript, names.TRANSCRIPT, self._on_transcript, STANDARD),
            self._node.create_subscription(Reply, names.REPLY, self._on_reply, STANDARD),
            self._node.create_subscription(AudioChunk, names.AUDIO_PLAYBACK, self._on_sound, AUDIO),
            self._node.create_subscription(BargeIn, names.BARGE_IN, self._on_barge_in, STANDARD),
            self._node.create_subscription(SpeechActivity, names.SPEECH_ACTIVITY, self._on_activity, STANDARD),
            self._node.create_subscription(SpeakingState, names.SPEAKING_STATE, self._on_speaking, LATCHED),
        ]

    def _leave(self) -> None:
        while self._subscriptions:
            self._node.destroy_subscription(self._subscriptions.pop())

    def _on_transcript(self, message: Transcript) -> None:
        self._tell(
            "transcription",
            data=message.text,
            final=message.is_final,
            utterance_id=str(uuid_from_message(message.utterance_id)),
            confidence=message.confidence,
            rejected=_REJECTIONS[message.rejected],
        )

    def _on_reply(self, message: Reply) -> None:
        self._tell(
            "response",
            data=message.text,
            final=message.is_final,
            turn_id=str(uuid_from_message(message.turn_id)),
            session_id=message.session_id,
            agent=message.agent,
            error=ErrorCode(message.error_code).name if message.error_code else "",
        )

    def _on_sound(self, message: AudioChunk) -> None:
        self._playing = "" if message.last else message.stream
        if message.stream == self._silenced and not message.last:
            return  # sent before the robot was interrupted
        self._tell(
            "audio",
            data=base64.b64encode(message.data).decode(),
            sample_rate=message.sample_rate,
            stream=message.stream,
            sequence=message.sequence,
            last=message.last,
        )

    def _on_barge_in(self, message: BargeIn) -> None:
        if message.stage == BargeIn.CONFIRMED:
            self._silenced = self._playing
            self._tell("interrupted", data=message.text, stop=message.stop)

    def _on_activity(self, message: SpeechActivity) -> None:
        self._change("listening", message.state in _HEARING)

    def _on_speaking(self, message: SpeakingState) -> None:
        self._change("speaking", message.speaking)

    def _change(self, kind: str, value: bool) -> None:
        if self._told.get(kind) is not value:
            self._told[kind] = value
            self._call(self._publish, Event(kind, {"data": value}), True)

    def _tell(self, kind: str, **data: Any) -> None:
        self._call(self._publish, Event(kind, data), False)

    def _publish(self, event: Event, present: bool) -> None:
        self._hub.publish(event, present=present)


class _SourceSubscription:
    """Converts the messages of a topic to events.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        source: Topic to subscribe to.
        publish: Called with each event, in the executor's thread.
    """

    def __init__(self, node: AgentNode, source: _Source, publish: Callable[[Event], None]) -> None:
        self._node = node
        self._source = source
        self._publish = publish
        self._pace = Pace(source.period)
        self._subscription: Subscription[Any] | None = None
        self._switch(not source.stream)

    def switch(self, wanted: bool) -> None:
        """Subscribes to the topic, or unsubscribes. Thread-safe."""
        self._node.in_executor(self._switch, wanted)  # the executor may be iterating over subscriptions

    def _switch(self, wanted: bool) -> None:
        if wanted and self._subscription is None:
            source = self._source
            self._subscription = self._node.create_subscription(
                source.type, source.topic, self._receive, source.profile
            )
        elif not wanted and self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def _receive(self, message: Any) -> None:
        if self._pace.is_due():
            self._publish(Event(self._source.kind, self._source.data(message)))
