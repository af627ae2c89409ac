"""Protocol of playable moves, and sequences of two moves."""

from __future__ import annotations

from typing import Protocol

from reachy_agent_ros.core.pose import BodyPose


class Move(Protocol):
    """Motion of the complete body over time."""

    @property
    def duration(self) -> float:
        """Duration in seconds."""
        ...

    def at(self, time: float) -> BodyPose:
        """Returns the posture `time` seconds after the start. Before the start and after the end, it is constant."""
        ...


class Sequence:
    """Sequence of two moves. The second move starts at rest where the first move ends.

    Args:
        first: First move.
        second: Second move.
    """

    def __init__(self, first: Move, second: Move) -> None:
        self._first = first
        self._second = second

    @property
    def duration(self) -> float:
        """Duration in seconds."""
        return self._first.duration + self._second.duration

    def at(self, time: float) -> BodyPose:
        """Returns the posture at a time (s)."""
        if time < self._first.duration:
            return self._first.at(time)
        return self._second.at(time - self._first.duration)
