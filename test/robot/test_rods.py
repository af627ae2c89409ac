from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.robot.kinematics import JOINTS, BodyKinematics
from reachy_agent_ros.robot.rods import Rods
from reachy_agent_ros.robot.urdf import robot_description
from support.robot.link_poses import link_poses

ROBOT = ElementTree.fromstring(robot_description())
KINEMATICS = BodyKinematics()
RODS = Rods()
angles = st.floats(-0.25, 0.25)
shifts = st.floats(-0.008, 0.008)


@settings(deadline=None, max_examples=40)
@given(angles, angles, st.floats(-0.6, 0.6), st.tuples(shifts, shifts, shifts), st.floats(-2.0, 2.0))
def test_computed_rods_connect_arms_to_head(
    roll: float, pitch: float, yaw: float, shift: tuple[float, float, float], body_yaw: float
) -> None:
    turned = head_transform(yaw=body_yaw) @ head_transform(roll, pitch, yaw, *shift)
    joints = dict(zip(JOINTS, KINEMATICS.inverse(BodyPose(turned, body_yaw=body_yaw)), strict=True))
    poses = link_poses(ROBOT, joints | RODS.joints(turned, joints), turned)
    for arm in range(1, 6):
        assert math.dist(poses[f"closing_{arm}_1"][:3, 3], poses[f"closing_{arm}_2"][:3, 3]) < 0.001
    tip = poses["stewart_link_rod_6"] @ np.array([-0.085, 0.0, 0.0, 1.0])
    assert math.dist(tip[:3], poses["xl_330"][:3, 3]) < 0.001


def test_computes_every_joint_that_is_not_measured() -> None:
    moving = {joint.get("name") for joint in ROBOT.iter("joint") if joint.get("type") == "revolute"}
    assert set(RODS.joints(np.eye(4), dict.fromkeys(JOINTS, 0.0))) == moving - set(JOINTS)
