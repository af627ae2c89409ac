"""What is to be said, one after the other."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.speaker import Speaker
from reachy_agent_ros.tts.utterance import SpeechItem, Spoken

TICK = 0.05
"""Seconds after which the thread looks around although there is nothing to say."""


class SpeechQueue:
    """Utterances in the order of their coming, said by a thread of its own.

    Args:
        speaker: Says them.
        on_silence: Called in the thread after each utterance.
        on_tick: Called while the thread works, also when there is nothing to say.
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
        """Takes an utterance. With `interrupt` all that came before it ends with `PREEMPTED`."""
        if interrupt:
            self.stop_all(AgentError(ErrorCode.PREEMPTED, "Something more urgent was to be said."))
        with self._changed:
            self._waiting.append(utterance)
            self._changed.notify()

    def stop(self, utterance: SpeechItem, reason: AgentError) -> None:
        """Ends an utterance, whether it is being said or still waits. Does nothing if it has ended."""
        with self._changed:
            waited = utterance in self._waiting
            if waited:
                self._waiting.remove(utterance)
        utterance.stop(reason)
        if waited:
            utterance.on_done(Spoken(error=reason))

    def stop_all(self, reason: AgentError) -> int:
        """Ends everything that is being said or waits. Returns how many utterances that were."""
        with self._changed:
            every = [*self._waiting, *([self._current] if self._current else [])]
        for utterance in every:
            self.stop(utterance, reason)
        return len(every)

    def close(self) -> None:
        """Ends everything with `SHUTTING_DOWN`, then the thread."""
        self.stop_all(AgentError(ErrorCode.SHUTTING_DOWN, "The voice is being shut down."))
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
