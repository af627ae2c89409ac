from __future__ import annotations

import math
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, angle_between, head_transform
from reachy_agent_ros.robot.description import scene_path, urdf_path
from reachy_agent_ros.robot.kinematics import JOINTS, LOWER_LIMITS, UPPER_LIMITS, BodyKinematics

BODY = BodyKinematics()


def degrees(limit: float) -> st.SearchStrategy[float]:
    return st.floats(-limit, limit).map(math.radians)


@st.composite
def poses(draw: st.DrawFn, tilt: float, neck: float, shift: float) -> BodyPose:
    """Generates poses in which the head is near its neutral pose relative to the body.

    The limits are `tilt` and `neck` (deg) and `shift` (m). The body yaw is arbitrary.
    """
    body_yaw = draw(degrees(160))
    above_body = head_transform(
        draw(degrees(tilt)), draw(degrees(tilt)), draw(degrees(neck)), *(draw(st.floats(-shift, shift)) for _ in "xyz")
    )
    return BodyPose(head_transform(yaw=body_yaw) @ above_body, draw(degrees(180)), draw(degrees(180)), body_yaw)


@given(poses(tilt=20, neck=30, shift=0.005))
def test_forward_kinematics_inverts_inverse_kinematics(pose: BodyPose) -> None:
    found = BODY.forward(BODY.inverse(pose))
    assert angle_between(found.head, pose.head) < 1e-4
    assert np.linalg.norm(found.head[:3, 3] - pose.head[:3, 3]) < 1e-4
    assert (found.antenna_right, found.antenna_left) == (pose.antenna_right, pose.antenna_left)
    assert found.body_yaw == pose.body_yaw


@given(poses(tilt=60, neck=120, shift=0.06))
def test_inverse_kinematics_gives_joints_within_limits_or_error(pose: BodyPose) -> None:
    try:
        joints = BODY.inverse(pose)
    except AgentError as error:
        if error.code is not ErrorCode.UNREACHABLE:
            raise
        return
    assert (joints[:7] >= LOWER_LIMITS - 1e-6).all()
    assert (joints[:7] <= UPPER_LIMITS + 1e-6).all()


@given(st.integers(0, 18), st.sampled_from([math.nan, math.inf, -math.inf]))
def test_kinematics_rejects_non_finite_number(index: int, number: float) -> None:
    values = np.array([*np.eye(4).ravel(), 0.0, 0.0, 0.0])
    values[index] = number
    with pytest.raises(AgentError) as raised:
        BODY.inverse(BodyPose(values[:16].reshape(4, 4), *values[16:]))
    assert raised.value.code is ErrorCode.NOT_FINITE


@pytest.mark.parametrize("yaw", [65.1, -65.1, 120.0, 180.0])
def test_rejects_head_turned_too_far_from_body(yaw: float) -> None:
    with pytest.raises(AgentError, match="65 deg") as raised:
        BODY.inverse(BodyPose(head_transform(yaw=math.radians(yaw))))
    assert raised.value.code is ErrorCode.UNREACHABLE


def test_computes_neck_angle_across_half_turn() -> None:
    pose = BodyPose(head_transform(yaw=math.radians(-170)), body_yaw=math.radians(150))
    assert angle_between(BODY.forward(BODY.inverse(pose)).head, pose.head) < 1e-4


def test_reach_error_names_joint_at_limit() -> None:
    with pytest.raises(AgentError, match="yaw_body"):
        BODY.inverse(BodyPose(head_transform(yaw=math.radians(170)), body_yaw=math.radians(170)))


def test_joint_limits_equal_those_of_urdf() -> None:
    joints = {
        joint.get("name"): joint.find("limit") for joint in ElementTree.parse(urdf_path()).getroot().iter("joint")
    }
    limits = [joints[name] for name in JOINTS[:7]]
    assert pytest.approx([float(limit.get("lower")) for limit in limits], abs=1e-5) == LOWER_LIMITS
    assert pytest.approx([float(limit.get("upper")) for limit in limits], abs=1e-5) == UPPER_LIMITS


@pytest.mark.parametrize("side", ["right", "left"])
def test_positive_antenna_angle_leans_to_robots_left(side: str) -> None:
    model = mujoco.MjModel.from_xml_path(str(scene_path("empty")))
    data = mujoco.MjData(model)
    joint = model.joint(f"{side}_antenna")
    mujoco.mj_forward(model, data)
    upright = data.xipos[joint.bodyid[0]][1]
    leaning = BODY.inverse(BodyPose(**{f"antenna_{side}": 0.5}))
    data.qpos[joint.qposadr[0]] = leaning[JOINTS.index(f"{side}_antenna")]
    mujoco.mj_forward(model, data)
    assert data.xipos[joint.bodyid[0]][1] > upright + 0.01
