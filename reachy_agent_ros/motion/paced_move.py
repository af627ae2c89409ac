"""Move whose pace can change while it is played, and that can begin in the middle of another move."""

from __future__ import annotations

import math

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.move import Move

SLOWEST_PACE, FASTEST_PACE = 0.3, 2.0
"""Limits of the pace, as multiples of a move's own speed."""

RAMP = 0.3
"""Time in which the pace changes, s: a sudden change would be a jerk, which the safety gate would have to absorb."""


class PacedMove:
    """Plays a move at a pace that may change. The path stays the same.

    The pace changes linearly over `RAMP`, so velocities are continuous if those of the move are.

    Args:
        move: Move at its own speed.
        begin_at: Time of the move at which playback begins, s.
        pace: Pace at the beginning: 1 for the speed of the move, 0 to begin at rest.
        fastest: Highest pace at which the move stays within the limits on speed.
    """

    def __init__(self, move: Move, begin_at: float = 0.0, pace: float = 1.0, fastest: float = 1.0) -> None:
        self._move = move
        self._fastest = max(1.0, min(fastest, FASTEST_PACE))
        self._since = 0.0
        self._reached = begin_at
        self._from = self._to = pace

    @property
    def move(self) -> Move:
        """The move at its own speed."""
        return self._move

    @property
    def duration(self) -> float:
        """Duration at the present pace in seconds, counted from the beginning of playback."""
        left = self._move.duration - self._reached
        in_ramp = (self._from + self._to) / 2.0 * RAMP
        if left <= 0.0:
            return self._since
        if left > in_ramp:
            return self._since + RAMP + (left - in_ramp) / self._to
        rise = (self._to - self._from) / RAMP
        return self._since + 2.0 * left / (self._from + math.sqrt(self._from**2 + 2.0 * rise * left))

    def at(self, time: float) -> BodyPose:
        """Returns the posture at a time (s)."""
        return self._move.at(self.reached(time))

    def reached(self, time: float) -> float:
        """Returns the time of the move (s) that is played at a time (s) since the beginning of playback."""
        elapsed = max(time - self._since, 0.0)
        ramp = min(elapsed, RAMP)
        pace = (self._to - self._from) * ramp / RAMP
        reached = self._reached + (self._from + pace / 2.0) * ramp + self._to * (elapsed - ramp)
        return min(reached, self._move.duration)

    def change(self, pace: float, time: float) -> None:
        """Changes the pace from a time (s) on, within `SLOWEST_PACE` and what the limits on speed allow."""
        elapsed = max(time - self._since, 0.0)
        present = self._from + (self._to - self._from) * min(elapsed, RAMP) / RAMP
        self._reached, self._since = self.reached(time), max(time, self._since)
        self._from, self._to = present, min(max(pace, SLOWEST_PACE), self._fastest)
