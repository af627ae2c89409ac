"""Recorded moves, and their playback with a chosen amplitude and duration."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.pose_move import PoseMove
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import HIGH, LOW


class RecordedMove:
    """Move through a series of keyframes without overshoot. It starts and ends at rest.

    Between two keyframes, each coordinate follows a cubic Hermite curve with the tangents of Fritsch & Butland, "A
    method for constructing local monotone piecewise cubic interpolants", SIAM J. Sci. Stat. Comput. 5(2), 1984.

    Args:
        description: Meaning of the move, for people and for models that choose a move.
        times: Ascending times from 0, s; at least two.
        values: Nine coordinates, one row for each time.

    Attributes:
        description: Meaning of the move.
        times: Times of the keyframes, s.
        keyframes: Nine coordinates, one row for each time.
    """

    def __init__(self, description: str, times: Vector, values: Vector) -> None:
        self.description = description
        self.keyframes = values
        self.times = times
        self._slopes = _monotone_slopes(times, values)

    @property
    def duration(self) -> float:
        """Duration in seconds."""
        return float(self.times[-1])

    def at(self, time: float) -> BodyPose:
        """Returns the posture at a time (s)."""
        return posture(self.coordinates_at(time))

    def coordinates_at(self, time: float) -> Vector:
        """Returns the nine coordinates of the posture at a time (s)."""
        index = int(np.clip(np.searchsorted(self.times, time, side="right") - 1, 0, len(self.times) - 2))
        length = self.times[index + 1] - self.times[index]
        phase = float(np.clip((time - self.times[index]) / length, 0.0, 1.0))
        blend = phase * phase * (3.0 - 2.0 * phase)
        leaving = phase * (1.0 - phase) ** 2 * length
        entering = phase**2 * (phase - 1.0) * length
        return np.asarray(
            (1.0 - blend) * self.keyframes[index]
            + blend * self.keyframes[index + 1]
            + leaving * self._slopes[index]
            + entering * self._slopes[index + 1]
        )


class MovePlayback:
    """Move that goes to the beginning of a recorded move and then plays it.

    Args:
        move: Recorded move, with coordinates relative to a posture.
        start: Command at the start.
        amplitude: Fraction of the move's full size, 0 to 1.
        duration: Duration of the recorded move, s; None for the duration of the recording.
        around: Coordinates of that posture; None for the neutral posture with the present body yaw, or the nearest yaw
            that leaves room for turns of the body.
        entrance: Minimum time to reach the beginning of the recorded move, s; None for a gentle speed.
    """

    def __init__(
        self,
        move: RecordedMove,
        start: MotionState,
        amplitude: float = 1.0,
        duration: float | None = None,
        around: Vector | None = None,
        entrance: float | None = None,
    ) -> None:
        self._move = move
        self._amplitude = amplitude
        self._pace = 1.0 if duration is None else move.duration / duration
        self._around = facing(start, amplitude * move.keyframes) if around is None else around
        self._entrance = PoseMove(start, posture(self._scaled(0.0)), entrance)

    @property
    def duration(self) -> float:
        """Duration in seconds, including the transition to the beginning of the recorded move."""
        return self._entrance.duration + self._move.duration / self._pace

    def at(self, time: float) -> BodyPose:
        """Returns the posture at a time (s)."""
        if time < self._entrance.duration:
            return self._entrance.at(time)
        return posture(self._scaled((time - self._entrance.duration) * self._pace))

    def _scaled(self, time: float) -> Vector:
        return self._around + self._amplitude * coordinates(self._move.at(time))


def facing(start: MotionState, offsets: Vector) -> Vector:
    """Returns the coordinates of the neutral posture, with a body yaw that leaves room for the offsets.

    Of all possible values, the body yaw is the nearest one.
    """
    around = np.zeros(9)
    around[BODY_YAW] = heading_with_room(float(start.position[BODY_YAW]), offsets)
    return around


def heading_with_room(body_yaw: float, offsets: Vector) -> float:
    """Returns the body yaw (rad) nearest to `body_yaw` that leaves room for all offsets.

    Each row contains the coordinates of one offset.
    """
    turns = offsets[:, BODY_YAW]
    return float(np.clip(body_yaw, LOW[BODY_YAW] - turns.min(), HIGH[BODY_YAW] - turns.max()))


def _monotone_slopes(times: Vector, values: Vector) -> Vector:
    """Returns the slope at each keyframe, so that a curve through the keyframes does not overshoot.

    The slope is the weighted harmonic mean of the neighboring gradients. It is 0 where they change sign and at both
    ends.
    """
    lengths = np.diff(times)[:, None]
    gradients = np.diff(values, axis=0) / lengths
    before, after = gradients[:-1], gradients[1:]
    weight_before, weight_after = 2.0 * lengths[1:] + lengths[:-1], lengths[1:] + 2.0 * lengths[:-1]
    monotone = before * after > 0.0
    denominator = np.where(monotone, weight_before * after + weight_after * before, 1.0)
    slopes = np.zeros_like(values)
    slopes[1:-1] = np.where(monotone, (weight_before + weight_after) * before * after / denominator, 0.0)
    return slopes
