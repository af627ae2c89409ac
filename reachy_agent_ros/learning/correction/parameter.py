"""One number of what a skill does, which people can ask to be changed."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.learning.axis import Axis


@dataclass(frozen=True)
class Parameter:
    """A number with bounds that the robot keeps, and the words that change it.

    Attributes:
        name: As in `Act.action`.
        unit: SI symbol; empty for a ratio.
        low: Least value.
        high: Greatest value.
        step: How far off it is when people begin to complain, which is also what their first word changes it by.
        more: Directions in which it grows.
        less: Directions in which it shrinks.
    """

    name: str
    unit: str
    low: float
    high: float
    step: float
    more: tuple[Axis, ...]
    less: tuple[Axis, ...]

    def direction(self, axis: Axis) -> float:
        """1 where it grows in that direction, -1 where it shrinks, 0 where the direction is none of it."""
        return float((axis in self.more) - (axis in self.less))
