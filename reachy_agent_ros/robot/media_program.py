"""What runs beside the robot's SDK: its microphone to standard output, or standard input to its loudspeaker.

`media.MediaProcess` starts it with the Python of the SDK, in which our package is not installed: nothing of ours may be
imported here. It ends when its standard input does.
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
from typing import Any, NoReturn

import numpy as np

HEADER = struct.Struct("<IId")
"""What it writes first, once sound flows: sample rate, Hz; channels; seconds from a piece's coming to its sound."""

LENGTH = struct.Struct("<I")
"""What comes before each piece of mono sound for the loudspeaker: its bytes; 0 for silence at once."""

START_TIMEOUT = 8.0
"""Seconds until the first sample: WebRTC has to be negotiated, and echo cancellation takes two."""

SILENT = 1.0
"""Seconds without a sample after which the robot's sound is gone: the SDK itself only writes that into its log."""


class _Trouble(logging.Handler):
    """Remembers the latest error that the SDK wrote into its log, which is all it does about one."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.latest = "its log names no error"

    def emit(self, record: logging.LogRecord) -> None:
        self.latest = " ".join(record.getMessage().split())


def main() -> None:
    """Arguments: `record` or `play`, the SDK's media backend, the daemon's host, its URL."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for our parent, which then closes our input.
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # What a library prints must not be taken for sound.
    direction, backend, host, url = sys.argv[1:]
    trouble = _Trouble()
    logging.getLogger("reachy_mini").addHandler(trouble)
    media = _open(backend, host, url)
    media.start_recording()  # For the loudspeaker too: samples that come are the sign that sound flows.
    media.start_playing()
    first = _first(media, trouble)
    output.write(HEADER.pack(*_format(media, direction), _latency(media)))
    if direction == "record":
        _record(media, first, output)
    else:
        threading.Thread(target=_watch, args=(media, trouble), daemon=True).start()
        _play(media, io.open(0, "rb", closefd=False))
    # The SDK's own threads may not end by themselves.
    os._exit(0)


def _open(backend: str, host: str, url: str) -> Any:
    """The media manager alone: `ReachyMini` would also command the robot, which only the bridge may."""
    from reachy_mini.media.media_manager import MediaBackend, MediaManager

    media = MediaManager(MediaBackend(backend), log_level="ERROR", signalling_host=host, daemon_url=url)
    if media.audio is None:
        sys.exit("the SDK offers no audio")
    if media.camera is not None and media.camera is not media.audio:
        media.camera.close()  # Nobody here looks at its pictures.
        media.camera = None
    return media


def _format(media: Any, direction: str) -> tuple[int, int]:
    if direction == "record":
        return media.get_input_audio_samplerate(), media.get_input_channels()
    return media.get_output_audio_samplerate(), 1


def _latency(media: Any) -> float:
    """Of the sound card, which only the local backend knows."""
    return float(getattr(media.audio, "PLAYBACK_SINK_BUFFER_TIME_US", 0)) / 1e6


def _first(media: Any, trouble: _Trouble) -> Any:
    end = time.monotonic() + START_TIMEOUT
    while (samples := media.get_audio_sample()) is None:
        if time.monotonic() > end:
            _give_up(f"no sound within {START_TIMEOUT:g} s, and {trouble.latest}")
    return samples


def _record(media: Any, samples: Any, output: io.RawIOBase) -> None:
    while not select.select([0], [], [], 0.0)[0]:
        if samples is not None:
            output.write(np.rint(np.clip(samples, -1.0, 1.0) * 32767.0).astype("<i2").tobytes())
        samples = media.get_audio_sample()


def _play(media: Any, pieces: io.BufferedReader) -> None:
    while header := pieces.read(LENGTH.size):
        size = LENGTH.unpack(header)[0]
        if size:
            media.push_audio_sample(np.frombuffer(pieces.read(size), "<i2").astype(np.float32) / 32767.0)
        else:
            media.audio.clear_player()


def _watch(media: Any, trouble: _Trouble) -> None:
    heard = time.monotonic()
    while time.monotonic() - heard < SILENT:
        if media.get_audio_sample() is not None:
            heard = time.monotonic()
    _give_up(f"its sound stands still, and {trouble.latest}")


def _give_up(reason: str) -> NoReturn:
    print(reason, file=sys.stderr, flush=True)
    os._exit(1)


if __name__ == "__main__":
    main()
