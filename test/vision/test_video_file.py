from pathlib import Path

import av
import numpy as np
import pytest

from reachy_agent_ros.audio.samples import FULL_SCALE
from reachy_agent_ros.vision.video_file import VideoFile

RATE = 24_000


def test_video_file_contains_pictures_and_sound_at_their_times(tmp_path: Path) -> None:
    tone = np.asarray(0.5 * FULL_SCALE * np.sin(2.0 * np.pi * 440.0 * np.arange(RATE) / RATE), np.int16)
    with VideoFile(tmp_path / "film.mp4", 320, 240, RATE) as video:
        for number in range(10):
            video.add_picture(np.full((240, 320, 3), 25 * number, np.uint8), 0.1 * number)
        video.add_sound(np.concatenate([np.zeros(RATE, np.int16), tone]))
    with av.open(tmp_path / "film.mp4") as film:
        assert film.streams.video[0].codec_context.name == "h264"
        assert film.streams.audio[0].codec_context.name == "aac"
        frames = list(film.decode(film.streams.video[0]))
        film.seek(0)
        sound = np.concatenate([frame.to_ndarray()[0] for frame in film.decode(film.streams.audio[0])])
    assert [frame.time for frame in frames] == pytest.approx([0.1 * number for number in range(10)], abs=0.002)
    assert [frame.to_ndarray(format="gray").mean() for frame in frames] == pytest.approx(range(0, 250, 25), abs=12)
    assert np.abs(sound[: RATE - 2048]).max() < 0.05
    assert np.abs(sound[RATE:]).max() > 0.3
