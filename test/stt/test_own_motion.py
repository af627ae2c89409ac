from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.stt.own_motion import COOL_DOWN, LOUD, OwnMotion

PERIOD = 0.02


def moved(speeds: list[float]) -> OwnMotion:
    motion = OwnMotion()
    position = 0.0
    for number, speed in enumerate([0.0, *speeds]):
        position += speed * PERIOD
        motion.update([0.0, position], number * PERIOD)
    return motion


def test_a_gesture_is_loud_until_shortly_after_it() -> None:
    motion = moved([1.0] * 5)
    assert motion.loud(0.1)
    assert motion.loud(0.1 + 0.9 * COOL_DOWN)
    assert not motion.loud(0.1 + 1.1 * COOL_DOWN)


def test_the_first_news_and_a_repeated_stamp_tell_nothing() -> None:
    motion = OwnMotion()
    motion.update([3.0], 1.0)
    motion.update([0.0], 1.0)
    motion.update([0.0, 1.0], 1.1)
    assert not motion.loud(1.1)


@given(st.lists(st.floats(-0.9 * LOUD, 0.9 * LOUD), max_size=20))
def test_breathing_is_not_loud(speeds: list[float]) -> None:
    assert not moved(speeds).loud(len(speeds) * PERIOD)
