"""Smooth moves from the present state to a posture, with detours around the body."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.move import Move, Sequence
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.workspace import Workspace

GENTLE_SPEED = 0.5 * SPEED
"""Maximum speed of a move without a given duration: half of the gate's limit."""

GENTLE_ACCELERATION = 0.2 * ACCELERATION

SHORTEST = 0.1
"""Minimum duration, s."""

_PEAK_SPEED = 1.875
_PEAK_ACCELERATION = 5.7735
"""Peak speed and acceleration of a minimum-jerk move over one unit in one second, from rest to rest."""

_PEAK_BRAKING = 1.5
"""Peak acceleration of a minimum-jerk stop from one unit per second in one second."""

_STEPS = np.linspace(0.0, 1.0, 17)[1:]
"""Points of a straight path that are checked; between two of them, the head moves by at most 7 mm."""

_SHARES = (0.75, 0.5, 0.25, 0.0)
"""Detours to try, shortest first, as fractions of the way from the neutral posture to the midpoint of two postures."""


class PoseMove:
    """Minimum-jerk move to a posture: a quintic polynomial that starts with the present velocity and ends at rest.

    Flash & Hogan, "The coordination of arm movements", Journal of Neuroscience 5(7), 1985.

    Args:
        start: Command at the start.
        goal: Posture at the end.
        duration: Duration, s, extended to at least `SHORTEST` and to what the gate's limits require. None for a gentle
            speed.
    """

    def __init__(self, start: MotionState, goal: BodyPose, duration: float | None = None) -> None:
        distance = coordinates(goal) - start.position
        least = fastest(distance) if duration is not None else gentle(distance)
        self.duration = max(least, duration or 0.0, SHORTEST)
        glide = start.velocity * self.duration
        self._coefficients = np.array(
            [
                start.position,
                glide,
                np.zeros_like(glide),
                10.0 * distance - 6.0 * glide,
                -15.0 * distance + 8.0 * glide,
                6.0 * distance - 3.0 * glide,
            ]
        )

    def at(self, time: float) -> BodyPose:
        """Returns the posture at a time (s)."""
        phase = min(max(time / self.duration, 0.0), 1.0)
        return posture(phase ** np.arange(6) @ self._coefficients)


@dataclass(frozen=True)
class Route:
    """Path to a posture.

    Attributes:
        goal: Posture at the end.
        via: Intermediate posture, in which the body comes to rest; None for the straight path.
    """

    goal: BodyPose
    via: BodyPose | None = None

    def fastest(self, start: BodyPose) -> float:
        """Returns the minimum duration (s) of the path from a posture at rest."""
        stops = [start, *([] if self.via is None else [self.via]), self.goal]
        return sum(fastest(coordinates(to) - coordinates(begin)) for begin, to in pairwise(stops))

    def move(self, start: MotionState, duration: float | None = None) -> Move:
        """Creates a move that starts from the present command. `duration` is in s; None selects a gentle speed."""
        if self.via is None:
            return PoseMove(start, self.goal, duration)
        half = None if duration is None else duration / 2.0
        first = PoseMove(start, self.via, half)
        return Sequence(first, PoseMove(MotionState(coordinates(self.via), np.zeros(9)), self.goal, half))


def route(start: BodyPose, goal: BodyPose, workspace: Workspace) -> Route:
    """Finds a path within the workspace.

    If neither the straight path nor a detour is free, returns the straight path, on which the safety gate stops the
    robot.
    """
    begin, end = coordinates(start), coordinates(goal)
    if _is_free(begin, end, workspace):
        return Route(goal)
    for share in _SHARES:
        middle = (begin + end) / 2.0
        middle[:BODY_YAW] *= share
        if _is_free(middle, end, workspace) and _is_free(middle, begin, workspace):
            return Route(goal, posture(middle))
    return Route(goal)


def stopping_move(start: MotionState) -> PoseMove:
    """Returns a move that smoothly stops the present motion. It usually takes about 0.1 s."""
    duration = max(SHORTEST, float(np.max(_PEAK_BRAKING * np.abs(start.velocity) / ACCELERATION)))
    rest = np.clip(start.position + start.velocity * duration / 2.0, LOW, HIGH)
    return PoseMove(start, posture(rest), duration)


def gentle(distance: Vector) -> float:
    """Returns the shortest duration (s) of a minimum-jerk move at a gentle speed.

    `distance` contains nine coordinates.
    """
    return _time_for(distance, GENTLE_SPEED, GENTLE_ACCELERATION)


def fastest(distance: Vector) -> float:
    """Returns the shortest duration (s) of a minimum-jerk move that respects the limits.

    `distance` contains nine coordinates.
    """
    return _time_for(distance, SPEED, ACCELERATION)


def _time_for(distance: Vector, speed: Vector, acceleration: Vector) -> float:
    cruise = _PEAK_SPEED * np.abs(distance) / speed
    surge = np.sqrt(_PEAK_ACCELERATION * np.abs(distance) / acceleration)
    return float(max(cruise.max(), surge.max()))


def _is_free(begin: Vector, end: Vector, workspace: Workspace) -> bool:
    return workspace.surely_holds(begin, end) or all(workspace.holds(begin + step * (end - begin)) for step in _STEPS)
