"""A loudspeaker that may be missing."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from reachy_agent_ros.audio.device import device_error, sound_devices
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.errors import AgentError


class Loudspeaker:
    """Plays through the system's sound; looks for the device anew at every utterance.

    Args:
        device: Part of its name; empty for the system's default.
        report: Called with the reason when there is no loudspeaker, with an empty text when there is one.
    """

    def __init__(self, device: str, report: Callable[[str], None]) -> None:
        self._device = device
        self._report = report
        self._devices: Any = None
        self._stream: Any = None

    @property
    def latency(self) -> float:
        """Seconds from a chunk's writing to its sound; 0 while nothing is played."""
        stream = self._stream
        return 0.0 if stream is None else float(stream.latency)

    def probe(self) -> None:
        """Reports whether there is a loudspeaker, before anything is said."""
        try:
            devices = sound_devices()
            self._guarded(devices, lambda: devices.query_devices(self._device or None, "output"))
        except AgentError as error:
            self._report(error.message)
        else:
            self._report("")

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Opens the device."""
        del utterance_id
        try:
            self._devices = sound_devices()
            self._stream = self._guarded(self._devices, lambda: self._open(sample_rate))
        except AgentError as error:
            self._report(error.message)
        else:
            self._report("")

    def write(self, samples: Samples) -> None:
        """Plays a chunk, or drops it where the device is gone."""
        stream = self._stream
        if stream is None:
            return
        try:
            self._guarded(self._devices, lambda: stream.write(samples.tobytes()))
        except AgentError as error:
            self._stream = None
            self._report(error.message)

    def end(self, *, cancelled: bool) -> None:
        """Lets the device play out what it holds, or silences it at once."""
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
            raise device_error(devices, error, "loudspeaker", self._device) from error
