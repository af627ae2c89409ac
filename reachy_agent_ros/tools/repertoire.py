"""Moves that people have shown the robot, which replace the built-in moves of the same name."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

import numpy as np

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.gesture import gesture
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.tools.body import Motion, MotionProgress, MotionResult, MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.context import Progress

if TYPE_CHECKING:
    from reachy_agent_ros.tools.context import ToolContext

_THERE = 0.02
"""m and rad within which the robot counts as being at a posture."""


class ShownMotion(Protocol):
    """A shown move while it is made.

    Attributes:
        start: Posture that it begins at.
        end: Posture that it ends at.
        duration: s.
        period: s between two targets.
    """

    start: BodyPose
    end: BodyPose
    duration: float
    period: float

    def target(self, measured: BodyPose, time: float) -> BodyPose:
        """The next target.

        Args:
            measured: Posture now.
            time: s since it began.
        """
        ...


class ShownMove(Protocol):
    """A move that people have shown."""

    def begin(self, present: BodyPose, size: float, tempo: float) -> ShownMotion:
        """Begins the move at the present posture.

        Args:
            present: Where the robot is.
            size: Share of the size that was shown, above 0, at most 1.
            tempo: Share of the tempo that was shown, above 0.
        """
        ...


class Repertoire:
    """Shown moves by name. The base class has none."""

    def find(self, name: str) -> ShownMove | None:
        """The move of a name, None if nobody has shown one.

        Raises:
            AgentError: It is there and cannot be used.
        """
        return None


NOTHING = Repertoire()

_SHOWABLE = (MoveLibrary.GESTURE, MoveLibrary.RECORDED)


def shown_as(motion: Motion, repertoire: Repertoire) -> tuple[ShownMove, NamedMotion] | None:
    """The move that a motion names, None if nobody has shown it.

    Raises:
        AgentError: It is there and cannot be used.
    """
    if not isinstance(motion, NamedMotion) or motion.library not in _SHOWABLE:
        return None
    move = repertoire.find(motion.name)
    return None if move is None else (move, motion)


def perform(move: ShownMove, named: NamedMotion, context: ToolContext) -> MotionResult:
    """Makes a move that was shown, target by target; a gesture ends where it began.

    Args:
        move: What is made.
        named: The motion that was asked for.
        context: Of the call.

    Raises:
        AgentError: `CANCELED`, `TIMEOUT` or what the robot refuses; it then holds its pose.
    """
    body = context.body
    present = body.state().pose
    motion = move.begin(present, named.amplitude, _tempo(named))
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


def _tempo(named: NamedMotion) -> float:
    """Share of its own tempo: who asks for a gesture's duration knows that of the one the robot came with."""
    return gesture(named.name).duration / named.duration if named.duration else 1.0


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
