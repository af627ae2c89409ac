"""Demonstrated trajectory, with the positions of all moving channels in each period of a demonstration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.demonstrations.trajectory import Trajectory, replayed
from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.simulation.dynamics import PERIOD

RATE = 1.0 / PERIOD
"""Required rate of the trajectory, Hz."""

LONGEST = 30.0
"""Maximum duration, s: a longer demonstration contains more than one skill."""

_STILL = 0.02
"""Distance from the first or last posture below which the robot counts as at rest, rad (equivalent to 2 mm)."""

_MOVED = 0.05
"""Minimum range of motion of a channel that is part of the skill, rad (equivalent to 5 mm)."""


@dataclass(frozen=True)
class ShownCourse:
    """Trajectory of the moving channels, relative to the first posture.

    Attributes:
        channels: Moving channels.
        points: Offsets from the first posture, m and rad, shape (periods + 1, channels); the first row is zero.
    """

    channels: tuple[PostureChannel, ...]
    points: Vector

    @classmethod
    def of(cls, trajectory: Trajectory) -> ShownCourse:
        """Extracts the moving channels of a trajectory. Removes the rest before and after the motion.

        Args:
            trajectory: Demonstrated trajectory at `RATE`.

        Raises:
            AgentError: `NO_DATA` if nothing moves; `INVALID_GOAL` if the motion is too long; `OUT_OF_ENVELOPE` or
                `UNREACHABLE`, as in `replayed`.
        """
        replayed(trajectory, "")
        table = np.array([as_channels(row) for row in trajectory.values])
        sizes = np.array([channel.weight for channel in PostureChannel])
        left, arrived = (_elsewhere(table, end, sizes) for end in (0, -1))
        moving = np.flatnonzero(left.cumsum().astype(bool) & arrived[::-1].cumsum().astype(bool)[::-1])
        moved = [
            channel
            for channel, size in zip(PostureChannel, np.ptp(table, axis=0) * sizes, strict=True)
            if size > _MOVED
        ]
        if not moved or len(moving) == 0:
            raise AgentError(ErrorCode.NO_DATA, "Nothing moves in the demonstration.")
        table = table[max(moving[0] - 1, 0) : moving[-1] + 2]
        if len(table) > LONGEST * RATE:
            message = f"Motion too long: {len(table) * PERIOD:.0f} s, maximum {LONGEST:.0f} s. Trim it."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        columns = [channel - PostureChannel.Z for channel in moved]
        return cls(tuple(moved), table[:, columns] - table[0, columns])

    @property
    def steps(self) -> int:
        """Number of periods of the trajectory."""
        return len(self.points) - 1

    @property
    def duration(self) -> float:
        """Duration of the trajectory (s)."""
        return self.steps * PERIOD

    @property
    def offsets(self) -> Vector:
        """Offsets as coordinates in the order of `robot/coordinates.py`, one row for each point."""
        return np.array([as_coordinates(self.spread(row)) for row in self.points])

    def scaled(self, size: float, tempo: float) -> ShownCourse:
        """Returns the trajectory scaled by a size and a tempo. Its length is rounded to a whole number of periods."""
        steps = max(round(self.steps / tempo), 1)
        times = np.linspace(0.0, self.duration, steps + 1)
        return ShownCourse(self.channels, size * np.array([self.at(time) for time in times]))

    def shifted(self, rows: Vector) -> ShownCourse:
        """Returns the trajectory with the given offsets added to its points."""
        return ShownCourse(self.channels, self.points + rows)

    def at(self, time: float) -> tuple[float, ...]:
        """Returns the offsets of the channels at a time (s) after the start. They stay constant after the end."""
        place = min(max(time / PERIOD, 0.0), float(self.steps))
        before = min(int(place), self.steps - 1)
        share = place - before
        return tuple(((1.0 - share) * self.points[before] + share * self.points[before + 1]).tolist())

    def spread(self, values: Vector) -> Vector:
        """Expands values of the moving channels to all `PostureChannel` members. Other channels get 0."""
        row = np.zeros(len(PostureChannel))
        row[[channel - PostureChannel.Z for channel in self.channels]] = values
        return row


def as_channels(values: Vector) -> Vector:
    """Converts nine coordinates to `PostureChannel` values. The resulting yaw of the head is relative to the room."""
    row = values[PostureChannel.Z :].copy()
    row[PostureChannel.YAW - PostureChannel.Z] += values[PostureChannel.BODY_YAW]
    return row


def as_coordinates(row: Vector) -> Vector:
    """Converts `PostureChannel` values to nine coordinates. Sets x and y of the head to 0."""
    values = np.concatenate([np.zeros(PostureChannel.Z), row])
    values[PostureChannel.YAW] -= values[PostureChannel.BODY_YAW]
    return values


def _elsewhere(table: Vector, end: int, sizes: Vector) -> NDArray[np.bool_]:
    """Returns for each row whether it differs from the first posture (`end` is 0) or the last one (`end` is -1)."""
    return np.asarray((np.abs(table - table[end]) * sizes).max(axis=1) > _STILL)
