from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.simulation.eye import _THINGS, DrawnEye
from reachy_agent_ros.vision.eye import camera_pose

EYE = DrawnEye()
COLORS = {thing.label: thing.color for thing in _THINGS}


def seen_from(yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0) -> Measurement:
    return Measurement(0.0, BodyPose(head_transform(roll, pitch, yaw)), {})


@pytest.mark.slow
@given(st.floats(-1.0, 1.0), st.floats(-0.6, 0.6), st.floats(-0.5, 0.5))
def test_detected_objects_are_in_image(yaw: float, pitch: float, roll: float) -> None:
    measured = seen_from(yaw, pitch, roll)
    picture = EYE.picture(measured)
    for found in EYE.detections(measured):
        assert 0.0 <= found.box.x0 < found.box.x1 <= 640.0
        assert 0.0 <= found.box.y0 < found.box.y1 <= 480.0
        box = picture[int(found.box.y0) : math.ceil(found.box.y1), int(found.box.x0) : math.ceil(found.box.x1)]
        assert (box == COLORS[found.label]).all(axis=2).any()


def test_simulated_images_are_deterministic() -> None:
    assert np.array_equal(EYE.picture(seen_from(0.2)), DrawnEye().picture(seen_from(0.2)))


def test_detections_have_positions_of_objects() -> None:
    sight = EYE.detect((), seen_from(pitch=0.2))
    assert len(sight.things) == 3
    for seen, thing in zip(sight.things, _THINGS, strict=True):
        assert seen.position is not None
        assert seen.position[:2] == pytest.approx((thing.x, thing.y), abs=1e-6)


def test_objects_outside_field_of_view_are_not_detected() -> None:
    assert EYE.detections(seen_from(yaw=math.radians(-110.0))) == []
    assert EYE.describe(seen_from(yaw=math.radians(-110.0))).text == "I do not see anything that I recognize."


def test_looking_up_shows_less_of_table() -> None:
    camera = camera_pose(head_transform())
    assert camera[2, 3] > 0.1
    table = [(EYE.picture(seen_from(pitch=pitch))[:, 0] == (146, 104, 68)).all(axis=1).sum() for pitch in (-0.3, 0.3)]
    assert table[0] < table[1]
