import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.audio.sound_track import SoundTrack

RATE = 16_000


def constant(level: int, seconds: float) -> Samples:
    return np.full(round(seconds * RATE), level, np.int16)


def test_sound_track_places_streams_at_their_times() -> None:
    track = SoundTrack(RATE)
    track.add("first", 0.5, constant(1000, 0.5), RATE)
    track.add("first", 7.0, constant(1000, 0.5), RATE)  # late, and still without a gap
    track.add("second", 1.0, constant(500, 1.0), RATE)
    sound = track.mixed(3.0)
    levels = [int(np.median(sound[round(at * RATE) :][: RATE // 4])) for at in (0.1, 0.6, 1.1, 1.6, 2.2)]
    assert sound.size == 3 * RATE
    np.testing.assert_allclose(levels, [0, 1000, 1500, 500, 0], atol=20)


def test_sound_track_clips_loud_sound_and_omits_sound_after_its_end() -> None:
    track = SoundTrack(RATE)
    for stream in ("first", "second"):
        track.add(stream, 0.0, constant(30_000, 2.0), RATE)
    track.add("third", 5.0, constant(100, 1.0), RATE)
    sound = track.mixed(1.0)
    assert sound.size == RATE
    assert sound.max() == 32767
