"""Video files: H.264 pictures and AAC sound in an MP4 container, which browsers and players support."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import TracebackType

import av
import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.vision.camera import Image

_CLOCK = Fraction(1, 1000)
"""Resolution of the times of pictures, s."""

_QUALITY = {"crf": "21", "preset": "medium"}
"""Quality of the pictures: hardly distinguishable from the original."""


class VideoFile:
    """Writer of an MP4 file. Adds one picture at a time. Use in a `with` block.

    Args:
        path: Path of the file.
        width: Width of the pictures, an even number of pixels.
        height: Height of the pictures, an even number of pixels.
        sound_rate: Sample rate of the sound, Hz.
    """

    def __init__(self, path: Path, width: int, height: int, sound_rate: int) -> None:
        self._container = av.open(str(path), "w", options={"movflags": "+faststart"})
        self._pictures = self._container.add_stream("h264", options=_QUALITY)
        self._pictures.width, self._pictures.height = width, height
        self._pictures.pix_fmt = "yuv420p"  # players support no other
        self._pictures.codec_context.time_base = _CLOCK
        self._sound = self._container.add_stream("aac", rate=sound_rate, layout="mono")

    def __enter__(self) -> VideoFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if kind is None:
            self._container.mux(self._pictures.encode(None))
            self._container.mux(self._sound.encode(None))
        self._container.close()

    def add_picture(self, picture: Image, time: float) -> None:
        """Adds a picture that is displayed from `time` on (s since the start). Times must increase."""
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
        frame.pts, frame.time_base = round(time / _CLOCK), _CLOCK
        self._container.mux(self._pictures.encode(frame))

    def add_sound(self, samples: Samples) -> None:
        """Adds the complete mono audio track, which begins at the start of the video."""
        frame = av.AudioFrame.from_ndarray(samples[np.newaxis], format="s16", layout="mono")
        frame.sample_rate, frame.pts = self._sound.rate, 0
        self._container.mux(self._sound.encode(frame))
