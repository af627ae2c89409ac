"""What is heard and said, from the graph's topics to those who talk with the robot."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from reachy_agent_msgs.msg import AudioChunk, BargeIn, Reply, SpeakingState, SpeechActivity, Transcript

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.gateway.event_hub import Event, EventHub, Watcher
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, LATCHED, STANDARD

_REJECTIONS = {
    Transcript.NOT_REJECTED: "",
    Transcript.REJECTED_NOISE: "noise",
    Transcript.REJECTED_EMPTY: "empty",
    Transcript.REJECTED_REPETITION: "repetition",
}

_HEARING = (SpeechActivity.LISTENING, SpeechActivity.ENDPOINTING)


class DialogueEvents:
    """Subscribes while somebody watches: fifty chunks of sound a second cost something also where nobody wants them.

    Args:
        node: Whose executor runs the callbacks.
        call: Calls a function in the event loop's thread, in the order of these calls.
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
        """As `gateway.ports.voice.Voice.watch`. For the event loop's thread."""
        if not self._hub.watchers:
            self._hub = EventHub()  # what was true when the last one left need not be now
            self._node.in_executor(self._join)
        try:
            with self._hub.watch() as watcher:
                yield watcher
        finally:
            if not self._hub.watchers:
                self._node.in_executor(self._leave)

    def _join(self) -> None:
        self._told = {}
        create = self._node.create_subscription
        self._subscriptions += [
            create(Transcript, names.TRANSCRIPT, self._on_transcript, STANDARD),
            create(Reply, names.REPLY, self._on_reply, STANDARD),
            create(AudioChunk, names.AUDIO_PLAYBACK, self._on_sound, AUDIO),
            create(BargeIn, names.BARGE_IN, self._on_barge_in, STANDARD),
            create(SpeechActivity, names.SPEECH_ACTIVITY, self._on_activity, STANDARD),
            create(SpeakingState, names.SPEAKING_STATE, self._on_speaking, LATCHED),
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
            return  # was under way when it was interrupted
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
