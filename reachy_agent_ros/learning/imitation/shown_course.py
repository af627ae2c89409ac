"""What a demonstration asks for: where everything that moved was, period by period."""

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
"""Hz of the trajectory that it is made of."""

LONGEST = 30.0
"""s; a longer one is more than one skill."""

_STILL = 0.02
"""rad (2 mm) from where it began or ended within which the robot counts as not yet, or no longer, being moved."""

_MOVED = 0.05
"""rad (5 mm) from one end to the other that a channel must have moved to be part of what was shown."""


@dataclass(frozen=True)
class ShownCourse:
    """A course of some channels, from the posture at its beginning on.

    Attributes:
        channels: What moves.
        points: Offsets from where it began, one row a period and one column a channel, m and rad; the first is zero.
    """

    channels: tuple[PostureChannel, ...]
    points: Vector

    @classmethod
    def of(cls, trajectory: Trajectory) -> ShownCourse:
        """What was shown, without the rest before and after it.

        Args:
            trajectory: At `RATE`.

        Raises:
            AgentError: `NO_DATA`: nothing moved; `INVALID_GOAL`: it takes too long; `OUT_OF_ENVELOPE` or `UNREACHABLE`.
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
            message = f"The demonstration moves for {len(table) * PERIOD:.0f} s, {LONGEST:.0f} s at most: trim it."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        columns = [channel - PostureChannel.Z for channel in moved]
        return cls(tuple(moved), table[:, columns] - table[0, columns])

    @property
    def steps(self) -> int:
        """Periods that it takes."""
        return len(self.points) - 1

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.steps * PERIOD

    @property
    def offsets(self) -> Vector:
        """The same as coordinates of `robot/coordinates.py`, one row a period."""
        return np.array([as_coordinates(self.spread(row)) for row in self.points])

    def scaled(self, size: float, tempo: float) -> ShownCourse:
        """The same course in another size and tempo, both as shares of its own; to the nearest period."""
        steps = max(round(self.steps / tempo), 1)
        times = np.linspace(0.0, self.duration, steps + 1)
        return ShownCourse(self.channels, size * np.array([self.at(time) for time in times]))

    def shifted(self, rows: Vector) -> ShownCourse:
        """The same course with something added, row by row."""
        return ShownCourse(self.channels, self.points + rows)

    def at(self, time: float) -> tuple[float, ...]:
        """Offsets of the channels, s after it began; it rests at its end."""
        place = min(max(time / PERIOD, 0.0), float(self.steps))
        before = min(int(place), self.steps - 1)
        share = place - before
        return tuple(((1.0 - share) * self.points[before] + share * self.points[before + 1]).tolist())

    def spread(self, values: Vector) -> Vector:
        """One number for each `PostureChannel`: these, and 0 for those that do not move."""
        row = np.zeros(len(PostureChannel))
        row[[channel - PostureChannel.Z for channel in self.channels]] = values
        return row


def as_channels(values: Vector) -> Vector:
    """One number for each `PostureChannel` of nine coordinates: the head's yaw in the room, not from the body."""
    row = values[PostureChannel.Z :].copy()
    row[PostureChannel.YAW - PostureChannel.Z] += values[PostureChannel.BODY_YAW]
    return row


def as_coordinates(row: Vector) -> Vector:
    """Nine coordinates of one number for each `PostureChannel`; the head stays in its middle."""
    values = np.concatenate([np.zeros(PostureChannel.Z), row])
    values[PostureChannel.YAW] -= values[PostureChannel.BODY_YAW]
    return values


def _elsewhere(table: Vector, end: int, sizes: Vector) -> NDArray[np.bool_]:
    """Whether the posture is not that of one end, row by row."""
    return np.asarray((np.abs(table - table[end]) * sizes).max(axis=1) > _STILL)
