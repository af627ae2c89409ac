"""A microphone that may come and go."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from reachy_agent_ros.audio.device import device_error, sound_devices
from reachy_agent_ros.audio.sessions import run_sessions
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.chunk import Chunk

LOOK = 0.2
"""Seconds between two looks at whether sound still comes."""

SILENT = 1.0
"""Seconds without a sample after which the device counts as gone: a microphone sends silence too."""


def listen(device: str, deliver: Callable[[Chunk], None], report: Callable[[str], None], cancel: CancelToken) -> None:
    """Delivers a microphone's sound until cancelled, and tries again for as long as there is none.

    Args:
        device: Part of its name; empty for the system's default.
        deliver: Called in the sound system's thread with each piece of at most 32 ms.
        report: Called with the reason when there is no microphone, and with an empty text when there is one.
        cancel: Ends it.
    """
    run_sessions(lambda session: _record(device, f"microphone-{session}", deliver, report, cancel), report, cancel)


def _record(
    device: str,
    stream: str,
    deliver: Callable[[Chunk], None],
    report: Callable[[str], None],
    cancel: CancelToken,
) -> None:
    """Records one session of the device, at its own sample rate."""
    devices = sound_devices()
    sequence = 0
    heard = time.monotonic()

    def receive(data: Any, _frames: int, _time: Any, _status: Any) -> None:
        nonlocal sequence, heard
        heard = time.monotonic()
        deliver(Chunk(np.frombuffer(data, np.int16).copy(), rate, stream=stream, sequence=sequence))
        sequence += 1

    try:
        rate = int(devices.query_devices(device or None, "input")["default_samplerate"])
        recording = devices.RawInputStream(
            samplerate=rate,
            blocksize=rate // 32,
            device=device or None,
            channels=1,
            dtype="int16",
            callback=receive,
        )
        with recording:
            report("")
            while not cancel.wait(LOOK):
                if not recording.active or time.monotonic() - heard > SILENT:
                    raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The microphone sends nothing any more.")
    except (devices.PortAudioError, ValueError) as error:
        raise device_error(devices, error, "microphone", device) from error
