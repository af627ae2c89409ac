"""When an utterance is read, and which of its readings counts."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from reachy_agent_ros.stt.barge_in import BargeInRules
from reachy_agent_ros.stt.endpointer import Endpointer
from reachy_agent_ros.stt.own_noise import OwnVoice
from reachy_agent_ros.stt.recogniser import Recogniser, Recognition
from reachy_agent_ros.stt.utterance import Heard, Utterance, only_calls

CALL_PATIENCE = 13
"""Frames of silence more, 0.4 s, before what is only the robot's name is a whole utterance: what it is wanted for comes
after the comma."""


class TranscriptionWorker:
    """Has utterances decoded by a thread of its own, which is the only one to use the recogniser.

    Decoding starts when the speaker pauses, not when the pause has become an end: the text is ready by then, and a
    draft is dropped where the speaker goes on. An earlier one, at a hush, lacks what a soft voice still says: it is
    the final text where all was still since and it was believed, or where it is still being decoded at the pause, as it
    lacks little then and another would be late.

    Args:
        recogniser: Decodes.
        endpointer: In the utterance that is read.
        own_voice: Whether what was heard may be the robot's.
        on_heard: Called with every utterance that is not, in the decoder's thread.
        on_failure: Called in the decoder's thread when the recogniser raises.
        on_draft: Called in the decoder's thread with the text of an utterance that may go on; None to read none.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        endpointer: Endpointer,
        own_voice: OwnVoice,
        on_heard: Callable[[Heard], None],
        on_failure: Callable[[BaseException], None],
        on_draft: Callable[[Heard], None] | None,
    ) -> None:
        self._recogniser = recogniser
        self._endpointer = endpointer
        self._own_voice = own_voice
        self._on_heard = on_heard
        self._on_failure = on_failure
        self._on_draft = on_draft
        self._decoder = ThreadPoolExecutor(1, thread_name_prefix="decoder")
        self._final: Future[Recognition] | None = None

    @property
    def at_work(self) -> bool:
        """Whether the utterance that ended last is still being read."""
        return self._final is not None and not self._final.done()

    def read(self) -> Future[Recognition]:
        """Has the utterance so far decoded, whatever it is for."""
        return self._decoder.submit(self._recogniser.recognise, self._endpointer.utterance)

    def hushed(self, utterance: Utterance) -> None:
        """Takes that the voice has fallen."""
        if self._on_draft is None:
            return
        utterance.forget_hush()
        utterance.measure(self._endpointer)
        utterance.hush = self.read()
        utterance.hush.add_done_callback(lambda future: self._deliver_hush(future, utterance))

    def paused(self, utterance: Utterance) -> Future[Recognition]:
        """Takes that the speaker pauses. Returns the draft: what is being read already where that is the same."""
        hush = utterance.hush if self._endpointer.hushed else None
        if hush is not None and (not hush.done() or (self._endpointer.still and utterance.believed)):
            utterance.draft = hush
            return hush
        if hush is None:
            utterance.forget_hush()
        utterance.measure(self._endpointer)
        utterance.draft = draft = self.read()
        draft.add_done_callback(lambda future: self._deliver_draft(future, utterance))
        return draft

    def resumed(self, utterance: Utterance) -> None:
        """Takes that the speaker goes on."""
        self._endpointer.patience = 0
        utterance.forget_hush()
        utterance.forget_draft()

    def ended(self, utterance: Utterance) -> None:
        """Takes that the utterance is complete."""
        self._final = utterance.draft or self.paused(utterance)
        utterance.measure(self._endpointer)
        self._final.add_done_callback(lambda future: self._deliver(future, utterance))

    def close(self) -> None:
        """Ends the decoder after what it is at."""
        self._decoder.shutdown(wait=True, cancel_futures=True)

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
