"""Speaker and speech queue. Utterances are synthesized in segments and played in real time."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from reachy_agent_ros.audio.device import Pacer
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.sink import Sink
from reachy_agent_ros.tts.synthesis import ClausePiece, Synthesis
from reachy_agent_ros.tts.utterance import SpeechItem, SpeechProgress, Spoken
from reachy_agent_ros.tts.voice import Voice

CHUNK = 0.02
"""Duration of a chunk, s, which is also the longest time that sound continues after a cancellation."""

REPORT_EVERY = 10
"""Number of chunks between two progress reports."""

LOOK = 0.05
"""Time between two checks of whether a piece of sound is ready, s."""

TICK = 0.05
"""Longest time between two calls of `on_tick` while the queue is empty, s."""

_Made = TypeVar("_Made")


class Speaker:
    """Speaks one utterance at a time. A thread synthesizes the next segments while a segment is played.

    Args:
        voice: Voice for utterances that do not specify one. Voices are used only by the synthesis thread.
        sinks: Sinks that receive every chunk.
        on_tick: Callback during an utterance, at least every 0.1 s.
        foresee: Callback in the playing thread, with every piece of sound as soon as it is synthesized and before its
            first chunk is played.
    """

    def __init__(
        self,
        voice: Voice,
        sinks: Sequence[Sink],
        on_tick: Callable[[], None],
        foresee: Callable[[Samples], None],
    ) -> None:
        self._voice = voice
        self._sinks = sinks
        self._on_tick = on_tick
        self._foresee = foresee
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="synthesis")

    def close(self) -> None:
        """Stops the synthesis thread after its current segment."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def say(self, utterance: SpeechItem) -> Spoken:
        """Speaks an utterance in real time until it ends, is stopped or exceeds its time limit."""
        saying = _Saying(utterance)
        error: AgentError | None = None
        try:
            voice = self._found(saying)
            for sink in self._sinks:
                sink.start(utterance.utterance_id, voice.sample_rate)
        except AgentError as reason:
            return saying.spoken(reason)
        try:
            self._say_pieces(voice, saying)
        except AgentError as reason:
            error = reason
        for sink in self._sinks:
            sink.end(cancelled=error is not None)
        return saying.spoken(error)

    def _found(self, saying: _Saying) -> Voice:
        find = saying.utterance.voice
        voice = self._voice if find is None else self._awaited(self._thread.submit(find), saying)
        saying.start(voice.sample_rate)
        return voice

    def _say_pieces(self, voice: Voice, saying: _Saying) -> None:
        synthesis = Synthesis(self._thread, voice, saying.utterance, self._foresee)
        try:
            while (piece := self._awaited(synthesis.next, saying)) is not None:
                synthesis.advance()
                self._give_out(piece, saying, synthesis)
        finally:
            synthesis.stop()
        saying.pacer.wait(0, saying.utterance.cancel)  # until the last chunk has been played

    def _awaited(self, coming: Future[_Made], saying: _Saying) -> _Made:
        while not wait([coming], timeout=LOOK).done:
            self._on_tick()
            saying.raise_if_over()
        failure = coming.exception()
        if failure is not None and not isinstance(failure, AgentError):
            raise AgentError(ErrorCode.VOICE_UNAVAILABLE, f"The voice failed: {failure!r}") from failure
        return coming.result()

    def _give_out(self, piece: ClausePiece, saying: _Saying, synthesis: Synthesis) -> None:
        size = int(CHUNK * saying.sample_rate)
        saying.begin(piece)
        for number, start in enumerate(range(0, piece.samples.size, size)):
            chunk = piece.samples[start : start + size]
            saying.pacer.wait(chunk.size, saying.utterance.cancel)
            saying.raise_if_over()
            if number % REPORT_EVERY == 0:
                saying.utterance.on_progress(SpeechProgress(piece.clause, saying.given_out / saying.sample_rate))
            for sink in self._sinks:
                sink.write(chunk)
            saying.gave_out(chunk.size)
            synthesis.show()
            self._on_tick()


