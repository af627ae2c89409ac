"""Smooth moves from the present state to a posture, with detours around the body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector
from reachy_agent_ros.motion.move import Move, Sequence
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.workspace import CLEARANCE, Workspace

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

_STEPS = np.linspace(0.0, 1.0, 17)[1:, None]
"""Points of a straight path that are checked; between two of them, the head moves by at most 7 mm."""

_MIDDLE = _STEPS[2:-3]
"""Points of a straight path that are far from its ends, which may be close to the shell."""

_ROOM = 0.001
"""Additional distance from the shell that a path keeps if possible, m."""

_PHASES = np.linspace(0.0, 1.0, 65)[1:, None]
"""Moments of a bent path that are checked, as fractions of its duration. It may leave the workspace only briefly."""

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

    def path(self) -> Matrix:
        """Returns the coordinates of points on the path, one point per row."""
        return np.asarray(_PHASES ** np.arange(6) @ self._coefficients)


@dataclass(frozen=True)
class Route:
    """Path to a posture.

    Attributes:
        goal: Posture at the end.
        workspace: Permitted postures. Any thread may call `move`.
        via: Intermediate posture, in which the body comes to rest; None for the straight path.
    """

    goal: BodyPose
    workspace: Workspace
    via: BodyPose | None = None

    def fastest(self, start: BodyPose) -> float:
        """Returns the minimum duration (s) of the path from a posture at rest."""
        stops = [start, *([] if self.via is None else [self.via]), self.goal]
        return sum(fastest(coordinates(to) - coordinates(begin)) for begin, to in pairwise(stops))

    def move(self, start: MotionState, duration: float | None = None) -> Move:
        """Creates a move that starts from the present command. `duration` is in s; None selects a gentle speed."""
        if self.via is None:
            return self._begun(start, self.goal, duration)
        half = None if duration is None else duration / 2.0
        first = self._begun(start, self.via, half)
        return Sequence(first, PoseMove(MotionState(coordinates(self.via), np.zeros(9)), self.goal, half))

    def _begun(self, start: MotionState, goal: BodyPose, duration: float | None) -> Move:
        """Creates a move from the present command. Stops first if the present velocity would bend the path too far.

        A straight path in the workspace may leave it if it is bent. The safety gate would then stop the robot there.
        """
        move = PoseMove(start, goal, duration)
        if not start.velocity.any() or self.workspace.holds_all(move.path()):
            return move
        stop = stopping_move(start)
        rest = MotionState(coordinates(stop.at(stop.duration)), np.zeros(9))
        return Sequence(stop, PoseMove(rest, goal, duration))


def route(start: BodyPose, goal: BodyPose, workspace: Workspace) -> Route:
    """Finds a path within the workspace.

    The preferred path has room on its way, because at full speed the command leaves the straight line slightly. If
    neither the straight path nor a detour is free, returns the straight path, on which the safety gate stops the robot.
    """
    begin, end = coordinates(start), coordinates(goal)
    narrow: Route | None = None
    for via in (None, *_detours(begin, end)):
        legs = [(begin, end)] if via is None else [(via, end), (via, begin)]
        if not all(_is_free(*leg, workspace) for leg in legs):
            continue
        found = Route(goal, workspace, None if via is None else posture(via))
        if all(_has_room(*leg) for leg in legs):
            return found
        narrow = narrow or found
    return narrow or Route(goal, workspace)


def _detours(begin: Vector, end: Vector) -> Iterator[Vector]:
    for share in _SHARES:
        middle = (begin + end) / 2.0
        middle[:BODY_YAW] *= share
        yield middle


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
    return workspace.surely_holds(begin, end) or workspace.holds_all(begin + _STEPS * (end - begin))


def _has_room(begin: Vector, end: Vector) -> bool:
    """Returns whether a path keeps a greater distance from the shell, apart from its ends."""
    return _roomy().surely_holds(begin, end) or _roomy().holds_all(begin + _MIDDLE * (end - begin))


@cache
def _roomy() -> Workspace:
    return Workspace(CLEARANCE + _ROOM)
