"""Markers of gaze, detections, attended face and head limits for RViz and Foxglove.

Markers are published only while there are subscribers. Positions are in the frame of the given header, m. A marker
disappears a second after it was last sent. Markers are identified by namespace and number; `marker_array` removes
earlier ones.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Vector3
from reachy_agent_msgs.msg import RobotState
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import Matrix, Vector, matrix_from_rpy
from reachy_agent_ros.robot.pose_limits import ENVELOPE
from reachy_agent_ros.ros.camera.pictures import HeadListener
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import point_message, pose_message, vector_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from reachy_agent_ros.vision.camera import Frame
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.face_tracker import FaceTrack
from reachy_agent_ros.vision.localiser import Sighting

PERIOD = 0.2
"""Period of published markers, s."""

RECENT = 1.0
"""Age from which a detection is no longer drawn, s."""

GAZE, FACE = "gaze", "face"
SEEN, UNCERTAINTY, LABEL = "seen", "uncertainty", "label"
LIMITS = "limits"
"""Marker namespaces, which can be switched separately in RViz."""

LIFETIME = Duration(sec=1)

RAY = 0.6
"""Length of the arrow for the gaze, and for a bearing of unknown distance, m."""

REACH = 0.3
"""Distance from the head at which its direction limits are drawn, m."""

STANDARD_DEVIATIONS = 2.0
"""Half axes, in standard deviations, of an ellipsoid that contains the position with a probability of three in four."""

_THIN, _DOT, _HEAD_SIZE, _TEXT = 0.004, 0.03, 0.12, 0.03
"""Sizes of markers, m."""

_BLUE = ColorRGBA(r=0.25, g=0.55, b=1.0, a=0.9)
_GREEN = ColorRGBA(r=0.3, g=0.85, b=0.4, a=0.9)
_PALE_GREEN = ColorRGBA(r=0.3, g=0.85, b=0.4, a=0.25)
_ORANGE = ColorRGBA(r=1.0, g=0.65, b=0.2, a=0.5)
_GRAY = ColorRGBA(r=0.6, g=0.6, b=0.6, a=0.6)
_WHITE = ColorRGBA(r=1.0, g=1.0, b=1.0, a=1.0)


class MarkerPublisher:
    """Publisher of visualization markers. The `show_` methods are thread-safe.

    Args:
        node: Node that publishes the markers.
        heads: History of head poses.
    """

    def __init__(self, node: AgentNode, heads: HeadListener) -> None:
        self._node = node
        self._heads = heads
        self._sightings: tuple[float, Sequence[Sighting], Matrix] | None = None
        self._face: tuple[float, FaceTrack] | None = None
        self._body_yaw = 0.0
        self._state: Any = None
        self._markers = node.create_publisher(MarkerArray, names.MARKERS, STANDARD)
        node.every(PERIOD, self._publish)

    @property
    def wanted(self) -> bool:
        """Whether the markers have subscribers."""
        return bool(self._markers.get_subscription_count() > 0)

    def show_sightings(self, frame: Frame, sightings: Sequence[Sighting]) -> None:
        """Sets the detections to draw."""
        self._sightings = time.monotonic(), sightings, camera_pose(frame.head)

    def show_face(self, face: FaceTrack) -> None:
        """Sets the attended face to draw."""
        self._face = time.monotonic(), face

    def _publish(self) -> None:
        if not self.wanted:
            if self._state is not None:
                self._node.destroy_subscription(self._state)
                self._state = None
            return
        self._heads.need()
        if self._state is None:
            self._state = self._node.create_subscription(RobotState, names.ROBOT_STATE, self._remember, LATCHED)
        self._markers.publish(marker_array(self._drawn()))

    def _remember(self, state: RobotState) -> None:
        self._body_yaw = state.body_yaw

    def _drawn(self) -> Iterator[Marker]:
        base, head_base = self._node.header(names.BASE_FRAME), self._node.header(names.HEAD_BASE_FRAME)
        yield limits_marker(head_base, self._body_yaw)
        try:
            yield gaze_marker(base, camera_pose(self._heads.history.newest(0.0, 0.0)[1]))
        except AgentError:
            return  # without a robot, there is no gaze and there are no detections
        oldest = time.monotonic() - RECENT
        if self._sightings is not None and self._sightings[0] >= oldest:
            yield from sighting_markers(base, *self._sightings[1:])
        if self._face is not None and self._face[0] >= oldest:
            yield face_marker(head_base, self._face[1].position)


def marker_array(markers: Iterable[Marker]) -> MarkerArray:
    """Returns a message that replaces all earlier markers."""
    return MarkerArray(markers=[Marker(action=Marker.DELETEALL), *markers])


def gaze_marker(header: Header, camera: Matrix) -> Marker:
    """Returns an arrow marker along the camera's line of sight.

    Args:
        header: Header with stamp and frame.
        camera: 4x4 transform of `camera_optical` in the header's frame, m.
    """
    start, along = camera[:3, 3], camera[:3, 2]
    return _arrow(header, GAZE, 0, _BLUE, start, start + RAY * along)


def face_marker(header: Header, position: Vector) -> Marker:
    """Returns a sphere marker at the attended face (m) in the header's frame. A `FaceTarget` uses `head_base`."""
    return _ball(header, FACE, 0, _ORANGE, position, _HEAD_SIZE)


