from __future__ import annotations

import math

import numpy as np
import pytest
from geometry_msgs.msg import Point
from hypothesis import given
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message, serialize_message
from std_msgs.msg import Header
from visualization_msgs.msg import Marker, MarkerArray

from reachy_agent_ros.core.names import BASE_FRAME, HEAD_BASE_FRAME
from reachy_agent_ros.core.pose import head_transform, matrix_from_quaternion
from reachy_agent_ros.robot.pose_limits import ENVELOPE
from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
from reachy_agent_ros.ros.vision.markers import (
    LABEL,
    REACH,
    SEEN,
    STANDARD_DEVIATIONS,
    UNCERTAINTY,
    face_marker,
    gaze_marker,
    limits_marker,
    marker_array,
    sighting_markers,
)
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.localiser import Sighting

BASE = Header(stamp=wall_stamp(), frame_id=BASE_FRAME)
HEAD_BASE = Header(stamp=wall_stamp(), frame_id=HEAD_BASE_FRAME)
CAMERA = camera_pose(np.eye(4))
DUCK = Detection("duck", 0.87, BoundingBox(10.0, 10.0, 30.0, 30.0))
COVARIANCE = np.diag([0.0004, 0.0001, 0.000025])


def array(point: Point) -> np.ndarray:
    return np.array([point.x, point.y, point.z])


def placed(covariance: np.ndarray = COVARIANCE) -> Sighting:
    return Sighting(DUCK, np.array([1.0, 0.0, 0.0]), np.array([0.6, 0.3, 0.05]), covariance)


def of(markers: list[Marker], namespace: str) -> Marker:
    (found,) = [marker for marker in markers if marker.ns == namespace]
    return found


def test_gaze_marker_follows_line_of_sight() -> None:
    head = head_transform(pitch=0.3, yaw=0.5)
    marker = gaze_marker(BASE, camera_pose(head))
    start, end = map(array, marker.points)
    assert start == pytest.approx(camera_pose(head)[:3, 3])
    assert (end - start) / np.linalg.norm(end - start) == pytest.approx(head[:3, 0])


def test_face_marker_has_position_of_face() -> None:
    face = face_marker(HEAD_BASE, np.array([1.0, 0.2, 0.1]))
    assert array(face.pose.position) == pytest.approx([1.0, 0.2, 0.1])
    assert face.header.frame_id == HEAD_BASE_FRAME


def test_located_detection_is_drawn_as_ball_with_label() -> None:
    markers = sighting_markers(BASE, [placed()], CAMERA)
    assert array(of(markers, SEEN).pose.position) == pytest.approx([0.6, 0.3, 0.05])
    label = of(markers, LABEL)
    assert label.text == "duck 0.87"
    assert label.pose.position.z > 0.05


def test_detection_without_position_is_drawn_as_ray() -> None:
    markers = sighting_markers(BASE, [Sighting(DUCK, np.array([0.6, 0.8, 0.0]))], CAMERA)
    start, end = map(array, of(markers, SEEN).points)
    assert start == pytest.approx(CAMERA[:3, 3])
    assert (end - start) / np.linalg.norm(end - start) == pytest.approx([0.6, 0.8, 0.0])
    assert UNCERTAINTY not in {marker.ns for marker in markers}


@given(st.lists(st.floats(-0.05, 0.05), min_size=9, max_size=9))
def test_uncertainty_ellipsoid_has_axes_of_covariance(numbers: list[float]) -> None:
    root = np.reshape(numbers, (3, 3))
    covariance = root @ root.T + 1e-6 * np.eye(3)
    marker = of(sighting_markers(BASE, [placed(covariance)], CAMERA), UNCERTAINTY)
    q = marker.pose.orientation
    axes = matrix_from_quaternion(np.array([q.x, q.y, q.z, q.w]))
    half = np.array([marker.scale.x, marker.scale.y, marker.scale.z]) / 2.0 / STANDARD_DEVIATIONS
    assert axes @ np.diag(half**2) @ axes.T == pytest.approx(covariance, abs=1e-7)


@given(st.floats(-math.pi, math.pi))
def test_limits_marker_shows_motion_envelope_relative_to_body(body_yaw: float) -> None:
    marker = limits_marker(HEAD_BASE, body_yaw)
    assert len(marker.points) % 2 == 0
    back = np.linalg.inv(head_transform(yaw=body_yaw))[:3, :3]
    rim = [back @ array(point) for point in marker.points if np.linalg.norm(array(point)) > 1e-9]
    assert [np.linalg.norm(point) for point in rim] == pytest.approx([REACH] * len(rim))
    yaws = [math.atan2(point[1], point[0]) for point in rim]
    pitches = [-math.asin(point[2] / REACH) for point in rim]
    assert (min(yaws), max(yaws)) == pytest.approx((ENVELOPE["head.yaw"].low, ENVELOPE["head.yaw"].high))
    assert (min(pitches), max(pitches)) == pytest.approx((ENVELOPE["head.pitch"].low, ENVELOPE["head.pitch"].high))


def test_marker_array_clears_earlier_markers_and_has_unique_ids() -> None:
    things = sighting_markers(BASE, [placed(), placed(), Sighting(DUCK, np.array([1.0, 0.0, 0.0]))], CAMERA)
    message = marker_array([gaze_marker(BASE, CAMERA), limits_marker(HEAD_BASE, 0.0), *things])
    assert message.markers[0].action == Marker.DELETEALL
    drawn = message.markers[1:]
    assert len({(marker.ns, marker.id) for marker in drawn}) == len(drawn)
    for marker in drawn:
        assert marker.lifetime.sec == 1
        assert marker.color.a > 0.0
        q = marker.pose.orientation
        assert math.hypot(q.x, q.y, q.z, q.w) == pytest.approx(1.0)
    assert len(deserialize_message(serialize_message(message), MarkerArray).markers) == len(message.markers)
