"""One ROS session for all tests of nodes."""

from collections.abc import Iterator

import pytest
from node_process import Ros, isolate


@pytest.fixture(scope="session")
def ros(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ros]:
    isolate(tmp_path_factory.mktemp("graph"))
    session = Ros()
    yield session
    session.close()
