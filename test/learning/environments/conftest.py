import pytest

from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics


@pytest.fixture(scope="session")
def physics() -> MujocoDynamics:
    """Shared physics simulation, because loading it takes 2 s; each command that it receives is checked."""
    return MujocoDynamics(watched=True)
