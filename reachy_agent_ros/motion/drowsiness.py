"""Drowsiness: a robot that nobody uses becomes sleepy, then sleeps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

_DROOP = (0.1, 0.35)
"""Fraction of the way to the sleeping posture at which a sleepy robot rests, at the beginning and before it sleeps."""


class Alertness(IntEnum):
    """How awake an idle robot is."""

    AWAKE = 0
    SLEEPY = 1
    ASLEEP = 2


@dataclass(frozen=True)
class Liveliness:
    """Parameters of the idle life.

    Attributes:
        intensity: Size and frequency of glances and antenna motions, 0 to 1; 0 disables the idle life.
        turn: Maximum turn of the head in a glance, rad.
        sleepy_after: Time after which a robot that nobody uses is sleepy, s; 0: never.
        asleep_after: Time after which a robot that nobody uses sleeps, s; 0: never.
    """

    intensity: float = 0.5
    turn: float = 0.5
    sleepy_after: float = 300.0
    asleep_after: float = 900.0


class Drowsiness:
    """Measures how long nobody has used the robot. All times are on the steady clock, s. Any thread may call `wake`."""

    def __init__(self) -> None:
        self._since: float | None = None

    def wake(self) -> None:
        """Makes the robot awake from the next call of `alertness` on."""
        self._since = None

    def alertness(self, liveliness: Liveliness, now: float) -> Alertness:
        """Returns how awake the robot is now."""
        since = self._since = now if self._since is None else self._since
        if liveliness.intensity == 0.0:
            return Alertness.AWAKE
        if 0.0 < liveliness.asleep_after <= now - since:
            return Alertness.ASLEEP
        return Alertness.SLEEPY if 0.0 < liveliness.sleepy_after <= now - since else Alertness.AWAKE

    def droop(self, liveliness: Liveliness, now: float) -> float:
        """Returns the fraction of the way to the sleeping posture at which the robot rests: 0 while it is awake."""
        if self.alertness(liveliness, now) is Alertness.AWAKE:
            return 0.0
        begin, end = _DROOP
        period = max(liveliness.asleep_after - liveliness.sleepy_after, 1.0)
        passed = now - (now if self._since is None else self._since) - liveliness.sleepy_after
        return begin + (end - begin) * min(max(passed / period, 0.0), 1.0)
