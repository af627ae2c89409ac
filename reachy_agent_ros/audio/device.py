"""Access to sound devices, which may appear and disappear, and simulated playback without a device."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_RETRY = 2.0
"""Time between two attempts to open a device, s."""

_LATE = 0.1
"""Delay beyond which lost time is not caught up, s, because that would send an unexpected burst of sound."""


def sound_devices() -> Any:
    """Returns the `sounddevice` module with an updated list of devices.

    The module is imported on demand, because the import fails without PortAudio, and everything except sound devices
    must work without it.

    Raises:
        AgentError: `AUDIO_UNAVAILABLE` if PortAudio is missing.
    """
    try:
        import sounddevice
    except OSError as error:
        raise AgentError(
            ErrorCode.AUDIO_UNAVAILABLE, "PortAudio is missing: install libportaudio2 (Debian and Ubuntu)."
        ) from error
    # PortAudio lists devices only when it starts. A restart finds devices that were connected later.
    sounddevice._terminate()
    sounddevice._initialize()
    return sounddevice


@dataclass(frozen=True)
class DeviceKind:
    """Kind of sound device, such as a microphone. Names the settings to change if no device of this kind works.

    Attributes:
        name: Name in messages.
        direction: Direction of the sound in PortAudio.
        setting: Parameter that contains a part of the device name.
        unused: Argument of the graph that disables this kind of device.
    """

    name: str
    direction: Literal["input", "output"]
    setting: str
    unused: str


MICROPHONE = DeviceKind("microphone", "input", "stt.device", "audio_source:=topic")
LOUDSPEAKER = DeviceKind("loudspeaker", "output", "tts.device", "audio_sink:=none")


def require_device(devices: Any, kind: DeviceKind, name: str) -> Mapping[str, Any]:
    """Returns the PortAudio properties of a connected device, without opening it.

    Args:
        devices: Result of `sound_devices`.
        kind: Kind of the device.
        name: Part of the device name; empty for the system default.

    Raises:
        AgentError: `AUDIO_UNAVAILABLE`, with the fix: the device is not connected, or several devices match.
    """
    try:
        found: Mapping[str, Any] = devices.query_devices(name or None, kind.direction)
    except (devices.PortAudioError, ValueError) as error:
        raise device_error(devices, error, kind, name) from error
    return found


def device_error(devices: Any, error: Exception, kind: DeviceKind, name: str) -> AgentError:
    """Returns the error for a sound device that failed or could not be opened. Its message says how to fix it.

    Args:
        devices: Result of `sound_devices`.
        error: Error of PortAudio.
        kind: Kind of the device.
        name: Part of the device name; empty for the system default.
    """
    channels = f"max_{kind.direction}_channels"
    connected = ", ".join(str(device["name"]) for device in devices.query_devices() if device[channels] > 0)
    if not connected:
        message = f"No {kind.name} is connected: connect one, or start without it ({kind.unused})."
    else:
        wanted = repr(name) if name else "the default one"
        message = (
            f"Cannot use the {kind.name} ({wanted}): {str(error).rstrip('.')}. Set {kind.setting} to part of another "
            f"name (connected: {connected})."
        )
    return AgentError(ErrorCode.AUDIO_UNAVAILABLE, message)


def run_sessions(session: Callable[[int], None], report: Callable[[str], None], cancel: CancelToken) -> None:
    """Runs sessions with a sound device, one after another. Tries again while the device is missing.

    Args:
        session: Function that opens and uses the device until canceled, and raises an `AgentError` if the device is
            missing. It receives the number of the session, from 1.
        report: Callback that receives the reason when a session fails.
        cancel: Token that ends the sessions.
    """
    number = 0
    while not cancel.cancelled:
        number += 1
        try:
            session(number)
        except AgentError as error:
            if error.code is not ErrorCode.CANCELED:
                report(error.message)
                cancel.wait(_RETRY)


class Pacer:
    """Simulates the duration of playback when no sound device is used. Time starts with the first call of `wait`.

    Args:
        sample_rate: Sample rate, Hz.
    """

    def __init__(self, sample_rate: int) -> None:
        self._rate = sample_rate
        self._due = -float("inf")

    def wait(self, samples: int, cancel: CancelToken) -> bool:
        """Waits until the samples of earlier calls would have been played, then admits the next `samples` samples.

        Returns:
            Whether the samples are admitted; False after a cancellation.
        """
        now = time.monotonic()
        if now - self._due > _LATE:
            self._due = now
        cancelled = cancel.wait(max(0.0, self._due - now))
        self._due += samples / self._rate
        return not cancelled
