import math

import numpy as np
import pytest

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.rehearsal import rehearsed
from reachy_agent_ros.robot.coordinates import coordinates
from support.robot.unhindered import assert_unhindered


class Choreography:
    """Move of 3 s, in which the head moves to the coordinates `size` and back.

    The motion is smooth or jumps.

    Args:
        jumps: The head is at `size` from 1 s to 2 s and at rest otherwise, without a transition.
        size: Arguments of `head_transform`, rad or m.
    """

    duration = 3.0

    def __init__(self, jumps: bool = False, **size: float) -> None:
        self._jumps = jumps
        self._size = size

    def at(self, time: float) -> BodyPose:
        share = float(1.0 < time < 2.0) if self._jumps else math.sin(math.pi * time / self.duration) ** 2
        return BodyPose(head_transform(**{name: share * value for name, value in self._size.items()}))


def test_rehearsal_keeps_move_within_reach_and_limits() -> None:
    easy = Choreography(pitch=0.3, yaw=0.2)
    move = rehearsed(easy, "easy")
    assert move.duration == pytest.approx(easy.duration)
    for time in np.arange(0.0, 3.0, 0.1):
        assert np.allclose(coordinates(move.at(time)), coordinates(easy.at(time)), atol=1e-4)


@pytest.mark.parametrize("size", [{"pitch": 0.5}, {"z": 0.02}, {"roll": 0.4, "y": 0.02}])
def test_rehearsal_smooths_jump_without_reducing_amplitude(size: dict[str, float]) -> None:
    move = rehearsed(Choreography(jumps=True, **size), "jumpy")
    assert_unhindered(move)
    present = coordinates(BodyPose(head_transform(**size)))
    assert np.abs(move.keyframes).max(axis=0) == pytest.approx(np.abs(present), abs=1e-6)


def test_rehearsal_reduces_amplitude_of_move_beyond_workspace() -> None:
    move = rehearsed(Choreography(z=0.03, pitch=0.6), "too big")
    assert_unhindered(move)
    assert 0.2 < np.abs(move.keyframes[:, 4]).max() < 0.6
