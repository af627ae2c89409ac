"""Fixtures for ROS tests.

Each test module has one ROS session, because entities of other modules slow down the node.
"""

from collections.abc import Iterator

import pytest
import rclpy

from support.nodes.node_process import Ros, isolate


@pytest.fixture(scope="module")
def ros(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ros]:
    isolate(tmp_path_factory.mktemp("graph"))
    session = Ros()
    yield session
    session.close()


@pytest.fixture
def another_middleware(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes rclpy report the name of another middleware, although Fast DDS is still used."""
    monkeypatch.setattr(rclpy, "get_rmw_implementation_identifier", lambda: "rmw_cyclonedds_cpp")
