"""Says one utterance: makes its sound clause by clause and gives it out as it is to be heard."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

import numpy as np

from reachy_agent_ros.audio.pacer import Pacer
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.speaking.clauses import split_clauses
from reachy_agent_ros.speaking.sink import Sink
from reachy_agent_ros.speaking.utterance import Progress, Spoken, Utterance
from reachy_agent_ros.speaking.voice import Voice

CHUNK = 0.04
"""Seconds of sound given out at a time, and so the longest sound after a cancel."""

REPORT_EVERY = 5
"""Chunks between two reports of progress."""

LOOK = 0.05
"""Seconds between two looks at whether a clause's sound is ready."""


class Speaker:
    """Says utterances, one at a time. While a clause is heard, a thread makes the next one's sound.

    Args:
        voice: Used by that thread only.
        sinks: All of them get every chunk.
        on_tick: Called while it works, at least every tenth of a second.
        foresee: Called with the sound of every clause in the thread that gives it out, as soon as it is made and before
            its first chunk.
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
        self._synthesis = ThreadPoolExecutor(1, thread_name_prefix="synthesis")

    def close(self) -> None:
        """Ends the thread after the clause it is at."""
        self._synthesis.shutdown(wait=True, cancel_futures=True)

    def say(self, utterance: Utterance) -> Spoken:
        """Says it, in real time, until it is over, stopped or out of time."""
        saying = _Saying(utterance, Pacer(self._voice.sample_rate), Deadline(utterance.limit))
        for sink in self._sinks:
            sink.start(utterance.utterance_id, self._voice.sample_rate)
        error: AgentError | None = None
        try:
            self._say_clauses(saying)
        except AgentError as reason:
            error = reason
        for sink in self._sinks:
            sink.end(cancelled=error is not None)
        return saying.spoken(self._voice.sample_rate, error)

    def _say_clauses(self, saying: _Saying) -> None:
        utterance = saying.utterance
        clauses = split_clauses(utterance.text)
        coming = self._synthesise(clauses[0], utterance)
        for index, clause in enumerate(clauses):
            samples = self._ready(coming, saying)
            self._show(coming, saying)
            if index + 1 < len(clauses):
                coming = self._synthesise(clauses[index + 1], utterance)
            self._give_out(clause, samples, saying, coming)
        saying.pacer.wait(0, utterance.cancel)  # until the last chunk has been heard

    def _synthesise(self, clause: str, utterance: Utterance) -> Future[Samples]:
        return self._synthesis.submit(
            lambda: (self._voice.synthesise(clause, utterance.speed) * utterance.volume).astype(np.int16)
        )

    def _show(self, coming: Future[Samples], saying: _Saying) -> None:
        """Has a clause's sound foreseen, once, if it is made."""
        if coming is not saying.foreseen and coming.done() and coming.exception() is None:
            saying.foreseen = coming
            self._foresee(coming.result())

    def _ready(self, coming: Future[Samples], saying: _Saying) -> Samples:
        while not wait([coming], timeout=LOOK).done:
            self._on_tick()
            try:
                saying.raise_if_over()
            except AgentError:
                coming.cancel()
                raise
        failure = coming.exception()
        if failure is not None:
            raise AgentError(ErrorCode.VOICE_UNAVAILABLE, f"{self._voice.name} failed: {failure!r}") from failure
        return coming.result()

    def _give_out(self, clause: str, samples: Samples, saying: _Saying, coming: Future[Samples]) -> None:
        size = int(CHUNK * self._voice.sample_rate)
        saying.begin(clause, samples.size)
        for number, start in enumerate(range(0, samples.size, size)):
            chunk = samples[start : start + size]
            saying.pacer.wait(chunk.size, saying.utterance.cancel)
            saying.raise_if_over()
            if number % REPORT_EVERY == 0:
                saying.utterance.on_progress(Progress(clause, saying.given_out / self._voice.sample_rate))
            for sink in self._sinks:
                sink.write(chunk)
            saying.gave_out(chunk.size)
            self._show(coming, saying)
            self._on_tick()


class _Saying:
    """What has been said of an utterance so far."""

    def __init__(self, utterance: Utterance, pacer: Pacer, deadline: Deadline) -> None:
        self.utterance = utterance
        self.pacer = pacer
        self.given_out = 0
        self.foreseen: Future[Samples] | None = None
        self._deadline = deadline
        self._first_audio = 0.0
        self._complete: list[str] = []
        self._clause = ""
        self._clause_size = 0
        self._clause_start = 0

    def begin(self, clause: str, size: int) -> None:
        """Notes that a clause of `size` samples comes next."""
        self._complete.append(self._clause)
        self._clause, self._clause_size, self._clause_start = clause, size, self.given_out

    def gave_out(self, size: int) -> None:
        """Notes that `size` samples were given out."""
        if self.given_out == 0:
            self._first_audio = time.monotonic() - self.utterance.accepted
        self.given_out += size

    def raise_if_over(self) -> None:
        """Raises the reason of a stop, or `TIMEOUT`."""
        if self.utterance.reason is not None:
            raise self.utterance.reason
        if self._deadline.passed:
            raise AgentError(ErrorCode.TIMEOUT, f"Not said within {self.utterance.limit:.1f} s.")

    def spoken(self, sample_rate: int, error: AgentError | None) -> Spoken:
        """What became of it."""
        words = self._clause.split()
        heard = self.given_out - self._clause_start
        part = words[: len(words) * heard // self._clause_size] if self._clause_size else words
        text = " ".join([*filter(None, self._complete), *part])
        return Spoken(self.given_out / sample_rate, self._first_audio, text, error)
