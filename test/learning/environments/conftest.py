import pytest

from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics


@pytest.fixture(scope="session")
def physics() -> MujocoDynamics:
    """Shared physics, because loading takes 2 s; every command to it is checked."""
    return MujocoDynamics(watched=True)
