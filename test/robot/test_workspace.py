"""Tests that compare the workspace with the manufacturer's collision meshes in MuJoCo."""

from __future__ import annotations

import itertools
import math
from functools import cache

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, head_transform
from reachy_agent_ros.robot import workspace as module
from reachy_agent_ros.robot.coordinates import BODY_YAW, TILT, coordinates, posture
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.sleep import sleep_posture
from reachy_agent_ros.robot.workspace import CLEARANCE, MOST_SAG, Workspace

NEUTRAL_HEIGHT = 0.177
TIPPING = head_transform(x=0.045, y=0.042, z=-0.05)
"""Command that tipped the simulated head by 51 and then by 89 degrees, before braking paths were checked."""

anywhere = st.tuples(*(st.floats(low, high) for low, high in zip(LOW, HIGH, strict=True))).map(np.array)


class Colliders:
    """MuJoCo model with the collision meshes of the head and the shell. Both can be moved freely."""

    def __init__(self) -> None:
        self._model = mujoco.MjModel.from_xml_path(str(scene_path("empty")))
        self._data = mujoco.MjData(self._model)
        mujoco.mj_forward(self._model, self._data)
        geoms = {geom: self._name(geom) for geom in range(1, self._model.ngeom)}
        (self._head,) = (geom for geom, name in geoms.items() if name.startswith("head_one_3dprint_collider"))
        self._shell = [geom for geom, name in geoms.items() if name.startswith("body_top_3dprint_collider")]
        self._rotation = self._data.geom_xmat[self._head].reshape(3, 3).copy()
        self._place = self._data.geom_xpos[self._head] - self._data.site("head").xpos

    def distance(self, head: Matrix) -> float:
        """Returns the distance (m) between the head and the shell, which is negative if they overlap.

        Args:
            head: Head pose in the frame of the body.
        """
        self._data.geom_xpos[self._head] = head[:3, :3] @ self._place + head[:3, 3] + [0.0, 0.0, NEUTRAL_HEIGHT]
        self._data.geom_xmat[self._head] = (head[:3, :3] @ self._rotation).ravel()
        return min(
            float(mujoco.mj_geomDistance(self._model, self._data, self._head, geom, 0.05, None)) for geom in self._shell
        )

    def _name(self, geom: int) -> str:
        return str(self._model.mesh(self._model.geom_dataid[geom]).name)


@cache
def colliders() -> Colliders:
    return Colliders()


def in_body(values: Vector) -> Matrix:
    x, y, z, roll, pitch, yaw = values[:BODY_YAW].tolist()
    return head_transform(roll, pitch, yaw, x, y, z)


def sampled(count: int, seed: int) -> list[Vector]:
    """Returns the coordinates of random postures that the arms reach."""
    kinematics, generator = BodyKinematics(), np.random.default_rng(seed)
    found = []
    while len(found) < count:
        values = generator.choice([0.5, 1.0]) * generator.uniform(LOW, HIGH)
        if kinematics.reaches(posture(values)):
            found.append(values)
    return found


def test_posture_in_workspace_causes_no_collision() -> None:
    workspace = Workspace.outermost()
    inside = [values for values in sampled(1500, seed=1) if workspace.holds(values)]
    assert len(inside) > 300
    assert min(colliders().distance(in_body(values)) for values in inside) > 0.0


def test_postures_well_clear_of_shell_are_in_workspace() -> None:
    """The minimum distance is 9 mm, because the visual meshes extend up to 8 mm beyond the collision meshes."""
    workspace = Workspace(CLEARANCE, inset=0.0, most_sag=math.inf)
    clear = [values for values in sampled(1500, seed=2) if colliders().distance(in_body(values)) > 0.009]
    assert len(clear) > 100
    assert all(map(workspace.holds, clear))


@settings(max_examples=200)
@given(anywhere)
def test_contains_and_holds_return_same_result(values: Vector) -> None:
    workspace = Workspace(CLEARANCE)
    assert workspace.contains(posture(values)) == workspace.holds(values)


@settings(max_examples=100)
@given(st.lists(anywhere, min_size=1, max_size=20))
def test_holds_all_returns_true_if_every_posture_is_in_workspace(rows: list[Vector]) -> None:
    workspace = Workspace(CLEARANCE)
    assert workspace.holds_all(np.array(rows)) == all(map(workspace.holds, rows))


@settings(max_examples=100)
@given(anywhere)
def test_nearest_posture_is_in_workspace_and_equals_posture_inside_it(values: Vector) -> None:
    workspace = Workspace(CLEARANCE)
    nearest = workspace.nearest(values)
    assert workspace.holds(nearest)
    assert not workspace.holds(values) or np.array_equal(nearest, values)


def test_error_for_posture_with_sagging_head_suggests_smaller_tilt() -> None:
    sinking = posture(np.array([0.0, 0.015, 0.0, *np.radians([31.0, 29.0, 0.0, 0.0, 0.0, 0.0])]))
    assert Workspace.outermost().contains(sinking)
    with pytest.raises(AgentError, match=r"sink under .* smaller tilt") as refused:
        Workspace().require(sinking)
    assert refused.value.code is ErrorCode.UNREACHABLE
    assert Workspace().contains(posture(Workspace().turned_less(coordinates(sinking), TILT)))


def test_postures_of_known_safe_region_have_clearance() -> None:
    kinematics, workspace = BodyKinematics(), Workspace()
    for corner in itertools.product([-1.0, 0.0, 1.0], repeat=6):
        values = np.array([*(np.array(corner) * module._ALWAYS_INSIDE), 0.0, 0.0, 0.0])
        assert kinematics.reaches(BodyPose(in_body(values)), math.radians(2.0))
        assert workspace.clearance(values) > 0.002
        assert workspace.sag(values) < MOST_SAG / 2.0


def test_error_for_posture_that_tipped_head_contains_advice() -> None:
    assert BodyKinematics().reaches(BodyPose(TIPPING))
    with pytest.raises(AgentError) as refused:
        Workspace(CLEARANCE).require(BodyPose(TIPPING))
    assert refused.value.code is ErrorCode.UNREACHABLE
    assert "too close to the body" in refused.value.message
    assert "choose a higher head" in refused.value.message


def test_head_of_sleeping_robot_rests_on_shell() -> None:
    assert not Workspace(CLEARANCE).contains(sleep_posture())
    assert Workspace.reach().contains(sleep_posture())
    assert abs(Workspace().clearance(coordinates(sleep_posture()))) < 0.003


@settings(max_examples=200)
@given(anywhere)
def test_workspace_reach_matches_kinematics(values: Vector) -> None:
    assert Workspace.reach().holds(values) == BodyKinematics().reaches(posture(values))
