"""Running nodes keep their ROS domain from other runs of the tests."""

import os

from support.domains import is_silent
from support.nodes.node_process import Ros


def test_domain_with_a_node_is_not_silent(ros: Ros) -> None:
    assert not is_silent(int(os.environ["ROS_DOMAIN_ID"]))
