"""Making a choreography followable, so that the safety gate has nothing to brake.

Dances are written for the eye: some jump from one posture to the next, some reach further than the arms. Left to the
gate, a jump would come late and an unreachable moment would stop the head in the middle of a swing.
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
"""Between two samples, s."""

_SHARE = 0.95
"""Of the gate's speed and acceleration limits that is used."""

_MARGIN = 0.96
"""Of the reach that is used: the gate wants to be able to brake within it at every moment."""

_WIDEST = 100
"""Half of the widest window, samples: a jump through the whole envelope needs 45."""

_SPARSE = 2
"""One of so many samples is tested for reach, which is what takes the time."""

_SCALES = np.arange(1.0, 0.0, -0.02)


def rehearsed(move: Move, description: str) -> RecordedMove:
    """The same move, each coordinate smoothed and the head's excursion reduced as little as the limits ask for.

    Smoothing convolves a coordinate with a Hann window, which delays nothing, mixes values within their range only and
    leaves what is within the limits as it is. The move must begin and end at rest; it becomes longer by the window.

    Args:
        move: Any move around the neutral posture.
        description: What it looks like.
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
    """Half of the narrowest window, samples, after which a coordinate keeps its limits."""
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
