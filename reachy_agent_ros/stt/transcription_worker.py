"""Transcription worker, which decides when an utterance is decoded and which transcript is used."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.stt.barge_in import BargeInRules
from reachy_agent_ros.stt.endpointer import Endpointer
from reachy_agent_ros.stt.own_noise import OwnVoice
from reachy_agent_ros.stt.recognizer import Recognition, Recognizer
from reachy_agent_ros.stt.utterance import Heard, Utterance, only_calls, with_robot_name
from reachy_agent_ros.stt.voice_detectors import FRAME_SECONDS

CALL_PATIENCE = 13
"""Additional frames of silence, 0.4 s, that end an utterance after the robot's name, because a request may follow."""


class TranscriptionWorker:
    """Decodes utterances in a separate thread, which is the only thread that uses the recognizer.

    Decoding starts as soon as the speaker pauses, so that the text is ready at the end of the utterance. The
    draft is dropped if the speaker continues. An earlier transcription, started at a lull, lacks soft speech after the
    lull. It becomes the final text if it was accepted and has not been followed by sound. It also becomes the final
    text if it is still being decoded at the pause, because it then lacks little, and another transcription would be
    late.

    The words of the draft also tell how much silence ends the utterance. The end waits for the draft, because the final
    text would not be ready any sooner.

    Args:
        recognizer: Speech recognizer.
        endpointer: Endpointer with the present utterance.
        own_voice: State of the robot's voice.
        on_heard: Callback with every utterance that is not the robot's own, in the decoder thread or, if the text was
            ready at the end of the utterance, in the thread that calls `ended`.
        on_failure: Callback in the same threads, with the error if the recognizer raises one.
        on_draft: Callback in the same threads, with the text of an utterance that may continue; None for no drafts.
    """

    def __init__(
        self,
        recognizer: Recognizer,
        endpointer: Endpointer,
        own_voice: OwnVoice,
        on_heard: Callable[[Heard], None],
        on_failure: Callable[[BaseException], None],
        on_draft: Callable[[Heard], None] | None,
    ) -> None:
        self._recognizer = recognizer
        self._endpointer = endpointer
        self._own_voice = own_voice
        self._on_heard = on_heard
        self._on_failure = on_failure
        self._on_draft = on_draft
        self._decoder = ThreadPoolExecutor(1, thread_name_prefix="decoder")
        self._final: Future[Recognition] | None = None

    @property
    def at_work(self) -> bool:
        """Whether the last ended utterance is still being decoded."""
        return self._final is not None and not self._final.done()

    def read(self) -> Future[Recognition]:
        """Decodes the current, incomplete utterance."""
        return self._decoder.submit(self._recognizer.recognize, self._endpointer.utterance)

    def lulled(self, utterance: Utterance) -> None:
        """Handles a lull: starts to transcribe the incomplete utterance, unless there are no drafts."""
        if self._on_draft is None:
            return
        utterance.forget_lull()
        utterance.measure(self._endpointer)
        utterance.lull = self.read()
        utterance.lull.add_done_callback(lambda future: self._deliver_lull(future, utterance))

    def paused(self, utterance: Utterance) -> Future[Recognition]:
        """Handles a pause. Returns the draft transcript, which may be the transcript of the last lull."""
        # A stop while the robot speaks must not be merged with the robot's own words.
        if self._endpointer.rules.turn_end is not None and not utterance.muted:
            self._endpointer.needed = self._endpointer.rules.longest_silence
        draft = self._draft(utterance)
        self._decoder.submit(self._decide, draft, utterance, self._endpointer.utterance)
        return draft

    def _draft(self, utterance: Utterance) -> Future[Recognition]:
        lull = utterance.lull if self._endpointer.lulled else None
        if lull is not None and (not lull.done() or (self._endpointer.still and utterance.believed)):
            utterance.draft = lull
            return lull
        if lull is None:
            utterance.forget_lull()
        utterance.measure(self._endpointer)
        utterance.draft = draft = self.read()
        draft.add_done_callback(lambda future: self._deliver_draft(future, utterance))
        return draft

    def resumed(self, utterance: Utterance) -> None:
        """Handles the continuation of speech after a pause."""
        utterance.forget_lull()
        utterance.forget_draft()

    def ended(self, utterance: Utterance) -> None:
        """Handles the end of an utterance: selects and delivers its final transcript."""
        self._final = utterance.draft or self._draft(utterance)
        utterance.measure(self._endpointer)
        self._final.add_done_callback(lambda future: self._deliver(future, utterance))

    def close(self) -> None:
        """Stops the decoder after its current task."""
        self._decoder.shutdown(wait=True, cancel_futures=True)

    def _decide(self, draft: Future[Recognition], utterance: Utterance, samples: Samples) -> None:
        """Sets the silence that ends the utterance, in the decoder thread after it has decoded the draft."""
        if utterance.draft is not draft:  # the speaker has continued
            return
        needed = self._endpointer.rules.hangover
        if not draft.cancelled() and draft.exception() is None and not utterance.muted:
            needed = self._silence_needed(draft.result(), samples)
        if utterance.draft is draft:
            self._endpointer.needed = needed

    def _silence_needed(self, recognition: Recognition, samples: Samples) -> int:
        """Returns the number of silent frames that end an utterance."""
        rules = self._endpointer.rules
        text = with_robot_name(recognition.text)
        if only_calls(text):
            return rules.hangover + CALL_PATIENCE
        if rules.turn_end is None or recognition.rejection:
            return rules.hangover
        silence = rules.turn_end.silence_needed(text, samples)
        if silence is None:
            return rules.hangover
        frames = math.ceil(silence / FRAME_SECONDS)
        return min(max(frames, rules.shortest_silence), rules.longest_silence)

    def _deliver(self, future: Future[Recognition], utterance: Utterance) -> None:
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            self._on_failure(error)
            return
        heard = utterance.heard(utterance.surest(future.result()))
        a_word = utterance.voiced >= BargeInRules.confirm
        if not utterance.muted or (a_word and self._own_voice.lets_pass(heard.recognition.text)):
            self._on_heard(heard)

    def _deliver_lull(self, future: Future[Recognition], utterance: Utterance) -> None:
        """Delivers the transcript of a lull if the lull continues. A lull that has ended was only part of a word."""
        if self._endpointer.lulled and utterance.lull is future:
            self._tell_draft(future, utterance)

    def _deliver_draft(self, future: Future[Recognition], utterance: Utterance) -> None:
        if utterance.draft is future:
            self._tell_draft(future, utterance)

    def _tell_draft(self, future: Future[Recognition], utterance: Utterance) -> None:
        if self._on_draft is None or future.cancelled() or future.exception() is not None:
            return
        if not utterance.muted:
            self._on_draft(utterance.heard(future.result()))
