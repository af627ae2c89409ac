"""What of the body a task may move."""

from __future__ import annotations

from enum import IntEnum

from reachy_agent_ros.robot.coordinates import NAMES
from reachy_agent_ros.robot.envelope import SPEED
from reachy_agent_ros.robot.gate import LONGEST_STEP

PERIOD = LONGEST_STEP
"""Time between two steps of a task, s: the longest that the safety gate makes up for, hence the fewest steps."""


class Channel(IntEnum):
    """One number of the posture, at its place among `coordinates.NAMES`.

    `YAW` is the exception: as in a `BodyPose`, it is the head's in the room, not from the body.
    """

    Z = 2
    ROLL = 3
    PITCH = 4
    YAW = 5
    BODY_YAW = 6
    ANTENNA_RIGHT = 7
    ANTENNA_LEFT = 8

    @property
    def label(self) -> str:
        """What it is called in layouts."""
        return self.name.lower()

    @property
    def unit(self) -> str:
        """SI symbol."""
        return "m" if self is Channel.Z else "rad"

    @property
    def weight(self) -> float:
        """Radians that an error of one unit counts as: 10 mm of height as much as a tenth of a radian."""
        return 10.0 if self is Channel.Z else 1.0

    @property
    def stride(self) -> float:
        """How far its set point moves in one step by an action of 1: as fast as the envelope allows."""
        return float(SPEED[self]) * PERIOD


COUNT = len(NAMES)
