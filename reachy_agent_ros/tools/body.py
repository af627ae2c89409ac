"""Requests that tools send to the robot, and its responses. Values are in SI units."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import BodyPose, Matrix
from reachy_agent_ros.vision.camera import Intrinsics


@dataclass(frozen=True)
class PoseMotion:
    """Motion to a target posture. Parts that are None keep their positions.

    Attributes:
        head: 4x4 transform of `head` in `head_base`, m.
        antennas: Angles of the right and left antenna, rad.
        body_yaw: Angle of the body, rad, positive to the left.
        duration: Duration, s; 0 for the fastest gentle motion.
    """

    head: Matrix | None = None
    antennas: tuple[float, float] | None = None
    body_yaw: float | None = None
    duration: float = 0.0


@dataclass(frozen=True)
class GazeMotion:
    """Motion that makes the robot look at a point.

    Attributes:
        point: x, y, z in `base_link`, m.
        duration: Duration, s; 0 for the fastest gentle motion.
    """

    point: tuple[float, float, float]
    duration: float = 0.0


class MoveLibrary(Enum):
    """Library of named moves."""

    EMOTION = "emotion"
    DANCE = "dance"
    GESTURE = "gesture"
    RECORDED = "recorded"


@dataclass(frozen=True)
class NamedMotion:
    """Motion that plays a named move from a library.

    Attributes:
        library: Library of the move.
        name: Name of the move in the library.
        amplitude: Fraction of its full size, above 0, at most 1.
        tempo: Tempo as a multiple of the move's own tempo.
    """

    library: MoveLibrary
    name: str
    amplitude: float = 1.0
    tempo: float = 1.0


Motion = PoseMotion | GazeMotion | NamedMotion


@dataclass(frozen=True)
class MotionProgress:
    """Progress of a motion.

    Attributes:
        fraction: Elapsed fraction of its duration, 0 to 1.
        head: Measured 4x4 transform of `head` in `head_base`, m.
        angle_remaining: Angle to the final head orientation, rad.
        time_remaining: Remaining time, s.
    """

    fraction: float
    head: Matrix
    angle_remaining: float
    time_remaining: float


@dataclass(frozen=True)
class MotionResult:
    """Result of a motion.

    Attributes:
        pose: Measured pose at the end.
        clamped: Fields the safety gate clamped.
        error: Reason why the motion did not reach its target; None if it did.
    """

    pose: BodyPose
    clamped: tuple[str, ...] = ()
    error: AgentError | None = None


@dataclass(frozen=True)
class BodyState:
    """Current state of the body.

    Attributes:
        pose: Measured pose.
        activity: "idle", "moving", "streaming", "holding" or "stopped".
        motors: "enabled", "disabled" or "gravity_compensation".
        connected: Whether the robot is connected.
        simulated: Whether the robot is simulated.
        emergency_stopped: Whether the emergency stop is latched.
        stop_reason: Reason for the stop; empty if not stopped.
        commander: Node that controls the robot; empty if none.
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
    """A picture from the robot's camera.

    Attributes:
        jpeg: Encoded picture.
        intrinsics: Camera intrinsics of the picture.
        head: Measured 4x4 transform of `head` in `head_base` when the picture was taken, m.
    """

    jpeg: bytes
    intrinsics: Intrinsics
    head: Matrix


@dataclass(frozen=True)
class SeenThing:
    """A detected object.

    Attributes:
        label: Class of the object.
        confidence: Confidence, 0 to 1.
        bearing: Unit vector from the camera to the object, in `base_link`.
        position: x, y, z in `base_link`, m; None if only the bearing is known.
    """

    label: str
    confidence: float
    bearing: tuple[float, float, float]
    position: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Sight:
    """Detections in one picture.

    Attributes:
        things: Detected objects, best first.
        camera: 4x4 transform of `camera_optical` in `base_link` when the picture was taken, m.
    """

    things: tuple[SeenThing, ...]
    camera: Matrix


@dataclass(frozen=True)
class SceneAnswer:
    """Answer to a question about the scene.

    Attributes:
        text: The answer in words.
        labels: Classes of the objects that were detected in the picture.
    """

    text: str
    labels: tuple[str, ...]
