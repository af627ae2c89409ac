"""Moves stored as postures at moments, in the JSON format of the Reachy Mini SDK's recorded moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.coordinates import coordinates, posture


class RecordedMove:
    """Passes through every stored posture, without overshooting any of them, and starts and ends at rest.

    Between them it follows cubic Hermite curves, one a coordinate, with the tangents of Fritsch & Butland, "A method
    for constructing local monotone piecewise cubic interpolants", SIAM J. Sci. Stat. Comput. 5(2), 1984.

    Args:
        description: What it expresses, for people and for models that choose.
        times: Moments from 0 on, rising, s; at least two.
        values: The nine coordinates at each of them.
    """

    def __init__(self, description: str, times: Vector, values: Vector) -> None:
        self.description = description
        self._times = times
        self._values = values
        self._slopes = _monotone_slopes(times, values)

    @property
    def duration(self) -> float:
        """Seconds."""
        return float(self._times[-1])

    def at(self, time: float) -> BodyPose:
        """The posture at a time, s."""
        index = int(np.clip(np.searchsorted(self._times, time, side="right") - 1, 0, len(self._times) - 2))
        length = self._times[index + 1] - self._times[index]
        phase = float(np.clip((time - self._times[index]) / length, 0.0, 1.0))
        blend = phase * phase * (3.0 - 2.0 * phase)
        leaving = phase * (1.0 - phase) ** 2 * length
        entering = phase**2 * (phase - 1.0) * length
        return posture(
            (1.0 - blend) * self._values[index]
            + blend * self._values[index + 1]
            + leaving * self._slopes[index]
            + entering * self._slopes[index + 1]
        )


def load_recorded_move(path: Path) -> RecordedMove:
    """Reads a file of the form `{"description", "time": [s], "set_target_data": [{"head", "antennas", "body_yaw"}]}`.

    `head` is a 4x4 transform (m), `antennas` are right and left (rad), `body_yaw` is in rad.

    Raises:
        AgentError: `INVALID_GOAL` when the file is not of this form, naming what is wrong.
    """
    try:
        data = json.loads(path.read_text())
        values = np.array([coordinates(_pose_of(frame)) for frame in data["set_target_data"]])
        times = np.array(data["time"], dtype=float)
        description = str(data["description"])
    except (KeyError, TypeError, ValueError) as error:
        raise AgentError(ErrorCode.INVALID_GOAL, f"{path.name} is not a recorded move: {error!r}") from error
    if len(times) != len(values) or len(times) < 2 or times[0] != 0.0 or np.any(np.diff(times) <= 0.0):
        raise AgentError(ErrorCode.INVALID_GOAL, f"{path.name}: needs one rising time, from 0 on, for each posture")
    if not np.isfinite(values).all() or not np.isfinite(times).all():
        raise AgentError(ErrorCode.NOT_FINITE, f"{path.name}: contains a number that is not finite")
    return RecordedMove(description, times, values)


def _pose_of(frame: dict[str, Any]) -> BodyPose:
    right, left = (float(angle) for angle in frame["antennas"])
    return BodyPose(np.array(frame["head"], dtype=float).reshape(4, 4), right, left, float(frame["body_yaw"]))


def _monotone_slopes(times: Vector, values: Vector) -> Vector:
    """Weighted harmonic mean of the neighbouring gradients, 0 where they change sign and at both ends."""
    lengths = np.diff(times)[:, None]
    gradients = np.diff(values, axis=0) / lengths
    before, after = gradients[:-1], gradients[1:]
    weight_before, weight_after = 2.0 * lengths[1:] + lengths[:-1], lengths[1:] + 2.0 * lengths[:-1]
    monotone = before * after > 0.0
    denominator = np.where(monotone, weight_before * after + weight_after * before, 1.0)
    slopes = np.zeros_like(values)
    slopes[1:-1] = np.where(monotone, (weight_before + weight_after) * before * after / denominator, 0.0)
    return slopes
