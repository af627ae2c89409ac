"""Simulated robots in virtual time: base class with camera and speech, and a robot without physics.

Each body has its own virtual time, which advances as fast as the machine can compute. The robot without physics is for
checks that must be exactly reproducible: it reaches the end of a motion when the duration of the motion has passed.
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
from reachy_agent_ros.tools.heading import Heading

SPEAKING = 0.07
"""Duration of speech per letter, s: English is read aloud at about 14 letters per second."""

PICTURE = 1.0 / 30.0
"""Time between two images of the camera, s. Each request waits for the next image."""


class VirtualBody(ABC):
    """Base class of simulated bodies. It implements the camera and the speech of `tools.context.Body`.

    Subclasses implement motion.

    Args:
        eye: Simulated camera.

    Attributes:
        heading: Front of the robot.
        spoken: Texts spoken since the last reset.
    """

    def __init__(self, eye: Eye) -> None:
        self.heading = Heading()
        self.spoken: list[str] = []
        self._volume = 1.0
        self._pace = 1.0
        self._eye = eye
        self._photo: Photo | None = None
        self._next_picture = 0.0

    @property
    @abstractmethod
    def now(self) -> float:
        """Virtual time (s) since the last reset."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Advances virtual time."""

    @abstractmethod
    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Plays one motion to its end. After a cancellation, the robot holds its pose."""

    @abstractmethod
    def stream(self, motion: PoseMotion) -> None:
        """Moves towards a posture of a stream and returns immediately. Ignores the duration of the motion."""

    @abstractmethod
    def hold(self) -> None:
        """Ends the running motion and holds the pose."""

    def halt(self) -> None:
        """Holds the pose, as `hold` does, because simulated bodies have no queue of motions."""
        self.hold()

    def proceed(self, context: ToolContext) -> MotionResult:
        """Raises `NOT_FOUND`, because nothing stops a motion of a simulated body but the end of its call."""
        raise AgentError(ErrorCode.NOT_FOUND, "There is no stopped motion to continue.")

    def pace(self) -> float:
        """Returns the pace of motions. It has no effect in the simulation."""
        return self._pace

    def set_pace(self, pace: float) -> None:
        """Sets the pace of motions until the next reset."""
        self._pace = pace

    @abstractmethod
    def state(self) -> BodyState:
        """Returns the current state of the robot."""

    @abstractmethod
    def measure(self) -> Measurement:
        """Returns the latest measurement."""

    def reset(self) -> None:
        """Restores the initial state."""
        self.heading.face(0.0)
        self.spoken.clear()
        self._volume = self._pace = 1.0
        self._photo = None
        self._next_picture = 0.0

    def photograph(self, context: ToolContext) -> Photo:
        """Takes a new photo."""
        self._photo = self._eye.photograph(self._looked(context))
        return self._photo

    def last_photo(self) -> Photo | None:
        """Returns the latest photo, or None before the first photo."""
        return self._photo

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Takes a new image and detects objects with the given labels, or all objects if `labels` is empty."""
        return self._eye.detect(labels, self._looked(context))

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        """Returns the answer of the simulated vision model. By default, the answer is a list of detections."""
        return self._eye.describe(self._looked(context))

    def track_faces(self, enabled: bool) -> None:
        """Raises `DETECTOR_UNAVAILABLE`, because the simulation contains no faces."""
        raise AgentError(ErrorCode.DETECTOR_UNAVAILABLE, "This simulation has no faces to follow.")

    def say(self, text: str, context: ToolContext) -> str:
        """Records the text and waits for the duration of the speech."""
        context.cancel.raise_if_cancelled()
        self.spoken.append(text)
        self.wait(min(SPEAKING * len(text), context.deadline.remaining))
        return text

    def volume(self) -> float:
        """Returns the volume of the voice, from 0 to 1. It has no effect in the simulation."""
        return self._volume

    def set_volume(self, volume: float) -> None:
        """Sets the volume of the voice until the next reset."""
        self._volume = volume

    def close(self) -> None:
        """Closes the camera."""
        self._eye.close()

    def _looked(self, context: ToolContext) -> Measurement:
        """Waits until the next image is due. Returns the measurement at that time."""
        context.cancel.raise_if_cancelled()
        self.wait(max(0.0, self._next_picture - self.now))
        self._next_picture = self.now + PICTURE
        return self.measure()


class KinematicBody(VirtualBody):
    """Robot without physics. Its motions, durations and rejections are the same as those of the real robot.

    Args:
        moves: Folder of recorded moves; None for no recorded moves.
    """

    def __init__(self, moves: Path | None = None) -> None:
        super().__init__(DrawnEye())
        self._moves = moves
        self._gate = SafetyGate()
        self._pose = BodyPose()
        self._now = 0.0

    @property
    def now(self) -> float:
        """Virtual time (s) since the last reset."""
        return self._now

    def reset(self) -> None:
        """Restores the initial state."""
        super().reset()
        self._pose, self._now = BodyPose(), 0.0

    def wait(self, seconds: float) -> None:
        """Advances virtual time without computation."""
        self._now += seconds

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Advances virtual time by the duration of the motion and adopts its final pose."""
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
        """Adopts the posture immediately."""
        self._pose = self._gate.admit(target_of(motion), self._pose).pose

    def hold(self) -> None:
        """Does nothing, because the robot is always at rest."""

    def state(self) -> BodyState:
        """Returns the current state of the robot."""
        return BodyState(self._pose, "idle", "enabled", True, True, False, "", "")

    def measure(self) -> Measurement:
        """Returns a measurement of the current posture."""
        return Measurement(self._now, self._pose, {})


def wish_of(motion: Motion, moves: Path | None = None) -> tuple[Target | Gaze | Named, float]:
    """Converts a motion of a tool to a request for the motion package. Returns the request and its duration (s).

    A duration of 0 means the gentle default, or the duration of a named move at its tempo.

    Args:
        motion: Motion of a tool.
        moves: Folder of recorded moves, which is only read; None for no recorded moves.

    Raises:
        AgentError: `UNKNOWN_MOVE` for a recorded move without a folder.
    """
    if isinstance(motion, PoseMotion):
        return target_of(motion), motion.duration
    if isinstance(motion, GazeMotion):
        return Gaze(np.array(motion.point), BASE_FRAME), motion.duration
    if motion.library is not MoveLibrary.RECORDED:
        return Named(Library[motion.library.name], motion.name, motion.amplitude, tempo=motion.tempo), 0.0
    if moves is None:
        message = f"There is no recorded move {motion.name!r}: this simulation has no recorded moves."
        raise AgentError(ErrorCode.UNKNOWN_MOVE, message)
    return Named(Library.RECORDED, motion.name, motion.amplitude, moves, motion.tempo), 0.0


def target_of(motion: PoseMotion) -> Target:
    """Creates the target for a motion that ends in a posture."""
    return Target(motion.head, motion.antennas, motion.body_yaw)
