import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import Matrix, Vector, head_transform, matrix_from_rotation_vector
from reachy_agent_ros.motion.gaze import EYE_HEIGHT
from reachy_agent_ros.motion.head_tracking import (
    DEAD_ZONE,
    LIMIT,
    LOST_AFTER,
    PACE,
    RETURN,
    SETTLING,
    WAKING,
    HeadTracking,
)

PERIOD = 0.02
NEUTRAL = np.eye(4)
LEFT = np.array([1.0, 0.4, 0.2])
STILL = np.zeros(3)


class Clock:
    """Runs head tracking with a simulated clock, which advances in regular steps."""

    def __init__(self) -> None:
        self.tracking = HeadTracking()
        self.now = 50.0

    def see(self, seconds: float, face: Vector, primary: Matrix = NEUTRAL) -> list[Vector]:
        """Shows a face for some seconds, and returns the offsets."""
        return [offset for _ in range(round(seconds / PERIOD)) for offset in self._turn(face, primary)]

    def miss(self, seconds: float, primary: Matrix = NEUTRAL) -> list[Vector]:
        """Shows no face for some seconds, and returns the offsets."""
        return [offset for _ in range(round(seconds / PERIOD)) for offset in self._turn(None, primary)]

    def _turn(self, face: Vector | None, primary: Matrix) -> list[Vector]:
        self.now += PERIOD
        if face is not None:
            self.tracking.follow(face, STILL, self.now)
        return [self.tracking.advance(primary, self.now)]


def gaze_error(face: Vector, primary: Matrix, offset: Vector) -> float:
    """Returns the angle (rad) between the face and the optical axis of the head after the offset."""
    head = primary.copy()
    head[:3, :3] = primary[:3, :3] @ matrix_from_rotation_vector(offset)
    x, y, z = head[:3, :3].T @ (face - head[:3, 3]) - [0.0, 0.0, EYE_HEIGHT]
    return math.atan2(math.hypot(y, z), x)


faces = st.builds(
    lambda distance, yaw, pitch: (head_transform(pitch=pitch, yaw=yaw) @ [distance, 0.0, 0.0, 1.0])[:3],
    st.floats(0.4, 3.0),
    st.floats(-0.6, 0.6),
    st.floats(-0.4, 0.4),
)
primaries = st.builds(
    head_transform,
    roll=st.floats(-0.3, 0.3),
    pitch=st.floats(-0.2, 0.2),
    yaw=st.floats(-0.2, 0.2),
    x=st.floats(-0.02, 0.02),
    z=st.floats(-0.02, 0.02),
)


@pytest.mark.slow
@given(faces, primaries)
def test_gaze_converges_to_face_for_any_primary_motion(face: Vector, primary: Matrix) -> None:
    *_, offset = Clock().see(2.0, face, primary)
    assert gaze_error(face, primary, offset) < DEAD_ZONE + 0.01


@pytest.mark.slow
@settings(max_examples=30)
@given(st.lists(st.tuples(faces, primaries), min_size=1, max_size=3))
def test_head_tracking_offset_stays_within_limits(course: list[tuple[Vector, Matrix]]) -> None:
    clock = Clock()
    offsets = [offset for face, primary in course for offset in clock.see(0.3, 3.0 * face, primary)]
    offsets += clock.miss(LOST_AFTER + RETURN + 0.1)
    assert all(np.linalg.norm(offset) <= LIMIT + 1e-9 for offset in offsets)
    assert all(np.linalg.norm(after - before) <= PACE * PERIOD + 1e-9 for before, after in pairwise(offsets))


def test_head_turns_to_limit_if_face_is_behind_robot() -> None:
    *_, offset = Clock().see(3.0, np.array([-0.5, 0.5, 0.0]))
    assert np.linalg.norm(offset) == pytest.approx(LIMIT, abs=DEAD_ZONE + 0.01)
    assert offset[2] > 0.9


def test_head_turns_to_face_without_reversing() -> None:
    errors = [gaze_error(LEFT, NEUTRAL, offset) for offset in Clock().see(2.0, LEFT)]
    assert all(after <= before + 1e-9 for before, after in pairwise(errors))


def test_ignores_small_face_motion() -> None:
    clock = Clock()
    *_, before = clock.see(2.0, LEFT)
    *_, after = clock.see(1.0, LEFT - np.array([0.0, 0.5 * math.tan(DEAD_ZONE), 0.0]))
    assert after == pytest.approx(before, abs=DEAD_ZONE / 5)


def test_head_tracking_extrapolates_position_of_moving_face() -> None:
    tracking, velocity = HeadTracking(), np.array([0.0, 0.4, 0.0])
    for n in range(100):
        tracking.follow(LEFT, velocity, 0.02 * n)
        ahead = tracking.advance(NEUTRAL, 0.02 * n)
    *_, where_it_was = Clock().see(2.0, LEFT)
    assert ahead[2] > where_it_was[2] + 0.05


def test_ignores_short_loss_of_face() -> None:
    clock = Clock()
    *_, before = clock.see(2.0, LEFT)
    assert all(offset == pytest.approx(before, abs=1e-6) for offset in clock.miss(LOST_AFTER - 0.1))


def test_head_returns_smoothly_after_loss_of_face() -> None:
    clock = Clock()
    clock.see(2.0, LEFT)
    clock.miss(LOST_AFTER)
    sizes = [float(np.linalg.norm(offset)) for offset in clock.miss(RETURN)]
    assert all(after <= before for before, after in pairwise(sizes))
    assert max(before - after for before, after in pairwise(sizes)) < 2.0 * sizes[0] * PERIOD / RETURN
    clock.miss(0.1)
    assert not clock.tracking.active


def test_head_follows_new_face_while_returning() -> None:
    clock = Clock()
    clock.see(2.0, LEFT)
    clock.tracking.release(clock.now)
    *_, halfway = clock.miss(RETURN / 2.0)
    assert 0.1 < np.linalg.norm(halfway) < 0.35
    first, *_ = clock.see(0.5, LEFT)
    assert np.linalg.norm(first - halfway) <= PACE * PERIOD + 1e-9


def test_head_tracking_compensates_lasting_head_turn_but_not_nod() -> None:
    clock = Clock()
    *_, before = clock.see(2.0, LEFT)
    nod = [head_transform(pitch=0.2 * math.sin(2 * math.pi * t)) for t in np.arange(0.0, 1.0, PERIOD)]
    during = [clock.see(PERIOD, LEFT, primary)[0] for primary in nod]
    assert max(abs(offset[1] - before[1]) for offset in during) < 0.08
    turned = head_transform(yaw=-0.3)
    *_, after = clock.see(5.0 * SETTLING, LEFT, turned)
    assert gaze_error(LEFT, turned, after) < WAKING


def test_head_ignores_jitter_of_face_position() -> None:
    clock = Clock()
    *_, met = clock.see(2.0, LEFT)
    tremble = np.random.default_rng(20).normal(0.0, 0.006, (100, 3))
    offsets = [offset for aside in tremble for offset in clock.see(PERIOD, LEFT + aside)]
    assert all((offset == met).all() for offset in offsets)
