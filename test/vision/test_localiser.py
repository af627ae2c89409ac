import math

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import Matrix, Vector, head_transform
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.eye import camera_pose, pixel_of
from reachy_agent_ros.vision.localiser import MIDDLE_HEIGHTS, Sighting, locate, touches_edge

LENS = Intrinsics.from_field_of_view(320, 240, math.radians(80.0))
LOOKING_DOWN = camera_pose(head_transform(pitch=0.3))


def box_at(u: float, v: float, half: float = 10.0) -> BoundingBox:
    return BoundingBox(u - half, v - half, u + half, v + half)


def sight_of(point: Vector, label: str, camera: Matrix) -> Sighting:
    """Returns the sighting for a bounding box whose center is exactly the projection of a point."""
    pixel = pixel_of(np.linalg.inv(camera) @ np.append(point, 1.0) @ np.eye(4, 3), LENS)
    if pixel is None or not (20 < pixel[0] < 300 and 20 < pixel[1] < 220):
        reject()
    return locate(Detection(label, 0.9, box_at(*pixel)), LENS, camera)


@given(
    st.sampled_from(sorted(MIDDLE_HEIGHTS)),
    st.floats(0.25, 0.9),
    st.floats(-0.3, 0.3),
    st.floats(-0.4, 0.4),
    st.floats(0.0, 0.5),
    st.floats(-0.5, 0.5),
)
def test_exact_box_center_results_in_exact_position(
    label: str, x: float, y: float, roll: float, pitch: float, yaw: float
) -> None:
    point = np.array([x, y, MIDDLE_HEIGHTS[label]])
    sighting = sight_of(point, label, camera_pose(head_transform(roll, pitch, yaw)))
    assert sighting.position == pytest.approx(point, abs=1e-9)
    assert sighting.covariance is not None
    assert np.linalg.eigvalsh(sighting.covariance).min() > 0.0


def test_position_uncertainty_is_centimeters_and_largest_along_line_of_sight() -> None:
    near = sight_of(np.array([0.35, 0.0, 0.055]), "duck", LOOKING_DOWN).covariance
    far = sight_of(np.array([0.7, 0.0, 0.055]), "duck", LOOKING_DOWN).covariance
    assert near is not None
    assert far is not None
    assert near[0, 0] < far[0, 0] < 0.1**2
    assert far[1, 1] < far[0, 0]
    assert near[1, 1] > 0.004**2


def test_position_covariance_matches_shift_of_box() -> None:
    middle, moved = (locate(Detection("duck", 0.9, box_at(150.0 + du, 150.0)), LENS, LOOKING_DOWN) for du in (0, 1))
    assert middle.position is not None
    assert moved.position is not None
    assert middle.covariance is not None
    per_pixel = (moved.position - middle.position)[1]
    deviation = math.hypot(0.09 * 20.0, 1.0)
    assert math.sqrt(middle.covariance[1, 1]) == pytest.approx(abs(per_pixel) * deviation, rel=0.1)


def test_box_above_horizon_has_only_bearing() -> None:
    sighting = locate(Detection("duck", 0.9, box_at(160, 60)), LENS, camera_pose(np.eye(4)))
    assert sighting.position is None
    assert sighting.covariance is None
    assert sighting.bearing[2] > 0.0


def test_box_just_below_horizon_has_only_bearing() -> None:
    assert locate(Detection("duck", 0.9, box_at(160, 122)), LENS, camera_pose(np.eye(4))).position is None


@pytest.mark.parametrize(
    "box", [BoundingBox(0, 150, 30, 180), BoundingBox(100, 200, 130, 240), BoundingBox(290.5, 150, 319.5, 180)]
)
def test_box_at_image_edge_has_only_bearing(box: BoundingBox) -> None:
    assert touches_edge(box, LENS)
    assert locate(Detection("duck", 0.9, box), LENS, LOOKING_DOWN).position is None


def test_object_of_unknown_height_has_only_bearing() -> None:
    assert locate(Detection("person", 0.9, box_at(160, 160)), LENS, LOOKING_DOWN).position is None
