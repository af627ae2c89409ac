import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.paced_move import FASTEST_PACE, RAMP, SLOWEST_PACE, PacedMove

PACES = st.floats(SLOWEST_PACE, FASTEST_PACE)
CHANGES = st.lists(st.tuples(st.floats(0.0, 3.0), PACES), max_size=6)


class Turn:
    """Turn of the body by one radian per second."""

    duration = 4.0

    def at(self, time: float) -> BodyPose:
        return replace(BodyPose(), body_yaw=min(max(time, 0.0), self.duration))


def changed(changes: list[tuple[float, float]], begin_at: float, pace: float) -> PacedMove:
    move, time = PacedMove(Turn(), begin_at, pace, FASTEST_PACE), 0.0
    for pause, new_pace in changes:
        time += pause
        move.change(new_pace, time)
    return move


@given(CHANGES, st.floats(0.0, 3.9), st.floats(0.0, FASTEST_PACE))
def test_move_ends_exactly_after_its_duration(changes: list[tuple[float, float]], begin_at: float, pace: float) -> None:
    move = changed([*changes, (0.0, 1.0)], begin_at, pace)
    assert move.reached(move.duration) == pytest.approx(Turn.duration, abs=1e-6)
    if move.reached(move.duration - 0.02) < Turn.duration:
        assert move.reached(move.duration - 0.01) < Turn.duration


@given(CHANGES, st.floats(0.0, FASTEST_PACE))
def test_pace_changes_without_jump(changes: list[tuple[float, float]], pace: float) -> None:
    move, time, step = PacedMove(Turn(), 0.0, pace, FASTEST_PACE), 0.0, 0.01
    places, due = [], list(changes)
    for _ in range(600):
        if due and time >= due[0][0]:
            move.change(due.pop(0)[1], time)
        places.append(move.reached(time))
        time += step
    speeds = [(later - earlier) / step for earlier, later in itertools.pairwise(places)]
    inside = [speed for speed, place in zip(speeds, places[1:], strict=False) if place < Turn.duration]
    steepest = FASTEST_PACE / RAMP * step + 1e-6
    assert all(-1e-9 <= speed <= FASTEST_PACE + 1e-6 for speed in speeds)
    assert all(abs(later - earlier) <= steepest for earlier, later in itertools.pairwise(inside))


def test_half_the_pace_takes_twice_as_long() -> None:
    move = PacedMove(Turn(), pace=0.5)
    assert move.duration == pytest.approx(8.0)
    assert move.at(4.0).body_yaw == pytest.approx(2.0)


def test_pace_is_limited_to_what_move_allows() -> None:
    move = PacedMove(Turn(), fastest=1.25)
    move.change(2.0, 0.0)
    assert move.duration == pytest.approx(4.0 / 1.25, abs=RAMP)
    move.change(0.01, 1.0)
    assert math.isfinite(move.duration)


def test_move_that_begins_in_the_middle_starts_at_rest() -> None:
    move = PacedMove(Turn(), begin_at=2.0, pace=0.0)
    move.change(1.0, 0.0)
    assert move.at(0.0).body_yaw == 2.0
    assert move.at(0.01).body_yaw == pytest.approx(2.0, abs=0.001)
    assert move.at(move.duration).body_yaw == pytest.approx(4.0)
