"""Demonstrated moves, which replace the built-in moves with the same names."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

import numpy as np

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.tools.body import Motion, MotionProgress, MotionResult, MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.context import Progress

if TYPE_CHECKING:
    from reachy_agent_ros.tools.context import ToolContext

_THERE = 0.02
"""Tolerance within which the robot counts as being at a posture, in m and rad."""


class ShownMotion(Protocol):
    """A demonstrated move during playback.

    Attributes:
        start: First posture.
        end: Last posture.
        duration: Duration, s.
        period: Time between two targets, s.
    """

    start: BodyPose
    end: BodyPose
    duration: float
    period: float

    def target(self, measured: BodyPose, time: float) -> BodyPose:
        """Returns the target posture for a time.

        Args:
            measured: Current posture.
            time: Seconds since the start.
        """
        ...


class ShownMove(Protocol):
    """A demonstrated move."""

    def begin(self, present: BodyPose, size: float, tempo: float) -> ShownMotion:
        """Starts playback at the current posture.

        Args:
            present: Current posture.
            size: Fraction of the demonstrated size, above 0, at most 1.
            tempo: Multiple of the demonstrated tempo, above 0.
        """
        ...


class Repertoire:
    """Collection of demonstrated moves by name. The base class is empty."""

    def find(self, name: str) -> ShownMove | None:
        """Returns the move with a name, or None if nobody has demonstrated this move.

        Raises:
            AgentError: The move exists but cannot be used.
        """
        return None


NOTHING = Repertoire()

_SHOWABLE = (MoveLibrary.GESTURE, MoveLibrary.RECORDED)


def shown_as(motion: Motion, repertoire: Repertoire) -> tuple[ShownMove, NamedMotion] | None:
    """Returns the demonstrated move that a motion names, and the motion. Returns None for any other motion.

    Raises:
        AgentError: The move exists but cannot be used.
    """
    if not isinstance(motion, NamedMotion) or motion.library not in _SHOWABLE:
        return None
    move = repertoire.find(motion.name)
    return None if move is None else (move, motion)


def perform(move: ShownMove, named: NamedMotion, context: ToolContext) -> MotionResult:
    """Plays a demonstrated move as a stream of targets. A gesture ends at the robot's posture before it.

    Args:
        move: The move.
        named: The requested motion.
        context: Context of the call.

    Raises:
        AgentError: `CANCELED`, `TIMEOUT` or a rejection by the robot, which then holds its pose.
    """
    body = context.body
    present = body.state().pose
    motion = move.begin(present, named.amplitude, named.tempo)
    if np.abs(coordinates(motion.start) - coordinates(present)).max() > _THERE:
        arrived = body.move(_towards(motion.start), context)
        if arrived.error is not None:
            return arrived
    try:
        _stream(motion, named.name, context)
    except BaseException:
        body.hold()
        raise
    return body.move(_towards(present if named.library is MoveLibrary.GESTURE else motion.end), context)


def _stream(motion: ShownMotion, name: str, context: ToolContext) -> None:
    began = time.monotonic()
    while (elapsed := time.monotonic() - began) < motion.duration:
        context.cancel.raise_if_cancelled()
        measured = context.body.state().pose
        context.body.stream(_towards(motion.target(measured, elapsed)))
        share, left = elapsed / motion.duration, motion.duration - elapsed
        context.report(Progress(share, f"{name} as it was shown", MotionProgress(share, measured.head, 0.0, left)))
        due = began + motion.period * (elapsed // motion.period + 1)
        context.cancel.wait(max(0.0, due - time.monotonic()))


def _towards(pose: BodyPose) -> PoseMotion:
    return PoseMotion(pose.head, (pose.antenna_right, pose.antenna_left), pose.body_yaw)
