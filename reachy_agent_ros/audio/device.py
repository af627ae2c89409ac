"""Access to sound devices, which may appear and disappear, and real-time pacing without a device."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

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


def device_error(devices: Any, error: Exception, kind: str, name: str) -> AgentError:
    """Returns the error for a device that failed or could not be opened; the message calls the device `kind`."""
    known = ", ".join(str(device["name"]) for device in devices.query_devices()) or "none"
    wanted = repr(name) if name else "the default"
    return AgentError(ErrorCode.AUDIO_UNAVAILABLE, f"No {kind} ({wanted}): {error} Devices: {known}.")


def run_sessions(session: Callable[[int], None], report: Callable[[str], None], cancel: CancelToken) -> None:
    """Uses a device in successive sessions, and retries while the device is missing.

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
    """Pacer that plays sound that does not come from a device in real time, starting with the first call of `wait`.

    Args:
        sample_rate: Sample rate, Hz.
    """

    def __init__(self, sample_rate: int) -> None:
        self._rate = sample_rate
        self._due = -float("inf")

    def wait(self, samples: int, cancel: CancelToken) -> bool:
        """Waits until the samples of earlier calls have been played, then admits `samples` more.

        Returns:
            Whether the samples are admitted; False after a cancellation.
        """
        now = time.monotonic()
        if now - self._due > _LATE:
            self._due = now
        cancelled = cancel.wait(max(0.0, self._due - now))
        self._due += samples / self._rate
        return not cancelled
