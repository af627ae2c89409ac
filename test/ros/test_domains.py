"""Selection of ROS domains: other test runs must not use a domain with running nodes."""

import os

from support.domains import is_silent
from support.nodes.node_process import Ros


def test_ros_domain_with_running_node_is_not_free(ros: Ros) -> None:
    assert not is_silent(int(os.environ["ROS_DOMAIN_ID"]))
