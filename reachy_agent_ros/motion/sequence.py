"""Moves one after another."""

from __future__ import annotations

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.move import Move


class Sequence:
    """Two moves, of which the second begins at rest where the first one ends.

    Args:
        first: What is played first.
        second: What follows.
    """

    def __init__(self, first: Move, second: Move) -> None:
        self._first = first
        self._second = second

    @property
    def duration(self) -> float:
        """Seconds."""
        return self._first.duration + self._second.duration

    def at(self, time: float) -> BodyPose:
        """The posture at a time, s."""
        if time < self._first.duration:
            return self._first.at(time)
        return self._second.at(time - self._first.duration)
