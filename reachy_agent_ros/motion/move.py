"""What can be played: a posture for every moment of a duration, also of two moves one after the other."""

from __future__ import annotations

from typing import Protocol

from reachy_agent_ros.core.pose import BodyPose


class Move(Protocol):
    """A motion of the whole body over time."""

    @property
    def duration(self) -> float:
        """Duration, s."""
        ...

    def at(self, time: float) -> BodyPose:
        """The posture `time` seconds after the start; before the start the first one, after the end the last one."""
        ...


class Sequence:
    """Two moves, of which the second begins at rest where the first one ends.

    Args:
        first: The move that plays first.
        second: The move that follows.
    """

    def __init__(self, first: Move, second: Move) -> None:
        self._first = first
        self._second = second

    @property
    def duration(self) -> float:
        """Duration, s."""
        return self._first.duration + self._second.duration

    def at(self, time: float) -> BodyPose:
        """The posture at a time, s."""
        if time < self._first.duration:
            return self._first.at(time)
        return self._second.at(time - self._first.duration)
