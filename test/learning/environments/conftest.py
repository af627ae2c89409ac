import pytest

from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics


@pytest.fixture(scope="session")
def physics() -> MujocoDynamics:
    """One for all tests: loading takes 2 s. Every command to it is recomputed."""
    return MujocoDynamics(watched=True)
