"""Stand-ins for the robot and the camera of the SDK.

The module also computes head poses that look at a point.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from typing import Any, NoReturn

import cv2
import numpy as np

from ..host import HostError, ask, call
from ..stand_ins import not_offered, public
from .utils import create_head_pose

Array = np.ndarray[Any, Any]

_METHODS = ("linear", "minjerk", "ease_in_out", "cartoon")
_AWAKE_ANTENNAS = (-0.1745, 0.1745)
_OPTIONS = (
    *("robot_name", "host", "port", "connection_mode", "spawn_daemon", "use_sim", "timeout", "automatic_body_yaw"),
    *("log_level", "media_backend", "localhost_only"),
)

_HEAD_FROM_CAMERA = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Orientation of the camera (x right, y down, z along the view) in the head frame."""


class Camera:
    """The robot's camera."""

    def read(self) -> Array | None:
        """Takes a new picture. Returns None if the camera does not respond.

        The picture is a BGR array of type uint8 and shape (height, width, 3).
        """
        jpeg = self.read_jpeg()
        return None if jpeg is None else cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)

    def read_jpeg(self) -> bytes | None:
        """Takes a new picture and returns it as JPEG. Returns None if the camera does not respond."""
        frame = _frame()
        return None if frame is None else base64.b64decode(frame["jpeg"])

    @property
    def resolution(self) -> tuple[int, int]:
        """Width and height in pixels."""
        lens = ask("lens")
        return lens["width"], lens["height"]

    def get_frame(self) -> Array | None:
        """Takes a new picture. See `read`."""
        return self.read()

    def __getattr__(self, name: str) -> NoReturn:
        raise not_offered("media.camera", name, public(Camera))


class Media:
    """Media of the robot: the camera, but no sound. A tool speaks with `say`.

    Attributes:
        camera: The camera.
    """

    camera = Camera()

    def get_frame(self) -> Array | None:
        """Takes a new picture. See `Camera.read`."""
        return self.camera.read()

    def get_frame_jpeg(self) -> bytes | None:
        """Takes a new picture and returns it as JPEG. See `Camera.read_jpeg`."""
        return self.camera.read_jpeg()

    def __getattr__(self, name: str) -> NoReturn:
        raise not_offered("media", name, public(Media))


