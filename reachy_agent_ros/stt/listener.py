"""Listener, which splits 16 kHz audio into utterances, sends these to a recognizer, and reports the activity."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from reachy_agent_ros.audio.samples import SILENCE_DBFS, Samples, level_dbfs
from reachy_agent_ros.stt.audio_stream import SampleClock
from reachy_agent_ros.stt.endpointer import Endpointer, EndpointEvent, Endpointing
from reachy_agent_ros.stt.full_duplex import FullDuplex
from reachy_agent_ros.stt.own_noise import OwnNoise
from reachy_agent_ros.stt.recognizer import Recognizer
from reachy_agent_ros.stt.transcription_worker import TranscriptionWorker
from reachy_agent_ros.stt.utterance import Heard, Utterance
from reachy_agent_ros.stt.voice_detectors import FRAME, VoiceDetector


class Listener:
    """Finds utterances in audio, and lets a recognizer transcribe the utterances.

    Args:
        detector: Voice detector.
        recognizer: Speech recognizer.
        rules: Thresholds for the start and end of an utterance.
        own_noise: The robot's own voice and motor noise.
        handlers: Callbacks for activity and results.
        duplex: Full-duplex listening while the robot speaks; None to mute the microphone during speech.
    """

    def __init__(
        self,
        detector: VoiceDetector,
        recognizer: Recognizer,
        rules: Endpointing,
        own_noise: OwnNoise,
        handlers: SpeechHandlers,
        duplex: FullDuplex | None = None,
    ) -> None:
        self._detector = detector
        self._own_voice = own_noise.voice
        self._own_motion = own_noise.motion
        self._on_activity = handlers.activity
        self._duplex = duplex
        self._rules = rules
        self._endpointer = Endpointer(rules)
        self._reader = TranscriptionWorker(
            recognizer, self._endpointer, own_noise.voice, handlers.heard, handlers.failure, handlers.draft
        )
        self._utterance = Utterance("")
        self._pending = np.zeros(0, np.int16)
        self._clock = SampleClock()
        self._last = ListeningActivity(ActivityState.IDLE, 0.0, SILENCE_DBFS)

    def hear(self, samples: Samples, stream: str, captured: float | None = None) -> None:
        """Processes the next samples of a stream. Call this method and `finish` from the same thread.

        Args:
            samples: 16 kHz mono samples.
            stream: ID of the stream.
            captured: Wall clock time of the first sample, s since the epoch; None for now.
        """
        first = self._clock.place(time.time() if captured is None else captured, samples.size) - self._pending.size
        self._pending = np.concatenate([self._pending, samples])
        while self._pending.size >= FRAME:
            frame, self._pending = self._pending[:FRAME], self._pending[FRAME:]
            self._judge(frame if self._duplex is None else self._duplex.clean(frame, first), stream)
            first += FRAME

    def finish(self) -> None:
        """Ends the stream, and completes the current utterance.

        Reports the activity even if it has not changed, so that a client that plays a recording without speech knows
        that all of it was processed.
        """
        if self._endpointer.finish() is EndpointEvent.ENDED:
            self._end()
        if self._duplex is not None:
            self._duplex.reset()
        self._detector.reset()
        self._pending = np.zeros(0, np.int16)
        self._report(0.0, SILENCE_DBFS)

    def refresh(self, probability: float = 0.0, level: float = SILENCE_DBFS) -> None:
        """Reports the activity if its state has changed, for example when the robot has stopped speaking."""
        if self._state() is not self._last.state:
            self._report(probability, level)

    def close(self) -> None:
        """Stops the decoder after its current utterance."""
        self._reader.close()

    def _report(self, probability: float, level: float) -> None:
        self._last = ListeningActivity(self._state(), probability, level)
        self._on_activity(self._last)

    def _judge(self, frame: Samples, stream: str) -> None:
        probability = self._detector.probability(frame)
        event = self._endpointer.push(frame, probability, self._own_motion.loud(time.time()))
        if event is EndpointEvent.STARTED:
            replaces = self._utterance.utterance_id if self._endpointer.merged else None
            self._utterance = Utterance(stream, replaces, voiced=self._endpointer.voiced)
        elif event is EndpointEvent.LULLED:
            self._reader.lulled(self._utterance)
        elif event is EndpointEvent.PAUSED:
            self._reader.paused(self._utterance)
        elif event is EndpointEvent.RESUMED:
            self._reader.resumed(self._utterance)
        elif event is EndpointEvent.ENDED:
            self._end()
        elif self._endpointer.in_utterance:
            self._utterance.voiced += probability >= self._rules.end_probability
        if self._endpointer.in_utterance:
            self._utterance.muted |= self._own_voice.muted
        if self._duplex is not None:
            self._hear_over_own_voice(self._duplex, probability)
        self.refresh(probability, level_dbfs(frame))

    def _hear_over_own_voice(self, duplex: FullDuplex, probability: float) -> None:
        in_utterance = self._endpointer.in_utterance
        duplex.judge(probability, self._own_voice, in_utterance)
        if in_utterance:
            self._utterance.muted &= not duplex.confirmed
            duplex.read(self._reader.read)

    def _end(self) -> None:
        self._reader.ended(self._utterance)
        if self._utterance.muted:
            self._endpointer.seal()

    def _state(self) -> ActivityState:
        if self._own_voice.muted and not (self._duplex is not None and self._duplex.confirmed):
            return ActivityState.MUTED
        if self._endpointer.in_utterance:
            return ActivityState.LISTENING if self._utterance.draft is None else ActivityState.ENDPOINTING
        return ActivityState.TRANSCRIBING if self._reader.at_work else ActivityState.IDLE


class ActivityState(IntEnum):
    """State of the listener, equivalent to the constants of the message `SpeechActivity`."""

    IDLE = 0
    LISTENING = 1
    ENDPOINTING = 2
    TRANSCRIBING = 3
    MUTED = 4


@dataclass(frozen=True)
class ListeningActivity:
    """Activity of a listener: its state, speech probability and level.

    Attributes:
        state: State of the listener.
        speech_probability: Speech probability of the last frame, 0 to 1.
        level_dbfs: Level of the last frame, dBFS.
    """

    state: ActivityState
    speech_probability: float
    level_dbfs: float


@dataclass(frozen=True)
class SpeechHandlers:
    """Callbacks of a listener.

    Attributes:
        activity: Callback in the thread that calls `hear`, on every change of state and at the end of a stream.
        heard: Callback with every utterance that is not the robot's own, in the decoder thread or, if the text was
            ready at the end of the utterance, in the thread that calls `hear`.
        failure: Callback in the same threads, with the error if the recognizer raises one.
        draft: Callback in the same threads, with the text of an utterance that may continue; None for no drafts.
    """

    activity: Callable[[ListeningActivity], None]
    heard: Callable[[Heard], None]
    failure: Callable[[BaseException], None]
    draft: Callable[[Heard], None] | None = None
