"""Utterances with their transcripts, and recognition of the robot's name."""

from __future__ import annotations

import re
import time
import uuid
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.stt.endpointer import Endpointer
from reachy_agent_ros.stt.recognizer import Recognition

SURER = 0.1
"""Margin of the log probability per token by which an earlier transcription must be better to replace a later one."""

ROBOT_NAME = "Reachy"

_ALIASES = (
    r"[bp]?re+a?ch(?:y|ie?|ey|ee)|rich(?:y|ie|ey)|ritch(?:y|ie)|(?:ri|wi)c?k(?:e?y|ie?)|"
    r"[bfg]?re+a?-?k(?:e?y|ie?|e)|rake?y|ree?[df]y|re+p?thy|rei(?:k|ch)i|ricci|peachy|reach[, ]+(?:he|e)"
)
"""Transcriptions of "Reachy" by Whisper tiny.en: similar words or phonetic spellings, as the name is not English."""

_GREETINGS = r"hey|eh|a|hi|hello|oh|so|ok(?:ay)?|yes|no|please|thanks|thank you|good (?:morning|evening|night)|bye"

_AT_START = re.compile(rf"^((?:(?:{_GREETINGS})[,.!]? +)?)(?:{_ALIASES})\b", re.IGNORECASE)
_AT_END = re.compile(rf"((?:,|\b(?:{_GREETINGS})),? +)(?:{_ALIASES})(?=[.!?]*$)", re.IGNORECASE)
_CALL = re.compile(rf"(?:^|[.!?] +)(?:(?:hey|hi|hello|ok(?:ay)?)[,.!]? +)?{ROBOT_NAME}[.,!?]*$", re.IGNORECASE)


@dataclass(frozen=True)
class Heard:
    """Transcribed utterance: the ROS-independent equivalent of `reachy_agent_msgs/Transcript`.

    Attributes:
        recognition: Result of the recognizer.
        utterance_id: Random identifier.
        audio_duration: Duration from the pre-roll to the end, s.
        endpoint_delay: Time from the last speech frame to the detected end, s.
        ended: Time of the last speech frame by the wall clock, s since the epoch.
        stream: Id of the audio stream.
        replaces: Id of the previous utterance, which continued after a short pause and is part of this one; None if
            there is none.
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
    """Utterance that is still in progress, with its intermediate transcripts.

    Attributes:
        stream: Id of the audio stream.
        replaces: ID of the utterance that it continues; None if there is none.
        utterance_id: Random identifier.
        muted: Whether the utterance may be the robot's own voice.
        voiced: Number of speech frames.
        lull: Transcription up to the latest lull, pending or done.
        draft: Transcription up to the present pause, pending or done.
        duration: Duration at the latest `measure`, s.
        endpoint_delay: Time since the last speech frame at the latest `measure`, s.
        ended: Time of the last speech frame by the wall clock, s since the epoch.
    """

    stream: str
    replaces: uuid.UUID | None = None
    utterance_id: uuid.UUID = field(default_factory=uuid.uuid4)
    muted: bool = False
    voiced: int = 0
    lull: Future[Recognition] | None = None
    draft: Future[Recognition] | None = None
    duration: float = 0.0
    endpoint_delay: float = 0.0
    ended: float = 0.0

    def measure(self, endpointer: Endpointer) -> None:
        """Updates the duration and times of the utterance from the endpointer."""
        self.duration = endpointer.utterance.size / SAMPLE_RATE
        self.endpoint_delay = endpointer.silence
        self.ended = time.time() - self.endpoint_delay

    def forget_lull(self) -> None:
        """Cancels the transcription of an outdated lull, so that it does not delay later transcriptions."""
        if self.lull is not None:
            self.lull.cancel()
            self.lull = None

    def forget_draft(self) -> None:
        """Cancels the draft transcription, because the speaker has continued."""
        if self.draft is not None:
            self.draft.cancel()
            self.draft = None

    @property
    def believed(self) -> bool:
        """Whether the transcript at the latest lull is complete and was not rejected."""
        return self._at_lull is not None

    def surest(self, recognition: Recognition) -> Recognition:
        """Returns the more probable transcript: `recognition`, or the transcript of the lull at the end.

        If both have the same number of words, the earlier one only lacks the last sound: "not" instead of "nod".
        """
        earlier = self._at_lull
        if earlier is None or earlier.average_log_probability < recognition.average_log_probability + SURER:
            return recognition
        return recognition if len(earlier.text.split()) == len(recognition.text.split()) else earlier

    def heard(self, recognition: Recognition) -> Heard:
        """Returns the utterance with its transcript."""
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
    def _at_lull(self) -> Recognition | None:
        """Transcript of the latest lull. None if the transcription is incomplete, has failed or was rejected."""
        lull = self.lull
        if lull is None or not lull.done() or lull.cancelled() or lull.exception() is not None:
            return None
        return None if lull.result().rejection else lull.result()


def with_robot_name(text: str) -> str:
    """Corrects the robot's name at the start of a text, also after a greeting, or after a comma or greeting at the end.

    Elsewhere, the same word is another name, or not a name at all.
    """
    return _AT_END.sub(rf"\g<1>{ROBOT_NAME}", _AT_START.sub(rf"\g<1>{ROBOT_NAME}", text))


def only_calls(text: str) -> bool:
    """Returns whether the last sentence of a text is only the robot's name, or a greeting and the name.

    The text must be a result of `with_robot_name`.
    """
    return _CALL.search(text) is not None
