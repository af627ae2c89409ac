"""One secondary layer over time: it grows, changes, freezes and fades without a jump, not even of its velocity."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.robot.envelope import ACCELERATION, SPEED
from reachy_agent_ros.robot.limiter import MotionState, approach, brake

LAYER_ACCELERATION = 0.8 * ACCELERATION
"""Greatest of one layer: the rest of what the gate allows is the primary motion's."""

FADING_SPEED = 0.15 * SPEED
"""Greatest speed with which a layer that nobody sends any more goes away: 34 deg/s for the head."""

_GONE = 1e-6


class Layer:
    """Follows samples that come in steps, by two stages: one that keeps the limits, one that is smooth.

    The second is a critically damped filter of second order. It delays by twice its time constant, never overshoots,
    and makes neither speed nor acceleration greater than the first stage's.

    Args:
        smoothing: Its time constant, s.

    Attributes:
        values: What it adds now, in the order of `coordinates.NAMES`.
        gone: Whether it adds nothing and is at rest.
    """

    def __init__(self, smoothing: float) -> None:
        self.values = np.zeros(9)
        self.gone = True
        self._smoothing = smoothing
        self._velocity = np.zeros(9)
        self._led = MotionState(np.zeros(9), np.zeros(9))

    @property
    def calm(self) -> bool:
        """Whether it changes by less than a thousandth of what it may, in any coordinate."""
        return bool((np.abs(self._velocity) < 1e-3 * SPEED).all())

    def follow(self, goal: Vector, dt: float) -> None:
        """Goes towards nine numbers, in the order of `coordinates.NAMES`, for `dt` seconds."""
        self._smooth(approach(self._led, goal, dt, SPEED, LAYER_ACCELERATION), dt)

    def fade(self, dt: float) -> None:
        """Goes towards nothing, slower."""
        if self.gone:
            return
        self._smooth(approach(self._led, np.zeros(9), dt, FADING_SPEED, LAYER_ACCELERATION), dt)
        if max(np.abs(self.values).max(), np.abs(self._velocity).max()) < _GONE:
            self.values, self._velocity = np.zeros(9), np.zeros(9)
            self._led = MotionState(np.zeros(9), np.zeros(9))
            self.gone = True

    def freeze(self, dt: float) -> None:
        """Comes to rest as it is."""
        if self.gone:
            return
        self._smooth(brake(self._led, dt), dt)

    def _smooth(self, led: MotionState, dt: float) -> None:
        """The exact solution of x'' = (led - x) / T^2 - 2 x' / T over `dt`, `led` being constant meanwhile."""
        self.gone = False
        self._led = led
        distance = self.values - led.position
        slope = self._velocity + distance / self._smoothing
        decay = math.exp(-dt / self._smoothing)
        self.values = led.position + (distance + slope * dt) * decay
        self._velocity = (self._velocity - slope * dt / self._smoothing) * decay
