"""How the robot does what people can correct: it looks where they found it right, and moves as they like it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from reachy_agent_ros.tools.direction import Direction

LEAN = 0.015
"""m that the head leans forward where nobody has taught another distance: half of what it may."""


@dataclass(frozen=True)
class Style:
    """How a gesture is made.

    Attributes:
        size: Share of its full size, above 0, at most 1.
        tempo: Share of its own tempo, above 0.
    """

    size: float = 1.0
    tempo: float = 1.0


class Manner(Protocol):
    """What one call is told about how to do it. To be asked once, when it is about to be done."""

    def aim(self, seen: Direction) -> Direction:
        """Where to look so as to look at what the eye says is there."""
        ...

    def style(self) -> Style:
        """How to make a gesture."""
        ...

    def lean(self) -> float:
        """How far forward to lean so as to be near, m."""
        ...

    def looks_at(self, distance: float | None) -> None:
        """Takes how far away is what is looked at from now on, m; None where that is not known."""
        ...


class Untaught:
    """Implements `Manner` of a robot that nobody has corrected."""

    def aim(self, seen: Direction) -> Direction:
        """The very same direction."""
        return seen

    def style(self) -> Style:
        """As large and as fast as the gesture is."""
        return Style()

    def lean(self) -> float:
        """A little."""
        return LEAN

    def looks_at(self, distance: float | None) -> None:
        """It does the same near and far."""


UNTAUGHT = Untaught()
