from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.robot import urdf
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.robot.kinematics import JOINTS, BodyKinematics
from reachy_agent_ros.robot.mujoco_simulation import Simulation
from reachy_agent_ros.robot.urdf import robot_description
from reachy_agent_ros.vision.eye import HEAD_FROM_OPTICAL
from support.robot.link_poses import child_of, link_poses, parent_of


@pytest.fixture(scope="module")
def robot() -> ElementTree.Element:
    return ElementTree.fromstring(robot_description())


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    """Returns a simulated robot whose head and body are turned."""
    pose = BodyPose(head_transform(0.1, 0.2, 0.5, 0.005, -0.01, 0.01), 0.4, -0.7, 0.3)
    return Simulation("empty", BodyKinematics().inverse(pose))


def test_urdf_is_single_tree_with_root_base_link(robot: ElementTree.Element) -> None:
    links = [link.get("name") for link in robot.iter("link")]
    children = [child_of(joint) for joint in robot.iter("joint")]
    assert len(set(links)) == len(links)
    assert len(set(children)) == len(children)
    assert set(links) - set(children) == {names.BASE_FRAME}
    assert {parent_of(joint) for joint in robot.iter("joint")} <= set(links)


def test_every_mesh_file_exists(robot: ElementTree.Element) -> None:
    uris = {mesh.get("filename") for mesh in robot.iter("mesh")}
    assert len(uris) > 40
    for uri in uris:
        assert urlparse(uri).scheme == "file"
        assert Path(unquote(urlparse(uri).path)).is_file()


def test_every_moving_joint_is_measured_in_simulation(robot: ElementTree.Element, simulation: Simulation) -> None:
    moving = {joint.get("name") for joint in robot.iter("joint") if joint.get("type") == "revolute"}
    assert moving >= set(JOINTS)
    assert moving <= set(simulation.joints())
    floating = [joint for joint in robot.iter("joint") if joint.get("type") == "floating"]
    assert [(parent_of(joint), child_of(joint)) for joint in floating] == [(names.HEAD_BASE_FRAME, names.HEAD_FRAME)]


def test_arms_reach_measured_head(robot: ElementTree.Element, simulation: Simulation) -> None:
    head = simulation.head()
    head[2, 3] -= names.HEAD_BASE_HEIGHT
    poses = link_poses(robot, simulation.joints(), head)
    assert poses["head"] == pytest.approx(simulation.head(), abs=1e-6)
    for arm in range(1, 6):
        gap = poses[f"closing_{arm}_1"][:3, 3] - poses[f"closing_{arm}_2"][:3, 3]
        assert np.linalg.norm(gap) < 0.001


def test_camera_frame_equals_simulated_camera(robot: ElementTree.Element) -> None:
    model = mujoco.MjModel.from_xml_path(str(scene_path("empty")))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    head, eye = data.site("head"), data.camera("eye_camera")
    in_head = head.xmat.reshape(3, 3).T @ (eye.xpos - head.xpos)
    turn = head.xmat.reshape(3, 3).T @ eye.xmat.reshape(3, 3) @ np.diag([1.0, -1.0, -1.0])
    camera = link_poses(robot, {}, np.eye(4))
    found = np.linalg.inv(camera[names.HEAD_FRAME]) @ camera[names.CAMERA_FRAME]
    assert found[:3, 3] == pytest.approx(in_head, abs=1e-4)
    assert found[:3, :3] == pytest.approx(turn, abs=1e-3)
    assert found == pytest.approx(HEAD_FROM_OPTICAL, abs=2e-3)


def test_rejects_unsupported_urdf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text("<robot name='another'/>")
    monkeypatch.setattr(urdf, "urdf_path", lambda: path)
    with pytest.raises(AgentError, match="head_frame") as raised:
        robot_description.__wrapped__()
    assert raised.value.code is ErrorCode.ROBOT_DISCONNECTED
