"""Simulated robots in virtual time: what all of them share, and the one without physics.

They share a camera, a voice, and how they read the motions of tools. Virtual time is each body's own, as fast as the
machine can compute it. The robot without physics is for checks that repeat exactly: it is where a motion ends once the
duration of the motion has passed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import BASE_FRAME
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.request import Gaze, Library, Named, plan, prepare
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.simulation.eye import DrawnEye, Eye
from reachy_agent_ros.tools.body import (
    BodyState,
    GazeMotion,
    Motion,
    MotionResult,
    MoveLibrary,
    Photo,
    PoseMotion,
    SceneAnswer,
    Sight,
)
from reachy_agent_ros.tools.context import ToolContext

SPEAKING = 0.07
"""s that a letter takes to say: English is read aloud at some 14 letters a second."""

PICTURE = 1.0 / 30.0
"""s between two pictures of the robot's camera: the next one is waited for, one that is due is there."""


class VirtualBody(ABC):
    """Implements `tools.context.Body`: sight and speech here, motion in `KinematicBody` and `MujocoBody`.

    Args:
        eye: What it sees with.

    Attributes:
        spoken: What it said since the last reset.
    """

    def __init__(self, eye: Eye) -> None:
        self.spoken: list[str] = []
        self._eye = eye
        self._photo: Photo | None = None
        self._next_picture = 0.0

    @property
    @abstractmethod
    def now(self) -> float:
        """Virtual time since the last reset, s."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Lets virtual time pass."""

    @abstractmethod
    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Plays one motion to its end; a cancel holds the pose."""

    @abstractmethod
    def stream(self, motion: PoseMotion) -> None:
        """Pursues one posture of a stream, and returns at once; its duration has no meaning."""

    @abstractmethod
    def hold(self) -> None:
        """Ends whatever motion is running; the pose holds."""

    def halt(self) -> None:
        """As `hold`: nothing waits to be done here."""
        self.hold()

    @abstractmethod
    def state(self) -> BodyState:
        """The state, measured now."""

    @abstractmethod
    def measure(self) -> Measurement:
        """The latest sample."""

    def reset(self) -> None:
        """Makes it be as in the beginning."""
        self.spoken.clear()
        self._photo = None
        self._next_picture = 0.0

    def photograph(self, context: ToolContext) -> Photo:
        """Takes a fresh picture."""
        self._photo = self._eye.photograph(self._looked(context))
        return self._photo

    def last_photo(self) -> Photo | None:
        """The picture that was taken last, None before the first."""
        return self._photo

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Detects things in a fresh picture: those kinds only, all where there are none."""
        return self._eye.detect(labels, self._looked(context))

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        """Tells what a vision model would say, or what is detected."""
        return self._eye.describe(self._looked(context))

    def track_faces(self, enabled: bool) -> None:
        """Nobody is there to be followed."""
        raise AgentError(ErrorCode.DETECTOR_UNAVAILABLE, "Faces are not followed in this simulation.")

    def say(self, text: str, context: ToolContext) -> str:
        """Speaks without a sound, for as long as that takes."""
        context.cancel.raise_if_cancelled()
        self.spoken.append(text)
        self.wait(min(SPEAKING * len(text), context.deadline.remaining))
        return text

    def close(self) -> None:
        """Frees what draws."""
        self._eye.close()

    def _looked(self, context: ToolContext) -> Measurement:
        """Where the head is when the next picture is there."""
        context.cancel.raise_if_cancelled()
        self.wait(max(0.0, self._next_picture - self.now))
        self._next_picture = self.now + PICTURE
        return self.measure()


class KinematicBody(VirtualBody):
    """Kinematics without physics: what a motion is, how long it takes and what is refused are as on the robot.

    Args:
        moves: Folder of recorded moves; None: it has none.
    """

    def __init__(self, moves: Path | None = None) -> None:
        super().__init__(DrawnEye())
        self._moves = moves
        self._gate = SafetyGate()
        self._pose = BodyPose()
        self._now = 0.0

    @property
    def now(self) -> float:
        """Virtual time since the last reset, s."""
        return self._now

    def reset(self) -> None:
        """Makes it be as in the beginning."""
        super().reset()
        self._pose, self._now = BodyPose(), 0.0

    def wait(self, seconds: float) -> None:
        """Lets virtual time pass, which takes none."""
        self._now += seconds

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Is at the motion's end when its duration has passed."""
        context.cancel.raise_if_cancelled()
        wish, duration = wish_of(motion, self._moves)
        prepare(wish)
        planned = plan(wish, duration, self._gate, self._pose)
        course = planned.begin(MotionState(coordinates(self._pose), np.zeros(9)))
        left = context.deadline.remaining
        self.wait(min(course.duration, left))
        self._pose = course.at(min(course.duration, left))
        if course.duration > left:
            raise AgentError(ErrorCode.TIMEOUT, "The motion did not end in time.")
        return MotionResult(self._pose, tuple(finding.field for finding in planned.findings))

    def stream(self, motion: PoseMotion) -> None:
        """Is at the posture at once."""
        self._pose = self._gate.admit(target_of(motion), self._pose).pose

    def hold(self) -> None:
        """Rests already."""

    def state(self) -> BodyState:
        """The state, now."""
        return BodyState(self._pose, "idle", "enabled", True, True, False, "", "")

    def measure(self) -> Measurement:
        """The posture, now."""
        return Measurement(self._now, self._pose, {})


def wish_of(motion: Motion, moves: Path | None = None) -> tuple[Target | Gaze | Named, float]:
    """What a tool asks of the body, in the words of the motion package: the wish and its duration, s.

    A duration of 0 is as fast as is gentle, or a named move's own.

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
