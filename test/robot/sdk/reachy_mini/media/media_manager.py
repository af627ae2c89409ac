"""Stub of the audio interface of the robot's SDK, for a computer without GStreamer.

`test_media.py` compares its names and signatures with the installed SDK. A test communicates with the stub through
files in the folder in the environment variable `ROOM`.
"""

import os
import time
from enum import Enum
from pathlib import Path

import numpy as np

PERIOD = 160


class MediaBackend(Enum):
    NO_MEDIA = "no_media"
    LOCAL = "local"
    WEBRTC = "webrtc"


class AudioBase:
    def clear_player(self):
        note("clear")


class MediaManager:
    """Fake media manager that returns a signal with constant steps, and logs the calls of its methods.

    The signal has two channels and 160 frames per step.
    """

    def __init__(
        self,
        backend=MediaBackend.LOCAL,
        log_level="INFO",
        signalling_host="localhost",
        camera_specs=None,
        daemon_url="",
    ):
        note(f"open {backend.value} {signalling_host} {daemon_url}")
        self.audio = AudioBase()
        self.camera = self.audio if backend is MediaBackend.WEBRTC else None
        self._frames = 0

    def close(self):
        note("close")

    def start_recording(self):
        note("record")

    def get_audio_sample(self):
        time.sleep(0.01)
        if (room() / "crash").exists():
            (room() / "crash").unlink()
            os._exit(3)
        if (room() / "unplugged").exists():
            return None
        step = np.full((PERIOD, 2), (self._frames // PERIOD) % 1000 / 32767.0, np.float32)
        self._frames += PERIOD
        return step

    def get_input_audio_samplerate(self):
        return 16_000

    def get_output_audio_samplerate(self):
        return 16_000

    def get_input_channels(self):
        return 2

    def start_playing(self):
        note("start")

    def push_audio_sample(self, data):
        while (room() / "hung").exists():
            time.sleep(0.01)
        with (room() / "heard").open("ab") as file:
            file.write(data.astype(np.float32).tobytes())

    def stop_playing(self):
        note("stop")


def room():
    return Path(os.environ["ROOM"])


def note(event):
    with (room() / "events").open("a") as file:
        file.write(event + "\n")
