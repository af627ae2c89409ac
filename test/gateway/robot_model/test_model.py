from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reachy_agent_ros.core.names import HEAD_BASE_HEIGHT
from reachy_agent_ros.core.pose import (
    BodyPose,
    Matrix,
    head_transform,
    matrix_from_quaternion,
    matrix_from_rotation_vector,
)
from reachy_agent_ros.gateway.robot_model import JOINTS, MODEL
from reachy_agent_ros.gateway.robot_model.model import Mesh, read_stl, simplified, write_model
from reachy_agent_ros.robot.description import urdf_path
from reachy_agent_ros.robot.kinematics import JOINTS as MOTORS
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.rods import Rods


def points_on(mesh: Mesh, count: int) -> np.ndarray:
    random = np.random.default_rng(0)
    corners = mesh.vertices[mesh.faces].astype(np.float64)
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    chosen = corners[random.choice(len(corners), count, p=areas / areas.sum())]
    first, second = np.sqrt(random.random(count))[:, None], random.random(count)[:, None]
    return np.asarray(chosen[:, 0] * (1 - first) + chosen[:, 1] * first * (1 - second) + chosen[:, 2] * first * second)


def test_merges_identical_vertices_of_mesh() -> None:
    mesh = read_stl(urdf_path().parent / "assets" / "antenna.stl")
    assert len(mesh.vertices) < len(mesh.faces) < 2 * len(mesh.vertices) + 100


def test_simplified_mesh_keeps_its_surface() -> None:
    full = read_stl(urdf_path().parent / "assets" / "head_front_3dprint.stl")
    small = simplified(full, 1800)
    assert len(small.faces) <= 1800
    surface = points_on(small, 40_000)
    distances = [np.linalg.norm(surface - point, axis=1).min() for point in points_on(full, 1_000)]
    assert np.quantile(distances, 0.99) < 0.0015  # m, about the distance between the sampled points


def test_small_mesh_is_not_simplified() -> None:
    full = read_stl(urdf_path().parent / "assets" / "b3b_eh.stl")
    assert simplified(full, 10_000) is full


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("model")
    write_model(made)
    return made


def described(folder: Path) -> tuple[dict[str, Any], bytes]:
    content = (folder / MODEL).read_bytes()
    magic, version, size, text = struct.unpack("<4sIII", content[:16])
    assert (magic, version, size) == (b"glTF", 2, len(content))
    return json.loads(content[20 : 20 + text]), content[28 + text :]


@pytest.mark.slow
def test_robot_model_is_small_enough_for_web_page(folder: Path) -> None:
    model, _ = described(folder)
    triangles = sum(accessor["count"] // 3 for accessor in model["accessors"] if accessor["type"] == "SCALAR")
    assert triangles <= 80_000
    assert (folder / f"{MODEL}.gz").stat().st_size <= 350_000
    assert gzip.decompress((folder / f"{MODEL}.gz").read_bytes()) == (folder / MODEL).read_bytes()


def test_every_joint_refers_to_existing_node_of_robot_model(folder: Path) -> None:
    model, _ = described(folder)
    nodes = {node.get("name") for node in model["nodes"]}
    told = json.loads((folder / JOINTS).read_text())
    assert told["root"] == model["nodes"][0]["name"] == "base_link"
    assert {joint["link"] for joint in told["joints"]} <= nodes
    assert {joint["name"] for joint in told["joints"]} >= {*MOTORS, "passive_1_x", "passive_6_z", "neck"}


def test_node_scale_restores_size_of_part(folder: Path) -> None:
    """Compares the feet in the model with their original mesh. The feet are the widest part."""
    model, binary = described(folder)
    full = read_stl(urdf_path().parent / "assets" / "body_foot_3dprint.stl")
    node = next(node for node in model["nodes"] if "mesh" in node)
    primitive = model["meshes"][node["mesh"]]["primitives"][0]
    accessor = model["accessors"][primitive["attributes"]["POSITION"]]
    view = model["bufferViews"][accessor["bufferView"]]
    steps = np.frombuffer(binary, "<i2", 4 * accessor["count"], view["byteOffset"]).reshape(-1, 4)[:, :3]
    drawn = np.ptp(steps / 32767 * node["scale"], axis=0)
    assert drawn == pytest.approx(full.extent, abs=2e-3)


def test_faces_of_robot_model_refer_to_existing_vertices(folder: Path) -> None:
    model, binary = described(folder)
    for mesh in model["meshes"]:
        primitive = mesh["primitives"][0]
        indices = model["accessors"][primitive["indices"]]
        offset = model["bufferViews"][indices["bufferView"]]["byteOffset"]
        used = np.frombuffer(binary, "<u2", indices["count"], offset)
        assert used.max() == model["accessors"][primitive["attributes"]["POSITION"]]["count"] - 1


def placed(folder: Path, angles: dict[str, float], head: Matrix) -> dict[str, Matrix]:
    """Returns the poses of all links in `base_link` at given joint angles.

    The poses are computed from the two generated files.
    """
    model, _ = described(folder)
    turns = {joint["link"]: joint for joint in json.loads((folder / JOINTS).read_text())["joints"]}
    found: dict[str, Matrix] = {}
    waiting = [(0, np.eye(4))]
    while waiting:
        number, parent = waiting.pop()
        node = model["nodes"][number]
        local = np.eye(4)
        local[:3, :3] = matrix_from_quaternion(np.array(node.get("rotation", [0, 0, 0, 1])))
        local[:3, 3] = node.get("translation", [0, 0, 0])
        joint = turns.get(node.get("name"))
        if joint is not None and joint["type"] == "floating":
            local = head
        elif joint is not None:
            turn = np.eye(4)
            turn[:3, :3] = matrix_from_rotation_vector(angles[joint["name"]] * np.array(joint["axis"]))
            local = local @ turn
        pose = parent @ local
        if "name" in node:
            found[node["name"]] = pose
        waiting += [(child, pose) for child in node.get("children", [])]
    return found


@pytest.mark.parametrize("turned", [(0.0, 0.0, 0.0), (0.15, -0.2, 0.6), (-0.1, 0.15, -0.3)])
def test_rods_of_robot_model_are_attached_to_head(folder: Path, turned: tuple[float, float, float]) -> None:
    """Checks that the rods end at the head in the model. The web page places the head there."""
    head = head_transform(*turned, z=0.01)
    motors = BodyKinematics().inverse(BodyPose(head, 0.3, -0.2, 0.2))
    angles = dict(zip(MOTORS, motors.tolist(), strict=True))
    links = placed(folder, angles | Rods().joints(head, angles), head)
    assert links["head_base"][2, 3] == pytest.approx(HEAD_BASE_HEIGHT)
    for rod in (1, 3, 5):
        end, socket = links[f"closing_{rod}_1"][:3, 3], links[f"closing_{rod}_2"][:3, 3]
        assert np.linalg.norm(end - socket) < 1e-3
