"""What a tool asks of the robot, and what it is answered. Values are SI."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import BodyPose, Matrix
from reachy_agent_ros.vision.camera import Intrinsics


@dataclass(frozen=True)
class PoseMotion:
    """A motion to a posture; what is None stays as it is.

    Attributes:
        head: 4x4 transform of `head` in `head_base`, m.
        antennas: Right and left, rad.
        body_yaw: rad, positive to the left.
        duration: s; 0 is as fast as is gentle.
    """

    head: Matrix | None = None
    antennas: tuple[float, float] | None = None
    body_yaw: float | None = None
    duration: float = 0.0


@dataclass(frozen=True)
class GazeMotion:
    """A look at a point.

    Attributes:
        point: x, y, z in `base_link`, m.
        duration: s; 0 is as fast as is gentle.
    """

    point: tuple[float, float, float]
    duration: float = 0.0


class MoveLibrary(Enum):
    """Where a named move comes from."""

    EMOTION = "emotion"
    DANCE = "dance"
    GESTURE = "gesture"
    RECORDED = "recorded"


@dataclass(frozen=True)
class NamedMotion:
    """A move from a library.

    Attributes:
        library: Which library.
        name: Its name there.
        amplitude: Share of its full size, above 0, at most 1.
        duration: s; 0 is the move's own.
    """

    library: MoveLibrary
    name: str
    amplitude: float = 1.0
    duration: float = 0.0


Motion = PoseMotion | GazeMotion | NamedMotion


@dataclass(frozen=True)
class MotionProgress:
    """How far a motion is.

    Attributes:
        fraction: 0..1 of its duration.
        head: Measured 4x4 transform of `head` in `head_base`, m.
        angle_remaining: rad, to the final head orientation.
        time_remaining: s.
    """

    fraction: float
    head: Matrix
    angle_remaining: float
    time_remaining: float


@dataclass(frozen=True)
class MotionResult:
    """How a motion ended.

    Attributes:
        pose: Measured at the end.
        clamped: Fields the safety gate clamped.
        error: Why it did not end where it should, None if it did.
    """

    pose: BodyPose
    clamped: tuple[str, ...] = ()
    error: AgentError | None = None


@dataclass(frozen=True)
class BodyState:
    """What the body is doing now.

    Attributes:
        pose: Measured.
        activity: "idle", "moving", "streaming", "holding" or "stopped".
        motors: "enabled", "disabled" or "gravity_compensation".
        connected: Whether the robot answers.
        simulated: Whether no real motor can turn.
        emergency_stopped: Whether it must be reset before it moves again.
        stop_reason: Why, empty otherwise.
        commander: Node that holds the robot, empty when nobody does.
    """

    pose: BodyPose
    activity: str
    motors: str
    connected: bool
    simulated: bool
    emergency_stopped: bool
    stop_reason: str
    commander: str


@dataclass(frozen=True)
class Photo:
    """One picture of the robot's own camera.

    Attributes:
        jpeg: Encoded picture.
        intrinsics: True ones of the picture.
        head: Measured 4x4 transform of `head` in `head_base` at that moment, m.
    """

    jpeg: bytes
    intrinsics: Intrinsics
    head: Matrix


@dataclass(frozen=True)
class SeenThing:
    """One thing that was detected.

    Attributes:
        label: Kind of thing.
        confidence: 0..1.
        bearing: Unit vector from the eye towards it, in `base_link`.
        position: x, y, z in `base_link`, m; None where only the bearing is known.
    """

    label: str
    confidence: float
    bearing: tuple[float, float, float]
    position: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Sight:
    """What was detected in one picture.

    Attributes:
        things: Best first.
        camera: 4x4 transform of `camera_optical` in `base_link` when it was taken, m.
    """

    things: tuple[SeenThing, ...]
    camera: Matrix


@dataclass(frozen=True)
class SceneAnswer:
    """What a question about the scene was answered.

    Attributes:
        text: In words.
        labels: Kinds of thing that were detected in the picture.
    """

    text: str
    labels: tuple[str, ...]
