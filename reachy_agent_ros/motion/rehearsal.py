"""Adaptation of a choreography to the limits of the safety gate.

Some dances jump from one posture to the next, and some go beyond the reach of the arms. If the gate had to correct
this, jumps would be delayed, and an unreachable posture would stop the head in the middle of a swing.
"""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.workspace import Workspace

STEP = 0.01
"""Time between two samples, s."""

_SHARE = 0.95
"""Fraction of the gate's speed and acceleration limits that is used."""

_MARGIN = 0.96
"""Fraction of the workspace that is used, so that the gate can brake within the workspace at every moment."""

_WIDEST = 100
"""Half the maximum width of the window, samples: a jump across the complete envelope needs 45."""

_SPARSE = 2
"""Interval of the samples whose reach is tested. Not all are tested, because this test takes most of the time."""

_SCALES = np.arange(1.0, 0.0, -0.02)


def rehearsed(move: Move, description: str) -> RecordedMove:
    """Adapts a move to the limits: smooths each coordinate and reduces the head's amplitude as little as possible.

    Smoothing convolves a coordinate with a Hann window, which adds no delay, keeps the range of the values, and leaves
    coordinates within the limits unchanged. The move must begin and end at rest; the window makes it longer.

    Args:
        move: Move around the neutral posture.
        description: Description of the resulting move.
    """
    moments = STEP * np.arange(np.ceil(move.duration / STEP) + 1)
    values = _smoothed(np.array([coordinates(move.at(time)) for time in moments]))
    values[:, :BODY_YAW] *= _largest_scale(values)
    return RecordedMove(description, STEP * np.arange(len(values), dtype=float), values)


def _smoothed(values: Vector) -> Vector:
    halves = [_half_window(column, SPEED[index], ACCELERATION[index]) for index, column in enumerate(values.T)]
    widest = max(halves)
    columns = [_convolved(np.pad(column, widest, "edge"), half) for column, half in zip(values.T, halves, strict=True)]
    return np.stack(columns, axis=1)


def _half_window(column: Vector, speed: float, acceleration: float) -> int:
    """Returns half the width (in samples) of the narrowest window that keeps a coordinate within its limits."""
    padded = np.pad(column, _WIDEST, "edge")
    for half in range(_WIDEST):
        smooth = _convolved(padded, half)
        fast = np.abs(np.diff(smooth)).max() / STEP > _SHARE * speed
        if not fast and np.abs(np.diff(smooth, 2)).max() / STEP**2 <= _SHARE * acceleration:
            return half
    return _WIDEST


def _convolved(column: Vector, half: int) -> Vector:
    window = np.hanning(2 * half + 3)[1:-1]
    return np.convolve(np.pad(column, half, "edge"), window / window.sum(), "valid")


def _largest_scale(values: Vector) -> float:
    workspace = Workspace()

    def fits(scale: float) -> bool:
        for row in values[::_SPARSE]:
            ample = row.copy()
            ample[:BODY_YAW] *= scale / _MARGIN
            inside = (ample >= LOW) & (ample <= HIGH)
            if not (inside.all() and workspace.holds(ample)):
                return False
        return True

    return next(float(scale) for scale in _SCALES if fits(scale))
