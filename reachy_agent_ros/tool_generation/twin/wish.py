"""What a tool asks of the body, in the words of the motion package."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import BASE_FRAME
from reachy_agent_ros.motion.request import Gaze, Library, Named
from reachy_agent_ros.robot.admission import Target
from reachy_agent_ros.tools.body import GazeMotion, Motion, MoveLibrary, PoseMotion


def wish_of(motion: Motion, moves: Path | None = None) -> tuple[Target | Gaze | Named, float]:
    """The wish and its duration, s; 0 is as fast as is gentle, or a named move's own.

    Args:
        motion: What a tool asks for.
        moves: Folder of recorded moves, which is only read; None: there are none.

    Raises:
        AgentError: `UNKNOWN_MOVE`: a recorded one where there are none.
    """
    if isinstance(motion, PoseMotion):
        return target_of(motion), motion.duration
    if isinstance(motion, GazeMotion):
        return Gaze(np.array(motion.point), BASE_FRAME), motion.duration
    if motion.library is not MoveLibrary.RECORDED:
        return Named(Library[motion.library.name], motion.name, motion.amplitude), motion.duration
    if moves is None:
        raise AgentError(ErrorCode.UNKNOWN_MOVE, f"There is no recorded move {motion.name!r}. There are none here.")
    return Named(Library.RECORDED, motion.name, motion.amplitude, moves), motion.duration


def target_of(motion: PoseMotion) -> Target:
    """Where a motion to a posture ends."""
    return Target(motion.head, motion.antennas, motion.body_yaw)
