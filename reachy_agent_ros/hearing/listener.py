"""From 16 kHz sound to utterances and their text."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from reachy_agent_ros.audio.samples import SILENCE_DBFS, Samples, level_dbfs
from reachy_agent_ros.hearing.activity import Activity, ActivityState
from reachy_agent_ros.hearing.aliases import only_calls
from reachy_agent_ros.hearing.endpointer import Endpointer, Endpointing, Event
from reachy_agent_ros.hearing.full_duplex import FullDuplex
from reachy_agent_ros.hearing.heard import Heard
from reachy_agent_ros.hearing.own_motion import OwnMotion
from reachy_agent_ros.hearing.own_voice import OwnVoice
from reachy_agent_ros.hearing.recogniser import Recogniser, Recognition
from reachy_agent_ros.hearing.sample_clock import SampleClock
from reachy_agent_ros.hearing.utterance import Utterance
from reachy_agent_ros.hearing.voice_detector import FRAME, VoiceDetector

CALL_PATIENCE = 13
"""Frames of silence more, 0.4 s, before what is only the robot's name is a whole utterance: what it is wanted for comes
after the comma."""


class Listener:
    """Finds utterances and has them decoded by a thread of its own, which is the only one to use the recogniser.

    Decoding starts when the speaker pauses, not when the pause has become an end: the text is ready by then, and a
    draft is dropped where the speaker goes on. An earlier one, at a hush, lacks what a soft voice still says: it is
    the final text where all was still since, or where it is still being decoded at the pause, as it lacks little then
    and another would be late.

    Args:
        detector: Judges frames.
        recogniser: Decodes utterances.
        rules: When speech counts as begun and ended.
        own_voice: Whether the robot itself speaks.
        on_activity: Called on every change, in the thread that calls `hear`.
        on_heard: Called with every utterance that is not the robot's own, in the decoder's thread.
        on_failure: Called in the decoder's thread when the recogniser raises.
        own_motion: Whether the robot's motors are loud; None where they do not matter.
        duplex: Keeps the ears open while the robot speaks; None to be muted then.
        on_draft: Called in the decoder's thread with the text of an utterance that pauses and may go on.
    """

    def __init__(
        self,
        detector: VoiceDetector,
        recogniser: Recogniser,
        rules: Endpointing,
        own_voice: OwnVoice,
        on_activity: Callable[[Activity], None],
        on_heard: Callable[[Heard], None],
        on_failure: Callable[[BaseException], None],
        own_motion: OwnMotion | None = None,
        duplex: FullDuplex | None = None,
        on_draft: Callable[[Heard], None] | None = None,
    ) -> None:
        self._detector = detector
        self._recogniser = recogniser
        self._own_voice = own_voice
        self._on_activity = on_activity
        self._on_heard = on_heard
        self._on_failure = on_failure
        self._own_motion = own_motion or OwnMotion()
        self._duplex = duplex
        self._on_draft = on_draft
        self._endpointer = Endpointer(rules)
        self._decoder = ThreadPoolExecutor(1, thread_name_prefix="decoder")
        self._utterance = Utterance("")
        self._pending = np.zeros(0, np.int16)
        self._clock = SampleClock()
        self._final: Future[Recognition] | None = None
        self._last = Activity(ActivityState.IDLE, 0.0, SILENCE_DBFS)

    def hear(self, samples: Samples, stream: str, captured: float | None = None) -> None:
        """Takes the next samples of a stream. One thread calls this and `finish`.

        Args:
            samples: 16 kHz mono.
            stream: Where they come from.
            captured: Wall clock of the first one, seconds since the epoch; None for now.
        """
        first = self._clock.place(time.time() if captured is None else captured, samples.size) - self._pending.size
        self._pending = np.concatenate([self._pending, samples])
        while self._pending.size >= FRAME:
            frame, self._pending = self._pending[:FRAME], self._pending[FRAME:]
            self._judge(frame if self._duplex is None else self._duplex.clean(frame, first), stream)
            first += FRAME

    def finish(self) -> None:
        """Ends the stream: what was being said is complete."""
        if self._endpointer.finish() is Event.ENDED:
            self._end()
        if self._duplex is not None:
            self._duplex.reset()
        self._detector.reset()
        self._pending = np.zeros(0, np.int16)
        self.refresh()

    def refresh(self, probability: float = 0.0, level: float = SILENCE_DBFS) -> None:
        """Reports the activity if it has changed, for instance because the robot fell silent."""
        state = self._state()
        if state is not self._last.state:
            self._last = Activity(state, probability, level)
            self._on_activity(self._last)

    def close(self) -> None:
        """Ends the decoder after the utterance it is at."""
        self._decoder.shutdown(wait=True, cancel_futures=True)

    def _judge(self, frame: Samples, stream: str) -> None:
        probability = self._detector.probability(frame)
        event = self._endpointer.push(frame, probability, self._own_motion.loud(time.time()))
        if event is Event.STARTED:
            replaces = self._utterance.utterance_id if self._endpointer.merged else None
            self._utterance = Utterance(stream, replaces)
        elif event is Event.HUSHED:
            self._read_early()
        elif event is Event.PAUSED:
            self._draft()
        elif event is Event.RESUMED:
            self._endpointer.patience = 0
            self._utterance.forget_hush()
            self._utterance.forget_draft()
        elif event is Event.ENDED:
            self._end()
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
            duplex.read(self._decode)

    def _decode(self) -> Future[Recognition]:
        return self._decoder.submit(self._recogniser.recognise, self._endpointer.utterance)

    def _read_early(self) -> None:
        if self._on_draft is None:
            return
        utterance = self._utterance
        utterance.forget_hush()
        utterance.measure(self._endpointer)
        utterance.hush = self._decode()
        utterance.hush.add_done_callback(lambda future: self._deliver_hush(future, utterance))

    def _draft(self) -> Future[Recognition]:
        """Has the utterance so far read, unless it is being read, or was, and nothing was said since."""
        utterance = self._utterance
        hush = utterance.hush if self._endpointer.hushed else None
        if hush is not None and (self._endpointer.still or not hush.done()):
            utterance.draft = hush
            return hush
        if hush is None:
            utterance.forget_hush()
        utterance.measure(self._endpointer)
        utterance.draft = draft = self._decode()
        draft.add_done_callback(lambda future: self._deliver_draft(future, utterance))
        return draft

    def _end(self) -> None:
        utterance = self._utterance
        self._final = utterance.draft or self._draft()
        utterance.measure(self._endpointer)
        if utterance.muted:
            self._endpointer.seal()
        self._final.add_done_callback(lambda future: self._deliver(future, utterance))

    def _deliver(self, future: Future[Recognition], utterance: Utterance) -> None:
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            self._on_failure(error)
            return
        heard = utterance.heard(utterance.surest(future.result()))
        if not utterance.muted or self._own_voice.lets_pass(heard.recognition.text):
            self._on_heard(heard)

    def _deliver_hush(self, future: Future[Recognition], utterance: Utterance) -> None:
        """A hush that is over by now was a sound within a word."""
        if self._endpointer.hushed and utterance.hush is future:
            self._tell_draft(future, utterance)

    def _deliver_draft(self, future: Future[Recognition], utterance: Utterance) -> None:
        if utterance.draft is future:
            self._tell_draft(future, utterance)

    def _tell_draft(self, future: Future[Recognition], utterance: Utterance) -> None:
        if self._on_draft is None or future.cancelled() or future.exception() is not None:
            return
        heard = utterance.heard(future.result())
        self._endpointer.patience = CALL_PATIENCE if only_calls(heard.recognition.text) else 0
        if not utterance.muted:
            self._on_draft(heard)

    def _state(self) -> ActivityState:
        if self._own_voice.muted and not (self._duplex is not None and self._duplex.confirmed):
            return ActivityState.MUTED
        if self._endpointer.in_utterance:
            return ActivityState.LISTENING if self._utterance.draft is None else ActivityState.ENDPOINTING
        decoding = self._final is not None and not self._final.done()
        return ActivityState.TRANSCRIBING if decoding else ActivityState.IDLE
