import pytest

from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics


@pytest.fixture(scope="session")
def physics() -> MujocoDynamics:
    """Physics simulation shared by the tests, because loading takes 2 s. Checks each received command."""
    return MujocoDynamics(watched=True)
