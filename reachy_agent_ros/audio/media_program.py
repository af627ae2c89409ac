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
from typing import IO, Any, NoReturn

import numpy as np

HEADER = struct.Struct("<IId")
"""What it writes first, once sound flows: sample rate, Hz; channels; seconds from a piece's coming to its sound."""

LENGTH = struct.Struct("<I")
"""What comes before each piece of mono sound for the loudspeaker: its bytes; 0 for silence at once."""

START_TIMEOUT = 8.0
"""Seconds until the first sample: WebRTC has to be negotiated, and echo cancellation takes two."""

SILENT = 4.0
"""Seconds without a sample after which the robot's sound is gone: the SDK itself only writes that into its log.

Twice what the pipeline takes to run again after `_silence`.
"""


class _Trouble(logging.Handler):
    """Remembers the latest error that the SDK wrote into its log, which is all it does about one."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.latest = "its log names no error"

    def emit(self, record: logging.LogRecord) -> None:
        message = " ".join(record.getMessage().split())
        self.latest = message.partition(" ../")[0]  # GStreamer goes on with the line in its source.


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
        _play(media, sys.stdin.buffer)
    media.close()
    os._exit(0)  # The SDK's own threads may not end by themselves.


def _open(backend: str, host: str, url: str) -> Any:
    """The media manager alone: `ReachyMini` would also command the robot, which only the bridge may."""
    try:
        from reachy_mini.media.media_manager import MediaBackend, MediaManager
    except (ImportError, ValueError) as error:  # ValueError: GStreamer without its typelibs
        sys.exit(f"{sys.executable} has no complete Reachy Mini SDK ({error}), see docs/install.md")
    try:
        media = MediaManager(MediaBackend(backend), log_level="ERROR", signalling_host=host, daemon_url=url)
    except (AttributeError, RuntimeError) as error:  # AttributeError: the SDK uses an element that it did not get
        sys.exit(f"GStreamer lacks what the SDK needs ({error}), see docs/install.md")
    except (OSError, KeyError) as error:
        sys.exit(f"the daemon at {url} offers no sound to other machines ({error})")
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


def _play(media: Any, pieces: IO[bytes]) -> None:
    while header := pieces.read(LENGTH.size):
        size = LENGTH.unpack(header)[0]
        if size:
            media.push_audio_sample(np.frombuffer(pieces.read(size), "<i2").astype(np.float32) / 32767.0)
        else:
            _silence(media)


def _silence(media: Any) -> None:
    if media.audio is media.camera:  # WebRTC, where most of it waits at the daemon
        media.audio.clear_player()
    else:  # There `clear_player` leaves the pipeline mute with GStreamer 1.22.
        media.stop_playing()
        media.start_playing()


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
