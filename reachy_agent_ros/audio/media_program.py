"""Program that connects the robot's microphone or loudspeaker to standard streams.

It runs in the environment of the SDK.

`media.MediaProcess` starts the program with the Python of the SDK, in which this package is not installed. Therefore,
the program must not import anything from this package. It exits at the end of its standard input.
"""

from __future__ import annotations

import io
import logging
import os
import select
import signal
import struct
import sys
import threading
import time
from typing import IO, Any, NoReturn

import numpy as np

HEADER = struct.Struct("<IId")
"""Header written when sound starts: sample rate, Hz; channels; delay between receiving and playing a piece, s."""

LENGTH = struct.Struct("<I")
"""Prefix of each piece of mono sound for the loudspeaker: the length of the piece, bytes; 0 for immediate silence."""

START_TIMEOUT = 8.0
"""Timeout for the first sample, s: WebRTC must be negotiated, and echo cancellation takes 2 s to start."""

SILENT = 4.0
"""Time without a sample after which the robot's sound counts as failed, s. The SDK only logs such a failure.

The value is twice the time that the pipeline takes to restart after `_silence`.
"""


class _Trouble(logging.Handler):
    """Log handler that keeps the latest error of the SDK. The SDK reports errors only in its log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.latest = "the SDK has logged no error"

    def emit(self, record: logging.LogRecord) -> None:
        message = " ".join(record.getMessage().split())
        self.latest = message.partition(" ../")[0]  # GStreamer appends the line of its source code.


def main() -> None:
    """Runs the program. Arguments: `record` or `play`, the SDK's media backend, and the daemon's host and URL."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent, which then closes standard input.
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # Output of libraries must not be mixed into the sound.
    direction, backend, host, url = sys.argv[1:]
    trouble = _Trouble()
    logging.getLogger("reachy_mini").addHandler(trouble)
    media = _open(backend, host, url)
    media.start_recording()  # Also for the loudspeaker: incoming samples show that the connection works.
    media.start_playing()
    first = _first(media, trouble)
    output.write(HEADER.pack(*_format(media, direction), _latency(media)))
    if direction == "record":
        _record(media, first, output)
    else:
        threading.Thread(target=_watch, args=(media, trouble), daemon=True).start()
        _play(media, sys.stdin.buffer)
    media.close()
    os._exit(0)  # Threads of the SDK may never end.


def _open(backend: str, host: str, url: str) -> Any:
    """Opens only the media manager of the SDK.

    The class `ReachyMini` would also command the robot, but only the bridge may command the robot.
    """
    try:
        from reachy_mini.media.media_manager import MediaBackend, MediaManager
    except (ImportError, ValueError) as error:  # ValueError: GStreamer without its typelibs
        sys.exit(f"{sys.executable} has no complete Reachy Mini SDK ({error}); see docs/guides/install.md")
    try:
        media = MediaManager(MediaBackend(backend), log_level="ERROR", signalling_host=host, daemon_url=url)
    except (AttributeError, RuntimeError) as error:  # AttributeError: the SDK uses an element that it could not create
        sys.exit(f"GStreamer lacks an element that the SDK needs ({error}); see docs/guides/install.md")
    except (OSError, KeyError) as error:
        sys.exit(f"the daemon at {url} offers no sound to other machines ({error})")
    if media.audio is None:
        sys.exit("the SDK offers no audio")
    if media.camera is not None and media.camera is not media.audio:
        media.camera.close()  # Camera images are not used here.
        media.camera = None
    return media


def _format(media: Any, direction: str) -> tuple[int, int]:
    if direction == "record":
        return media.get_input_audio_samplerate(), media.get_input_channels()
    return media.get_output_audio_samplerate(), 1


def _latency(media: Any) -> float:
    """Returns the latency of the sound card in seconds. Returns 0 unless the SDK uses its local backend."""
    return float(getattr(media.audio, "PLAYBACK_SINK_BUFFER_TIME_US", 0)) / 1e6


def _first(media: Any, trouble: _Trouble) -> Any:
    end = time.monotonic() + START_TIMEOUT
    while (samples := media.get_audio_sample()) is None:
        if time.monotonic() > end:
            _give_up(f"no sound within {START_TIMEOUT:g} s ({trouble.latest})")
    return samples


def _record(media: Any, samples: Any, output: io.RawIOBase) -> None:
    while not select.select([0], [], [], 0.0)[0]:
        if samples is not None:
            output.write(np.rint(np.clip(samples, -1.0, 1.0) * 32767.0).astype("<i2").tobytes())
        samples = media.get_audio_sample()


def _play(media: Any, pieces: IO[bytes]) -> None:
    while header := pieces.read(LENGTH.size):
        size = LENGTH.unpack(header)[0]
        if size:
            media.push_audio_sample(np.frombuffer(pieces.read(size), "<i2").astype(np.float32) / 32767.0)
        else:
            _silence(media)


def _silence(media: Any) -> None:
    if media.audio is media.camera:  # WebRTC, where most sound is queued at the daemon
        media.audio.clear_player()
    else:  # With GStreamer 1.22, `clear_player` would leave the pipeline mute.
        media.stop_playing()
        media.start_playing()


def _watch(media: Any, trouble: _Trouble) -> None:
    heard = time.monotonic()
    while time.monotonic() - heard < SILENT:
        if media.get_audio_sample() is not None:
            heard = time.monotonic()
    _give_up(f"the sound has stopped ({trouble.latest})")


def _give_up(reason: str) -> NoReturn:
    print(reason, file=sys.stderr, flush=True)
    os._exit(1)


if __name__ == "__main__":
    main()
