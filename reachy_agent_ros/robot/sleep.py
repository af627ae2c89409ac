"""Sleep and resting postures of the robot."""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform, orthonormal
from reachy_agent_ros.robot.description import source_path

_HEAD = "SLEEP_HEAD_POSE"
_ANTENNAS = "SLEEP_ANTENNAS_JOINT_POSITIONS"

_RESTING_X, _RESTING_Z = -0.008, -0.040
_RESTING_PITCH = math.radians(14.0)
"""Position and pitch of the resting head, m and rad: 2 mm above the lowest position without contact with the body."""


@cache
def sleep_posture() -> BodyPose:
    """Returns the posture in which the software of Pollen Robotics switches the motors off.

    The head is lowered onto the shoulders, the antennas hang down, and the body faces forward. The posture is read from
    the source code of the installed `reachy_mini`, which is not imported, because importing it loads GStreamer.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the package is not installed or does not define the posture.
    """
    path = source_path("reachy_mini.py")
    constants = {
        target.id: statement.value
        for statement in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    try:
        head, antennas = _literal(constants[_HEAD]), _literal(constants[_ANTENNAS])
    except (KeyError, ValueError) as error:
        message = f"{path} does not define the sleep posture: {error}."
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, message) from error
    return BodyPose(orthonormal(np.array(head)), *antennas)


def resting_posture() -> BodyPose:
    """Returns the posture to command before switching the motors off. Afterwards, the head sinks by 4 mm.

    The posture is close to the sleep posture, in which the head rests on the shell of the body. If the sleep posture
    were commanded, the motors would press the head against the shell.

    Raises:
        AgentError: The errors of `sleep_posture`.
    """
    return replace(sleep_posture(), head=head_transform(pitch=_RESTING_PITCH, x=_RESTING_X, z=_RESTING_Z))


def _literal(value: ast.expr) -> Any:
    """Evaluates a list literal, or a list literal inside `np.array(...)`."""
    return ast.literal_eval(value.args[0] if isinstance(value, ast.Call) else value)
