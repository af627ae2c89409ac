"""An utterance: the text that it becomes while it is heard and read, and the robot's name in that text."""

from __future__ import annotations

import re
import time
import uuid
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.stt.endpointer import Endpointer
from reachy_agent_ros.stt.recogniser import Recognition

SURER = 0.1
"""Log probability a token by which a reading must be surer than another one to be believed instead."""

ROBOT_NAME = "Reachy"

_ALIASES = (
    r"[bp]?re+a?ch(?:y|ie?|ey|ee)|rich(?:y|ie|ey)|ritch(?:y|ie)|(?:ri|wi)c?k(?:e?y|ie?)|"
    r"[bfg]?re+a?-?k(?:e?y|ie?|e)|rake?y|ree?[df]y|re+p?thy|rei(?:k|ch)i|ricci|peachy|reach[, ]+(?:he|e)"
)
"""Heard for "Reachy" from Whisper tiny.en: it is no English word, so the nearest one or a spelling of the sound."""

_GREETINGS = r"hey|eh|a|hi|hello|oh|so|ok(?:ay)?|yes|no|please|thanks|thank you|good (?:morning|evening|night)|bye"

_AT_START = re.compile(rf"^((?:(?:{_GREETINGS})[,.!]? +)?)(?:{_ALIASES})\b", re.IGNORECASE)
_AT_END = re.compile(rf"((?:,|\b(?:{_GREETINGS})),? +)(?:{_ALIASES})(?=[.!?]*$)", re.IGNORECASE)
_CALL = re.compile(rf"(?:^|[.!?] +)(?:(?:hey|hi|hello|ok(?:ay)?)[,.!]? +)?{ROBOT_NAME}[.,!?]*$", re.IGNORECASE)


@dataclass(frozen=True)
class Heard:
    """One utterance and its text, the plain form of `reachy_agent_msgs/Transcript`.

    Attributes:
        recognition: What the recogniser made of it.
        utterance_id: Random.
        audio_duration: Seconds, from its pre-roll to its end.
        endpoint_delay: Seconds from its last speech frame to the decision that it had ended.
        ended: Wall clock of that last speech frame, seconds since the epoch.
        stream: Where it came from.
        replaces: Id of the utterance before, which went on after a short pause and is part of this one; None if there
            is none.
    """

    recognition: Recognition
    utterance_id: uuid.UUID
    audio_duration: float
    endpoint_delay: float
    ended: float
    stream: str
    replaces: uuid.UUID | None = None


@dataclass
class Utterance:
    """What is known of it so far.

    Attributes:
        stream: Where it comes from.
        replaces: Id of the utterance that it goes on with; None if it stands for itself.
        utterance_id: Random.
        muted: Whether it may be the robot's own voice.
        voiced: Speech frames in it.
        hush: Its text up to the latest fall of the voice, being decoded or done.
        draft: Its text up to the pause it is in.
        duration: Seconds so far, by the latest `measure`.
        endpoint_delay: Seconds since its last speech frame, then.
        ended: Wall clock of that last speech frame, seconds since the epoch.
    """

    stream: str
    replaces: uuid.UUID | None = None
    utterance_id: uuid.UUID = field(default_factory=uuid.uuid4)
    muted: bool = False
    voiced: int = 0
    hush: Future[Recognition] | None = None
    draft: Future[Recognition] | None = None
    duration: float = 0.0
    endpoint_delay: float = 0.0
    ended: float = 0.0

    def measure(self, endpointer: Endpointer) -> None:
        """Takes its times from the endpointer that is in it."""
        self.duration = endpointer.utterance.size / SAMPLE_RATE
        self.endpoint_delay = endpointer.silence
        self.ended = time.time() - self.endpoint_delay

    def forget_hush(self) -> None:
        """Nothing waits behind the text of a hush that is no longer the latest."""
        if self.hush is not None:
            self.hush.cancel()
            self.hush = None

    def forget_draft(self) -> None:
        """The speaker went on."""
        if self.draft is not None:
            self.draft.cancel()
            self.draft = None

    @property
    def believed(self) -> bool:
        """Whether it was read at its latest hush, and taken for speech."""
        return self._at_hush is not None

    def surest(self, recognition: Recognition) -> Recognition:
        """The reading to believe: this one, or that of the hush it ends with, where hardly anything was said since."""
        earlier = self._at_hush
        if earlier is None or earlier.average_log_probability < recognition.average_log_probability + SURER:
            return recognition
        return earlier

    def heard(self, recognition: Recognition) -> Heard:
        """It with a text."""
        return Heard(
            replace(recognition, text=with_robot_name(recognition.text)),
            self.utterance_id,
            self.duration,
            self.endpoint_delay,
            self.ended,
            self.stream,
            self.replaces,
        )

    @property
    def _at_hush(self) -> Recognition | None:
        """The reading of the latest hush, where there is one that was not rejected."""
        hush = self.hush
        if hush is None or not hush.done() or hush.cancelled() or hush.exception() is not None:
            return None
        return None if hush.result().rejection else hush.result()


def with_robot_name(text: str) -> str:
    """Puts the robot's name where it is called by it: at the start of what was said, or set off at its end.

    Elsewhere the same word is somebody else's name, or no name at all.
    """
    return _AT_END.sub(rf"\g<1>{ROBOT_NAME}", _AT_START.sub(rf"\g<1>{ROBOT_NAME}", text))


def only_calls(text: str) -> bool:
    """Whether the last sentence of a text, which has the robot's name as it is written, is nothing but that name."""
    return _CALL.search(text) is not None
