"""A simulated robot that lives in virtual time: time passes for it when it is asked for, and only then."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.tool_generation.twin.eye import Eye
from reachy_agent_ros.tools.body import BodyState, Motion, MotionResult, Photo, PoseMotion, SceneAnswer, Sight
from reachy_agent_ros.tools.context import ToolContext

SPEAKING = 0.07
"""s that a letter takes to say: English is read aloud at some 14 letters a second."""

PICTURE = 1.0 / 30.0
"""s between two pictures of the robot's camera: the next one is waited for, one that is due is there."""


class VirtualBody(ABC):
    """Implements `tools.body.Body`: its senses and its voice here, its motion in two ways below.

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
