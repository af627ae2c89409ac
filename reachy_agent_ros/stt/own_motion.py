"""The robot's own motors, which its ears must not take for a voice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LOUD = 0.5
"""rad/s of any joint from which on its motor is heard: breathing and wobbling stay below, gestures do not."""

COOL_DOWN = 0.3
"""Seconds after a loud motion in which its sound is still on its way to the ears."""


class OwnMotion:
    """Tells from the joints' positions whether the motors are loud. Times are seconds of any one clock."""

    def __init__(self) -> None:
        self._last: tuple[float, np.ndarray] | None = None
        self._loud_until = -float("inf")

    def update(self, positions: Sequence[float], now: float) -> None:
        """Takes the measured positions of all joints, rad, always in the same order."""
        joints = np.asarray(positions, np.float64)
        last, self._last = self._last, (now, joints)
        if last is None or last[1].shape != joints.shape or now <= last[0]:
            return
        if np.any(np.abs(joints - last[1]) > LOUD * (now - last[0])):
            self._loud_until = now + COOL_DOWN

    def loud(self, now: float) -> bool:
        """Whether the motors are loud, or were just now."""
        return now < self._loud_until
