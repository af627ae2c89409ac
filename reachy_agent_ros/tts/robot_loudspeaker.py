"""The robot's own loudspeaker, which may come and go with its daemon."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable

import numpy as np

from reachy_agent_ros.audio.media import MediaProcess
from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.audio.sessions import run_sessions
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError

LEAD = 0.04
"""Seconds of silence before an utterance: the SDK mixes in real time, and a chunk that is 0.1 s late, the most that our
pacer allows, would leave a gap without it."""


class RobotLoudspeaker:
    """Plays through the robot's SDK. A thread of its own keeps the way there open: to open it takes seconds.

    Args:
        daemon_url: `http://HOST:PORT`.
        report: Called from any thread with the reason when there is no loudspeaker, with an empty text when there is
            one.
    """

    def __init__(self, daemon_url: str, report: Callable[[str], None]) -> None:
        self._url = daemon_url
        self._report = report
        self._cancel = CancelToken()
        self._media: MediaProcess | None = None
        self._playing: MediaProcess | None = None
        self._resampler = Resampler(16_000)
        self._thread = threading.Thread(target=self._keep, name="robot-loudspeaker")
        self._thread.start()

    @property
    def latency(self) -> float:
        """Seconds from a chunk's writing to its sound, as far as the SDK knows; 0 while nothing is played."""
        playing = self._playing
        return 0.0 if playing is None else LEAD + playing.latency

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Begins an utterance, which nobody hears where the robot is not reached now."""
        del utterance_id
        self._playing = self._media
        if self._playing is not None:
            rate = self._playing.sample_rate
            self._resampler = Resampler(sample_rate, target=rate)
            self._send(np.zeros(round(LEAD * rate), np.int16))

    def write(self, samples: Samples) -> None:
        """Plays a chunk, or drops it where the robot is gone."""
        if self._playing is not None:
            self._send(self._resampler.process(samples))

    def end(self, *, cancelled: bool) -> None:
        """Lets the robot play out what it holds, or silences it at once."""
        if self._playing is not None and not cancelled:
            self._send(self._resampler.flush())
        playing, self._playing = self._playing, None
        if playing is not None and cancelled:
            self._guarded(playing.silence)

    def close(self) -> None:
        """Ends the thread and lets go of the robot."""
        self._cancel.cancel()
        self._thread.join()

    def _send(self, samples: Samples) -> None:
        playing = self._playing
        if playing is not None and not self._guarded(lambda: playing.send(samples)):
            self._playing = None

    def _guarded(self, call: Callable[[], None]) -> bool:
        try:
            call()
        except AgentError as error:
            self._report(error.message)
            return False
        return True

    def _keep(self) -> None:
        run_sessions(lambda _number: self._hold(), self._report, self._cancel)

    def _hold(self) -> None:
        """Keeps one session for as long as it lasts."""
        with MediaProcess(self._url, "play", self._cancel) as media:
            self._media = media
            self._report("")
            try:
                while True:
                    media.receive(1, float("inf"))
            finally:
                self._media = None
