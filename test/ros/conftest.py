"""One ROS session for the tests of a module: what one leaves on its node would slow the next."""

from collections.abc import Iterator

import pytest

from support.nodes.node_process import Ros, isolate


@pytest.fixture(scope="module")
def ros(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ros]:
    isolate(tmp_path_factory.mktemp("graph"))
    session = Ros()
    yield session
    session.close()
