"""Breathing: a gentle move of the idle robot, which shows that the robot is awake."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.pose_move import PoseMove, gentle
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.workspace import Workspace

BLEND = 1.0
"""Time that breathing takes to reach its full amplitude, s."""

_PHASES = np.array([[0.0], [-0.5], [0.5], [-1.0], [1.0]])
"""Phases of a breath at which it must be in the workspace, as fractions of the amplitude."""

_FRACTIONS = (1.0, 0.5, 0.25)
"""Fractions of the amplitude to try. There are few, because each check takes time of the 100 Hz motion loop."""


@dataclass(frozen=True)
class Breath:
    """Parameters of breathing.

    Attributes:
        pause: Idle time before breathing begins, s; 0 disables it.
        lift: Amplitude of the head's vertical motion, m.
        rate: Frequency of the head's vertical motion, Hz.
        sway: Amplitude of the antennas, which sway in opposite directions, rad.
        sway_rate: Frequency of the antennas, Hz.
    """

    pause: float = 5.0
    lift: float = 0.005
    rate: float = 0.2
    sway: float = math.radians(15.0)
    sway_rate: float = 0.5

    def amplitudes(self) -> Vector:
        """Returns the amplitude of each coordinate."""
        return np.array([0.0, 0.0, self.lift, 0.0, 0.0, 0.0, 0.0, self.sway, self.sway])


class Breathing:
    """Move that goes to a posture and breathes around it indefinitely.

    Near the limits of the envelope and the workspace, the amplitude is reduced to stay within both. It is zero at the
    limits, and if a quarter of it would leave the workspace, so a sleeping robot does not move.

    Args:
        start: Command at the start.
        around: Posture to breathe around.
        breath: Parameters of breathing.
        workspace: Permitted postures.
        entrance: Minimum time to reach the posture, s. It is extended to what a gentle speed requires.
    """

    duration = math.inf

    def __init__(
        self, start: MotionState, around: BodyPose, breath: Breath, workspace: Workspace, entrance: float = BLEND
    ) -> None:
        self._entrance = PoseMove(start, around, max(entrance, gentle(coordinates(around) - start.position)))
        self._breath = breath
        self._amplitudes = breath.amplitudes() * _room(coordinates(around), breath.amplitudes(), workspace)

    def at(self, time: float) -> BodyPose:
        """Returns the posture at a time (s)."""
        rise = math.sin(2.0 * math.pi * self._breath.rate * time)
        sway = math.sin(2.0 * math.pi * self._breath.sway_rate * time)
        wave = np.array([0.0, 0.0, rise, 0.0, 0.0, 0.0, 0.0, sway, -sway])
        return posture(coordinates(self._entrance.at(time)) + _blended(time) * self._amplitudes * wave)


def _blended(time: float) -> float:
    """Returns the fraction of the full amplitude at a time. It rises from 0 to 1 like a minimum-jerk move."""
    phase = min(max(time / BLEND, 0.0), 1.0)
    return phase**3 * (10.0 - 15.0 * phase + 6.0 * phase**2)


def _room(values: Vector, amplitudes: Vector, workspace: Workspace) -> float:
    """Returns a fraction (0 to 1) of the amplitudes that stays within the limits and the workspace.

    The result is the first of `_FRACTIONS` of the room within the limits that fits into the workspace, or 0.
    """
    moved = amplitudes > 0.0
    space = np.minimum(HIGH - values, values - LOW)[moved] / amplitudes[moved]
    most = float(np.clip(space.min(initial=1.0), 0.0, 1.0))
    shares = (fraction * most for fraction in _FRACTIONS)
    return next((share for share in shares if workspace.holds_all(values + share * _PHASES * amplitudes)), 0.0)
