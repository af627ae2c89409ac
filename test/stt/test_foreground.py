from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.stt.foreground import Foreground


def frame(level: float) -> Samples:
    """White noise of that level, dBFS."""
    noise = np.random.default_rng(0).standard_normal(512)
    return np.rint(noise * 32768.0 * 10.0 ** (level / 20.0)).astype(np.int16)


def settled(noise: float) -> Foreground:
    """In a room of that noise, dBFS, for half a minute."""
    foreground = Foreground()
    for _ in range(1000):
        foreground.push(frame(noise), 1.0)
    return foreground


@pytest.mark.parametrize("noise", [-90.0, -60.0, -40.0])
def test_what_is_louder_than_the_room_stands_out(noise: float) -> None:
    foreground = settled(noise)
    assert foreground.push(frame(-20.0), 1.0)
    assert not foreground.push(frame(noise + 3.0), 1.0)


def test_what_the_robots_own_voice_explains_does_not() -> None:
    assert not settled(-60.0).push(frame(-20.0), 0.1)


def test_a_noise_that_stays_is_the_rooms_after_a_while() -> None:
    foreground = settled(-60.0)
    stands_out = [foreground.push(frame(-40.0), 1.0) for _ in range(400)]
    assert stands_out[0]
    assert not stands_out[-1]


def test_a_loud_voice_stands_out_however_long_it_speaks() -> None:
    assert settled(-10.0).push(frame(-10.0), 1.0)
