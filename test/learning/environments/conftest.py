import pytest

from reachy_agent_ros.learning.environments.physics_body import PhysicsBody


@pytest.fixture(scope="session")
def physics() -> PhysicsBody:
    """One for all tests: loading takes 2 s. Every command to it is recomputed."""
    return PhysicsBody(watched=True)
