"""A move from a library as it is played: here, now, this big and this fast."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.pose_move import PoseMove
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates, posture
from reachy_agent_ros.robot.envelope import HIGH, LOW
from reachy_agent_ros.robot.limiter import MotionState


class Performance:
    """Goes to where a move begins, then plays it.

    Args:
        move: What to play, as coordinates around a posture.
        start: Command at its first moment.
        amplitude: Share of the move's full size, 0..1.
        duration: Of the move itself, s; None is its own.
        around: Coordinates of that posture; None is the neutral one, facing where the body faces, or as near to that
            as leaves room for the body's turns.
        entrance: Least duration of the way to its beginning, s; None is as fast as is gentle.
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
        """Seconds, the way to its beginning included."""
        return self._entrance.duration + self._move.duration / self._pace

    def at(self, time: float) -> BodyPose:
        """The posture at a time, s."""
        if time < self._entrance.duration:
            return self._entrance.at(time)
        return posture(self._scaled((time - self._entrance.duration) * self._pace))

    def _scaled(self, time: float) -> Vector:
        return self._around + self._amplitude * coordinates(self._move.at(time))


def facing(start: MotionState, offsets: Vector) -> Vector:
    """Coordinates of the neutral posture of a body that stays turned as it is, as far as offsets have room there."""
    around = np.zeros(9)
    around[BODY_YAW] = heading_with_room(float(start.position[BODY_YAW]), offsets)
    return around


def heading_with_room(body_yaw: float, offsets: Vector) -> float:
    """The body yaw nearest to one, rad, from which the body can turn by all offsets (coordinates, one row each)."""
    turns = offsets[:, BODY_YAW]
    return float(np.clip(body_yaw, LOW[BODY_YAW] - turns.min(), HIGH[BODY_YAW] - turns.max()))