def sighting_markers(header: Header, sightings: Sequence[Sighting], camera: Matrix) -> list[Marker]:
    """Returns markers for the labels, positions and uncertainties of detections. Unknown positions appear as rays.

    Args:
        header: Header with stamp and frame `base_link`, the frame of the sightings.
        sightings: Detections with their bearings and, if known, positions.
        camera: 4x4 transform of `camera_optical` in that frame at the time of the picture, m.
    """
    return [
        marker
        for number, sighting in enumerate(sightings)
        for marker in _sighting_markers(header, number, sighting, camera[:3, 3])
    ]


def limits_marker(header: Header, body_yaw: float) -> Marker:
    """Returns a marker for the head's yaw and pitch limits relative to the body, in the shape of a pyramid of lines.

    Args:
        header: Header with stamp and frame `head_base`.
        body_yaw: Measured yaw of the body, rad.
    """
    yaw, pitch = ENVELOPE["head.yaw"], ENVELOPE["head.pitch"]
    across, down = np.linspace(yaw.low, yaw.high, 27), np.linspace(pitch.low, pitch.high, 17)
    edges = [
        [_direction(body_yaw + turn, pitch.low) for turn in across],
        [_direction(body_yaw + yaw.high, tilt) for tilt in down],
        [_direction(body_yaw + turn, pitch.high) for turn in across[::-1]],
        [_direction(body_yaw + yaw.low, tilt) for tilt in down[::-1]],
    ]
    rim = [REACH * direction for edge in edges for direction in edge]
    lines = [*itertools.pairwise(rim), *((np.zeros(3), REACH * edge[0]) for edge in edges)]
    marker = _marker(header, LIMITS, 0, Marker.LINE_LIST, _GRAY)
    marker.scale = Vector3(x=_THIN / 2)
    marker.points = [point_message(end) for line in lines for end in line]
    return marker


def _sighting_markers(header: Header, number: int, sighting: Sighting, eye: Vector) -> list[Marker]:
    place = sighting.position
    if place is None:
        place = eye + RAY * sighting.bearing
        drawn = [_arrow(header, SEEN, number, _PALE_GREEN, eye, place)]
    else:
        drawn = [_ball(header, SEEN, number, _GREEN, place, _DOT)]
    if sighting.covariance is not None:
        drawn.append(_ellipsoid(header, number, place, sighting.covariance))
    label = _marker(header, LABEL, number, Marker.TEXT_VIEW_FACING, _WHITE)
    label.text = f"{sighting.detection.label} {sighting.detection.confidence:.2f}"
    label.scale.z = _TEXT
    label.pose.position = point_message(place + np.array([0.0, 0.0, 2.0 * _TEXT]))
    return [*drawn, label]


def _ellipsoid(header: Header, number: int, center: Vector, covariance: Matrix) -> Marker:
    variances, axes = np.linalg.eigh(covariance)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] = -axes[:, 0]
    transform = np.eye(4)
    transform[:3, :3], transform[:3, 3] = axes, center
    marker = _marker(header, UNCERTAINTY, number, Marker.SPHERE, _PALE_GREEN)
    marker.pose = pose_message(transform)
    marker.scale = vector_message(2.0 * STANDARD_DEVIATIONS * np.sqrt(np.maximum(variances, 1e-8)))
    return marker


def _ball(header: Header, namespace: str, number: int, color: ColorRGBA, center: Vector, size: float) -> Marker:
    marker = _marker(header, namespace, number, Marker.SPHERE, color)
    marker.pose.position = point_message(center)
    marker.scale = Vector3(x=size, y=size, z=size)
    return marker


def _arrow(header: Header, namespace: str, number: int, color: ColorRGBA, start: Vector, end: Vector) -> Marker:
    marker = _marker(header, namespace, number, Marker.ARROW, color)
    marker.points = [point_message(start), point_message(end)]
    marker.scale = Vector3(x=_THIN, y=3.0 * _THIN, z=6.0 * _THIN)
    return marker


def _marker(header: Header, namespace: str, number: int, kind: int, color: ColorRGBA) -> Marker:
    return Marker(header=header, ns=namespace, id=number, type=kind, color=color, lifetime=LIFETIME)


def _direction(yaw: float, pitch: float) -> Vector:
    return matrix_from_rpy(0.0, pitch, yaw)[:, 0]
