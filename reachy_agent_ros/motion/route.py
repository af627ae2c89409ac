"""The way from one posture to another, around what the head would touch."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.move import Move, Sequence
from reachy_agent_ros.motion.pose_move import PoseMove, fastest
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.workspace import Workspace

_STEPS = np.linspace(0.0, 1.0, 17)[1:]
"""Of a straight way that are looked at; between two of them the head moves by 7 mm at most."""

_SHARES = (0.75, 0.5, 0.25, 0.0)
"""Of the way from neutral to the middle between two postures: places to go through, the shortest detour first."""


@dataclass(frozen=True)
class Route:
    """How to get somewhere.

    Attributes:
        goal: Where it ends.
        via: Posture that it passes at rest, None if the straight way is free.
    """

    goal: BodyPose
    via: BodyPose | None = None

    def fastest(self, start: BodyPose) -> float:
        """Least duration from a posture at rest, s."""
        stops = [start, *([] if self.via is None else [self.via]), self.goal]
        return sum(fastest(coordinates(to) - coordinates(begin)) for begin, to in pairwise(stops))

    def move(self, start: MotionState, duration: float | None = None) -> Move:
        """The move from wherever the command is by then; `duration` in s, None is as fast as is gentle."""
        if self.via is None:
            return PoseMove(start, self.goal, duration)
        half = None if duration is None else duration / 2.0
        first = PoseMove(start, self.via, half)
        return Sequence(first, PoseMove(MotionState(coordinates(self.via), np.zeros(9)), self.goal, half))


def route(start: BodyPose, goal: BodyPose, workspace: Workspace) -> Route:
    """Looks for a way inside of the workspace; if there is none, the straight one, on which the gate will stop."""
    begin, end = coordinates(start), coordinates(goal)
    if _is_free(begin, end, workspace):
        return Route(goal)
    for share in _SHARES:
        middle = (begin + end) / 2.0
        middle[:BODY_YAW] *= share
        if _is_free(middle, end, workspace) and _is_free(middle, begin, workspace):
            return Route(goal, posture(middle))
    return Route(goal)


def _is_free(begin: Vector, end: Vector, workspace: Workspace) -> bool:
    return workspace.surely_holds(begin, end) or all(workspace.holds(begin + step * (end - begin)) for step in _STEPS)
