"""Audio sources: a microphone of the computer, the robot's microphone, or a recording."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from reachy_agent_ros.audio.device import MICROPHONE, Pacer, device_error, require_device, run_sessions, sound_devices
from reachy_agent_ros.audio.media import MediaProcess
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.audio_stream import Chunk

LOOK = 0.2
"""Time between two checks that sound still arrives, s."""

_SILENT = 1.0
"""Time without a sample after which the device counts as lost, s: a microphone also sends silence."""

PIECE = 512
"""Number of samples in a chunk: 32 ms."""


def listen(device: str, deliver: Callable[[Chunk], None], report: Callable[[str], None], cancel: CancelToken) -> None:
    """Delivers audio from a microphone until canceled. Retries while no microphone is available.

    Args:
        device: Part of the device name; empty for the system default.
        deliver: Callback in the thread of the sound system, with each chunk of at most 32 ms.
        report: Callback with the reason if there is no microphone, and with an empty text once there is one.
        cancel: Token that ends the recording.
    """
    run_sessions(lambda session: _record(device, f"microphone-{session}", deliver, report, cancel), report, cancel)


def listen_to_robot(
    daemon_url: str, deliver: Callable[[Chunk], None], report: Callable[[str], None], cancel: CancelToken
) -> None:
    """Delivers audio from the robot's microphone until canceled. Retries while the microphone is unavailable.

    Args:
        daemon_url: Address of the daemon, `http://HOST:PORT`.
        deliver: Callback in this thread, with each chunk of at most 32 ms and all channels of the robot.
        report: Callback with the reason if there is no microphone, and with an empty text once there is one.
        cancel: Token that ends the recording.
    """
    run_sessions(lambda session: _record_robot(daemon_url, f"robot-{session}", deliver, report, cancel), report, cancel)


def play_to_ears(samples: Samples, stream: str, deliver: Callable[[Chunk], None], cancel: CancelToken) -> None:
    """Delivers a recording in chunks, in real time. The last chunk is marked as the last.

    Args:
        samples: 16 kHz mono samples.
        stream: ID of the stream.
        deliver: Callback in the thread of the caller, with each chunk.
        cancel: Token that ends the delivery early.
    """
    pacer = Pacer(SAMPLE_RATE)
    for sequence, start in enumerate(range(0, samples.size, PIECE)):
        piece = samples[start : start + PIECE]
        if not pacer.wait(piece.size, cancel):
            return
        last = start + PIECE >= samples.size
        deliver(Chunk(piece, SAMPLE_RATE, stream=stream, sequence=sequence, last=last))


def _record(
    device: str,
    stream: str,
    deliver: Callable[[Chunk], None],
    report: Callable[[str], None],
    cancel: CancelToken,
) -> None:
    """Records from a microphone, at the sample rate of the device, until a cancellation or an error."""
    devices = sound_devices()
    sequence = 0
    heard = time.monotonic()

    def receive(data: Any, _frames: int, _time: Any, _status: Any) -> None:
        nonlocal sequence, heard
        heard = time.monotonic()
        deliver(Chunk(np.frombuffer(data, np.int16).copy(), rate, stream=stream, sequence=sequence))
        sequence += 1

    rate = int(require_device(devices, MICROPHONE, device)["default_samplerate"])
    try:
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
                if not recording.active or time.monotonic() - heard > _SILENT:
                    raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The microphone has stopped sending audio.")
    except (devices.PortAudioError, ValueError) as error:
        raise device_error(devices, error, MICROPHONE, device) from error


def _record_robot(
    daemon_url: str,
    stream: str,
    deliver: Callable[[Chunk], None],
    report: Callable[[str], None],
    cancel: CancelToken,
) -> None:
    """Records from the robot's microphone, at its sample rate, until a cancellation or an error."""
    with MediaProcess(daemon_url, "record", cancel) as media:
        report("")
        frame = 2 * media.channels
        most = frame * (media.sample_rate // 32)
        sequence = 0
        rest = b""
        while True:
            data = rest + media.receive(most - len(rest), _SILENT)
            whole = len(data) - len(data) % frame
            rest = data[whole:]
            if whole:
                samples = np.frombuffer(data[:whole], "<i2").astype(np.int16)
                deliver(Chunk(samples, media.sample_rate, media.channels, stream=stream, sequence=sequence))
                sequence += 1
