"""Fixtures with simulated bodies and dynamics."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics
from reachy_agent_ros.simulation.virtual_body import KinematicBody, VirtualBody
from reachy_agent_ros.tools.context import ToolContext


@pytest.fixture(scope="session")
def loaded_body() -> Iterator[MujocoBody]:
    mujoco_body = MujocoBody()
    yield mujoco_body
    mujoco_body.close()


@pytest.fixture
def mujoco_body(loaded_body: MujocoBody) -> MujocoBody:
    loaded_body.reset()
    return loaded_body


@pytest.fixture
def kinematic_body() -> KinematicBody:
    return KinematicBody()


@pytest.fixture(params=["kinematic_body", "mujoco_body"])
def body(request: pytest.FixtureRequest) -> VirtualBody:
    chosen: VirtualBody = request.getfixturevalue(request.param)
    return chosen


@pytest.fixture
def context_for() -> Callable[..., ToolContext]:
    def make(body: VirtualBody, seconds: float = 20.0) -> ToolContext:
        return ToolContext(body, Deadline(seconds, lambda: body.now), lambda _progress: None)

    return make


@pytest.fixture(scope="session")
def physics() -> MujocoDynamics:
    """Returns a physics simulation that all tests share, because loading takes 2 s. It checks all commands."""
    return MujocoDynamics(watched=True)
