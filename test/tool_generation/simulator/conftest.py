"""The bodies of rehearsals, ready to be used."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.tool_generation.simulator.simulator_body import SimulatorBody
from reachy_agent_ros.tool_generation.simulator.virtual_body import StillBody, VirtualBody
from reachy_agent_ros.tools.context import ToolContext


@pytest.fixture(scope="session")
def loaded_twin() -> Iterator[SimulatorBody]:
    twin = SimulatorBody()
    yield twin
    twin.close()


@pytest.fixture
def twin(loaded_twin: SimulatorBody) -> SimulatorBody:
    loaded_twin.reset()
    return loaded_twin


@pytest.fixture
def still() -> StillBody:
    return StillBody()


@pytest.fixture(params=["still", "twin"])
def body(request: pytest.FixtureRequest) -> VirtualBody:
    chosen: VirtualBody = request.getfixturevalue(request.param)
    return chosen


@pytest.fixture
def context_for() -> Callable[..., ToolContext]:
    def make(body: VirtualBody, seconds: float = 20.0) -> ToolContext:
        return ToolContext(body, Deadline(seconds, lambda: body.now), lambda _progress: None)

    return make
