"""Tests that compare the model of the Stewart platform with the manufacturer's solver and with MuJoCo."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import BodyPose, Vector, angle_between, head_transform
from reachy_agent_ros.robot.coordinates import posture
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.stewart_platform import (
    GRAVITY,
    HEAD_CENTER,
    HEAD_MASS,
    ROD_MASS,
    STIFFNESS,
    StewartPlatform,
)
from reachy_agent_ros.robot.workspace import Workspace

BODY = BodyKinematics()
PLATFORM = StewartPlatform()
PERIOD = 0.01

anywhere = st.tuples(*(st.floats(low, high) for low, high in zip(LOW[:6], HIGH[:6], strict=True))).map(np.array)


def head(values: Vector) -> np.ndarray:
    x, y, z, roll, pitch, yaw = values[:6].tolist()
    return head_transform(roll, pitch, yaw, x, y, z)


@given(st.lists(anywhere, min_size=1, max_size=5))
def test_arm_angles_match_manufacturers_solver(rows: list[Vector]) -> None:
    found = PLATFORM.hold(np.array([head(values) for values in rows])).arms
    for values, arms in zip(rows, found, strict=True):
        if BODY.reaches(BodyPose(head(values))):
            assert np.allclose(arms, BODY.inverse(BodyPose(head(values)))[1:7], atol=1e-6)


def test_unreachable_head_pose_has_no_arm_angles_and_no_sag() -> None:
    unreachable = np.array([head_transform(z=0.3), np.eye(4)])
    held = PLATFORM.hold(unreachable)
    assert np.isnan(held.arms[0]).any()
    sags = PLATFORM.sag(held)
    assert math.isnan(sags[0])
    assert math.radians(0.0) <= sags[1] < math.radians(0.2)


def test_masses_and_stiffness_match_mujoco_model() -> None:
    model = mujoco.MjModel.from_xml_path(str(scene_path("empty")))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    body, site = model.body("xl_330").id, data.site("head")
    center = site.xmat.reshape(3, 3).T @ (data.subtree_com[body] - site.xpos)
    assert model.body_subtreemass[body] == pytest.approx(HEAD_MASS, abs=1e-4)
    assert center == pytest.approx(HEAD_CENTER, abs=1e-4)
    assert model.body("stewart_link_rod").mass[0] == pytest.approx(ROD_MASS, abs=1e-4)
    assert model.actuator("stewart_1").gainprm[0] == STIFFNESS
    assert -model.opt.gravity[2] == GRAVITY


@pytest.mark.parametrize(
    "degrees",
    [(0, 0, 0), (25, 0, 0), (0, -30, 0), (0, 0, 60), (-10, -10, -30), (10, -30, 20)],
    ids=lambda degrees: "roll {} pitch {} yaw {}".format(*degrees),
)
def test_sag_of_simulated_head_matches_computed_sag(degrees: tuple[int, int, int]) -> None:
    wanted = np.array([0.0, 0.0, 0.0, *np.radians(degrees), 0.0, 0.0, 0.0])
    assert Workspace().holds(wanted)
    sag = float(PLATFORM.sag(PLATFORM.hold(head(wanted)[None]))[0])
    assert settled_error(posture(wanted)) == pytest.approx(sag, rel=0.4, abs=math.radians(0.15))


def settled_error(pose: BodyPose) -> float:
    """Returns the angle (rad) between the commanded and the simulated orientation of the head after 20 s."""
    now = 0.0
    robot = MujocoRobot(clock=lambda: now)
    robot.connect()
    for _ in range(round(20.0 / PERIOD)):
        robot.command(pose)
        now += PERIOD
        measured = robot.pose()
    return angle_between(measured.head, pose.head)
