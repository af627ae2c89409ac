"""One ROS session for the tests of a module: what one leaves on its node would slow the next."""

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
    """rclpy says that it uses one that is not Fast DDS. What it does is still done by Fast DDS."""
    monkeypatch.setattr(rclpy, "get_rmw_implementation_identifier", lambda: "rmw_cyclonedds_cpp")
