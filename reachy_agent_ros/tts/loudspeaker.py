"""Audio sinks for the loudspeakers of the computer and the robot, both of which are optional."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from reachy_agent_ros.audio.device import LOUDSPEAKER, device_error, require_device, run_sessions, sound_devices
from reachy_agent_ros.audio.media import MediaProcess
from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError

LEAD = 0.04
"""Silence before an utterance, s: the SDK mixes in real time, and a chunk that is 0.1 s late, the most that `Pacer`
allows, would otherwise leave a gap."""


class Loudspeaker:
    """Audio sink for the loudspeaker of the computer. Searches for the device before every utterance.

    Args:
        device: Part of the device name; empty for the system default.
        report: Callback with the reason if there is no loudspeaker, and with an empty text once there is one.
    """

    def __init__(self, device: str, report: Callable[[str], None]) -> None:
        self._device = device
        self._report = report
        self._devices: Any = None
        self._stream: Any = None

    @property
    def latency(self) -> float:
        """Delay (s) between writing and playing a chunk. 0 while nothing is played."""
        stream = self._stream
        return 0.0 if stream is None else float(stream.latency)

    def probe(self) -> None:
        """Reports whether a loudspeaker is available. Call this before the first utterance."""
        try:
            require_device(sound_devices(), LOUDSPEAKER, self._device)
        except AgentError as error:
            self._report(error.message)
        else:
            self._report("")

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Opens the audio device."""
        del utterance_id
        try:
            self._devices = sound_devices()
            self._stream = self._guarded(self._devices, lambda: self._open(sample_rate))
        except AgentError as error:
            self._report(error.message)
        else:
            self._report("")

    def write(self, samples: Samples) -> None:
        """Plays an audio chunk, or drops it if the device is lost."""
        stream = self._stream
        if stream is None:
            return
        try:
            self._guarded(self._devices, lambda: stream.write(samples.tobytes()))
        except AgentError as error:
            self._stream = None
            self._report(error.message)

    def end(self, *, cancelled: bool) -> None:
        """Ends the utterance. Lets the device play its buffer, or drops the buffer if `cancelled`."""
        stream, self._stream = self._stream, None
        if stream is None:
            return
        try:
            self._guarded(self._devices, stream.abort if cancelled else stream.stop)
        except AgentError as error:
            self._report(error.message)
        stream.close(ignore_errors=True)

    def _open(self, sample_rate: int) -> Any:
        stream = self._devices.RawOutputStream(
            samplerate=sample_rate, channels=1, dtype="int16", device=self._device or None, latency="low"
        )
        stream.start()
        return stream

    def _guarded(self, devices: Any, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except (devices.PortAudioError, ValueError) as error:
            raise device_error(devices, error, LOUDSPEAKER, self._device) from error


class RobotLoudspeaker:
    """Audio sink for the robot's loudspeaker through the robot's SDK. A thread keeps the SDK session open.

    Opening a session takes seconds.

    Args:
        daemon_url: Address of the daemon, `http://HOST:PORT`.
        report: Callback from any thread, with the reason if there is no loudspeaker, and with an empty text once there
            is one.
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
        """Delay (s) between writing and playing a chunk, as reported by the SDK. 0 while nothing is played."""
        playing = self._playing
        return 0.0 if playing is None else LEAD + playing.latency

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Starts an utterance. Drops the utterance if the robot is not connected."""
        del utterance_id
        self._playing = self._media
        if self._playing is not None:
            rate = self._playing.sample_rate
            self._resampler = Resampler(sample_rate, target=rate)
            self._send(np.zeros(round(LEAD * rate), np.int16))

    def write(self, samples: Samples) -> None:
        """Plays an audio chunk, or drops it if the connection to the robot is lost."""
        if self._playing is not None:
            self._send(self._resampler.process(samples))

    def end(self, *, cancelled: bool) -> None:
        """Ends the utterance. Lets the robot play its buffer, or drops the buffer if `cancelled`."""
        if self._playing is not None and not cancelled:
            self._send(self._resampler.flush())
        playing, self._playing = self._playing, None
        if playing is not None and cancelled:
            self._guarded(playing.silence)

    def close(self) -> None:
        """Stops the thread and closes the session."""
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
        """Opens a session and keeps the session open until it fails."""
        with MediaProcess(self._url, "play", self._cancel) as media:
            self._media = media
            self._report("")
            try:
                while True:
                    media.receive(1, float("inf"))
            finally:
                self._media = None
