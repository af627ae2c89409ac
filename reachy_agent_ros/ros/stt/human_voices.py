"""Publication of speech as REP-155 voices, which packages for human-robot interaction use."""

from __future__ import annotations

import random
import string
import time
from dataclasses import dataclass

from rclpy.publisher import Publisher
from std_msgs.msg import Bool, Header

from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.stt.utterance import Heard

try:
    from hri_msgs.msg import IdsList, LiveSpeech
except ImportError:  # neither part of ROS 2 nor among its wheels on PyPI
    IdsList = LiveSpeech = None

VOICES = "/humans/voices"
"""Namespace of all voices (REP-155), whatever the robot's namespace. Not in `core.names`, whose types must exist."""
TRACKED = f"{VOICES}/tracked"
"""Topic of hri_msgs/IdsList: ids of the current voices, repeated for late subscribers."""
SPEECH = "speech"
"""Topic of hri_msgs/LiveSpeech below the id of a voice: partial and final text."""
IS_SPEAKING = "is_speaking"
"""Topic of std_msgs/Bool below the id of a voice: whether speech is heard, repeated like the ids."""

SILENCE = 10.0
"""Time without speech after which a voice ends, s: the next speaker may be another person."""

REFRESH_PERIOD = 0.2
"""Period of repetition, s. libhri reads both topics without a latch, and reads a voice only after its id."""

_ID_LENGTH = 5


@dataclass
class _Voice:
    voice_id: str
    speech: Publisher[LiveSpeech]
    is_speaking: Publisher[Bool]
    last: float


class HumanVoices:
    """Publisher of voices (REP-155, https://reps.openrobotics.org/rep-0155/). Publishes nothing without hri_msgs.

    Speakers are not distinguished, so there is at most one voice: all speech without a long silence. Its id is random
    and is tracked from the first word on; nothing links it to a person. The REP's `audio` is omitted, because there is
    no audio of a single voice: `audio/capture` has the captured audio.


    Args:
        node: Node that publishes the voices.
    """

    def __init__(self, node: AgentNode) -> None:
        self.available = LiveSpeech is not None
        self._node = node
        self._voice: _Voice | None = None
        self._speaking = False
        if not self.available:
            node.get_logger().debug("hri_msgs is not installed: voices are not published as REP-155 specifies.")
            return
        self._tracked = node.create_publisher(IdsList, TRACKED, STANDARD)
        node.every(REFRESH_PERIOD, self._refresh)

    def update(self, speaking: bool) -> None:
        """Sets whether speech is currently detected. Thread-safe."""
        if self.available:
            self._node.in_executor(self._update, speaking)

    def hear(self, heard: Heard, is_final: bool) -> None:
        """Publishes a transcript. Drops rejected ones, because LiveSpeech cannot mark rejections. Thread-safe."""
        if self.available and not heard.recognition.rejection:
            self._node.in_executor(self._hear, heard, is_final)

    def close(self) -> None:
        """Ends the current voice. Call this in the executor's thread, or after the executor has ended."""
        if self._voice is not None:
            self._lose(self._voice)

    def _update(self, speaking: bool) -> None:
        self._speaking = speaking
        if speaking:
            self._present_voice()
        self._refresh()

    def _hear(self, heard: Heard, is_final: bool) -> None:
        voice = self._present_voice()
        voice.last = time.monotonic()
        voice.speech.publish(speech_message(heard, is_final))

    def _refresh(self) -> None:
        voice = self._voice
        if voice is None:
            return
        if self._speaking:
            voice.last = time.monotonic()
        elif time.monotonic() - voice.last > SILENCE:
            self._lose(voice)
            return
        voice.is_speaking.publish(Bool(data=self._speaking))
        self._publish_tracked()

    def _present_voice(self) -> _Voice:
        if self._voice is None:
            voice_id = random_id()
            self._voice = _Voice(
                voice_id,
                self._node.create_publisher(LiveSpeech, f"{VOICES}/{voice_id}/{SPEECH}", STANDARD),
                self._node.create_publisher(Bool, f"{VOICES}/{voice_id}/{IS_SPEAKING}", STANDARD),
                time.monotonic(),
            )
            self._publish_tracked()
        return self._voice

    def _lose(self, voice: _Voice) -> None:
        self._voice = None
        self._publish_tracked()
        self._node.destroy_publisher(voice.speech)
        self._node.destroy_publisher(voice.is_speaking)

    def _publish_tracked(self) -> None:
        ids = [] if self._voice is None else [self._voice.voice_id]
        self._tracked.publish(IdsList(header=self._node.header(), ids=ids))


def random_id() -> str:
    """Returns a new voice id. It consists of letters, because a part of a ROS 2 name must not begin with a digit."""
    return "".join(random.choices(string.ascii_lowercase, k=_ID_LENGTH))


def speech_message(heard: Heard, is_final: bool) -> LiveSpeech:
    """Returns the message for a transcript. The stamp is the end of the utterance."""
    recognition = heard.recognition
    return LiveSpeech(
        header=Header(stamp=stamp_message(heard.ended)),
        incremental="" if is_final else recognition.text,
        final=recognition.text if is_final else "",
        confidence=recognition.confidence,
        locale=recognition.language.replace("-", "_"),
    )