class ReachyMini:
    """The robot on which this tool runs. Connection options are accepted and ignored.

    Head poses are 4x4 transforms relative to the neutral pose, m. Angles are in rad, antennas in the order right, left.

    Attributes:
        media: Camera of the robot.
    """

    media = Media()

    def __init__(self, *connection: object, **options: object) -> None:
        unknown = sorted(set(options) - set(_OPTIONS))
        if unknown or len(connection) > len(_OPTIONS):
            raise TypeError(f"ReachyMini() takes {', '.join(_OPTIONS)}, not {', '.join(unknown) or 'more'}")

    def __enter__(self) -> ReachyMini:
        return self

    def __exit__(self, *_: object) -> None:
        """Does nothing, as in the SDK. After the tool has ended, the robot holds its pose."""

    def goto_target(
        self,
        head: Array | None = None,
        antennas: Sequence[float] | Array | None = None,
        duration: float = 0.5,
        method: str = "minjerk",
        body_yaw: float | None = 0.0,
    ) -> None:
        """Moves for `duration` seconds, and returns at the end of the move.

        The robot plans the path, regardless of the method.
        """
        if duration <= 0.0:
            raise ValueError("Duration must be positive and non-zero. Use set_target() for immediate position setting.")
        if method not in _METHODS:
            raise ValueError(f"method must be one of {', '.join(_METHODS)}, not {method!r}")
        pose = _matrix(head)
        call("goto", head=pose, antennas=_pair(antennas), body_yaw=self._turned(pose, body_yaw), duration=duration)

    def set_target(
        self,
        head: Array | None = None,
        antennas: Sequence[float] | Array | None = None,
        body_yaw: float | None = None,
    ) -> None:
        """Sets the target posture and returns immediately.

        For custom motions, call it 20 to 50 times per second.
        """
        call("stream", head=_matrix(head), antennas=_pair(antennas), body_yaw=_number(body_yaw))

    def set_target_head_pose(self, pose: Array) -> None:
        """Sets only the target of the head. See `set_target`."""
        if pose is None:
            raise ValueError("Pose must be provided as a 4x4 matrix.")
        self.set_target(head=pose)

    def set_target_antenna_joint_positions(self, antennas: Sequence[float]) -> None:
        """Sets only the target of the antennas. See `set_target`."""
        self.set_target(antennas=antennas)

    def set_target_body_yaw(self, body_yaw: float) -> None:
        """Sets only the target of the body. See `set_target`."""
        self.set_target(body_yaw=body_yaw)

    def get_current_head_pose(self) -> Array:
        """Returns the measured head pose as a 4x4 transform."""
        return np.array(call("head_pose"))

    def get_current_joint_positions(self) -> tuple[list[float], list[float]]:
        """Returns the measured joint angles as two lists.

        The first list contains the body yaw and the six arms. The second list contains the right and the left antenna.
        """
        joints = call("joints")
        return joints["head"], joints["antennas"]

    def get_present_antenna_joint_positions(self) -> list[float]:
        """Returns the measured angles of the right and the left antenna."""
        return list(call("state")["antennas"])

    def look_at_world(
        self, x: float, y: float, z: float, duration: float = 1.0, perform_movement: bool = True
    ) -> Array:
        """Turns the head toward a point (m) relative to its neutral pose. Returns the head pose."""
        return self._look(np.array([x, y, z], dtype=float), duration, perform_movement)

    def look_at_image(self, u: float, v: float, duration: float = 1.0, perform_movement: bool = True) -> Array:
        """Turns the head toward the object at a pixel. Returns the head pose.

        The pixel is given by its column and row, from the upper left corner.
        """
        lens = call("lens")
        width, height = lens["width"], lens["height"]
        if not (0 < u < width and 0 < v < height):
            raise ValueError(f"the pixel ({u}, {v}) is outside of the picture, which is {width}x{height}")
        ray = _ray_through(u, v, width, height, lens["focal_length"])
        return self._look(self.get_current_head_pose()[:3, :3] @ ray, duration, perform_movement)

    def wake_up(self) -> None:
        """Moves to the neutral pose and tilts the head. Plays no sound, unlike the SDK."""
        self.goto_target(np.eye(4), antennas=_AWAKE_ANTENNAS, duration=2.0)
        time.sleep(0.1)
        self.goto_target(create_head_pose(roll=20.0), duration=0.2)
        self.goto_target(np.eye(4), duration=0.2)

    def goto_sleep(self) -> None:
        """Moves to the sleep posture. Plays no sound, unlike the SDK."""
        call("play", library="gesture", name="go_to_sleep", amplitude=1.0)

    def _look(self, direction: Array, duration: float, perform_movement: bool) -> Array:
        if duration < 0.0:
            raise ValueError("Duration can't be negative.")
        pose = pose_towards(direction)
        if perform_movement and duration > 0.0:
            self.goto_target(pose, duration=duration)
        elif perform_movement:
            self.set_target(pose)
        return pose

    def _turned(self, head: object, body_yaw: float | None) -> float | None:
        """Returns the body yaw to send to the host.

        If a head pose is given, the result None means 0, or more if the neck needs it.
        """
        if head is None:
            return _number(body_yaw)
        if body_yaw is None:
            return float(call("state")["body_yaw"])
        return _number(body_yaw) or None

    def __getattr__(self, name: str) -> NoReturn:
        raise not_offered("ReachyMini", name, public(ReachyMini))


def pose_towards(direction: Array) -> Array:
    """Returns the pose of a head that turns from its neutral pose toward a direction, as a 4x4 transform.

    The turn is the shortest possible turn.

    Source: Rodrigues' formula.
    """
    pose = np.eye(4)
    length = float(np.linalg.norm(direction))
    if length < 1e-12:
        return pose
    x, y, z = direction / length
    if x < -1.0 + 1e-9:  # straight behind: any axis is possible, so stay upright
        pose[:3, :3] = np.diag([-1.0, -1.0, 1.0])
        return pose
    cross = np.array([[0.0, -y, -z], [y, 0.0, 0.0], [z, 0.0, 0.0]])
    pose[:3, :3] += cross + cross @ cross / (1.0 + x)
    return pose


def _ray_through(u: float, v: float, width: int, height: int, focal_length: float) -> Array:
    """Returns the direction, in the frame of the head, that a pixel shows.

    Args:
        u: Column from the left edge.
        v: Row from the upper edge.
        width: Width of the picture, pixels.
        height: Height of the picture, pixels.
        focal_length: Focal length, pixels.
    """
    return np.asarray(_HEAD_FROM_CAMERA @ np.array([u - width / 2.0, v - height / 2.0, focal_length]))


def _matrix(head: Any) -> list[list[float]] | None:
    if head is None:
        return None
    pose = np.asarray(head, dtype=float)
    if pose.shape != (4, 4):
        raise ValueError(f"Head pose must be a 4x4 matrix, got shape {pose.shape}.")
    rows: list[list[float]] = pose.tolist()
    return rows


def _pair(antennas: Any) -> list[float] | None:
    if antennas is None:
        return None
    if len(antennas) != 2:
        raise ValueError("Antennas must be a list or 1D np array with two elements.")
    return [float(antenna) for antenna in antennas]


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _frame() -> Any:
    try:
        return ask("frame")
    except HostError as error:
        if error.code != "CAMERA_UNAVAILABLE":
            raise RuntimeError(str(error)) from None
        return None
