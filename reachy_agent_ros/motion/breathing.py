"""Breathing: the idle move, by which people see that the robot is awake."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.pose_move import PoseMove
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.workspace import Workspace

BLEND = 1.0
"""Seconds in which it begins."""


@dataclass(frozen=True)
class Breath:
    """How the robot breathes.

    Attributes:
        pause: Seconds of idleness before it begins; 0 means never.
        lift: Amplitude of the head's rising and sinking, m.
        rate: Of that, Hz.
        sway: Amplitude of the antennas' swaying, in opposition, rad.
        sway_rate: Of that, Hz.
    """

    pause: float = 5.0
    lift: float = 0.005
    rate: float = 0.2
    sway: float = math.radians(15.0)
    sway_rate: float = 0.5

    def amplitudes(self) -> Vector:
        """Greatest excursion of each coordinate."""
        return np.array([0.0, 0.0, self.lift, 0.0, 0.0, 0.0, 0.0, self.sway, self.sway])


class Breathing:
    """Goes to a posture and breathes about it, for as long as it is played.

    Near the envelope and the arms' reach it is as much smaller as it must be to stay within both, and nothing at all at
    them: a robot that is folded up asleep lies still.

    Args:
        start: Command at its first moment.
        around: The posture.
        breath: How.
        workspace: Where the head may be.
    """

    duration = math.inf

    def __init__(self, start: MotionState, around: BodyPose, breath: Breath, workspace: Workspace) -> None:
        self._entrance = PoseMove(start, around, BLEND)
        self._breath = breath
        self._amplitudes = breath.amplitudes() * _room(coordinates(around), breath.amplitudes(), workspace)

    def at(self, time: float) -> BodyPose:
        """The posture at a time, s."""
        rise = math.sin(2.0 * math.pi * self._breath.rate * time)
        sway = math.sin(2.0 * math.pi * self._breath.sway_rate * time)
        wave = np.array([0.0, 0.0, rise, 0.0, 0.0, 0.0, 0.0, sway, -sway])
        return posture(coordinates(self._entrance.at(time)) + _blended(time) * self._amplitudes * wave)


def _blended(time: float) -> float:
    """Share of the breath that is there: from 0 to 1 as a minimum-jerk move."""
    phase = min(max(time / BLEND, 0.0), 1.0)
    return phase**3 * (10.0 - 15.0 * phase + 6.0 * phase**2)


def _room(values: Vector, amplitudes: Vector, workspace: Workspace) -> float:
    """Largest share (0..1) of an excursion in both directions that there is room for."""
    moved = amplitudes > 0.0
    space = np.minimum(HIGH - values, values - LOW)[moved] / amplitudes[moved]
    share = float(np.clip(space.min(initial=1.0), 0.0, 1.0))
    extremes = (values + share * amplitudes, values - share * amplitudes)
    return share if all(workspace.holds(extreme) for extreme in extremes) else 0.0
