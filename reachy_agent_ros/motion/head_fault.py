"""Detection of a head that stays far from its command because it has tipped over, is stuck, or is being held."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.coordinates import BODY_YAW, NAMES, TRANSLATION, coordinates
from reachy_agent_ros.robot.finding import TargetError, with_unit

PATIENCE = 1.0
"""Time for which the head may be far from its command, s. In a fast move, the head lags by less than 0.1 s."""

_FAR = np.full(BODY_YAW, 0.35)
_FAR[TRANSLATION] = 0.025
"""Distance from the command that counts as far, m and rad. A head that has tipped over is further away. The weight of
the head alone causes a deviation of only 0.07 rad."""

_CLEARED = 0.5
"""Fraction of `_FAR` below which the fault ends."""


class HeadFault:
    """Detects a head that stays far from its commanded pose. The fault ends when the head is back.

    Args:
        patience: Time for which the head may be far from its command before that counts as a fault, s.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._since = math.inf
        self._error: TargetError | None = None

    @property
    def error(self) -> TargetError | None:
        """Error that rejects every motion during a fault; None without a fault."""
        return self._error

    def observe(self, measured: BodyPose, command: BodyPose, now: float) -> TargetError | None:
        """Compares the measured posture with the command at the time `now` (steady clock, s).

        Returns:
            The error if a fault has just begun, otherwise None.
        """
        away = np.abs(coordinates(measured) - coordinates(command))[:BODY_YAW]
        share = away / _FAR
        if share.max() < (1.0 if self._error is None else _CLEARED):
            self.clear()
        elif self._error is None:
            self._since = min(self._since, now)
            if now - self._since > self._patience:
                self._error = _error(int(share.argmax()), away)
                return self._error
        return None

    def clear(self) -> None:
        """Clears the fault. Call it after setting the command to the measured posture, or while the motors are off."""
        self._since = math.inf
        self._error = None


def _error(worst: int, away: np.ndarray) -> TargetError:
    name = NAMES[worst]
    message = (
        f"{name} is {with_unit(name, float(away[worst]))} away from its command: the head is held, "
        "stuck or tipped over. Free it. If it does not come back, switch the motors off, set the head upright and "
        "switch the motors on again."
    )
    return TargetError(ErrorCode.NOT_REACHED, message, "head")
