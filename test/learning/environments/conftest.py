import pytest

from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics


@pytest.fixture(scope="session")
def physics() -> MujocoDynamics:
    """Physics simulation that checks each received command.

    The tests share one simulation, because loading takes 2 s.
    """
    return MujocoDynamics(watched=True)
