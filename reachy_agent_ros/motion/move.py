"""What can be played: a posture for every moment of a duration."""

from __future__ import annotations

from typing import Protocol

from reachy_agent_ros.core.pose import BodyPose


class Move(Protocol):
    """A motion of the whole body over time."""

    @property
    def duration(self) -> float:
        """Seconds."""
        ...

    def at(self, time: float) -> BodyPose:
        """The posture `time` seconds after the start; before it the first one, after the end the last one."""
        ...
