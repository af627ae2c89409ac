"""Trajectories of body coordinates at a constant rate, and their conversion to moves for replay."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.motion.rehearsal import rehearsed
from reachy_agent_ros.motion.request import LONGEST
from reachy_agent_ros.robot.coordinates import BODY_YAW, NAMES, TRANSLATION, posture
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.workspace import Workspace

_NOISE = np.array([5e-4] * 3 + [math.radians(0.5)] * 6)
"""Amount by which a measured coordinate may exceed its limit, m and rad: the accuracy of the sensors. Replay clips to
the limit."""


@dataclass(frozen=True)
class Trajectory:
    """Sequence of postures at constant time steps.

    Attributes:
        times: Times from 0, s, shape (n,).
        values: The nine coordinates of `robot/coordinates.py` at each time, shape (n, 9).
    """

    times: Vector
    values: Vector

    @property
    def duration(self) -> float:
        """Duration of the trajectory (s)."""
        return float(self.times[-1])

    @property
    def rate(self) -> float:
        """Sampling rate (Hz)."""
        return float(1.0 / (self.times[1] - self.times[0]))


def resampled(times: Vector, values: Vector, rate: float) -> Trajectory:
    """Resamples postures at a constant rate by linear interpolation.

    Args:
        times: Ascending times, s; at least two.
        values: Coordinates, one row for each time.
        rate: New rate, Hz.

    Raises:
        AgentError: `NO_DATA` for fewer than two times or a duration of less than one step.
    """
    if len(times) < 2 or times[-1] - times[0] < 1.0 / rate:
        raise AgentError(ErrorCode.NO_DATA, f"Too few postures for a trajectory at {rate:g} Hz: {len(times)}.")
    moments = np.arange(np.floor((times[-1] - times[0]) * rate) + 1.0) / rate
    columns = [np.interp(moments, times - times[0], column) for column in values.T]
    return Trajectory(moments, np.stack(columns, axis=1))


def replayed(trajectory: Trajectory, description: str, followable: bool = False) -> RecordedMove:
    """Converts a demonstrated trajectory to a move.

    Args:
        trajectory: Demonstrated trajectory.
        description: Description of the move.
        followable: Whether to scale and smooth a motion that the body cannot execute, instead of rejecting it.

    Raises:
        AgentError: `INVALID_GOAL` if the trajectory is too long. Unless `followable`: `OUT_OF_ENVELOPE` with the time
            and amount of the largest limit violation; `UNREACHABLE` with the time of the first unreachable posture.
    """
    require_replayable(trajectory.duration)
    values = trajectory.values.copy()
    if followable:
        values[:, BODY_YAW:] = np.clip(values[:, BODY_YAW:], LOW[BODY_YAW:], HIGH[BODY_YAW:])
        move = rehearsed(RecordedMove(description, trajectory.times, values), description)
    else:
        _require_within(trajectory)
        values = np.clip(values, LOW, HIGH)
        _require_reachable(trajectory.times, values)
        move = RecordedMove(description, trajectory.times, values)
    return move


def require_replayable(duration: float) -> None:
    """Raises `INVALID_GOAL` if a demonstration is too long for a move.

    Args:
        duration: Duration of the demonstration, s.
    """
    if duration > LONGEST:
        message = f"Demonstration too long: {duration:.0f} s, maximum {LONGEST:.0f} s. Trim it."
        raise AgentError(ErrorCode.INVALID_GOAL, message)


def move_file(move: RecordedMove) -> str:
    """Serializes a move as JSON, in the format that `motion/move_folder.py` reads."""
    times = np.linspace(0.0, move.duration, len(move.keyframes))
    poses = [move.at(time) for time in times]
    frames = [
        {"head": pose.head.tolist(), "antennas": [pose.antenna_right, pose.antenna_left], "body_yaw": pose.body_yaw}
        for pose in poses
    ]
    return json.dumps({"description": move.description, "time": times.tolist(), "set_target_data": frames})


def _require_within(trajectory: Trajectory) -> None:
    beyond = np.maximum(LOW - trajectory.values, trajectory.values - HIGH) - _NOISE
    if beyond.max() <= 0.0:
        return
    share = beyond / (HIGH - LOW)  # m and rad can be compared only as shares of the allowed range
    row, column = np.unravel_index(int(np.argmax(share)), share.shape)
    value = trajectory.values[row, column]
    limit = LOW[column] if value < LOW[column] else HIGH[column]
    moments = int((beyond > 0.0).any(axis=1).sum())
    raise AgentError(
        ErrorCode.OUT_OF_ENVELOPE,
        f"At {trajectory.times[row]:.2f} s {NAMES[column]} is {_shown(value, int(column))}, "
        f"{_shown(abs(value - limit), int(column))} beyond its limit of {_shown(limit, int(column))}; "
        f"{moments / len(share):.0%} of the demonstration is outside the envelope. Replay it with --followable.",
    )


def _require_reachable(times: Vector, values: Vector) -> None:
    workspace = Workspace()
    for time, row in zip(times, values, strict=True):
        try:
            workspace.require(posture(row))
        except AgentError as error:
            message = f"At {time:.2f} s: {error.message} Replay it with --followable."
            raise AgentError(error.code, message) from error


def _shown(value: float, column: int) -> str:
    return f"{1e3 * value:.1f} mm" if column < TRANSLATION.stop else f"{math.degrees(value):.1f} deg"
