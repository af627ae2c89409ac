"""Sound devices, which may be missing, appear late or be pulled out, and the pace of sound without a device."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_RETRY = 2.0
"""Seconds between two attempts to open a device."""

_LATE = 0.1
"""Seconds of delay beyond which lost time is not caught up on: that would be a burst that no listener expects."""


def sound_devices() -> Any:
    """The `sounddevice` module with a fresh list of devices.

    It is imported here and not above: its import fails without PortAudio, and then all but the devices must work.

    Raises:
        AgentError: `AUDIO_UNAVAILABLE`: PortAudio is missing.
    """
    try:
        import sounddevice
    except OSError as error:
        raise AgentError(
            ErrorCode.AUDIO_UNAVAILABLE, "PortAudio is not installed (package libportaudio2 on Debian and Ubuntu)."
        ) from error
    # PortAudio lists devices once, when it starts; only a new start finds what was plugged in since.
    sounddevice._terminate()
    sounddevice._initialize()
    return sounddevice


def device_error(devices: Any, error: Exception, kind: str, name: str) -> AgentError:
    """The error for a device that failed or could not be opened; `kind` is microphone or speaker."""
    known = ", ".join(str(device["name"]) for device in devices.query_devices()) or "none"
    wanted = repr(name) if name else "the default one"
    return AgentError(ErrorCode.AUDIO_UNAVAILABLE, f"No {kind} ({wanted}): {error} Devices: {known}.")


def run_sessions(session: Callable[[int], None], report: Callable[[str], None], cancel: CancelToken) -> None:
    """Uses a device that may come and go, one session after another, and tries again while there is none.

    Args:
        session: Opens and uses the device until cancelled; raises an `AgentError` if it is gone. Receives the number of
            the session, from 1.
        report: Called with the reason when a session fails.
        cancel: Ends the sessions.
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
    """Real time for sound that comes from memory or disk instead of a device.

    It lets samples pass as fast as they sound, from the first call of `wait` on.

    Args:
        sample_rate: Hz.
    """

    def __init__(self, sample_rate: int) -> None:
        self._rate = sample_rate
        self._due = -float("inf")

    def wait(self, samples: int, cancel: CancelToken) -> bool:
        """Waits until the samples let through before have sounded, then lets `samples` more through.

        Returns:
            Whether they may pass: False after a cancel.
        """
        now = time.monotonic()
        if now - self._due > _LATE:
            self._due = now
        cancelled = cancel.wait(max(0.0, self._due - now))
        self._due += samples / self._rate
        return not cancelled
