"""How the eye sits in the head, where that is not as the model has it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, matrix_from_rpy
from reachy_agent_ros.vision.eye import HEAD_FROM_OPTICAL

FORM = "ROLL,PITCH,YAW"

_MOST = 0.5
"""rad; an eye that is turned further is mounted wrongly."""


class Mounting(NamedTuple):
    """By what the eye is turned against the model, about its own place, in the head's axes.

    Attributes:
        roll: rad, positive to its right.
        pitch: rad, positive down.
        yaw: rad, positive to its left.
    """

    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Mounting:
        """Reads `ROLL,PITCH,YAW`, rad; an empty text is as in the model.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it is anything else, or an angle is beyond half a radian.
        """
        try:
            found = cls(*map(float, text.split(","))) if text else cls()
        except (ValueError, TypeError):
            found = cls(math.nan)
        if not all(abs(angle) <= _MOST for angle in found) or (text and text.count(",") != 2):
            message = f"The eye's mounting is {FORM}, each at most {_MOST:g} rad, not {text!r:.60}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        return found

    def head(self, head: Matrix) -> Matrix:
        """Where the head would be if an eye as in the model saw what this one sees.

        Args:
            head: 4x4 transform of `head` in `head_base` when the picture was taken, m.
        """
        turn = np.eye(4)
        turn[:3, :3] = matrix_from_rpy(*self)
        turn[:3, 3] = (np.eye(3) - turn[:3, :3]) @ HEAD_FROM_OPTICAL[:3, 3]
        return np.asarray(head @ turn)


AS_IN_THE_MODEL = Mounting()
