"""The posture in which the maker's software lays the robot to rest."""

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
"""m and rad: the lowest that the head goes at an even height without touching the body, less 2 mm."""


@cache
def sleep_posture() -> BodyPose:
    """Head sunk on the shoulders, antennas hanging, body to the front: where the motors can be switched off.

    Read from the source of the installed `reachy_mini`, which is not imported because that loads GStreamer.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` where the package is not installed, or no longer says it.
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
        message = f"{path} does not say where the robot sleeps: {error}."
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, message) from error
    return BodyPose(orthonormal(np.array(head)), *antennas)


def resting_posture() -> BodyPose:
    """The posture in which the robot waits for its motors to be switched off; its head then sinks by 4 mm.

    Nearly that of sleep, in which the head rests on the shell of the body: commanded there, the motors would press it
    against the shell.

    Raises:
        AgentError: As `sleep_posture`.
    """
    return replace(sleep_posture(), head=head_transform(pitch=_RESTING_PITCH, x=_RESTING_X, z=_RESTING_Z))


def _literal(value: ast.expr) -> Any:
    """A list, also where it is the argument of `np.array`."""
    return ast.literal_eval(value.args[0] if isinstance(value, ast.Call) else value)