class SpeechQueue:
    """Queue of utterances, spoken in order by a separate thread.

    Args:
        speaker: Speaker of the utterances.
        on_silence: Callback in the thread, after each utterance.
        on_tick: Callback that is called regularly while the thread works, even if the queue is empty.
    """

    def __init__(
        self,
        speaker: Speaker,
        on_silence: Callable[[], None],
        on_tick: Callable[[], None],
    ) -> None:
        self._speaker = speaker
        self._on_silence = on_silence
        self._on_tick = on_tick
        self._changed = threading.Condition()
        self._waiting: deque[SpeechItem] = deque()
        self._current: SpeechItem | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="speech", daemon=True)
        self._thread.start()

    def say(self, utterance: SpeechItem, *, interrupt: bool) -> None:
        """Queues an utterance. With `interrupt`, all earlier utterances end with `PREEMPTED`."""
        if interrupt:
            self.stop_all(AgentError(ErrorCode.PREEMPTED, "A more urgent utterance interrupted this one."))
        with self._changed:
            self._waiting.append(utterance)
            self._changed.notify()

    def stop(self, utterance: SpeechItem, reason: AgentError) -> None:
        """Ends an utterance that is being spoken or is queued. Has no effect if the utterance has already ended."""
        with self._changed:
            waited = utterance in self._waiting
            if waited:
                self._waiting.remove(utterance)
        utterance.stop(reason)
        if waited:
            utterance.on_done(Spoken(error=reason))

    def stop_all(self, reason: AgentError) -> int:
        """Ends the current utterance and all queued utterances. Returns the number of ended utterances."""
        with self._changed:
            every = [*self._waiting, *([self._current] if self._current else [])]
        for utterance in every:
            self.stop(utterance, reason)
        return len(every)

    def close(self) -> None:
        """Ends all utterances with `SHUTTING_DOWN`, and stops the thread."""
        self.stop_all(AgentError(ErrorCode.SHUTTING_DOWN, "The speech output is shutting down."))
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while (utterance := self._next()) is not None:
            spoken = self._speaker.say(utterance)
            with self._changed:
                self._current = None
            self._on_silence()
            utterance.on_done(spoken)

    def _next(self) -> SpeechItem | None:
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait(TICK)
                self._on_tick()
            if self._closing:
                return None
            self._current = self._waiting.popleft()
            return self._current


class _Saying:
    """State of an utterance that is being spoken."""

    def __init__(self, utterance: SpeechItem) -> None:
        self.utterance = utterance
        self.given_out = 0
        self.sample_rate = 1
        self._deadline = Deadline(utterance.limit)
        self._first_audio = 0.0
        self._complete: list[str] = []
        self._clause = ""
        self._clause_size = 0
        self._clause_start = 0

    def start(self, sample_rate: int) -> None:
        """Sets the sample rate (Hz) of the voice."""
        self.sample_rate = sample_rate
        self.pacer = Pacer(sample_rate)

    def begin(self, piece: ClausePiece) -> None:
        """Records the start of an audio segment."""
        if piece.first:
            self._complete.append(self._clause)
            self._clause, self._clause_start = piece.clause, self.given_out
        self._clause_size = self.given_out - self._clause_start + piece.samples.size + piece.rest

    def gave_out(self, size: int) -> None:
        """Records that `size` samples were played."""
        if self.given_out == 0:
            self._first_audio = time.monotonic() - self.utterance.accepted
        self.given_out += size

    def raise_if_over(self) -> None:
        """Raises an error if the utterance was stopped, or `TIMEOUT` if its time limit has passed."""
        if self.utterance.reason is not None:
            raise self.utterance.reason
        if self._deadline.passed:
            raise AgentError(ErrorCode.TIMEOUT, f"The speech did not end within {self.utterance.limit:.1f} s.")

    def spoken(self, error: AgentError | None) -> Spoken:
        """Returns the result of the utterance: its duration, the spoken text, and the error."""
        words = self._clause.split()
        heard = self.given_out - self._clause_start
        part = words[: len(words) * heard // self._clause_size] if self._clause_size else words
        text = " ".join([*filter(None, self._complete), *part])
        return Spoken(self.given_out / self.sample_rate, self._first_audio, text, error)
